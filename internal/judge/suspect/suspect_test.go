package suspect

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

var background = context.Background()

// groups returns rows of k Gaussian groups, and the group of each.
func groups(seed uint64, n, k, d int, spread float64) (*cluster.Problem, []int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	x, truth := &data.Dense{Cols: d}, make([]int, n)
	for i := range n {
		truth[i] = i % k
		for f := range d {
			x.V = append(x.V, 5*float64((truth[i]>>(f%3))&1)+spread*rng.NormFloat64())
		}
	}
	return &cluster.Problem{X: x, K: k}, truth
}

func TestAveragePrecisionByHand(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		wrong  []bool
		want   float64
	}{
		{[]float64{.9, .8, .7, .1}, []bool{true, true, false, false}, 1},
		{[]float64{.1, .8, .7, .9}, []bool{true, true, false, false}, (1.0/2 + 2.0/4) / 2},
		{[]float64{.5, .5, .5, .5}, []bool{true, false, false, false}, 0.25},
		{[]float64{.5, .4}, []bool{false, false}, 0},
		{nil, nil, 0},
	} {
		if got := AveragePrecision(c.scores, c.wrong); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v %v: %v, wanted %v", c.scores, c.wrong, got, c.want)
		}
	}
}

// With 15 of 100 constraints wrong on groups that are apart, the wrong ones are found.
func TestJudgeFindsWrongConstraints(t *testing.T) {
	t.Parallel()
	p, truth := groups(1, 240, 4, 3, 1)
	for _, c := range []struct {
		name  string
		trial Trial
		least float64
	}{
		{"labels", Trial{Labels: 100, Wrong: .15}, .95},
		{"mixture", Trial{Labels: 50, Pairs: 50, Wrong: .15}, .85},
		{"pairs", Trial{Pairs: 100, Wrong: .15}, .8},
	} {
		mean := 0.0
		for seed := range uint64(3) {
			c.trial.Seed = seed
			ap, err := c.trial.Measure(background, p, truth, Options{})
			if err != nil {
				t.Fatal(err)
			}
			mean += ap / 3
		}
		if mean < c.least {
			t.Errorf("%s: average precision %.3f, wanted %v", c.name, mean, c.least)
		}
	}
}

// A graph, a kernel matrix and sparse rows are judged too.
func TestJudgeTakesEveryForm(t *testing.T) {
	p, truth := groups(2, 120, 3, 3, 1)
	n := p.Len()
	kernel, sparse := &data.Dense{Cols: n, V: make([]float64, n*n)}, &data.Sparse{Cols: 3, Start: []int{0}}
	var edges []data.Edge
	for i := range n {
		a := p.X.Row(i, nil).Val
		for f, y := range a {
			sparse.Idx, sparse.Val = append(sparse.Idx, int32(f)), append(sparse.Val, y)
		}
		sparse.Start = append(sparse.Start, len(sparse.Idx))
		for j := range n {
			d2 := data.Dist2(p.X.Row(j, nil), a, 0)
			kernel.V[i*n+j] = math.Exp(-d2 / 8)
			if i < j && d2 < 3 {
				edges = append(edges, data.Edge{U: i, V: j, W: 1})
			}
		}
	}
	graph, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]*cluster.Problem{"graph": {Graph: graph, K: 3}, "kernel": {Kernel: kernel, K: 3}, "sparse": {X: sparse, K: 3}} {
		for _, trial := range []Trial{{Labels: 60, Wrong: .15}, {Pairs: 80, Wrong: .15}} {
			ap, err := trial.Measure(background, q, truth, Options{})
			if err != nil || ap < 0.7 {
				t.Errorf("%s, %+v: average precision %.3f, %v", name, trial, ap, err)
			}
		}
	}
}

func TestSameVerdictsOnAnyNumberOfWorkers(t *testing.T) {
	p, truth := groups(3, 150, 3, 3, 2)
	set, err := Trial{Labels: 20, Pairs: 40, Wrong: .2, Seed: 4}.Draw(truth)
	if err != nil {
		t.Fatal(err)
	}
	p.Constraints = set
	var first *Report
	for _, workers := range []int{1, 2, 7} {
		r, err := Judge(background, p, Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		} else if !reflect.DeepEqual(first, r) {
			t.Fatalf("other verdicts with %d workers", workers)
		}
	}
}

