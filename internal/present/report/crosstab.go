package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// A Comparison compares a clustering with classes: known labels, the truth, or the
// clusters of another run.
type Comparison struct {
	Title string
	With  string // the name of the classes, in a few words
	There string // heading of the column of classes
	Note  string // what the classes are
	Table *Crosstab
	// Agreement has a line for each set of rows that was compared.
	Agreement []Agreement
	// Moved are some of the rows outside of the cluster that is matched one to
	// one with their class; MovedAll is how many there are.
	Moved    []Move
	MovedAll int
}

// Agreement says how well classes and clusters agree on some rows.
type Agreement struct {
	Over      string // which rows
	N         int
	ARI, NMI  float64
	F         float64 // of pairs
	Undefined bool    // no measure is defined
}

// A Move is a row of one class in a cluster that is matched with another.
type Move struct{ ID, Class, Cluster string }

// A Crosstab counts the rows of each class in each cluster.
type Crosstab struct {
	Rows, Columns []string
	N             [][]int // by row and column
}

// maxTable is how many classes and clusters a heat map shows, the largest.
const maxTable = 40

// Tidy returns t for display: classes in the order of the clusters that hold
// most of them, so that agreement is a diagonal, and of very many classes or
// clusters the largest, with the others merged into one.
func (t *Crosstab) Tidy() *Crosstab {
	out := &Crosstab{Rows: slices.Clone(t.Rows), Columns: slices.Clone(t.Columns)}
	for _, r := range t.N {
		out.N = append(out.N, slices.Clone(r))
	}
	order := make([]int, len(out.Rows))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(largest(out.N[a]), largest(out.N[b])) })
	sorted := &Crosstab{Columns: out.Columns}
	for _, r := range order {
		sorted.Rows, sorted.N = append(sorted.Rows, out.Rows[r]), append(sorted.N, out.N[r])
	}
	return sorted.mergeSmall().transpose().mergeSmall().transpose()
}

// largest returns the column that holds most of a row, the first of them.
func largest(row []int) (at int) {
	for c, n := range row {
		if n > row[at] {
			at = c
		}
	}
	return at
}

// mergeSmall puts the smallest rows together where there are too many.
func (t *Crosstab) mergeSmall() *Crosstab {
	if len(t.Rows) <= maxTable {
		return t
	}
	order := make([]int, len(t.Rows))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(total(t.N[b]), total(t.N[a])) })
	keep := order[:maxTable-1]
	slices.Sort(keep)
	out, rest := &Crosstab{Columns: t.Columns}, make([]int, len(t.Columns))
	for _, r := range keep {
		out.Rows, out.N = append(out.Rows, t.Rows[r]), append(out.N, t.N[r])
	}
	for _, r := range order[maxTable-1:] {
		for c, n := range t.N[r] {
			rest[c] += n
		}
	}
	out.Rows, out.N = append(out.Rows, fmt.Sprintf("%d others", len(t.Rows)-len(keep))), append(out.N, rest)
	return out
}

func (t *Crosstab) transpose() *Crosstab {
	out := &Crosstab{Rows: t.Columns, Columns: t.Rows, N: make([][]int, len(t.Columns))}
	for c := range out.N {
		for r := range t.Rows {
			out.N[c] = append(out.N[c], t.N[r][c])
		}
	}
	return out
}

func total(row []int) (s int) {
	for _, n := range row {
		s += n
	}
	return s
}

// CrosstabChart draws a heat map: each cell by its share of its row. It returns
// nil where there is no table.
func CrosstabChart(t *Crosstab) *picture.Picture {
	if t == nil {
		return nil
	}
	h := heatMap{title: "rows of each class by cluster", rows: t.Rows, columns: t.Columns}
	for _, row := range t.N {
		sum := math.Max(1, float64(total(row)))
		var shares []float64
		var texts []string
		for _, n := range row {
			shares, texts = append(shares, float64(n)/sum), append(texts, shortCount(n))
		}
		h.addRow(shares, texts)
	}
	return h.drawHeatMap()
}

// MovedNote says how many rows are in another cluster than most of their class.
func (c *Comparison) MovedNote() string {
	switch {
	case c.MovedAll > len(c.Moved) && len(c.Moved) > 0:
		return fmt.Sprintf("And %s more: %s in all.", Thousands(c.MovedAll-len(c.Moved)), Thousands(c.MovedAll))
	case c.MovedAll == 0 && len(c.Agreement) > 0:
		return "Classes and clusters are the same."
	}
	return ""
}
