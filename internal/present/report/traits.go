package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/inklinghq/inkling/cluster/data"
)

// Bounds on what a card says about a cluster.
const (
	traitsShown   = 6
	profilesShown = 8
	weakestTrait  = 0.25 // differences of fewer standard deviations are not listed, but for the largest
)

// A Trait is a column in which a cluster differs from all points: in its own units, or as
// the share of a value.
type Trait struct {
	Name   string
	Here   string  // the mean, or the share, in the cluster
	All    string  // the same over all points
	Others string  // the same over the points of other clusters
	Effect float64 // the difference in standard deviations
}

// A Column is a column of the table as people know it: numbers, NaN where they are
// missing, or texts, "" where they are missing, one for each point.
type Column struct {
	Name    string
	Numbers []float64 // nil: texts
	Texts   []string
	Dates   bool   // the numbers are days since 1970
	Unit    string // of the numbers; "": none
}

// write writes a number of the column as people do.
func (c *Column) write(x float64) string {
	if c.Dates {
		return time.Unix(0, 0).UTC().Add(time.Duration(math.Round(x)) * 24 * time.Hour).Format(time.DateOnly)
	}
	if c.Unit == "" {
		return quantity(x)
	}
	return quantity(x) + " " + c.Unit
}

// cell returns what the column holds for point i.
func (c *Column) cell(i int) string {
	if c.Numbers == nil {
		return clipText(c.Texts[i], 40)
	}
	if math.IsNaN(c.Numbers[i]) {
		return ""
	}
	return c.write(c.Numbers[i])
}

// A columnTrait is a trait with the place of its column.
type columnTrait struct {
	Trait
	column int
}

// traitsOf returns in which columns each of k clusters differs most, at most so many.
func traitsOf(list []Column, labels []int, k, most int) [][]columnTrait {
	out := make([][]columnTrait, k)
	for at := range list {
		found := list[at].levelTraits
		if list[at].Numbers != nil {
			found = list[at].meanTraits
		}
		for h, traits := range found(labels, k) {
			for _, t := range traits {
				out[h] = append(out[h], columnTrait{t, at})
			}
		}
	}
	for h, traits := range out {
		slices.SortStableFunc(traits, func(a, b columnTrait) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
		traits = traits[:min(most, len(traits))]
		for len(traits) > 1 && math.Abs(traits[len(traits)-1].Effect) < weakestTrait {
			traits = traits[:len(traits)-1]
		}
		out[h] = traits
	}
	return out
}

func plainTraits(list []columnTrait) (out []Trait) {
	for _, t := range list {
		out = append(out, t.Trait)
	}
	return out
}

// traits returns the columns in which cluster h differs most from all rows, with their
// numbers; a column of zeros and ones is given by its share of ones.
func (m *means) traits(h int, names []string) (out []Trait, columns []int) {
	for f := range m.all {
		if m.spread[f] > 0 && !math.IsNaN(m.of[h][f]) {
			columns = append(columns, f)
		}
	}
	effect := func(f int) float64 { return (m.of[h][f] - m.all[f]) / m.spread[f] }
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(math.Abs(effect(b)), math.Abs(effect(a))) })
	columns = columns[:min(traitsShown, len(columns))]
	for at, f := range columns {
		if at > 0 && math.Abs(effect(f)) < weakestTrait {
			return out, columns[:at]
		}
		write := quantity
		if m.binary[f] {
			write = shareOf
		}
		others := (m.all[f]*m.rows - m.of[h][f]*m.size[h]) / max(1, m.rows-m.size[h])
		out = append(out, Trait{Name: names[f], Here: write(m.of[h][f]), All: write(m.all[f]), Others: write(others), Effect: effect(f)})
	}
	return out, columns
}

// meanTraits compares the mean of a column in each cluster with that of all points. A
// column of zeros and ones is given by its share of ones.
func (c *Column) meanTraits(labels []int, k int) [][]Trait {
	var n, mean, square float64
	here, sum := make([]float64, k), make([]float64, k)
	binary := true
	for i, x := range c.Numbers {
		if math.IsNaN(x) {
			continue
		}
		n++
		mean += (x - mean) / n
		here[labels[i]]++
		sum[labels[i]] += x
		binary = binary && (x == 0 || x == 1)
	}
	for _, x := range c.Numbers {
		if !math.IsNaN(x) {
			square += (x - mean) * (x - mean)
		}
	}
	out := make([][]Trait, k)
	if square == 0 {
		return out
	}
	write := c.write
	if binary && !c.Dates {
		write = shareOf
	}
	for h := range out {
		if here[h] > 0 {
			m := sum[h] / here[h]
			others := (mean*n - sum[h]) / max(1, n-here[h])
			out[h] = []Trait{{Name: c.Name, Here: write(m), All: write(mean), Others: write(others), Effect: (m - mean) / math.Sqrt(square/n)}}
		}
	}
	return out
}

// levelsShown is how many values of one column of texts a card lists.
const levelsShown = 2

// levelTraits compares the shares of the values of a column in each cluster with those of
// all points. Values that are nearly all different tell nothing.
func (c *Column) levelTraits(labels []int, k int) [][]Trait {
	all, here := map[string]float64{}, make([]map[string]float64, k)
	n, size := 0.0, make([]float64, k)
	for h := range here {
		here[h] = map[string]float64{}
	}
	for i, level := range c.Texts {
		if level == "" {
			continue
		}
		n++
		all[level]++
		size[labels[i]]++
		here[labels[i]][level]++
	}
	out := make([][]Trait, k)
	if len(all) < 2 || 2*len(all) > len(labels) {
		return out
	}
	for h := range out {
		for level, count := range all {
			p, q := count/n, here[h][level]/max(1, size[h])
			others := (count - here[h][level]) / max(1, n-size[h])
			if p < 1 && q > p {
				out[h] = append(out[h], Trait{Name: c.Name + ": " + clipText(level, 30), Here: shareOf(q), All: shareOf(p), Others: shareOf(others), Effect: (q - p) / math.Sqrt(p*(1-p))})
			}
		}
		slices.SortFunc(out[h], func(a, b Trait) int { return cmp.Or(cmp.Compare(b.Effect, a.Effect), cmp.Compare(a.Name, b.Name)) })
		out[h] = out[h][:min(levelsShown, len(out[h]))]
	}
	return out
}

// entry returns a cell of a row; one that is not stored is a zero.
func entry(v data.Vec, f int) float64 {
	if v.Idx == nil {
		return v.Val[f]
	}
	if at, ok := slices.BinarySearch(v.Idx, int32(f)); ok {
		return v.Val[at]
	}
	return 0
}
