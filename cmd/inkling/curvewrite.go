package main

import (
	"io"
	"math"

	"github.com/inklinghq/inkling/experiment"
	"github.com/inklinghq/inkling/report"
)

// curveCard is a table as --json tells it. It has no times, so that the same
// command prints the same bytes.
type curveCard struct {
	Schema  string     `json:"schema"`
	Status  string     `json:"status"` // done or cut short
	Metric  string     `json:"metric"`
	Vary    string     `json:"vary"`
	N       int        `json:"n"`
	K       int        `json:"k"`
	Seed    uint64     `json:"seed"`
	Folds   int        `json:"folds"`
	Repeats int        `json:"repeats"`
	Fits    fitCount   `json:"fits"`
	Views   []string   `json:"views,omitempty"`
	Rows    []curveRow `json:"rows"`
}

type fitCount struct {
	Total  int `json:"total"`
	Done   int `json:"done"`
	Failed int `json:"failed"`
}

type curveRow struct {
	Method string   `json:"method"`
	X      float64  `json:"x"`
	Mean   *float64 `json:"mean"`
	SE     *float64 `json:"se"`
	N      int      `json:"n"`
	Failed int      `json:"failed"`
	Why    string   `json:"why,omitempty"`
	experiment.Amount
	Against *curveAgainst `json:"against,omitempty"`
}

// curveAgainst compares with the first method.
type curveAgainst struct {
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

// orNull returns x for JSON, nil where it is no number.
func orNull(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func (j *curveJob) card() curveCard {
	t := j.t
	c := curveCard{"inkling.curve/1", "done", t.Measure, t.Vary, j.c.Problem.Len(), j.c.Problem.K, j.c.Settings.Seed,
		t.Folds, t.Repeats, fitCount{t.Total, t.Done, t.Failed}, j.views.files, nil}
	if t.Done < t.Total {
		c.Status = "cut short"
	}
	for m, method := range t.Methods {
		for a, amount := range t.Amounts {
			cell := t.Cells[m][a]
			row := curveRow{method, t.X[a], orNull(cell.Score.Mean), orNull(cell.Score.SE), cell.Score.N, cell.Failed, cell.Why, amount, nil}
			if g := cell.Against; g != nil {
				row.Against = &curveAgainst{t.Methods[0], orNull(g.Difference.Mean), orNull(g.Difference.SE), g.Difference.N,
					orNull(g.T), orNull(g.P), orNull(g.Corrected), g.Better, g.Equal, g.Worse, orNull(g.Sign)}
			}
			c.Rows = append(c.Rows, row)
		}
	}
	return c
}

// write writes the files that were asked for and prints the table.
func (j *curveJob) write() error {
	if j.out != "" {
		if err := j.app.writeFile(j.out, j.t.WriteCSV); err != nil {
			return err
		}
	}
	if j.plot != "" {
		err := j.app.writeFile(j.plot, func(w io.Writer) error {
			return report.CurveChart(j.t).WriteSVG(w)
		})
		if err != nil {
			return err
		}
	}
	switch {
	case j.app.json:
		return j.app.printJSON(j.card())
	case (output{"-o", j.out}).isStdout() || (output{"--plot", j.plot}).isStdout():
		return nil
	case j.markdown:
		return j.t.WriteMarkdown(j.app.stdout)
	}
	return j.t.WriteText(j.app.stdout)
}

// tellFailed says why fits have no result: a mean over the others alone can
// flatter a method.
func (j *curveJob) tellFailed() {
	for m, method := range j.t.Methods {
		for a := range j.t.Amounts {
			if c := j.t.Cells[m][a]; c.Failed > 0 {
				j.app.warn("%s failed in %s at %s %v, which its mean leaves out; the first time because %s",
					method, count(c.Failed, "fit"), j.t.Vary, j.t.X[a], c.Why)
				break // more of the same
			}
		}
	}
}
