package hmrf

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// priced is a problem, a fit of it, and its objective as a function of labels and of the
// weights of pairs and labels, added up term by term with centres, metric and the scale of
// penalties as the fit has them.
type priced struct {
	p     *cluster.Problem
	r     *cluster.Result
	model *Model
	info  *Info
	rows  data.Rows
	known *constraint.Set // with all entailed pairs, where these count
}

func newPriced(p *cluster.Problem, a *HMRF, r *cluster.Result) *priced {
	s := &priced{p: p, r: r, model: r.Model.(*Model), info: r.Learned.(*Info), rows: p.X, known: p.Constraints}
	if s.info.Closure == On {
		if _, err := constraint.Close(p.Len(), &constraint.Set{Must: p.Constraints.Must, Cannot: p.Constraints.Cannot}); err == nil {
			s.known = writtenOut(p.Len(), p.Constraints)
		}
	}
	if a.Distortion == Cosine {
		s.rows = lloyd.NewSpace(p, a.Distortion.distance()).X
	} else if v := divergenceOf(a.Distortion); v != nil {
		s.rows = metric.PrepareRows(v, p.X)
	}
	return s
}

// most returns φ_max under the metric of cluster h.
func (s *priced) most(h int) float64 {
	switch y := s.info.PhiMax.(type) {
	case float64:
		return y
	case []float64:
		return y[h]
	}
	return 0
}

// pairCost returns what a pair of weight 1 costs where it is violated.
func (s *priced) pairCost(a *HMRF, must bool, i, j int, labels []int) float64 {
	by := (&metric.Penalties{Divergence: divergenceOf(a.Distortion)}).Under(s.model.Metric)
	x, y := data.Copy(s.rows, i), data.Copy(s.rows, j)
	d2 := func(h int) float64 { return by.Dist2(h, data.Vec{Val: x}, data.Vec{Val: y}) }
	g, h := labels[i], labels[j]
	switch {
	case a.Penalty == metric.Constant:
		return 1
	case a.Penalty == metric.HMRF && must:
		return (d2(g) + d2(h)) / 2
	case a.Penalty == metric.HMRF:
		return max(0, s.most(h)-d2(h))
	case must:
		return (max(0, s.most(g)-d2(g)) + max(0, s.most(h)-d2(h))) / 2
	}
	return min(d2(h), s.most(h))
}

func (s *priced) objective(a *HMRF, known *constraint.Set, labels []int) (sum float64) {
	for i, h := range labels {
		sum += s.p.W(i) * s.model.PointCost(data.Vec{Val: data.Copy(s.p.X, i)}, h)
	}
	for kind, list := range [][]constraint.Pair{known.Must, known.Cannot, known.Beliefs} {
		for _, q := range list {
			must := kind == 0 || kind == 2 && q.W > 0
			if q.I != q.J && must != (labels[q.I] == labels[q.J]) {
				sum += math.Abs(q.W) * s.info.PairWeight * s.pairCost(a, must, q.I, q.J, labels)
			}
		}
	}
	for _, l := range known.Labels {
		if labels[l.I] != l.Class {
			cost := 1.0
			if a.Penalty != metric.Constant {
				cost = s.most(l.Class)
			}
			sum += l.W * s.info.PairWeight * cost
		}
	}
	return sum
}

// without returns the constraints less the own weight of one pair or label. Those that are
// written out hold every pair once, with all its weight.
func without(s *constraint.Set, list int, q constraint.Pair, l constraint.Label) *constraint.Set {
	out := &constraint.Set{Must: s.Must, Cannot: s.Cannot, Beliefs: s.Beliefs, Labels: s.Labels}
	drop := func(pairs []constraint.Pair) (left []constraint.Pair) {
		done := false
		for _, x := range pairs {
			if same := x.I == q.I && x.J == q.J || x.I == q.J && x.J == q.I; same && !done && x.W*q.W > 0 && math.Abs(x.W) >= math.Abs(q.W) {
				x.W -= q.W
				done = true
			}
			left = append(left, x)
		}
		return left
	}
	switch list {
	case 0:
		out.Must = drop(s.Must)
	case 1:
		out.Cannot = drop(s.Cannot)
	case 2:
		out.Beliefs = drop(s.Beliefs)
	default:
		out.Labels = nil
		done := false
		for _, x := range s.Labels {
			if x == l && !done {
				done = true
				continue
			}
			out.Labels = append(out.Labels, x)
		}
	}
	return out
}

