package choose

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// randomSet draws constraints of every kind, contradictory ones too.
func randomSet(t *rapid.T, n int) *constraint.Set {
	s := &constraint.Set{}
	row := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 40).Draw(t, "pairs") {
		p := constraint.Pair{I: row.Draw(t, "i"), J: row.Draw(t, "j"), W: 1}
		if p.I == p.J {
			continue
		}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			s.Must = append(s.Must, p)
		case 1:
			s.Cannot = append(s.Cannot, p)
		default:
			p.W = rapid.SampledFrom([]float64{-0.5, 0.5}).Draw(t, "belief")
			s.Beliefs = append(s.Beliefs, p)
		}
	}
	for range rapid.IntRange(0, 20).Draw(t, "labels") {
		s.Labels = append(s.Labels, constraint.Label{I: row.Draw(t, "i"), Class: rapid.IntRange(0, 2).Draw(t, "class"), W: 1})
	}
	return s
}

// Nothing about a held-out pair or label follows from the training part, and
// every constraint is held out once.
func TestSplitLeaksNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		s := randomSet(t, n)
		folds := Split(n, s, rapid.Uint64().Draw(t, "seed"))
		pairs, labels := 0, 0
		for _, f := range folds {
			pairs += len(f.Pairs)
			labels += len(f.Labels)
			inTraining := map[int]bool{}
			for _, i := range f.Train.Rows() {
				inTraining[i] = true
			}
			for _, p := range f.Pairs {
				if inTraining[p.I] && inTraining[p.J] {
					t.Fatalf("both rows of the held-out pair %v are in constraints for training", p)
				}
			}
			for _, l := range f.Labels {
				if inTraining[l.I] {
					t.Fatalf("the row of the held-out label %v is in a constraint for training", l)
				}
			}
			closed, err := constraint.Close(n, f.Train)
			if err != nil {
				continue // contradictory constraints have no closure
			}
			for _, p := range f.Pairs {
				if closed.MustTogether(p.I, p.J) || closed.MustApart(p.I, p.J) {
					t.Fatalf("the held-out pair %v follows from the training part", p)
				}
			}
		}
		if want := len(s.Must) + len(s.Cannot) + len(s.Beliefs); pairs != want || labels != len(singleClasses(s)) {
			t.Fatalf("%d pairs and %d labels are held out, of %d and %d", pairs, labels, want, len(singleClasses(s)))
		}
	})
}

// By hand: 4 must-links and 4 cannot-links. a is right about all, b about half of
// each kind: the difference has mean 1/2 and variance (4·(1/4)/16 + 1/16) = 1/8 by
// kind, 1/16 in all.
func TestBalancedByHand(t *testing.T) {
	var obs []observation
	for i := range 8 {
		obs = append(obs, observation{together: i < 4, weight: 1, inflate: 1})
	}
	a, b := []float64{1, 1, 1, 1, 1, 1, 1, 1}, []float64{1, 0, 1, 0, 1, 0, 1, 0}
	diff := make([]float64, 8)
	for i := range diff {
		diff[i] = a[i] - b[i]
	}
	if e := balanced(diff, obs); e.mean != 0.5 || math.Abs(e.variance-1.0/16) > 1e-15 {
		t.Errorf("difference %+v, by hand 1/2 with variance 1/16", e)
	}
	// z = 0.5·0.1/√(1/16·(0.01+1/16)) = 0.74278, Φ(z) = 0.77119
	if p := probabilityBetter(a, b, obs); math.Abs(p-0.77119) > 1e-4 {
		t.Errorf("probability %.5f, by hand 0.77119", p)
	}
	// Two must-links right, six cannot-links wrong: balanced 1/2, not 1/4.
	for i := range obs {
		obs[i].together = i < 2
	}
	if e := balanced([]float64{1, 1, 0, 0, 0, 0, 0, 0}, obs); e.mean != 0.5 {
		t.Errorf("balanced accuracy %v, by hand 1/2", e.mean)
	}
}

// The reference is left only for what is clearly better, first among the fits
// without constraints.
func TestTwoSteps(t *testing.T) {
	var obs []observation
	right := map[string][]float64{}
	for i := range 200 {
		obs = append(obs, observation{together: i%2 == 0, weight: 1, inflate: 1})
		for name, share := range map[string]int{"70": 70, "71": 71, "85": 85, "86": 86, "97": 97} {
			right[name] = append(right[name], weightIf((i*37)%100 < share))
		}
	}
	fit := func(share string, constrained bool) judged {
		return judged{Candidate: Candidate{Method: share, Constrained: constrained}, right: right[share]}
	}
	for _, c := range []struct {
		list []judged
		want string
	}{
		{[]judged{fit("70", false), fit("71", false), fit("71", true)}, "70"},
		{[]judged{fit("70", false), fit("85", false), fit("86", true)}, "85"},
		{[]judged{fit("70", false), fit("85", false), fit("86", true), fit("97", true)}, "97"},
		{[]judged{fit("70", false), fit("71", false), fit("85", true), fit("97", true)}, "97"},
	} {
		if at, _ := twoSteps(c.list, obs); c.list[at].Method != c.want {
			t.Errorf("chose %s, wanted %s", c.list[at].Method, c.want)
		}
	}
}

