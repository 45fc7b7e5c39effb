package experiment

import (
	"fmt"
	"math"
)

// Tabulate makes a table of scores that came about otherwise than by Run.
// Values has one number a draw for each method and x; draw d of one method is
// paired with draw d of the others. NaN is a draw without a result.
func Tabulate(measure, vary string, methods []string, x []float64, values [][][]float64) (*Table, error) {
	t := &Table{Measure: measure, Vary: vary, Methods: methods, X: x}
	if len(values) != len(methods) {
		return nil, fmt.Errorf("scores must be of %d methods, got %d", len(methods), len(values))
	}
	scores := make([][][]*float64, len(methods))
	for m := range methods {
		if len(values[m]) != len(x) {
			return nil, fmt.Errorf("scores of %s must be at %d amounts, got %d", methods[m], len(x), len(values[m]))
		}
		scores[m] = make([][]*float64, len(x))
		t.Cells = append(t.Cells, make([]Cell, len(x)))
		for a, draws := range values[m] {
			t.Repeats = max(t.Repeats, len(draws))
			scores[m][a] = make([]*float64, len(draws))
			for d, v := range draws {
				t.Total++
				t.Done++
				if math.IsNaN(v) {
					t.Cells[m][a].Failed++
					t.Failed++
					continue
				}
				scores[m][a][d] = &v
			}
		}
	}
	t.addUp(scores)
	return t, nil
}
