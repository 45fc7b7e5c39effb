package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/score"
)

// Streams of randomness, one a purpose, so that what is drawn for one does not
// depend on what was drawn for another. Those of folds add the fold's number.
const (
	smallStream uint64 = (1 + iota) << 32
	foldStream
	seedStream
	noiseStream
	classStream
	startStream
)

func stream(seed, purpose uint64, fold int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, purpose+uint64(fold)))
}

// deal gives each row one of so many folds: every class is shuffled and dealt
// out in turn, so that folds have the classes in equal shares.
func deal(class []int, folds int, rng *rand.Rand) []int {
	order, fold, dealt := rng.Perm(len(class)), make([]int, len(class)), map[int]int{}
	for _, i := range order {
		fold[i] = dealt[class[i]] % folds
		dealt[class[i]]++
	}
	return fold
}

// seeds draws what setting s tells in one fold. The same stream is used for
// every setting of a fold: fewer seeds are some of the more seeds, and methods
// have the same ones.
func (c *corpus) seeds(s setting, fold []int, f int, seed uint64) (*constraint.Set, error) {
	if s.Method == random {
		return nil, nil
	}
	training := make([]int, len(c.Class))
	for i, y := range c.Class {
		if training[i] = y; fold[i] == f {
			training[i] = -1
		}
	}
	known, err := constraint.LabelFraction(training, s.Seeds, stream(seed, seedStream, f))
	if err != nil {
		return nil, err
	}
	if s.Unseeded > 0 {
		keep := stream(seed, classStream, f).Perm(c.k())[s.Unseeded:]
		known = constraint.Incomplete(known, keep)
	}
	return constraint.FlipLabels(known, s.Noise, c.k(), stream(seed, noiseStream, f))
}

// An outcome is what one run came to, measured on the test part of its fold.
type outcome struct {
	MI, NMI    float64
	Iterations int
	Status     cluster.Status
}

// maxIter is far above what any run here needs to converge.
const maxIter = 1000

// run clusters all rows of c and scores those of fold f.
func (c *corpus) run(ctx context.Context, s setting, fold []int, f int, seed uint64) (outcome, error) {
	known, err := c.seeds(s, fold, f, seed)
	if err != nil {
		return outcome{}, err
	}
	p := &cluster.Problem{X: c.X, Known: known, K: c.k()}
	start := stream(seed, startStream, f).Uint64()
	r, err := cluster.Fit(ctx, p, algorithm(s.Method), cluster.Settings{Seed: start, Restarts: 1, MaxIter: maxIter, Workers: 1})
	if err != nil {
		return outcome{}, fmt.Errorf("seeding: %s, %+v, fold %d: %w", c.Name, s, f, err)
	}
	var truth, found []int
	for i, h := range r.Labels {
		if fold[i] == f {
			truth, found = append(truth, c.Class[i]), append(found, h)
		}
	}
	t, err := score.NewTable(truth, found)
	if err != nil {
		return outcome{}, err
	}
	return outcome{MI: t.MI(), NMI: t.NMI(), Iterations: r.Iterations, Status: r.Status}, nil
}

// algorithm returns spherical k-means of the named kind. Random-KMeans of the
// paper is Seeded-KMeans that has no seeds.
func algorithm(method string) cluster.Algorithm {
	if method == constrained {
		a := centroid.NewConstrained()
		a.Distortion = centroid.Cosine
		return a
	}
	a := centroid.NewSeeded()
	a.Distortion = centroid.Cosine
	return a
}