// A label agrees with its class and differs from others, by hand.
func TestJudgeLabels(t *testing.T) {
	s := &constraint.Set{}
	for i, c := range []int{0, 0, 0, 1, 1} {
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: c, W: 1})
	}
	f := &Fold{Labels: s.Labels}
	// Row 0 is with one of the two others of its class, and with one of two others.
	got := f.judge([]int{7, 7, 8, 7, 9})
	if !slices.Equal(got[:2], []float64{0.5, 0.5}) {
		t.Errorf("row 0 agrees %v, by hand 1/2 and 1/2", got[:2])
	}
}

// moons are rows on which k-means fails and cuts of a neighbour graph do not.
func moons(t testing.TB, pairs int) (*Task, []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x, truth, err := example.TwoMoons(200, 0.08, rng)
	if err != nil {
		t.Fatal(err)
	}
	return &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: constraint.RandomPairs(truth, pairs, rng)}, Scalable: true}, truth
}

func TestLeavesKMeansWhereItFails(t *testing.T) {
	task, truth := moons(t, 80)
	fits := 0
	found, err := Run(context.Background(), task, Options{Seed: 1, Progress: func(p Progress) {
		if fits++; p.Fit != fits || p.Fits < p.Fit || p.Candidate == "" {
			t.Errorf("progress %+v at fit %d", p, fits)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if found.Method == "kmeans" || len(found.Trials) < 6 || found.Trials[0].Method != "kmeans" || found.Pairs != 80 || !strings.Contains(found.Why, found.Method) {
		t.Errorf("chose %s of %d candidates: %s", found.Candidate, len(found.Trials), found.Why)
	}
	settings := cluster.Default()
	settings.Seed = 1
	r, err := Fit(context.Background(), task, found.Candidate, settings)
	if err != nil {
		t.Fatal(err)
	}
	if ari, _ := score.ARI(truth, r.Labels); ari < 0.9 {
		t.Errorf("ARI %.3f by %s", ari, found.Candidate)
	}
}

func TestSameChoiceOnAnyNumberOfWorkers(t *testing.T) {
	task, _ := moons(t, 40)
	var first string
	for _, workers := range []int{1, 2, 5} {
		found, err := Run(context.Background(), task, Options{Seed: 3, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(found)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(b)
		}
		if first != string(b) {
			t.Errorf("%d workers: %s\nbefore: %s", workers, b, first)
		}
	}
}

func TestCancelledAndOutOfTime(t *testing.T) {
	task, _ := moons(t, 40)
	ctx, cancel := context.WithCancel(context.Background())
	fits := 0
	_, err := Run(ctx, task, Options{Progress: func(Progress) {
		if fits++; fits == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled comparison returns %v", err)
	}
	found, err := Run(context.Background(), task, Options{Budget: time.Nanosecond})
	if err != nil || found.Method != "kmeans" || found.Why == "" {
		t.Errorf("without time: %+v, %v", found, err)
	}
}

// With few constraints, or none, nothing is compared and the reference is chosen.
func TestPriorChoice(t *testing.T) {
	task, _ := moons(t, 10)
	found, err := Run(context.Background(), task, Options{})
	if err != nil || found.Method != "kmeans" || found.Constrained || len(found.Trials) > 0 || !strings.Contains(found.Why, "10 pairs are too few") {
		t.Errorf("%+v, %v", found, err)
	}
	task.Problem.Constraints = nil
	if found, err = Run(context.Background(), task, Options{}); err != nil || found.Method != "kmeans" || found.Scale != prepare.None {
		t.Errorf("%+v, %v", found, err)
	}
	for _, n := range []int{1, 2, 3} {
		x := &data.Dense{Cols: 1, V: []float64{1, 2, 3}[:n]}
		s := &constraint.Set{}
		if n > 1 {
			s.Must = []constraint.Pair{{I: 0, J: 1, W: 1}}
		}
		if found, err := Run(context.Background(), &Task{Problem: &cluster.Problem{X: x, K: 1, Constraints: s}, Scalable: true}, Options{}); err != nil || found.Candidate.K != 1 {
			t.Errorf("%d rows: %+v, %v", n, found, err)
		}
	}
}

// Contradictory constraints are compared without the fewest that make the others
// agree, where a method needs that.
func TestContradictoryConstraintsAreCompared(t *testing.T) {
	t.Parallel()
	task, _ := moons(t, 60)
	s := task.Problem.Constraints
	s.Cannot = append(s.Cannot, s.Must[0])
	list, _ := Candidates(task)
	found, err := Run(context.Background(), task, Options{Candidates: list}) // all of them
	if err != nil || !slices.ContainsFunc(found.Trials, func(t Trial) bool { return t.Method == "graph-cut" && t.Constrained }) {
		t.Errorf("%+v, %v", found, err)
	}
}

// A large table is compared on a sample that holds the rows in constraints.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	x, truth, err := example.Blobs(3000, 3, 2, 4, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, 100, rng)}
	q, _ := sampleOf(p, 500, 1)
	if q.Len() != 500 || len(q.Constraints.Must) != len(p.Constraints.Must) || len(q.Constraints.Cannot) != len(p.Constraints.Cannot) {
		t.Fatalf("%d rows, %d must-links, %d cannot-links", q.Len(), len(q.Constraints.Must), len(q.Constraints.Cannot))
	}
	for at, c := range q.Constraints.Must {
		was := p.Constraints.Must[at]
		if !slices.Equal(data.Copy(q.X, c.I), data.Copy(x, was.I)) || !slices.Equal(data.Copy(q.X, c.J), data.Copy(x, was.J)) {
			t.Fatalf("must-link %d is between other rows in the sample", at)
		}
	}
	if few, _ := sampleOf(p, 50, 1); few.Len() != 50 || len(few.Constraints.Rows()) > 40 {
		t.Errorf("%d rows, %d of them in constraints", few.Len(), len(few.Constraints.Rows()))
	}
}

// k by held-out pairs, and by silhouette where there are none.
func TestChooseK(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x, truth, err := example.Blobs(300, 4, 2, 10, 0.5, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []*constraint.Set{nil, constraint.RandomPairs(truth, 60, rng)} {
		task := &Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: known}, Ks: []int{2, 3, 4, 5, 6, 7}, Scalable: true}
		found, err := Run(context.Background(), task, Options{})
		if err != nil || found.Clusters == nil || found.Clusters.K != 4 || found.Candidate.K != 4 || len(found.Clusters.Tried) != 6 {
			t.Errorf("%+v, %v", found, err)
		}
	}
	g, truth, err := example.PlantedPartition(60, 3, 0.6, 0.05, rng)
	if err != nil {
		t.Fatal(err)
	}
	kernel := &data.Dense{Cols: 60}
	for i := range 60 {
		for j := range 60 {
			kernel.V = append(kernel.V, map[bool]float64{true: 1, false: 0.1}[truth[i] == truth[j]])
		}
	}
	task := &Task{Problem: &cluster.Problem{Kernel: kernel, K: 2}, Ks: []int{2, 3, 4}}
	if _, err := Run(context.Background(), task, Options{}); !errors.Is(err, ErrKNeedsRows) {
		t.Errorf("a kernel without constraints: %v", err)
	}
	task.Problem = &cluster.Problem{Graph: g, K: 2}
	task.Problem.Constraints = constraint.RandomPairs(truth, 60, rng)
	if found, err := Run(context.Background(), task, Options{}); err != nil || found.Candidate.K != 3 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Graphs, kernels and texts have candidates of their own; parameters and models
// leave some out.
func TestCandidates(t *testing.T) {
	methods := func(task *Task) (names []string) {
		list, _ := Candidates(task)
		for _, c := range list {
			if alg, err := c.Algorithm(); err != nil || alg == nil {
				t.Errorf("%s: %v", c, err)
			}
			if !slices.Contains(names, c.Method) {
				names = append(names, c.Method)
			}
		}
		return names
	}
	known := &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}}
	g, _, err := example.PlantedPartition(30, 2, 0.6, 0.05, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	x := &data.Dense{Cols: 2, V: make([]float64, 60)}
	for _, c := range []struct {
		task *Task
		want []string
	}{
		{&Task{Problem: &cluster.Problem{Graph: g, K: 2, Constraints: known}}, []string{"graph-cut", "spectral", "csp", "ss-kernel-kmeans", "spectral-learning"}},
		{&Task{Problem: &cluster.Problem{Kernel: &data.Dense{Cols: 2, V: []float64{1, 0, 0, 1}}, K: 2, Constraints: known}}, []string{"kernel-kmeans", "kernel-hmrf-kmeans"}},
		{&Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: known}, NeedModel: true}, []string{"kmeans", "pc-kmeans", "mpc-kmeans", "hmrf-kmeans"}},
		{&Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: known}, Texts: true}, []string{"kmeans", "spectral", "graph-cut", "pc-kmeans", "hmrf-kmeans", "csp"}},
		{&Task{Problem: &cluster.Problem{X: x, K: 2, Constraints: known}, Parameters: map[string]any{"inference": "lp"}}, []string{"pc-kmeans", "mpc-kmeans", "hmrf-kmeans"}},
		{&Task{Problem: &cluster.Problem{X: x, K: 2}, Parameters: map[string]any{"demand": 2}}, []string{"fast-ge"}},
		{&Task{Problem: &cluster.Problem{X: x, K: 2, Views: []cluster.View{{Graph: g}}}}, []string{"csp"}},
	} {
		if got := methods(c.task); !slices.Equal(got, c.want) {
			t.Errorf("candidates %v, wanted %v", got, c.want)
		}
	}
}

// Columns of one unit are left as they are, columns of very different ones are
// standardised.
func TestDifferentScales(t *testing.T) {
	iris, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	wine, err := example.Load("wine")
	if err != nil {
		t.Fatal(err)
	}
	if DifferentScales(iris.X) || !DifferentScales(wine.X) {
		t.Errorf("iris %v, wine %v", DifferentScales(iris.X), DifferentScales(wine.X))
	}
}
