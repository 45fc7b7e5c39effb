package experiment

import (
	"maps"
	"math"
	"slices"
)

// A Table is what a curve came to.
type Table struct {
	Measure        string
	Vary           string   // what X is: Pairs, Seeds, Noise or Answers
	Methods        []string // as they were asked for
	X              []float64
	Amounts        []Amount // X and the rest of what was known; none of a table by Tabulate
	Folds, Repeats int      // Folds is 0 where all rows were scored
	Cells          [][]Cell // by method, then by amount
	Done, Total    int      // fits; Done is less where the run was cut short
	Failed         int

	scores [][][]*float64 // by method, amount, then repeat and fold; nil where there is none
}

// A Cell is one method at one amount.
type Cell struct {
	Score   Mean        // over the fits that did not fail
	Failed  int         // fits without a result
	Why     string      // the first of them, by repeat and fold
	Against *Comparison // with the first method, over fits where neither failed; nil for the first itself
}

// table adds up the fits that are done, by their numbers in the plan.
func (c *Curve) table(of *plan, fits map[int]*Fit) *Table {
	t := &Table{Measure: c.Measure, Vary: c.Vary, Amounts: c.Amounts, Folds: c.Folds, Repeats: c.Repeats, Total: of.Len()}
	order := slices.Sorted(maps.Keys(fits))
	places := c.Repeats * c.Folds
	if len(order) < of.Len() { // of what was cut short, those that were reached
		places = 0
		if len(order) > 0 {
			places = order[len(order)-1]/(len(c.Methods)*len(c.Amounts)) + 1
		}
	}
	for _, a := range c.Amounts {
		t.X = append(t.X, c.X(a))
	}
	scores := make([][][]*float64, len(c.Methods)) // by method, amount, then repeat and fold
	for m, method := range c.Methods {
		t.Methods = append(t.Methods, method.String())
		t.Cells = append(t.Cells, make([]Cell, len(c.Amounts)))
		scores[m] = make([][]*float64, len(c.Amounts))
		for a := range c.Amounts {
			scores[m][a] = make([]*float64, places)
		}
	}
	for _, i := range order {
		f := fits[i]
		t.Done++
		at, method, amount := of.key(i)
		cell := &t.Cells[method][amount]
		if f.Error != "" {
			if cell.Failed++; cell.Failed == 1 {
				cell.Why = f.Error
			}
			t.Failed++
			continue
		}
		v := measureOf(&f.Score, c.Measure)
		scores[method][amount][at.Repeat*c.Folds+at.Fold] = &v
	}
	t.addUp(scores)
	return t
}

// addUp fills in means and comparisons.
func (t *Table) addUp(scores [][][]*float64) {
	t.scores = scores
	for m := range t.Cells {
		for a := range t.Cells[m] {
			cell := &t.Cells[m][a]
			y, _ := both(scores[m][a], scores[m][a])
			cell.Score = meanOf(y)
			if m > 0 {
				against := t.Compare(m, 0, a)
				cell.Against = &against
			}
		}
	}
}

// Compare compares method m with another at amount a, fit by fit, over the fits
// that both have.
func (t *Table) Compare(m, other, a int) Comparison {
	y, x := both(t.scores[m][a], t.scores[other][a])
	return compare(y, x, t.Folds)
}

// Scores returns the scores of method m at amount a, one for each fold of each
// repeat in turn, or for each draw; NaN where there is none. Of a run that was cut short,
// places after the last fit are left out. The same place is
// the same fold, and where the truth is the same, of another table too.
func (t *Table) Scores(m, a int) []float64 {
	out := make([]float64, len(t.scores[m][a]))
	for i, v := range t.scores[m][a] {
		if out[i] = math.NaN(); v != nil {
			out[i] = *v
		}
	}
	return out
}

// both returns the numbers of y and x at the places that have both.
func both(y, x []*float64) (ys, xs []float64) {
	for i := range min(len(y), len(x)) {
		if y[i] != nil && x[i] != nil {
			ys, xs = append(ys, *y[i]), append(xs, *x[i])
		}
	}
	return ys, xs
}
