package hmrf_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A metric that is simpler than the one asked for is reported, with the reason.
func TestSimplerMetricsAreReported(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	round := func(n, d int) *data.Dense {
		x := &data.Dense{Cols: d}
		for i := range n * d {
			x.V = append(x.V, 3*rng.NormFloat64()+float64(30*(i/d%2)))
		}
		return x
	}
	stretched := round(200, 3)
	for i := 0; i < len(stretched.V); i += 3 {
		stretched.V[i] *= 100
	}
	correlated := round(200, 3)
	for i := 0; i < len(correlated.V); i += 3 {
		correlated.V[i+1] = correlated.V[i] + 0.1*correlated.V[i+1]
	}
	for _, c := range []struct {
		name       string
		x          *data.Dense
		metric     metric.FormName
		complexity hmrf.Complexity
		form, note string
	}{
		{"round rows", round(200, 3), "full", hmrf.BIC, "round", "the metric is round, not full as asked for: BIC prefers it"},
		{"round rows", round(200, 3), "diagonal", hmrf.BIC, "round", "the metric is round, not diagonal as asked for: BIC prefers it"},
		{"round rows", round(200, 3), "diagonal", hmrf.NoComplexity, "diagonal", ""},
		{"other units", stretched, "full", hmrf.BIC, "diagonal", "the metric is diagonal, not full as asked for: BIC prefers it"},
		{"other units", stretched, "per-cluster-diagonal", hmrf.BIC, "diagonal", "the metric is diagonal, not per-cluster-diagonal as asked for: BIC prefers it"},
		{"correlated", correlated, "full", hmrf.BIC, "full", ""},
		{"rows", round(200, 3), "none", hmrf.BIC, "", ""},
	} {
		a := hmrf.NewHMRF()
		a.Metric, a.Complexity = c.metric, c.complexity
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: c.x, K: 2}, a, cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		info := r.Learned.(*hmrf.Info)
		said := slices.ContainsFunc(info.Notes(), func(n string) bool { return c.note != "" && strings.HasPrefix(n, c.note) })
		if info.MetricForm != c.form || said != (c.note != "") || c.note == "" && len(info.Notes()) > 0 {
			t.Errorf("%s, %s: the form is %q, wanted %q; notes %q", c.name, c.metric, info.MetricForm, c.form, info.Notes())
		}
	}
	unit := round(200, 3)
	for i := range unit.V {
		unit.V[i] /= 3
	}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: unit, K: 2}, hmrf.NewMPC(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	if info := r.Learned.(*hmrf.Info); info.MetricForm != "none" || len(info.Notes()) != 1 || !strings.HasPrefix(info.Notes()[0], "no metric was learned") {
		t.Errorf("clusters of deviation 1: the form is %q; notes %q", info.MetricForm, info.Notes())
	}
	a := hmrf.NewHMRF() // 15 numbers from 12 rows
	r, err = cluster.Fit(context.Background(), &cluster.Problem{X: round(12, 5), K: 2}, a, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	if notes := r.Learned.(*hmrf.Info).Notes(); len(notes) != 1 || !strings.Contains(notes[0], "that has 15 numbers, more than there are rows") {
		t.Errorf("notes %q", notes)
	}
}
