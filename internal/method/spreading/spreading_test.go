package spreading

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
)

// The objective of a run whose probabilities are known, by hand:
// −log .5 − 2 log .25 − log .125 and a violated cannot-link of weight 1.5 at 10 each.
func TestObjectiveByHand(t *testing.T) {
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2}}, K: 2, Weight: []float64{1, 2, 1},
		Constraints: &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1.5}, {I: 1, J: 2, W: 1}}}}
	closed, err := constraint.Close(3, p.Constraints)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(p, closed, autoWeight)
	r.cost = []float64{0.5, 0.5, 0.25, 0.75, 0.875, 0.125}
	for i, w := range p.Weight {
		toCosts(r.cost[i*2:i*2+2], w)
	}
	copy(r.labels, []int{0, 0, 1})
	terms, err := r.Objective(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Log(2) + 2*math.Log(4) + math.Log(8); math.Abs(terms[0].Value-want) > 1e-12 {
		t.Errorf("misfit %v, want %v", terms[0].Value, want)
	}
	if terms[1].Value != 15 {
		t.Errorf("cannot-links %v, want 15", terms[1].Value)
	}
}

// randomRun draws probabilities and constraints, of which some contradict each other: those
// are left out as Start does it.
func randomRun(rng *rand.Rand) *run {
	n, k := 4+rng.IntN(3), 2+rng.IntN(2)
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, n)}, K: k, Constraints: &constraint.Set{}}
	for range n {
		p.Weight = append(p.Weight, 0.5+rng.Float64())
	}
	contradict := rng.IntN(3) == 0
	for range 1 + rng.IntN(4) {
		i := rng.IntN(n - 1)
		q, old := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: 0.1 + rng.Float64()}, *p.Constraints
		switch rng.IntN(4) {
		case 0:
			p.Constraints.Must = append(p.Constraints.Must, q)
		case 1:
			p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: q.I, Class: rng.IntN(k), W: 1})
		default:
			p.Constraints.Cannot = append(p.Constraints.Cannot, q)
		}
		if _, err := constraint.Close(n, p.Constraints); err != nil && !contradict {
			*p.Constraints = old
		}
	}
	closed, _ := constraint.Close(n, constraint.Repaired(n, p.Constraints))
	r := newRun(p, closed, 2*rng.Float64())
	q := make([]float64, n*k)
	for i := range q {
		q[i] = 0.01 + rng.Float64()
	}
	for i := range n {
		normalise(q[i*k : (i+1)*k])
		toCosts(q[i*k:(i+1)*k], p.W(i))
	}
	r.cost = q
	for c := range closed.Components() {
		r.move(c, r.allowed(c, rng.IntN(k)))
	}
	return r
}

func (r *run) sum(labels []int) float64 {
	was := slices.Clone(r.labels)
	copy(r.labels, labels)
	terms, _ := r.Objective(context.Background())
	copy(r.labels, was)
	return terms.Sum()
}

// Without cannot-links the labels are the best of all that keep labels and must-links; with
// them no component can move for less. What a move costs is the difference of the
// objective, and a penalty what leaving out the cannot-link saves.
func TestAssignAndPricesAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	violated, leftOut := 0, 0
	for range 500 {
		r := randomRun(rng)
		before := r.sum(r.labels)
		if _, err := r.assign(context.Background()); err != nil {
			t.Fatal(err)
		}
		now, n, k := r.sum(r.labels), len(r.labels), r.p.K
		if now > before+1e-9 {
			t.Fatalf("the objective rose from %v to %v", before, now)
		}
		s := r.Prices(r.p, r.labels)
		for i := range n {
			for to := range k {
				moved := slices.Clone(r.labels)
				for _, j := range r.closed.Members(r.closed.Component(i)) {
					moved[j] = to
				}
				cost := s.MoveCost(i, to)
				if r.closed.Class(r.closed.Component(i)) >= 0 {
					if !math.IsInf(cost, 1) {
						t.Fatalf("a labelled point can move for %v", cost)
					}
					continue
				}
				if want := r.sum(moved) - now; math.Abs(cost-want) > 1e-9 || cost < -1e-9 {
					t.Fatalf("moving %d to %d costs %v, the objective says %v", i, to, cost, want)
				}
			}
		}
		for _, q := range r.p.Constraints.Must {
			if penalty, ok := s.PairPenalty(cluster.MustLinks, q); !ok || penalty != 0 {
				t.Fatalf("the penalty of a must-link, which has no term, is %v", penalty)
			}
			if r.labels[q.I] != r.labels[q.J] {
				leftOut++
			}
		}
		for _, l := range r.p.Constraints.Labels {
			if penalty, ok := s.LabelPenalty(l); !ok || penalty != 0 {
				t.Fatalf("the penalty of a label, which has no term, is %v", penalty)
			}
			if r.labels[l.I] != l.Class {
				leftOut++
			}
		}
		for at, q := range r.p.Constraints.Cannot {
			left := *r.p.Constraints
			left.Cannot = slices.Delete(slices.Clone(left.Cannot), at, at+1)
			without := *r
			p := *r.p
			p.Constraints, without.p = &left, &p
			penalty, ok := s.PairPenalty(cluster.CannotLinks, q)
			if want := now - without.sum(r.labels); !ok || math.Abs(penalty-want) > 1e-9 {
				t.Fatalf("the penalty is %v, want %v", penalty, want)
			}
			if penalty > 0 {
				violated++
			}
		}
		if len(r.p.Constraints.Cannot) > 0 {
			continue
		}
		least, all := math.Inf(1), 1
		for range n {
			all *= k
		}
		for code := range all {
			labels := make([]int, n)
			for i, c := 0, code; i < n; i, c = i+1, c/k {
				labels[i] = c % k
			}
			keeps := true
			for i := range n {
				c := r.closed.Component(i)
				keeps = keeps && labels[i] == labels[r.closed.Members(c)[0]] && (r.closed.Class(c) < 0 || r.closed.Class(c) == labels[i])
			}
			if keeps {
				least = min(least, r.sum(labels))
			}
		}
		if math.Abs(now-least) > 1e-9 {
			t.Fatalf("the objective is %v, the best %v", now, least)
		}
	}
	if violated < 20 || leftOut < 10 {
		t.Errorf("only %d violated cannot-links and %d constraints that were left out were priced", violated, leftOut)
	}
}

