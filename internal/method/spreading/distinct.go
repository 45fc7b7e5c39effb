package spreading

import (
	"cmp"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// mostCells is the number of values up to which equal rows are found.
const mostCells = 4_000_000

// distinctRows are the rows of a problem with their weights, where a row of weight 3 is the same as
// three equal rows: equal ones are merged, those of weight 0 left out, and the rest sorted. Rows
// without weights that are all different stay as they are, and so do very many.
type distinctRows struct {
	x      data.Rows
	weight []float64 // nil: all 1
	sorted bool
}

func newDistinctRows(p *cluster.Problem) distinctRows {
	n, d := p.X.Len(), p.X.Dim()
	plain := distinctRows{x: p.X, weight: p.Weight}
	if n*d > mostCells {
		return plain
	}
	order := make([]int, 0, n)
	values := make([]float64, 0, n*d)
	row := func(i int) []float64 { return values[i*d : (i+1)*d] }
	weighted := false
	for i := range n {
		values = append(values, data.Copy(p.X, i)...)
		if w := p.W(i); w > 0 {
			order = append(order, i)
			weighted = weighted || w != 1
		} else {
			weighted = true
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(row(a), row(b)) })
	var kept []int
	var weight []float64
	for _, i := range order {
		if len(kept) > 0 && slices.Equal(row(kept[len(kept)-1]), row(i)) {
			weight[len(weight)-1] += p.W(i)
			continue
		}
		kept, weight = append(kept, i), append(weight, p.W(i))
	}
	if !weighted && len(kept) == n || len(kept) < p.K {
		return plain
	}
	return distinctRows{data.Pick(p.X, kept), weight, true}
}

// w returns the weight of row i.
func (r distinctRows) w(i int) float64 {
	if r.weight == nil {
		return 1
	}
	return r.weight[i]
}

// merged sorts labelled rows of one class and merges equal ones with labels of the same weight.
func (r distinctRows) merged(list []taughtRow, x data.Rows) (out []taughtRow) {
	if !r.sorted {
		return list
	}
	value := make(map[int][]float64, len(list))
	for _, t := range list {
		value[t.row] = data.Copy(x, t.row)
	}
	slices.SortStableFunc(list, func(a, b taughtRow) int {
		return cmp.Or(slices.Compare(value[a.row], value[b.row]), cmp.Compare(a.weight, b.weight))
	})
	for _, t := range list {
		if m := len(out); m > 0 && out[m-1].weight == t.weight && slices.Equal(value[out[m-1].row], value[t.row]) {
			out[m-1].count += t.count
			continue
		}
		out = append(out, t)
	}
	return out
}