// randomPriced draws a problem with pairs of which many are violated, chains of must-links,
// beliefs and labels, and settings of a method.
func randomPriced(rng *rand.Rand, name string) (*cluster.Problem, *HMRF) {
	n, d, k := 12+rng.IntN(20), 1+rng.IntN(3), 2+rng.IntN(3)
	large := name == "pc-kmeans" && rng.IntN(4) == 0
	if large {
		n = 50
	}
	x := &data.Dense{Cols: d}
	for range n * d {
		x.V = append(x.V, 0.1+math.Abs(rng.NormFloat64()))
	}
	p := &cluster.Problem{X: x, K: k}
	if rng.IntN(2) == 0 {
		for range n {
			p.Weight = append(p.Weight, 0.5+rng.Float64())
		}
	}
	weight := func() float64 { return 1 }
	switch rng.IntN(3) {
	case 0:
		weight = func() float64 { return float64(1 + rng.IntN(3)) }
	case 1:
		if !large {
			weight = func() float64 { return rng.ExpFloat64() + 0.01 }
		}
	}
	s := &constraint.Set{}
	pair := func() constraint.Pair { return constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: weight()} }
	for range rng.IntN(n) {
		s.Must = append(s.Must, pair())
	}
	if large {
		for i := range 40 {
			s.Must = append(s.Must, constraint.Pair{I: i, J: i + 1, W: weight()})
		}
	}
	for range rng.IntN(6) {
		s.Cannot = append(s.Cannot, pair())
	}
	for range rng.IntN(4) {
		s.Beliefs = append(s.Beliefs, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 2*rng.Float64() - 1})
	}
	for range rng.IntN(4) {
		s.Labels = append(s.Labels, constraint.Label{I: rng.IntN(n), Class: rng.IntN(k), W: 0.5 + rng.Float64()})
	}
	p.Constraints = s
	a := map[string]func() *HMRF{"pc-kmeans": NewPC, "m-kmeans": NewM, "mpc-kmeans": NewMPC, "hmrf-kmeans": NewHMRF}[name]()
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	a.Closure = Closure(pick("on", "off"))
	a.Distortion = Distortion(pick("euclidean", "euclidean", "cosine", "kl", "i-divergence", "itakura-saito"))
	switch {
	case name == "pc-kmeans" || a.Distortion == Cosine:
		a.Metric = "none"
	case a.Distortion == Euclidean:
		a.Metric = metric.FormName(pick("none", "diagonal", "full", "per-cluster-diagonal", "per-cluster-full"))
	default:
		a.Metric = metric.FormName(pick("none", "diagonal", "per-cluster-diagonal"))
	}
	if name != "pc-kmeans" {
		a.Penalty = metric.Penalty(pick("constant", "hmrf", "mpc"))
	}
	if name != "m-kmeans" {
		a.Inference = Inference(pick("icm", "icm", "bp", "lp"))
	}
	a.Complexity, a.LogDet = Complexity(pick("bic", "none")), metric.LogDetScale(pick("n", "one"))
	a.Weight = []cluster.Number{cluster.ByRule(cluster.RuleAuto), cluster.Fixed(0.3), cluster.Fixed(2)}[rng.IntN(3)]
	return p, a
}

// What a constraint costs is what the objective, added up term by term, changes by: its
// penalty if its own weight is left out, its cost if one row moves.
func TestPricesAreDifferencesOfTheObjective(t *testing.T) {
	t.Parallel()
	for at, name := range []string{"pc-kmeans", "m-kmeans", "mpc-kmeans", "hmrf-kmeans"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(at), 14))
			priced := 0
			for trial := range 200 {
				p, a := randomPriced(rng, name)
				settings := cluster.Default()
				settings.Seed, settings.Restarts, settings.MaxIter, settings.Effort = uint64(trial), 1, 1+rng.IntN(20), cluster.EffortLow
				if trial%4 == 0 { // a run from the result without constraints may win, or be returned to
					settings.Restarts, settings.Effort = 2, cluster.EffortNormal
				}
				r, err := cluster.Fit(context.Background(), p, a, settings)
				if err != nil {
					t.Fatal(trial, err)
				}
				checkPrices(t, fmt.Sprintf("trial %d, %+v", trial, *a), newPriced(p, a, r), a, &priced)
			}
			if priced < 200 {
				t.Errorf("only %d violated constraints were priced", priced)
			}
		})
	}
}

