package experiment

import "math"

// A Table is what a curve came to.
type Table struct {
	Measure        string
	Vary           string   // what X is: Pairs, Seeds or Noise
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

// table adds up the fits, one for each task or nil, in the order of the tasks.
func (c *Curve) table(tasks []task, fits []*Fit) *Table {
	t := &Table{Measure: c.Measure, Vary: c.Vary, Amounts: c.Amounts, Folds: c.Folds, Repeats: c.Repeats, Total: len(tasks)}
	for _, a := range c.Amounts {
		t.X = append(t.X, c.X(a))
	}
	scores := make([][][]*float64, len(c.Methods)) // by method, amount, then repeat and fold
	for m, method := range c.Methods {
		t.Methods = append(t.Methods, method.String())
		t.Cells = append(t.Cells, make([]Cell, len(c.Amounts)))
		scores[m] = make([][]*float64, len(c.Amounts))
		for a := range c.Amounts {
			scores[m][a] = make([]*float64, c.Repeats*c.Folds)
		}
	}
	for i, f := range fits {
		if f == nil {
			continue
		}
		t.Done++
		at := tasks[i]
		cell := &t.Cells[at.method][at.amount]
		if f.Error != "" {
			if cell.Failed++; cell.Failed == 1 {
				cell.Why = f.Error
			}
			t.Failed++
			continue
		}
		v := measureOf(&f.Score, c.Measure)
		scores[at.method][at.amount][at.Repeat*c.Folds+at.Fold] = &v
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
// repeat in turn, or for each draw; NaN where there is none. The same place is
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
