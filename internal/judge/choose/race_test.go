package choose

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
)

// Where the reference is right about everything, nothing else is fitted.
func TestNothingIsComparedWithARightAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	x, truth, err := example.Blobs(300, 3, 4, 40, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{Problem: &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, 60, rng)}, Scalable: true}
	fits := 0
	found, err := Run(context.Background(), task, Options{Seed: 1, Progress: func(Progress) { fits++ }})
	if err != nil {
		t.Fatal(err)
	}
	if found.Method != "kmeans" || len(found.Trials) != 1 || fits != 1 || !strings.Contains(found.Why, "no other candidate can be clearly better") {
		t.Errorf("%d fits, %d trials: %s", fits, len(found.Trials), found.Why)
	}
	if found.Claimed == nil || found.Claimed.Mean < 0.99 {
		t.Errorf("claimed %+v", found.Claimed)
	}
}

// A race takes a candidate as accurate as the whole comparison does, with fewer fits.
func TestRaceAgreesWithTheWholeComparison(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 9))
		task, _ := moons(t, 60+20*int(seed%2))
		if seed > 1 {
			x, truth, err := example.Blobs(150, 3, 4, 2.5, 1, rng)
			if err != nil {
				t.Fatal(err)
			}
			task = &Task{Problem: &cluster.Problem{X: x, K: 3, Constraints: constraint.RandomPairs(truth, 90, rng)}}
		}
		task.AsGiven = true
		fits := [2]int{}
		run := func(at int, list []Candidate) *Choice {
			found, err := Run(context.Background(), task, Options{Seed: seed, Candidates: list, Progress: func(Progress) { fits[at]++ }})
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		list, _ := Candidates(task)
		raced, whole := run(0, nil), run(1, list)
		if raced.judged < whole.judged-0.02 || fits[0] >= fits[1] {
			t.Errorf("seed %d: %s (%.3f, %d fits), of all %s (%.3f, %d fits)", seed, raced.Candidate, raced.judged, fits[0], whole.Candidate, whole.judged, fits[1])
		}
		for _, tr := range raced.Trials {
			if tr.Folds < 1 || tr.Folds > foldCount {
				t.Errorf("%s has %d folds", tr.Candidate, tr.Folds)
			}
		}
		for _, tr := range raced.Trials {
			if tr.Candidate.String() == raced.Candidate.String() && tr.Folds != foldCount {
				t.Errorf("%s was taken after %d folds", tr.Candidate, tr.Folds)
			}
		}
	}
}