func checkPrices(t *testing.T, where string, s *priced, a *HMRF, count *int) {
	t.Helper()
	p, r, labels := s.p, s.r, s.r.Labels
	now := s.objective(a, s.known, labels)
	total := 0.0
	perCluster := s.model.learned() && s.model.LogDet && s.model.Metric.Form().PerCluster
	for _, term := range r.Objective {
		if term.Name != "prior" && (term.Name != "log-det" || perCluster) {
			total += term.Value
		}
	}
	scale := math.Abs(now)
	for i := range labels {
		scale += math.Abs(s.model.PointCost(data.Vec{Val: data.Copy(p.X, i)}, labels[i]))
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*scale) {
			t.Fatalf("%s: %s is %v, by all terms %v", where, what, got, want)
		}
	}
	same("the objective", total, now)
	after := func(i, to int) float64 {
		moved := append([]int(nil), labels...)
		moved[i] = to
		return s.objective(a, s.known, moved) - now
	}
	prices := r.Prices(p)
	for list, pairs := range [][]constraint.Pair{p.Constraints.Must, p.Constraints.Cannot, p.Constraints.Beliefs} {
		for _, q := range pairs {
			must := list == 0 || list == 2 && q.W > 0
			if q.I == q.J || must == (labels[q.I] == labels[q.J]) {
				continue
			}
			*count++
			kind := []cluster.Kind{cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs}[list]
			got, ok := prices.PairPenalty(kind, q)
			if !ok {
				t.Fatal("no penalty")
			}
			same("the penalty", got, now-s.objective(a, without(s.known, list, q, constraint.Label{}), labels))
			want := math.Inf(1)
			if must {
				want = min(after(q.I, labels[q.J]), after(q.J, labels[q.I]))
				got, ok = prices.Together(q.I, q.J)
			} else {
				for h := range p.K {
					if h != labels[q.I] {
						want = min(want, after(q.I, h), after(q.J, h))
					}
				}
				got, ok = prices.Apart(q.I, q.J)
			}
			if !ok {
				t.Fatal("no cost")
			}
			same("the cost", got, want)
		}
	}
	for _, l := range p.Constraints.Labels {
		got, _ := prices.LabelPenalty(l)
		same("the penalty of a label", got, now-s.objective(a, without(s.known, 3, constraint.Pair{}, l), labels))
		if labels[l.I] != l.Class {
			*count++
			got, _ = prices.Move(l.I, l.Class)
			same("the cost of a label", got, after(l.I, l.Class))
		}
	}
}

// Clusters are numbered so that labels cost least, whatever they weigh: with labels of low
// weight a run can end in clusters that stand for one another's classes, and then the
// cluster named after a label is not the one that the objective has for it.
func TestClustersStandForTheClassesOfTheirLabels(t *testing.T) {
	misplaced := 0
	for _, name := range []string{"pc-kmeans", "m-kmeans", "mpc-kmeans", "hmrf-kmeans"} {
		for trial := range 80 {
			rng := rand.New(rand.NewPCG(uint64(trial), 34))
			p, a := randomPriced(rng, name)
			p.Constraints = &constraint.Set{}
			for i := range p.Len() {
				if rng.IntN(2) == 0 {
					p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: i, Class: rng.IntN(p.K), W: 0.1 + rng.Float64()})
				}
			}
			a.Weight = cluster.Fixed(0.01)
			if f, _ := a.Metric.Form(); f.PerCluster && a.Penalty != metric.Constant {
				a.Penalty = metric.Constant // else a label costs by the cluster of its class
			}
			s := cluster.Default()
			s.Seed, s.Restarts, s.Effort, s.Audit = uint64(trial), 1+trial%2, []cluster.Effort{cluster.EffortLow, cluster.EffortNormal}[trial%2], true
			r, err := cluster.Fit(context.Background(), p, a, s)
			if err != nil {
				t.Fatal(name, trial, err)
			}
			prices := r.Prices(p)
			for _, l := range score.Misplaced(p.Constraints, r.Labels) {
				misplaced++
				if y, ok := prices.LabelPenalty(l); !ok || y == 0 && r.Learned.(*Info).PhiMax != 0.0 {
					t.Fatalf("%s, trial %d: the label of point %d as class %d is misplaced and costs %v", name, trial, l.I, l.Class, y)
				}
			}
		}
	}
	if misplaced < 300 {
		t.Errorf("only %d labels were misplaced", misplaced)
	}
}
