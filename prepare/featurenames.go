package prepare

import (
	"cmp"
	"slices"
	"strconv"
)

// Name returns what feature f is called: its word, its column, or its number.
func (r *Recipe) Name(f int) string {
	switch {
	case f >= 0 && r.Text != nil && f < len(r.Text.Vocabulary):
		return r.Text.Vocabulary[f]
	case f >= 0 && f < len(r.Columns):
		return r.Columns[f]
	}
	return strconv.Itoa(f)
}

// Largest returns the names of up to n features at which v is largest, and
// above 0, the largest first and equal ones in their order. Of the centre of a
// cluster of documents these are the words that it is about.
func (r *Recipe) Largest(v []float64, n int) []string {
	var at []int
	for f, y := range v {
		if y > 0 {
			at = append(at, f)
		}
	}
	slices.SortStableFunc(at, func(f, g int) int { return cmp.Compare(v[g], v[f]) })
	var names []string
	for _, f := range at[:min(max(n, 0), len(at))] {
		names = append(names, r.Name(f))
	}
	return names
}
