package choose

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Fits that share what they have in common give the same labels as fits that share
// nothing, on any number of workers and in any order.
func TestSharedFitsAreTheSame(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	x, truth, err := example.Blobs(100, 3, 4, 1, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{Problem: &cluster.Problem{X: x, K: 4, Constraints: constraint.RandomPairs(truth, 40, rng)}}
	list, _ := Candidates(task)
	folds := Split(x.Len(), task.Problem.Constraints, 1)
	o := Options{Seed: 1, Workers: 1, Effort: cluster.EffortLow}
	p, err := newPoints(t.Context(), task.Problem, list, o)
	if err != nil {
		t.Fatal(err)
	}
	alone := *p
	alone.shared = nil
	var jobs []*fitJob
	for i := range list {
		for f := range folds[:2] {
			jobs = append(jobs, &fitJob{candidate: i, fold: f, known: folds[f].Train})
		}
	}
	rng.Shuffle(len(jobs), func(a, b int) { jobs[a], jobs[b] = jobs[b], jobs[a] })
	o.Workers = 4
	if err := p.runJobs(t.Context(), list, jobs, o, 0, len(jobs)); err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if j.err != nil {
			t.Fatalf("%s: %v", list[j.candidate], j.err)
		}
		want, err := alone.fit(t.Context(), list[j.candidate], j.known, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(j.labels, want) {
			t.Errorf("%s, fold %d: other labels than alone", list[j.candidate], j.fold)
		}
	}
}