// A verdict does not depend on what the constraint itself says through the fits: those
// of other folds and the leave-one-out estimates are the same whether a label says one
// wrong class or another.
func TestALabelDoesNotJudgeItself(t *testing.T) {
	p, truth := groups(5, 90, 3, 3, 1)
	set := &constraint.Set{}
	for i := range 45 {
		set.Labels = append(set.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
	}
	set.Labels[7].Class = (truth[7] + 1) % 3
	p.Constraints = set
	r, err := Judge(background, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	worst := slices.MaxFunc(r.Labels, func(a, b Verdict) int {
		switch {
		case a.Wrong < b.Wrong:
			return -1
		case a.Wrong > b.Wrong:
			return 1
		}
		return 0
	})
	if r.Labels[7] != worst || worst.Wrong < 0.5 {
		t.Errorf("the wrong label has %+v, the first suspect %+v", r.Labels[7], worst)
	}
	if !strings.Contains(worst.Why, "of its 10 nearest labelled neighbours are class") || !strings.Contains(worst.Why, "held-out fits disagree") {
		t.Errorf("the evidence is %q", worst.Why)
	}
}

// Whatever the constraints, contradictory, repeated, on one point or on equal rows,
// every one has a probability and a reason.
func TestJudgeTakesAnyConstraints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 14).Draw(t, "n")
		x := &data.Dense{Cols: 1}
		for range n {
			x.V = append(x.V, float64(rapid.IntRange(0, 3).Draw(t, "x")))
		}
		point := rapid.IntRange(0, n-1)
		s := &constraint.Set{}
		for range rapid.IntRange(0, 6).Draw(t, "labels") {
			s.Labels = append(s.Labels, constraint.Label{I: point.Draw(t, "i"), Class: rapid.IntRange(0, 2).Draw(t, "class"), W: rapid.SampledFrom([]float64{1, 0.5, 1e9}).Draw(t, "w")})
		}
		for range rapid.IntRange(0, 6).Draw(t, "pairs") {
			q := constraint.Pair{I: point.Draw(t, "i"), J: point.Draw(t, "j"), W: 1}
			if rapid.Bool().Draw(t, "must") {
				s.Must = append(s.Must, q)
			} else {
				s.Cannot = append(s.Cannot, q)
			}
		}
		p := &cluster.Problem{X: x, K: rapid.IntRange(0, n).Draw(t, "k"), Constraints: s}
		r, err := Judge(background, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]Verdict{r.Labels, r.Must, r.Cannot} {
			for _, v := range list {
				if !(v.Wrong >= 0 && v.Wrong <= 1) || v.Why == "" {
					t.Fatalf("%+v", v)
				}
			}
		}
		if len(r.Labels) != len(s.Labels) || len(r.Must) != len(s.Must) || len(r.Cannot) != len(s.Cannot) {
			t.Fatal("not every constraint has a verdict")
		}
	})
}

// Rows beyond the limit are left out, constrained ones never; and many constrained
// points are judged in parts.
func TestJudgeAtSize(t *testing.T) {
	t.Parallel()
	p, truth := groups(6, 3000, 3, 3, 1)
	trial := Trial{Labels: 60, Pairs: 30, Wrong: .15, Seed: 2}
	set, err := trial.Draw(truth)
	if err != nil {
		t.Fatal(err)
	}
	p.Constraints = set
	r, err := Judge(background, p, Options{MaxRows: 400})
	if err != nil {
		t.Fatal(err)
	}
	if ap := r.Precision(set, truth); r.Sample != 400 || ap < 0.8 {
		t.Errorf("%d rows, average precision %.3f", r.Sample, ap)
	}
	if testing.Short() {
		return
	}
	if set, err = (Trial{Labels: 1600, Wrong: .1}).Draw(truth); err != nil {
		t.Fatal(err)
	}
	p.Constraints = set
	if r, err = Judge(background, p, Options{NoCrossFits: true}); err != nil {
		t.Fatal(err)
	}
	if ap := r.Precision(set, truth); len(r.Notes) == 0 || ap < 0.9 {
		t.Errorf("notes %q, average precision %.3f", r.Notes, ap)
	}
}

