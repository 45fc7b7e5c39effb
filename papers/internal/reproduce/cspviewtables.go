package reproduce

import (
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// viewsColumns are the columns of the table of directions.
var viewsColumns = func() []string {
	names := []string{"target alone", "source alone", "both in one"}
	for _, r := range viewRules {
		names = append(names, r.name)
	}
	return names
}()

const (
	atTarget = iota
	atSource
	atSum
	atViewAuto
	atViewAutoS
	atViewOne
	atViewOneS
)

// viewsTable makes a table of one measure, a direction being an amount.
func viewsTable(measure string, trials []viewsTrial, of func(agreement) float64) (*experiment.Table, error) {
	list, _ := directions()
	values := make([][][]float64, len(viewsColumns))
	var x []float64
	for at, d := range list {
		x = append(x, float64(at))
		cells := make([][]float64, len(viewsColumns))
		for _, t := range trials {
			row := []agreement{t.Plain[d[1]], t.Plain[d[0]], t.Sum[at]}
			for r := range viewRules {
				row = append(row, t.Rules[r][at].agreement)
			}
			for m, a := range row {
				y := of(a)
				if m >= atViewAuto && !t.Rules[m-atViewAuto][at].Feasible {
					y = math.NaN()
				}
				cells[m] = append(cells[m], y)
			}
		}
		for m := range values {
			values[m] = append(values[m], cells[m])
		}
	}
	return experiment.Tabulate(measure, "direction", viewsColumns, x, values)
}

// putViewTables puts tables, a curve and the verdicts for one kind of graph on the sheet.
func (l *Lab) putViewTables(kind string, trials []viewsTrial) error {
	list, names := directions()
	var ari *experiment.Table
	for _, m := range []struct {
		name string
		of   func(agreement) float64
	}{{"ARI", func(a agreement) float64 { return a.ARI }}, {"NMI", func(a agreement) float64 { return a.NMI }}, {"Rand", func(a agreement) float64 { return a.Rand }}} {
		t, err := viewsTable(m.name, trials, m.of)
		if err != nil {
			return err
		}
		if ari == nil {
			ari = t
		}
		p := Part{Title: m.name + ", " + kind, Text: fmt.Sprintf("Mean ± standard error over %d draws of four of five stories, six clusters. A row is a source whose graph is the constraint on a target.", len(trials)),
			Head: append([]string{"source → target"}, viewsColumns...)}
		for at, name := range names {
			row := []string{name}
			for c := range viewsColumns {
				row = append(row, t.Cells[c][at].Score.String())
			}
			p.Rows = append(p.Rows, row)
		}
		l.Put(p)
	}
	l.transferCostTable(kind, names, trials)
	if len(trials[0].Betas) > 0 {
		if err := l.betaCurve(kind, names, trials); err != nil {
			return err
		}
	}
	l.judgeViews(kind, names, list, ari)
	return l.judgeBoth(kind, trials)
}

// transferCostTable puts the cost of transfer on the sheet.
func (l *Lab) transferCostTable(kind string, names []string, trials []viewsTrial) {
	p := Part{Title: "Cost of transfer, " + kind, Text: "CSP with β auto: the normalized cut of the target without and with the view, that of the view, β as a share of λ_max·vol, and ARI of the clusters with those of the target alone and of the source alone, and of these two with each other.",
		Head: []string{"source → target", "cut alone", "cut", "cut of the source", "β", "with target", "with source", "target with source"}}
	for at, name := range names {
		row := []string{name}
		for _, of := range []func(carried) float64{
			func(c carried) float64 { return c.Alone }, func(c carried) float64 { return c.Cut }, func(c carried) float64 { return c.Source },
			func(c carried) float64 { return c.Share }, func(c carried) float64 { return c.WithT }, func(c carried) float64 { return c.WithS },
			func(c carried) float64 { return c.TS },
		} {
			var y []float64
			for _, t := range trials {
				y = append(y, of(t.Rules[0][at]))
			}
			row = append(row, paired(y, make([]float64, len(y))).String())
		}
		p.Rows = append(p.Rows, row)
	}
	l.Put(p)
}

// betaCurve draws the results by β.
func (l *Lab) betaCurve(kind string, names []string, trials []viewsTrial) error {
	values := make([][][]float64, len(names))
	for at := range names {
		for b := range viewBetas {
			var y []float64
			for _, t := range trials {
				if c := t.Betas[b][at]; c.Feasible {
					y = append(y, c.ARI)
				} else {
					y = append(y, math.NaN())
				}
			}
			values[at] = append(values[at], y)
		}
	}
	t, err := experiment.Tabulate("ARI", "β / (λ_max·vol)", names, viewBetas, values)
	if err != nil {
		return err
	}
	l.Table("ARI by β, "+kind, t)
	return nil
}

// judgeViews judges what section 7.4 says. It has one version that is better
// than the others, the original: here the source is better where its mean is.
func (l *Lab) judgeViews(kind string, names []string, list [][2]int, t *experiment.Table) {
	judge := func(claim string, a, b int, test func(experiment.Mean) bool, take func(at int) bool) {
		held, all := 0, 0
		var numbers []string
		for at := range list {
			if !take(at) {
				continue
			}
			d := t.Compare(a, b, at).Difference
			all++
			if test(d) {
				held++
			}
			numbers = append(numbers, names[at]+" "+signed(d))
		}
		l.Claim(claim+", "+kind, Of(held, all), "%d of %d: %s", held, all, strings.Join(numbers, ", "))
	}
	better := func(at int) bool {
		return t.Cells[atSource][at].Score.Mean > t.Cells[atTarget][at].Score.Mean
	}
	any := func(int) bool { return true }
	for _, m := range []int{atViewAuto, atViewOne, atViewOneS} {
		judge("the better version as constraint improves the clustering of the worse: "+viewsColumns[m]+" > target alone", m, atTarget, above, better)
		judge("and it is then even better than the better version alone: "+viewsColumns[m]+" > source alone", m, atSource, above, better)
	}
	judge("(ours) a view does no harm, whichever is the better: CSP, auto is not below target alone", atViewAuto, atTarget, notBelow, any)
	judge("(ours) constraints do better than both graphs in one: CSP, auto > both in one", atViewAuto, atSum, above, any)
}

// judgeBoth judges two views at once, which the paper does not try.
func (l *Lab) judgeBoth(kind string, trials []viewsTrial) error {
	list, names := directions()
	held, all := 0, 0
	var numbers []string
	for target, name := range newspapers {
		var both []float64
		for _, t := range trials {
			both = append(both, t.Both[target].ARI)
		}
		for at, d := range list {
			if d[1] != target {
				continue
			}
			var one []float64
			for _, t := range trials {
				one = append(one, t.Rules[0][at].ARI)
			}
			gain := paired(both, one)
			all++
			if notBelow(gain) {
				held++
			}
			numbers = append(numbers, fmt.Sprintf("%s and the other %s", names[at], signed(gain)))
		}
		numbers[len(numbers)-1] += fmt.Sprintf(" (%s %s with both)", name, paired(both, make([]float64, len(both))))
	}
	l.Claim("(ours) both other views at once are no worse a constraint than either, CSP, auto, "+kind, Of(held, all), "%s", strings.Join(numbers, ", "))
	return nil
}
