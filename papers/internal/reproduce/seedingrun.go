package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/method/centroid"
	copkmeans "github.com/inklinghq/inkling/internal/method/cop"
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

// The methods of the seeding paper.
const (
	random      = "Random"
	seeded      = "Seeded"
	constrained = "Constrained"
	cop         = "COP"
)

var seedMethods = []string{random, seeded, constrained, cop}

// A seedSetting is one point of one curve: the constraints that a method is given.
type seedSetting struct {
	Method   string
	Seeds    float64 // the fraction of the training part that are seeds
	Noise    float64 // the fraction of the seeds that have a wrong label
	Unseeded int     // how many classes have no seeds
}

// plain brings settings that are the same run to the same value: without seeds
// Seeded and Constrained are Random.
func (s seedSetting) plain(k int) seedSetting {
	switch {
	case s.Method == random:
	case s.Seeds > 0 && s.Unseeded < k:
		return s
	case s.Method == cop:
		return seedSetting{Method: cop}
	}
	return seedSetting{Method: random}
}

// A seedReading decides what the paper leaves open. The zero value is how we
// read it.
type seedReading struct {
	Mixed     bool    // folds and seeds are drawn without regard to the groups
	Coins     bool    // each seed is wrong with the probability of the noise, by itself
	Blocks    bool    // the wrong labels of a group are all of one other group
	Euclidean bool    // centres are plain means: figures 1 and 2 by the letter
	Tol       float64 // a relative gain of the objective up to this ends a run
	All       bool    // all messages are scored
}

// A seedStudy is what is run on one set of messages.
type seedStudy struct {
	*messages
	seedReading
	seed uint64
	fold []int // of each row
}

// seedFolds is the number of folds of the paper.
const seedFolds = 10

func newSeedStudy(m *messages, r seedReading, seed uint64) *seedStudy {
	class := m.Class
	if r.Mixed {
		class = make([]int, len(m.Class))
	}
	return &seedStudy{m, r, seed, deal(class, seedFolds, stream(seed, foldStream, 0))}
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

// seeds draws the seeds of setting s in fold f. The same streams are used for
// every setting of a fold, so methods have the same seeds and the same wrong
// labels.
func (st *seedStudy) seeds(s seedSetting, f int) (*constraint.Set, error) {
	if s.Method == random || s.Seeds == 0 {
		return nil, nil
	}
	training := make([]int, len(st.Class))
	for i, y := range st.Class {
		switch {
		case st.fold[i] == f:
			training[i] = -1
		case !st.Mixed:
			training[i] = y
		}
	}
	known, err := constraint.LabelFraction(training, s.Seeds, stream(st.seed, seedStream, f))
	if err != nil {
		return nil, err
	}
	for at := range known.Labels {
		known.Labels[at].Class = st.Class[known.Labels[at].I]
	}
	if s.Unseeded > 0 {
		known = constraint.Incomplete(known, stream(st.seed, classStream, f).Perm(st.k())[s.Unseeded:])
	}
	return st.spoil(known, s.Noise, stream(st.seed, noiseStream, f))
}

// spoil makes a fraction of the seeds wrong.
func (st *seedStudy) spoil(known *constraint.Set, noise float64, rng *rand.Rand) (*constraint.Set, error) {
	if !st.Coins && !st.Blocks {
		return constraint.FlipLabels(known, noise, st.k(), rng)
	}
	other := func(class int) int { return (class + 1 + rng.IntN(st.k()-1)) % st.k() }
	to := make([]int, st.k())
	for h := range to {
		to[h] = other(h)
	}
	for at, i := range rng.Perm(len(known.Labels)) {
		l := &known.Labels[i]
		switch {
		case st.Coins && rng.Float64() < noise:
			l.Class = other(l.Class)
		case st.Blocks && float64(at) < noise*float64(len(known.Labels)):
			l.Class = to[l.Class]
		}
	}
	return known, nil
}

// A seedOutcome is the outcome of one run.
type seedOutcome struct {
	MI         float64 `json:"mi"`        // on the messages of the fold
	Objective  float64 `json:"objective"` // Σ x'μ of all messages, eq. 2 of the paper: more is better
	Iterations int     `json:"iterations"`
	Converged  bool    `json:"converged"`
	Stuck      bool    `json:"stuck,omitempty"` // COP found no legal cluster: there is nothing else
}

// seedMaxIter is far above what any run here needs to converge.
const seedMaxIter = 1000

// run clusters all messages and scores those of fold f.
func (st *seedStudy) run(ctx context.Context, s seedSetting, f int) (seedOutcome, error) {
	known, err := st.seeds(s, f)
	if err != nil {
		return seedOutcome{}, err
	}
	p := &cluster.Problem{X: st.X, Constraints: known, K: st.k()}
	r, err := cluster.Fit(ctx, p, st.algorithm(s.Method), cluster.Settings{
		Seed: stream(st.seed, startStream, f).Uint64(), Restarts: 1, MaxIter: seedMaxIter, Tol: st.Tol, Workers: 1})
	var stuck *copkmeans.StuckError
	switch {
	case errors.As(err, &stuck):
		return seedOutcome{Stuck: true}, nil
	case err != nil:
		return seedOutcome{}, fmt.Errorf("%+v, fold %d: %w", s, f, err)
	}
	var truth, found []int
	for i, h := range r.Labels {
		if st.All || st.fold[i] == f {
			truth, found = append(truth, st.Class[i]), append(found, h)
		}
	}
	t, err := score.NewTable(truth, found)
	if err != nil {
		return seedOutcome{}, err
	}
	return seedOutcome{MI: t.MI(), Objective: float64(len(r.Labels)) - r.Objective.Sum(), Iterations: r.Iterations,
		Converged: r.Status == cluster.Converged}, nil
}

// algorithm returns spherical k-means of the named kind. Random-KMeans of the
// paper is Seeded-KMeans that has no seeds.
func (st *seedStudy) algorithm(method string) cluster.Algorithm {
	distortion := centroid.Cosine
	if st.Euclidean {
		distortion = centroid.Euclidean
	}
	switch method {
	case cop:
		return &copkmeans.COP{Assignment: copkmeans.AssignmentGreedy, Distortion: distortion}
	case constrained:
		a := centroid.NewConstrained()
		a.Distortion = distortion
		return a
	}
	a := centroid.NewSeeded()
	a.Distortion = distortion
	return a
}