func TestJudgeStops(t *testing.T) {
	p, truth := groups(7, 200, 2, 3, 1)
	p.Constraints, _ = Trial{Labels: 40, Wrong: .1}.Draw(truth)
	ctx, cancel := context.WithCancel(background)
	steps := 0
	_, err := Judge(ctx, p, Options{Progress: func(string, int, int) {
		if steps++; steps == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after Cancel: %v", err)
	}
}

func TestReweightByHand(t *testing.T) {
	s := &constraint.Set{
		Labels:  []constraint.Label{{I: 0, Class: 0, W: 2}, {I: 1, Class: 1, W: 1}},
		Must:    []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 3}},
		Cannot:  []constraint.Pair{{I: 0, J: 2, W: 1}},
		Beliefs: []constraint.Pair{{I: 0, J: 3, W: .5}},
	}
	r := &Report{Labels: []Verdict{{Wrong: .5}, {Wrong: 0}}, Must: []Verdict{{Wrong: .05}, {Wrong: .2}}, Cannot: []Verdict{{Wrong: 1}}}
	weighted := r.Reweight(s, RuleWeight)
	if w := weighted.Labels[0].W; math.Abs(w-2*.0625) > 1e-12 {
		t.Errorf("label weight %v", w)
	}
	if w := weighted.Cannot[0].W; w != leastWeight {
		t.Errorf("a certainly wrong cannot-link weighs %v", w)
	}
	dropped := r.Reweight(s, RuleDrop)
	if len(dropped.Labels) != 1 || len(dropped.Must) != 1 || len(dropped.Cannot) != 0 || len(dropped.Beliefs) != 1 {
		t.Errorf("%+v", dropped)
	}
	if same := r.Reweight(s, RuleNone); !reflect.DeepEqual(same, s) {
		t.Errorf("%+v", same)
	}
	if s.Labels[0].W != 2 || r.Above(.1) != 3 {
		t.Errorf("the set has changed, or %d are above 0.1", r.Above(.1))
	}
	if err := Rule("some").Check(); err == nil {
		t.Error("there is a rule called some")
	}
}

