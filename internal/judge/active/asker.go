// Package active chooses questions: which two points to ask a person about, so that few
// answers say much about the clusters.
//
// A Strategy is a procedure that asks until it has nothing left to ask. An Asker (asker.go) runs it
// question by question, never asks what follows from the answers before, and never the
// same pair twice. Strategies see a Pool: all points, or a sample of them where there are
// many, and how similar they are by the kernel of package posterior.
//
//	random                two points at random: what every other strategy must beat
//	explore-consolidate   Basu, Banerjee and Mooney 2004 (explore.go)
//	min-max               Mallapragada, Jin and Jain 2008 (explore.go)
//	npu                   Xiong, Azimi and Fern 2014 (npu.go)
//	cobras                Van Craenendonck, Dumančić and Blockeel 2018 (cobras.go)
//	auto                  ours (auto.go)
package active

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
)

// A Strategy is a way to choose questions.
type Strategy string

// The strategies.
const (
	Random             Strategy = "random"
	ExploreConsolidate Strategy = "explore-consolidate"
	MinMax             Strategy = "min-max"
	NPU                Strategy = "npu"
	COBRAS             Strategy = "cobras"
	Auto               Strategy = "auto"
)

// Values returns all strategies.
func (Strategy) Values() []string {
	return []string{string(Auto), string(NPU), string(MinMax), string(ExploreConsolidate), string(COBRAS), string(Random)}
}

// procedures are the strategies as functions that ask until nothing is left.
var procedures = map[Strategy]func(*asking){
	Random:             askAtRandom,
	ExploreConsolidate: func(a *asking) { askByNeighbourhoods(a, randomPoint) },
	MinMax:             func(a *asking) { askByNeighbourhoods(a, leastCoveredPoint) },
	NPU:                askByUncertainty,
	COBRAS:             askBySuperInstances,
	Auto:               askForInfluence,
}

// An Asker asks the questions of a strategy one after the other.
type Asker struct {
	pool     *Pool
	strategy Strategy
	k        int
	seed     uint64
	answers  *Answers
	history  []said

	next    func() (Question, bool)
	stop    func()
	current *Question // asked and not answered
	at      *asking
	choices map[string]choice
}

type said struct {
	i, j int
	say  Answer
}

// New returns an asker before its first question. k is the number of clusters, 0 where it
// is not known.
func New(pool *Pool, s Strategy, k int, seed uint64) (*Asker, error) {
	if procedures[s] == nil {
		return nil, fmt.Errorf("the strategy must be one of %s, got %q", strings.Join(s.Values(), ", "), s)
	}
	a := &Asker{pool: pool, strategy: s, k: k, seed: seed, choices: map[string]choice{}}
	a.restart()
	return a, nil
}

// restart begins the procedure again and gives it what was answered.
func (a *Asker) restart() {
	a.Close()
	a.answers, a.current = NewAnswers(a.pool.n), nil
	for _, s := range a.history {
		a.answers.Add(s.i, s.j, s.say)
	}
	a.at = &asking{pool: a.pool, k: a.k, answers: a.answers, rand: rand.New(rand.NewPCG(a.seed, 0)), choices: a.choices}
	a.next, a.stop = iter.Pull(func(yield func(Question) bool) {
		a.at.yield = yield
		procedures[a.strategy](a.at)
	})
}

// Close ends the procedure.
func (a *Asker) Close() {
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}

// Answers returns what was said so far. It must not be changed.
func (a *Asker) Answers() *Answers { return a.answers }

// Next returns the next question; false where nothing is left to ask. It returns the same
// question until it is answered.
func (a *Asker) Next(ctx context.Context) (Question, bool, error) {
	if err := ctx.Err(); err != nil {
		return Question{}, false, err
	}
	if a.current == nil {
		q, ok := a.next()
		if !ok {
			return Question{}, false, nil
		}
		a.current = &q
	}
	return *a.current, true, nil
}

// Record adds an answer about two points: about those of the question, or about any
// others, which the questions that follow then take into account. It returns false for
// an answer that contradicts the others; it has no effect on the questions.
func (a *Asker) Record(i, j int, say Answer) bool {
	a.history = append(a.history, said{i, j, say})
	ok := a.answers.Add(i, j, say)
	if a.current != nil && pairOf(i, j) == pairOf(a.current.A, a.current.B) {
		a.current = nil
	}
	return ok
}

// Forget takes back all answers.
func (a *Asker) Forget() {
	a.history = nil
	a.restart()
}
