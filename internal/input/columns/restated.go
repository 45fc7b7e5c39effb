package columns

import (
	"math"
	"slices"
)

// A number restates another where it is a growing or a falling function of it, as a logarithm, a square or another unit
// is: their ranks are the same but for rounding. Both together would count one thing twice, and each would
// make the other look relevant.
const (
	restatedRank = 0.9995 // least correlation of the ranks, without its sign
	restatedRows = 2000   // of a sample
)

// dropRestated leaves out each number that restates an earlier one, and each date that restates a number or an earlier date. A column that the user named stays, and so do the
// columns of a block, such as q1 … q30.
func (in *inference) dropRestated(list []Column) {
	block := map[string]int{}
	var numbers []int
	for i, c := range list {
		if c.Used && c.Role == Number && c.At >= 0 {
			numbers = append(numbers, i)
			block[stemOf(c.Name)]++
		}
	}
	for i, c := range list {
		if c.Used && c.Role == Date && c.At >= 0 {
			numbers = append(numbers, i)
		}
	}
	if len(numbers) > relevanceMost {
		return
	}
	type ranked struct {
		at    int
		there []bool
		rank  []float64 // centred, of length 1; 0 where the cell is missing
	}
	var kept []ranked
	for _, i := range numbers {
		c := &list[i]
		there, rank, distinct := centredRanks(c.Spec.sample(in.ds, c.At, restatedRows))
		if distinct < fewLevels || len(rank) < minHeavyTail || block[stemOf(c.Name)] >= blockColumns {
			continue
		}
		first := slices.IndexFunc(kept, func(k ranked) bool {
			if !slices.Equal(k.there, there) {
				return false
			}
			dot := 0.0
			for s, r := range rank {
				dot += r * k.rank[s]
			}
			return math.Abs(dot) >= restatedRank
		})
		if first < 0 || in.givenRole(c.Name) != "" {
			kept = append(kept, ranked{i, there, rank})
			continue
		}
		c.Used, c.Why, c.Tip = false, "says the same as "+list[kept[first].at].Name, useTip(c.Name, c.Role)
		c.Shown = c.Spec.ValuesOf(in.ds, c.At)
	}
}

// centredRanks returns which values are there, their ranks less the mean and divided by their length, with ties at the
// mean of their ranks, and how many values are different.
func centredRanks(values []float64) (there []bool, rank []float64, distinct int) {
	there, rank = make([]bool, len(values)), make([]float64, len(values))
	var order []int
	for s, y := range values {
		if there[s] = y == y; there[s] {
			order = append(order, s)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch x, y := values[a], values[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	mean, square := float64(len(order)-1)/2, 0.0
	for from := 0; from < len(order); distinct++ {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		r := float64(from+to-1)/2 - mean
		for _, s := range order[from:to] {
			rank[s] = r
			square += r * r
		}
		from = to
	}
	if square > 0 {
		for s := range rank {
			rank[s] /= math.Sqrt(square)
		}
	}
	return there, rank, distinct
}
