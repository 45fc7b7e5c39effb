package hmrf_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// searching is HMRF with a search for lower minima, whatever the settings say.
type searching struct{ *hmrf.HMRF }

func (a searching) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	q := *e
	q.Effort = cluster.EffortNormal
	return a.HMRF.Start(ctx, p, &q)
}

func TestSearchKeepsTheContract(t *testing.T) {
	t.Parallel()
	n := 0
	for _, m := range []metric.FormName{"none", "diagonal", "full", "per-cluster-diagonal", "cosine"} {
		for _, inf := range []hmrf.Inference{hmrf.ICM, hmrf.BP, hmrf.Nearest} {
			a := hmrf.NewHMRF()
			if a.Metric, a.Inference = m, inf; m == "cosine" {
				a.Metric, a.Distortion = "none", hmrf.Cosine
			}
			if n%2 == 1 {
				a.Penalty, a.Closure, a.Weight = metric.Constant, hmrf.On, cluster.ByRule(cluster.RuleAuto)
			}
			for c, check := range clustertest.Checks() {
				turn := c%8 == n%8 || longtest.Full() && c%4 == n%4 // each clause in its turn
				if check.Name != "ObjectiveNeverRises" && !turn || testing.Short() && n%4 > 0 {
					continue
				}
				if err := check.Do(searching{a}); err != nil {
					t.Errorf("%+v: %s: %v", *a, check.Name, err)
				}
			}
			n++
		}
	}
}

// On many separate blobs, where the first local minimum is poor, the search finds the
// blobs: with pairs, with labels, with features of other scales and by the cosine, in
// audited fits that are the same on any number of workers.
func TestSearchFindsSeparateBlobs(t *testing.T) {
	t.Parallel()
	const n, k, d = 2000, 25, 6
	x, truth, err := example.Blobs(n, k, d, 8, 1, rand.New(rand.NewPCG(3, 1)))
	if err != nil {
		t.Fatal(err)
	}
	scaled := &data.Dense{Cols: d, V: slices.Clone(x.V)}
	for at := range scaled.V {
		scaled.V[at] *= []float64{1, 100}[at%d%2]
	}
	pairs := constraint.RandomPairs(truth, 100, rand.New(rand.NewPCG(4, 1)))
	labels := &constraint.Set{}
	for i := range 40 {
		labels.Labels = append(labels.Labels, constraint.Label{I: i, Class: truth[i] % k, W: 1})
	}
	bp := hmrf.NewHMRF()
	bp.Metric, bp.Inference = "none", hmrf.BP
	for name, c := range map[string]struct {
		a hmrf.HMRF
		x data.Rows
		s *constraint.Set
	}{
		"pc":           {*hmrf.NewPC(), x, pairs},
		"mpc":          {*hmrf.NewMPC(), x, pairs},
		"mpc, scaled":  {*hmrf.NewMPC(), scaled, pairs},
		"bp":           {*bp, x, pairs},
		"pc, labels":   {*hmrf.NewPC(), x, labels},
		"hmrf, scaled": {*hmrf.NewHMRF(), scaled, pairs},
	} {
		p := &cluster.Problem{X: c.x, K: k, Constraints: c.s}
		fit := func(effort cluster.Effort, workers int) *cluster.Result {
			s := cluster.Default()
			s.Restarts, s.Effort, s.Audit, s.Workers, s.Seed = 1, effort, true, workers, 2
			r, err := cluster.Fit(context.Background(), p, &c.a, s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return r
		}
		low, one, many := fit(cluster.EffortLow, 1), fit(cluster.EffortNormal, 1), fit(cluster.EffortNormal, 4)
		ari, _ := score.ARI(truth, one.Labels)
		low1, _ := score.ARI(truth, low.Labels)
		if one.Objective.Sum() > low.Objective.Sum()+1e-9*max(1, low.Objective.Sum()) || ari < 0.99 {
			t.Errorf("%s: objective %v and ARI %v with a search, %v and %v without", name, one.Objective.Sum(), ari, low.Objective.Sum(), low1)
		}
		if !slices.Equal(one.Labels, many.Labels) || one.Objective.Sum() != many.Objective.Sum() {
			t.Errorf("%s: other labels on four workers", name)
		}
	}
}