// Leaving out what is suspected brings a fit with wrong constraints nearer to the truth
// than the constraints as given.
func TestRobustRemovesMostWrongLabels(t *testing.T) {
	p, truth := groups(8, 300, 3, 3, 1)
	p.Constraints, _ = Trial{Labels: 100, Wrong: .2, Seed: 5}.Draw(truth)
	clean, r, err := Robust(background, p, RuleDrop, Options{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, l := range clean.Labels {
		if truth[l.I] != l.Class {
			wrong++
		}
	}
	if wrong > 2 || len(clean.Labels) < 70 {
		t.Errorf("%d of %d labels that are left are wrong (%d suspects)", wrong, len(clean.Labels), r.Above(.5))
	}
}

// A Cleaner gives the verdicts of Judge without cross-fits, on all rows and on a sample.
func TestCleanerAgreesWithJudge(t *testing.T) {
	p, truth := groups(2, 200, 3, 4, 1.5)
	known, err := Trial{Labels: 20, Pairs: 40, Wrong: 0.2, Seed: 2}.Draw(truth)
	if err != nil {
		t.Fatal(err)
	}
	p.Constraints = known
	for _, rows := range []int{0, 150} {
		o := Options{Seed: 5, MaxRows: rows, NoCrossFits: true}
		want, err := Judge(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewCleaner(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Judge(context.Background(), known)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range [][2][]Verdict{{got.Labels, want.Labels}, {got.Must, want.Must}, {got.Cannot, want.Cannot}} {
			for i := range of[1] {
				if math.Abs(of[0][i].Wrong-of[1][i].Wrong) > 1e-9 {
					t.Errorf("%d rows: verdict %d is %v, by Judge %v", rows, i, of[0][i].Wrong, of[1][i].Wrong)
				}
			}
		}
		sum := 0.0
		for _, list := range [][]Verdict{got.Labels, got.Must, got.Cannot} {
			for _, v := range list {
				sum += v.Wrong
			}
		}
		if share := got.Share(); math.Abs(share-sum/float64(known.Len())) > 1e-12 || share < 0.1 || share > 0.3 {
			t.Errorf("%d rows: a share of %v seems wrong, of which a fifth is", rows, share)
		}
	}
}

// Many pairs are judged in parts, and no worse for it: of all pairs of 60 rows the wrong ones come
// first.
func TestManyPairsAreJudgedInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 36))
	x, truth, err := example.Blobs(60, 3, 2, 8, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	set, wrong := &constraint.Set{}, map[constraint.Pair]bool{}
	for i := range truth {
		for j := range i {
			p := constraint.Pair{I: i, J: j, W: 1}
			together := truth[i] == truth[j]
			if rng.IntN(40) == 0 {
				wrong[p] = true
				together = !together
			}
			if together {
				set.Must = append(set.Must, p)
			} else {
				set.Cannot = append(set.Cannot, p)
			}
		}
	}
	if n := len(set.Must) + len(set.Cannot); n <= 4*mostTogether {
		t.Fatalf("%d pairs", n)
	}
	c, err := NewCleaner(context.Background(), &cluster.Problem{X: x, K: 3, Constraints: set}, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Judge(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	found, flagged := 0, r.Above(.5)
	for i, p := range set.Must {
		if r.Must[i].Wrong > .5 && wrong[p] {
			found++
		}
	}
	for i, p := range set.Cannot {
		if r.Cannot[i].Wrong > .5 && wrong[p] {
			found++
		}
	}
	if found < len(wrong)*8/10 || found < flagged*9/10 {
		t.Errorf("%d of %d wrong pairs found, %d called wrong", found, len(wrong), flagged)
	}
}

// Where nothing predicts the pairs, none is called wrong: not even a must-link among many
// cannot-links, each of which is unlikely.
func TestNoSuspectsWithoutEvidence(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 41))
		const n = 200
		x, truth := &data.Dense{Cols: 4}, make([]int, n)
		for i := range truth {
			truth[i] = rng.IntN(5) // the rows say nothing about it
			for range x.Cols {
				x.V = append(x.V, rng.NormFloat64())
			}
		}
		known, err := Trial{Pairs: 100, Seed: seed}.Draw(truth)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Judge(context.Background(), &cluster.Problem{X: x, K: 5, Constraints: known}, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if above := r.Above(0.5); above > 3 {
			t.Errorf("seed %d: %d of 100 right pairs are called wrong", seed, above)
		}
	}
}

// Thin evidence leaves a pair below one half and the order as it was.
func TestThinEvidenceKeepsTheOrder(t *testing.T) {
	all := newEvidence(6)
	for i, e := range all {
		e.pair, e.proven = true, true
		e.add("a", 1, []float64{0.05, 0.3, 0.6, 0.8, 0.9, 0.97}[i], true)
	}
	proven := verdicts(all)
	for _, e := range all {
		e.beyond = 1
	}
	for i, v := range verdicts(all) {
		if i > 0 && !(proven[i].Wrong > proven[i-1].Wrong) || proven[i].Wrong > 0.5 || proven[i].Wrong > v.Wrong {
			t.Errorf("pair %d: %v, with every source against it %v", i, proven[i].Wrong, v.Wrong)
		}
		if i == 5 && v.Wrong <= 0.5 {
			t.Errorf("the last is wrong with %v", v.Wrong)
		}
	}
}

// TestCleanFile checks that a pair is called wrong less readily where the sources see few wrong pairs among many, and that
// few pairs, or a file that looks no cleaner than expected, change nothing.
func TestCleanFile(t *testing.T) {
	evidence := func(noise float64) *constraintEvidence {
		e := &constraintEvidence{}
		e.addPair(byPairs, pairCalibration{noise: noise, gain: 0.3, total: 100, must: 0.5, decided: 0.5, logistic: posterior.Platt{Slope: 1}}, -2, true)
		return e
	}
	if by := evidence(0.01).cleanFile(cleanFrom); by <= evidence(0.04).cleanFile(cleanFrom) {
		t.Errorf("a file in which fewer pairs are wrong counts less: %v", by)
	}
	for name, by := range map[string]float64{"few pairs": evidence(0.01).cleanFile(cleanFrom - 1), "a share as expected": evidence(posterior.LikeliestNoise()).cleanFile(cleanFrom), "many wrong": evidence(0.25).cleanFile(cleanFrom)} {
		if by != 0 {
			t.Errorf("%s: the log-odds fall by %v", name, by)
		}
	}
}
