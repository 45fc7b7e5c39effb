package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
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
	Effect float64 // the difference in standard deviations
}

// A Column is a column of the table that was not clustered on: numbers, NaN where they
// are missing, or texts, "" where they are missing, one for each point.
type Column struct {
	Name    string
	Numbers []float64 // nil: texts
	Texts   []string
}

// cell returns what the column holds for point i, as people write it.
func (c *Column) cell(i int) string {
	if c.Numbers == nil {
		return clipText(c.Texts[i], 40)
	}
	if math.IsNaN(c.Numbers[i]) {
		return ""
	}
	return quantity(c.Numbers[i])
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
		out = append(out, Trait{Name: names[f], Here: write(m.of[h][f]), All: write(m.all[f]), Effect: effect(f)})
	}
	return out, columns
}

// profile returns in which of the other columns cluster h differs most.
func (c *Clustering) profile(h int) (out []Trait) {
	for i := range c.Profile {
		if column := &c.Profile[i]; column.Numbers != nil {
			out = append(out, column.meanTrait(c.Labels, h)...)
		} else {
			out = append(out, column.levelTraits(c.Labels, h)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Trait) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return out[:min(profilesShown, len(out))]
}

// meanTrait compares the mean of a column in cluster h with that of all points.
func (c *Column) meanTrait(labels []int, h int) []Trait {
	var n, here, all, sum, square float64
	for i, x := range c.Numbers {
		if math.IsNaN(x) {
			continue
		}
		n++
		all += (x - all) / n
		if labels[i] == h {
			here++
			sum += x
		}
	}
	for _, x := range c.Numbers {
		if !math.IsNaN(x) {
			square += (x - all) * (x - all)
		}
	}
	if here == 0 || square == 0 {
		return nil
	}
	return []Trait{{Name: c.Name, Here: quantity(sum / here), All: quantity(all), Effect: (sum/here - all) / math.Sqrt(square/n)}}
}

// levelsShown is how many values of one column of texts a card lists.
const levelsShown = 2

// levelTraits compares the shares of the values of a column in cluster h with those of
// all points. Values that are all different say nothing.
func (c *Column) levelTraits(labels []int, h int) (out []Trait) {
	all, here := map[string]float64{}, map[string]float64{}
	n, size := 0.0, 0.0
	for i, level := range c.Texts {
		if level == "" {
			continue
		}
		n++
		all[level]++
		if labels[i] == h {
			size++
			here[level]++
		}
	}
	if size == 0 || len(all) < 2 || 2*len(all) > len(labels) {
		return nil
	}
	for level, count := range all {
		p, q := count/n, here[level]/size
		if p < 1 && q > p {
			out = append(out, Trait{Name: c.Name + " " + clipText(level, 30), Here: shareOf(q), All: shareOf(p), Effect: (q - p) / math.Sqrt(p*(1-p))})
		}
	}
	slices.SortFunc(out, func(a, b Trait) int { return cmp.Or(cmp.Compare(b.Effect, a.Effect), cmp.Compare(a.Name, b.Name)) })
	return out[:min(levelsShown, len(out))]
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
