package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Comparison holds a clustering against classes: known labels, the truth, or
// the clusters of another run.
type Comparison struct {
	Title string
	With  string // what it is compared with, in a word or two
	There string // what its classes are called
	Note  string // what the classes are
	Table *Crosstab
	// Agreement has a line for each set of rows that was compared.
	Agreement []Agreement
	// Moved are some of the rows that lie elsewhere than most of their class,
	// classes and clusters matched one to one; MovedAll is how many there are.
	Moved    []Move
	MovedAll int
}

// Agreement is how far classes and clusters agree on some rows.
type Agreement struct {
	Over      string // which rows
	N         int
	ARI, NMI  float64
	F         float64 // of pairs
	Undefined bool    // there is nothing to agree on
}

// A Move is a row of one class in a cluster that is matched with another.
type Move struct{ ID, Class, Cluster string }

// A Crosstab counts the rows of each class in each cluster.
type Crosstab struct {
	Rows, Columns []string
	N             [][]int // by row and column
}

// most classes and clusters that a heat map shows, the largest of them.
const tableShown = 40

// Tidy returns t for the eye: classes in the order of the clusters that hold
// most of them, so that agreement is a diagonal, and of very many classes or
// clusters the largest, the others as one.
func (t *Crosstab) Tidy() *Crosstab {
	out := &Crosstab{Rows: slices.Clone(t.Rows), Columns: slices.Clone(t.Columns)}
	for _, r := range t.N {
		out.N = append(out.N, slices.Clone(r))
	}
	order := make([]int, len(out.Rows))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(middle(out.N[a]), middle(out.N[b])) })
	sorted := &Crosstab{Columns: out.Columns}
	for _, r := range order {
		sorted.Rows, sorted.N = append(sorted.Rows, out.Rows[r]), append(sorted.N, out.N[r])
	}
	return sorted.fold().flip().fold().flip()
}

// middle returns the column that holds most of a row, the first of them.
func middle(row []int) (at int) {
	for c, n := range row {
		if n > row[at] {
			at = c
		}
	}
	return at
}

// fold puts the smallest rows together where there are too many.
func (t *Crosstab) fold() *Crosstab {
	if len(t.Rows) <= tableShown {
		return t
	}
	order := make([]int, len(t.Rows))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(total(t.N[b]), total(t.N[a])) })
	keep := order[:tableShown-1]
	slices.Sort(keep)
	out, rest := &Crosstab{Columns: t.Columns}, make([]int, len(t.Columns))
	for _, r := range keep {
		out.Rows, out.N = append(out.Rows, t.Rows[r]), append(out.N, t.N[r])
	}
	for _, r := range order[tableShown-1:] {
		for c, n := range t.N[r] {
			rest[c] += n
		}
	}
	out.Rows, out.N = append(out.Rows, fmt.Sprintf("%d others", len(t.Rows)-len(keep))), append(out.N, rest)
	return out
}

func (t *Crosstab) flip() *Crosstab {
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

// CrosstabChart draws a heat map: each cell by its share of its row.
func CrosstabChart(t *Crosstab) string {
	if t == nil {
		return ""
	}
	h := heat{title: "rows of each class by cluster", rows: t.Rows, columns: t.Columns}
	for _, row := range t.N {
		sum := math.Max(1, float64(total(row)))
		var shares []float64
		var words []string
		for _, n := range row {
			shares, words = append(shares, float64(n)/sum), append(words, short(n))
		}
		h.share, h.word = append(h.share, shares), append(h.word, words)
	}
	return h.draw()
}

// short writes a count in at most five letters.
func short(n int) string {
	switch {
	case n == 0:
		return ""
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// A heat is a table of cells, each coloured by its share.
type heat struct {
	title         string
	rows, columns []string
	share         [][]float64 // from 0 to 1
	word          [][]string  // what stands in the cell
}

func (h *heat) draw() string {
	const wide, gap = 520.0, 2.0
	left := nameRoom(h.rows)
	cell := min(88, max(14, (wide-left-10)/float64(max(1, len(h.columns)))))
	tall := min(cell, 40)
	slant := false // names of clusters that need more room than a column has
	for _, name := range h.columns {
		slant = slant || textWidth(clip(name, 14)) > cell-4
	}
	top := 26.0
	if slant {
		top = 14 + 0.75*nameRoom(h.columns)
	}
	room := max(wide, left+cell*float64(len(h.columns))+10)
	if slant {
		room = max(room, left+cell*float64(len(h.columns))+0.7*textWidth(clip(h.columns[len(h.columns)-1], 14)))
	}
	d := draw(room, top+tall*float64(len(h.rows))+8, h.title)
	for c, name := range h.columns {
		x := left + cell*(float64(c)+.5)
		if slant {
			d.slanted(x, top-8, clip(name, 14))
		} else {
			d.text(x, top-9, "middle", "", name)
		}
	}
	for r, name := range h.rows {
		y := top + tall*float64(r)
		d.text(left-8, y+tall/2+4, "end", "", clip(name, 20))
		for c, share := range h.share[r] {
			x := left + cell*float64(c)
			d.cell(x, y, cell-gap, tall-gap, share, name+", "+h.columns[c]+": "+h.word[r][c])
			if cell >= 26 {
				class := ""
				if share > 0.5 {
					class = "onblue"
				}
				d.text(x+(cell-gap)/2, y+tall/2+3, "middle", class, h.word[r][c])
			}
		}
	}
	return d.done()
}
