package choose

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// irisTask returns Iris with 200 pairs, a share of them wrong.
func irisTask(t *testing.T, wrong float64, seed uint64) (*Task, []int) {
	t.Helper()
	s, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	truth, classes := s.Classes()
	known, err := suspect.Trial{Pairs: 200, Wrong: wrong, Seed: seed}.Draw(truth)
	if err != nil {
		t.Fatal(err)
	}
	return &Task{Problem: &cluster.Problem{X: s.X, K: len(classes), Constraints: known}, Scalable: true}, truth
}

// Where many constraints are wrong, fits with constraints leave out the doubtful ones;
// where none is, or where that was forbidden, they use all.
func TestDoubtfulConstraintsAreLeftOut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, of := range []struct {
		wrong   float64
		asGiven bool
		drops   bool
	}{{0, false, false}, {0.2, false, true}, {0.2, true, false}} {
		task, _ := irisTask(t, of.wrong, 3)
		task.AsGiven = of.asGiven
		got, err := Run(ctx, task, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if high := got.Doubtful > noisyShare; high != of.drops {
			t.Errorf("%v wrong: the estimated share is %.3f", of.wrong, got.Doubtful)
		}
		constrained := 0
		for _, c := range got.Trials {
			if drops := c.Robust == suspect.RuleDrop; drops != (of.drops && c.Constrained) {
				t.Errorf("%v wrong, as given %v: candidate %s", of.wrong, of.asGiven, c)
			}
			if c.Constrained {
				constrained++
			}
		}
		if constrained == 0 {
			t.Errorf("%v wrong: no candidate with constraints was compared", of.wrong)
		}
	}
}

// Obeying wrong labels spoils their rows, which held-out labels do not show: on
// separate groups, where k-means needs no labels, a fit without doubtful ones stays right.
func TestFitWithoutDoubtfulConstraints(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 1))
	x, truth := &data.Dense{Cols: 4}, make([]int, 150)
	for i := range truth {
		truth[i] = i % 6
		for f := range x.Cols {
			x.V = append(x.V, 9*float64((truth[i]+1)>>f&1)+rng.NormFloat64())
		}
	}
	known, err := suspect.Trial{Labels: 60, Wrong: 0.2, Seed: 1}.Draw(truth)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{Problem: &cluster.Problem{X: x, K: 6, Constraints: known}}
	fit := func(c Candidate) float64 {
		r, err := Fit(ctx, task, c, cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		ari, err := score.ARI(truth, r.Labels)
		if err != nil {
			t.Fatal(err)
		}
		return ari
	}
	c := Candidate{Method: "constrained-kmeans", K: 6, Constrained: true}
	given := fit(c)
	c.Robust = suspect.RuleDrop
	kept := fit(c)
	if plain := fit(Candidate{Method: "kmeans", K: 6}); kept < plain-0.01 || given > kept-0.1 {
		t.Errorf("constrained-kmeans reaches %.3f without doubtful labels and %.3f with all, k-means %.3f", kept, given, plain)
	}
}

// What a fold is trained on does not depend on what it holds out.
func TestCleaningSeesOnlyTheTrainingPart(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	task, _ := irisTask(t, 0.2, 4)
	p := task.Problem
	folds := Split(p.Len(), p.Constraints, 1)
	kept := func(f int, turn bool) *constraint.Set {
		q := *p
		if turn { // the held-out pairs say the opposite
			q.Constraints = &constraint.Set{Must: slices.Clone(folds[f].Train.Must), Cannot: slices.Clone(folds[f].Train.Cannot)}
			for _, h := range folds[f].Pairs {
				pair := constraint.Pair{I: h.I, J: h.J, W: 1}
				if h.Together {
					q.Constraints.Cannot = append(q.Constraints.Cannot, pair)
				} else {
					q.Constraints.Must = append(q.Constraints.Must, pair)
				}
			}
		}
		c := &comparison{task: task, o: Options{Seed: 1, Candidates: []Candidate{}}, sample: &q, folds: folds, choice: &Choice{}, points: &points{plain: &q}}
		list := []Candidate{{Method: "pc-kmeans", Constrained: true, Robust: suspect.RuleDrop}}
		if err := c.clean(ctx, list, []int{0}); err != nil {
			t.Fatal(err)
		}
		return c.training(list[0], f)
	}
	dropped := 0
	for f := range folds {
		given, turned := kept(f, false), kept(f, true)
		if !slices.Equal(given.Must, turned.Must) || !slices.Equal(given.Cannot, turned.Cannot) {
			t.Errorf("fold %d is trained on other constraints if those held out say the opposite", f)
		}
		dropped += folds[f].Train.Len() - given.Len()
	}
	if dropped == 0 {
		t.Error("nothing was left out, so nothing was tested")
	}
}

// Constraints on every form of points can be judged.
func TestKeptOnEveryForm(t *testing.T) {
	known := &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1, W: 1}}, Cannot: []constraint.Pair{{I: 1, J: 2, W: 1}}}
	kernel := &data.Dense{Cols: 3, V: []float64{1, 0.5, 0, 0.5, 1, 0, 0, 0, 1}}
	for name, p := range map[string]*cluster.Problem{
		"kernel": {Kernel: kernel, K: 2, Constraints: known},
		"rows":   {X: kernel, K: 2, Constraints: known},
	} {
		got, err := Kept(context.Background(), p, Candidate{}, Options{})
		if err != nil || got.Constraints == nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
