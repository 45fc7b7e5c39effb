package columns

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// Vectors of unknown meaning, such as embeddings, may say the same more or less loudly: rows of one direction differ in
// length as if each had been multiplied by a number of its own. They are compared by their direction where
//   - rows have lengthColumns numbers or more, some of them negative in most columns, and lengths whose deviation is at least
//     lengthSpread of their mean;
//   - rows of about the same direction, the cells of k-means on rows of length 1, leave more than lengthLeft of the
//     variance of the logarithm of the length unexplained; and
//   - within these cells rows vary along the direction of the cell by more than lengthRatio times as much as along any
//     direction across it. Of rows around centres with noise that is alike in all directions it is about as much or less.
const (
	lengthColumns = 16
	lengthSpread  = 0.2
	lengthLeft    = 0.5
	lengthRatio   = 3.0
	lengthRows    = 100 // at least
	lengthCells   = 80  // at most; more than there are clusters, so that hardly one holds two
	rowsOfCell    = 25
	lengthSteps   = 6 // of k-means
	powerSteps    = 30
)

// LengthNote says that rows are compared by their direction.
const LengthNote hint.Hint = "rows of one direction differ mostly by their length, and are compared by their direction: each divided by its length ({scale=none} compares lengths too)"

// LengthIsNoise reports whether rows are better compared by their direction than by their values.
func LengthIsNoise(x [][]float64) bool {
	if len(x) < lengthRows || len(x[0]) < lengthColumns || !signed(x) {
		return false
	}
	var unit [][]float64
	var rows, logs []float64
	var kept [][]float64
	for _, row := range x {
		length := 0.0
		for _, y := range row {
			length += y * y
		}
		if length != length || math.IsInf(length, 0) {
			return false
		}
		if length = math.Sqrt(length); length == 0 {
			continue
		}
		u := make([]float64, len(row))
		for f, y := range row {
			u[f] = y / length
		}
		unit, kept, rows, logs = append(unit, u), append(kept, row), append(rows, length), append(logs, math.Log(length))
	}
	if mean, variance := moments(rows); len(rows) < lengthRows || math.Sqrt(variance) < lengthSpread*mean {
		return false
	}
	cell, k := directionCells(unit)
	_, all := moments(logs)
	within, along := 0.0, 0.0
	var across [][]float64
	for h := range k {
		var members []int
		for i, c := range cell {
			if c == h {
				members = append(members, i)
			}
		}
		if len(members) < 2 {
			continue
		}
		length := make([]float64, len(members))
		for q, i := range members {
			length[q] = logs[i]
		}
		_, v := moments(length)
		within += v * float64(len(members))
		a, rest := alongAndAcross(kept, members)
		along += a
		across = append(across, rest...)
	}
	if within <= lengthLeft*all*float64(len(rows)) {
		return false
	}
	return along > lengthRatio*largestSquare(across)
}

// signed reports whether most columns have values below 0.
func signed(x [][]float64) bool {
	negative := 0
	for f := range x[0] {
		if slices.ContainsFunc(x, func(row []float64) bool { return row[f] < 0 }) {
			negative++
		}
	}
	return 2*negative > len(x[0])
}

func moments(values []float64) (mean, variance float64) {
	for _, y := range values {
		mean += y / float64(len(values))
	}
	for _, y := range values {
		variance += (y - mean) * (y - mean) / float64(len(values))
	}
	return mean, variance
}

// directionCells divides rows of length 1 by k-means, from centres that are rows drawn at random.
func directionCells(unit [][]float64) (cell []int, k int) {
	n, d := len(unit), len(unit[0])
	k = min(lengthCells, n/rowsOfCell)
	centre := make([][]float64, k)
	for h, i := range rand.New(rand.NewPCG(1, 0x1e46)).Perm(n)[:k] {
		centre[h] = unit[i]
	}
	cell = make([]int, n)
	for range lengthSteps {
		sum := make([][]float64, k)
		for h := range sum {
			sum[h] = make([]float64, d)
		}
		for i, u := range unit {
			best := math.Inf(-1)
			for h, c := range centre {
				if s := dot(u, c); s > best {
					best, cell[i] = s, h
				}
			}
			for f, y := range u {
				sum[cell[i]][f] += y
			}
		}
		for h, s := range sum {
			if length := math.Sqrt(dot(s, s)); length > 0 {
				for f := range s {
					s[f] /= length
				}
				centre[h] = s
			}
		}
	}
	return cell, k
}

// alongAndAcross returns the squares of the deviations of some rows along their mean direction, summed, and what is left of
// them across it, less its mean.
func alongAndAcross(x [][]float64, members []int) (along float64, across [][]float64) {
	d := len(x[0])
	mean := make([]float64, d)
	for _, i := range members {
		for f, y := range x[i] {
			mean[f] += y / float64(len(members))
		}
	}
	length := math.Sqrt(dot(mean, mean))
	if length == 0 {
		return 0, nil
	}
	for _, i := range members {
		row := make([]float64, d)
		for f, y := range x[i] {
			row[f] = y - mean[f]
		}
		a := dot(row, mean) / length
		along += a * a
		for f := range row {
			row[f] -= a * mean[f] / length
		}
		across = append(across, row)
	}
	return along, across
}

// largestSquare returns the largest sum of squares of rows along any direction, by power iteration.
func largestSquare(rows [][]float64) (top float64) {
	if len(rows) == 0 {
		return 0
	}
	v := slices.Clone(slices.MaxFunc(rows, func(a, b []float64) int {
		if s, t := dot(a, a), dot(b, b); s != t {
			return int(math.Copysign(1, s-t))
		}
		return 0
	}))
	next := make([]float64, len(v))
	for range powerSteps {
		length := math.Sqrt(dot(v, v))
		if length == 0 {
			return 0
		}
		for f := range v {
			v[f] /= length
		}
		clear(next)
		top = 0
		for _, row := range rows {
			a := dot(row, v)
			top += a * a
			for f, y := range row {
				next[f] += a * y
			}
		}
		v, next = next, v
	}
	return top
}

func dot(a, b []float64) (s float64) {
	for f, y := range a {
		s += y * b[f]
	}
	return s
}