// Classes of components: placing, moving and exchanging ends near the best of all
// assignments, and never above the start.
func TestClassesAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	best := 0
	const draws = 200
	for range draws {
		n, k := 2+rng.IntN(4), 2+rng.IntN(2)
		s := &smoothness{k: k, couple: make([]float64, n*n), gain: make([]float64, n*k), class: make([]int, n), fixed: make([]bool, n), apart: make([][]int, n)}
		for q := range n {
			s.class[q] = -1
			for p := range q {
				v := rng.NormFloat64()
				if rng.IntN(3) == 0 {
					v += 4
					s.apart[q], s.apart[p] = append(s.apart[q], p), append(s.apart[p], q)
				}
				s.couple[q*n+p], s.couple[p*n+q] = v, v
			}
			for h := range k {
				s.gain[q*k+h] = rng.NormFloat64()
			}
		}
		s.fixed[0], s.class[0] = true, 0
		sum := func(class []int) (y float64) {
			for q, h := range class {
				y -= 2 * s.gain[q*k+h]
				for p := range q {
					if class[p] == h {
						y += 2 * s.couple[q*n+p]
					}
				}
			}
			return y
		}
		s.place()
		placed := sum(s.class)
		if err := s.improve(t.Context()); err != nil {
			t.Fatal(err)
		}
		found := sum(s.class)
		if found > placed+1e-9 || s.class[0] != 0 {
			t.Fatalf("the sum rose from %v to %v, the fixed class is %d", placed, found, s.class[0])
		}
		least, all := math.Inf(1), 1
		for range n - 1 {
			all *= k
		}
		for code := range all {
			class := make([]int, n)
			for q, c := 1, code; q < n; q, c = q+1, c/k {
				class[q] = c % k
			}
			least = min(least, sum(class))
		}
		if found < least-1e-9 {
			t.Fatalf("%v is below the least sum %v", found, least)
		}
		if found < least+1e-9 {
			best++
		}
	}
	if best < draws*8/10 {
		t.Errorf("only %d of %d are the best assignment", best, draws)
	}
}

// A few points of each circle are enough, where distances to centres say nothing; one
// that is known to be elsewhere takes its own with it; without constraints the clusters
// are those of the cut.
func TestCircles(t *testing.T) {
	x, truth, err := example.TwoCircles(300, 0.05, rand.New(rand.NewPCG(16, 3)))
	if err != nil {
		t.Fatal(err)
	}
	c := &constraint.Set{}
	for i, class := range truth {
		if i%40 == 0 {
			c.Labels = append(c.Labels, constraint.Label{I: i, Class: class, W: 1})
		}
	}
	for _, known := range []*constraint.Set{nil, c} {
		r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2, Constraints: known}, NewLabelSpreading(), cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		if y, err := score.ARI(truth, r.Labels); err != nil || y < 0.99 {
			t.Errorf("ARI %v (%v)", y, err)
		}
	}
}

// Where two groups are known to be apart and a third was never asked about, the cluster
// of the cut that holds it is a cluster of its own.
func TestUnknownClassIsACluster(t *testing.T) {
	x := &data.Dense{Cols: 1}
	truth := []int{}
	rng := rand.New(rand.NewPCG(16, 4))
	for g, size := range []int{30, 30, 30} {
		for range size {
			x.V, truth = append(x.V, 10*float64(g)+rng.NormFloat64()), append(truth, g)
		}
	}
	c := &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 40, W: 1}}, Must: []constraint.Pair{{I: 0, J: 1, W: 1}}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 3, Constraints: c}, NewLabelSpreading(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	if y, _ := score.ARI(truth, r.Labels); y < 0.99 {
		t.Errorf("ARI %v: %v", y, r.Labels)
	}
}

// Two classes are known, both of points of the first cluster of the cut. The third class is
// that of the larger of the other two clusters, although the smaller one has its number.
func TestLargestUnknownClusterIsTheUnknownClass(t *testing.T) {
	r := &run{p: &cluster.Problem{K: 3}}
	cut := []int{0, 0, 1, 2, 2, 2}
	got := r.fillClasses(&known{rows: []int{0, 1}}, []int{0, -1, 1}, cut)
	if want := []int{-1, -1, 1}; !slices.Equal(got, want) {
		t.Errorf("the clusters of the cut have the classes %v, want %v", got, want)
	}
}

// Contradictory constraints: as many as possible hold.
func TestContradictionsAreLeftOut(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{0, 1, 2, 10, 11, 12}}
	c := &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 3, J: 4, W: 1}},
		Cannot: []constraint.Pair{{I: 0, J: 2, W: 0.5}, {I: 2, J: 3, W: 1}},
	}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 2, Constraints: c}, NewLabelSpreading(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	if y, _ := score.ARI([]int{0, 0, 0, 1, 1, 1}, r.Labels); y != 1 {
		t.Errorf("labels %v", r.Labels)
	}
}
