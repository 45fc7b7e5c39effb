package main

import (
	"io"

	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/support/format"
)

// curveOutput is what inkling curve prints with --json. It has no times, so that
// the same command prints the same bytes.
type curveOutput struct {
	Schema string `json:"schema"`
	experiment.Summary
	Views   []string                `json:"views,omitempty"`
	Unasked []experiment.SummaryRow `json:"unasked,omitempty"` // of curve --ask: the rows that were never asked about
}

// curveFiles are the forms in which a curve is written.
type curveFiles struct {
	csv, plot targets.Target
	markdown  bool
}

// writeCurve writes the files that were asked for and prints the table.
func (a *app) writeCurve(t *experiment.Table, to *curveFiles, j curveOutput) error {
	if to.csv.Path != "" {
		if err := a.writeFile(to.csv.Path, t.WriteCSV); err != nil {
			return err
		}
	}
	if to.plot.Path != "" {
		err := a.writeFile(to.plot.Path, func(w io.Writer) error { return report.CurveChart(t).WriteSVG(w) })
		if err != nil {
			return err
		}
	}
	switch {
	case a.json:
		return a.printJSON(j)
	case to.csv.IsStdout() || to.plot.IsStdout():
		return nil
	case to.markdown:
		return t.WriteMarkdown(a.stdout)
	}
	return t.WriteText(a.stdout)
}

// warnFailed says why fits have no result: the mean is then over the others alone.
func (a *app) warnFailed(t *experiment.Table) {
	for m, method := range t.Methods {
		for i := range t.Amounts {
			if c := t.Cells[m][i]; c.Failed > 0 {
				a.warn("%s failed in %s at %s %v, which its mean leaves out; the first failure: %s",
					method, format.Count(c.Failed, "fit"), t.Vary, t.X[i], c.Why)
				break // more of the same
			}
		}
	}
}
