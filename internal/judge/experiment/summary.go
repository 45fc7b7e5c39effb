package experiment

import "math"

// A Summary is a table as plain data for JSON. It has no times, so that the same
// curve gives the same bytes.
type Summary struct {
	Status  string       `json:"status"` // done or cut short
	Metric  string       `json:"metric"`
	Vary    string       `json:"vary"`
	N       int          `json:"n"`
	K       int          `json:"k"`
	Seed    uint64       `json:"seed"`
	Folds   int          `json:"folds"`
	Repeats int          `json:"repeats"`
	Fits    FitCount     `json:"fits"`
	Rows    []SummaryRow `json:"rows"`
}

// A FitCount counts the fits of a table.
type FitCount struct {
	Total  int `json:"total"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
}

// A SummaryRow is one method at one amount.
type SummaryRow struct {
	Method string   `json:"method"`
	X      float64  `json:"x"`
	Mean   *float64 `json:"mean"`
	SE     *float64 `json:"se"`
	N      int      `json:"n"`
	Failed int      `json:"failed"`
	Why    string   `json:"why,omitempty"`
	Amount
	Against *SummaryAgainst `json:"against,omitempty"`
}

// A SummaryAgainst compares with the first method.
type SummaryAgainst struct {
	Method     string   `json:"method"`
	Difference *float64 `json:"difference"`
	SE         *float64 `json:"se"`
	N          int      `json:"n"`
	T          *float64 `json:"t"`
	P          *float64 `json:"p"`
	Corrected  *float64 `json:"p_corrected"`
	Better     int      `json:"better"`
	Equal      int      `json:"equal"`
	Worse      int      `json:"worse"`
	Sign       *float64 `json:"p_sign"`
}

// orNull returns x for JSON, nil where it is not a number.
func orNull(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Summary sums up the table of c.
func (t *Table) Summary(c *Curve) Summary {
	s := Summary{"done", t.Measure, t.Vary, c.Problem.Len(), c.Problem.K, c.Settings.Seed,
		t.Folds, t.Repeats, FitCount{t.Total, t.Done, t.Failed}, nil}
	if t.Done < t.Total {
		s.Status = "cut short"
	}
	for m, method := range t.Methods {
		for a, amount := range t.Amounts {
			cell := t.Cells[m][a]
			row := SummaryRow{method, t.X[a], orNull(cell.Score.Mean), orNull(cell.Score.SE), cell.Score.N, cell.Failed, cell.Why, amount, nil}
			if g := cell.Against; g != nil {
				row.Against = &SummaryAgainst{t.Methods[0], orNull(g.Difference.Mean), orNull(g.Difference.SE), g.Difference.N,
					orNull(g.T), orNull(g.P), orNull(g.Corrected), g.Better, g.Equal, g.Worse, orNull(g.Sign)}
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}
