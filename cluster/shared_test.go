package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// Equal keys are computed once, by whoever asks first; others wait for the result.
func TestSharedComputesOnce(t *testing.T) {
	var s Shared
	var calls atomic.Int32
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			got, err := s.Do(t.Context(), i%2, func() (any, error) {
				calls.Add(1)
				return 10 + i%2, nil
			})
			if err != nil || got != 10+i%2 {
				t.Errorf("key %d: %v, %v", i%2, got, err)
			}
		})
	}
	group.Wait()
	if calls.Load() != 2 {
		t.Errorf("computed %d times for two keys", calls.Load())
	}
}

// Errors, panics and what is returned after the time is over are not kept.
func TestSharedKeepsWholeResultsOnly(t *testing.T) {
	var s Shared
	failure := errors.New("no")
	if _, err := s.Do(t.Context(), "key", func() (any, error) { return nil, failure }); err != failure {
		t.Errorf("got the error %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	if got, _ := s.Do(ended, "key", func() (any, error) { stop(); return "half", nil }); got != "half" {
		t.Errorf("whoever computes it gets %v", got)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic is lost")
			}
		}()
		_, _ = s.Do(t.Context(), "key", func() (any, error) { panic("no") })
	}()
	if got, err := s.Do(t.Context(), "key", func() (any, error) { return "whole", nil }); got != "whole" || err != nil {
		t.Errorf("after all that: %v, %v", got, err)
	}
	if got, _ := s.Do(t.Context(), "key", func() (any, error) { return "again", nil }); got != "whole" {
		t.Errorf("kept: %v", got)
	}
	// Whoever waits does so no longer than its time.
	begun, release := make(chan bool), make(chan bool)
	go func() {
		_, _ = s.Do(context.Background(), "slow", func() (any, error) { close(begun); <-release; return "slow", nil })
	}()
	<-begun
	if got, _ := s.Do(ended, "slow", func() (any, error) { return "own", nil }); got != "own" {
		t.Errorf("with no time left: %v", got)
	}
	close(release)
}

// A run that gets a kept result goes on with the random numbers that it would have had.
func TestShareKeepsRandomNumbers(t *testing.T) {
	shared := &Shared{}
	calls := 0
	draw := func(seed uint64, with *Shared, run int, effort Effort) (sum, after uint64) {
		source := rand.NewPCG(seed, 7)
		e := &Env{Rand: rand.New(source), Run: run, Effort: effort, Settings: &Settings{Shared: with}, source: source}
		got, err := e.Share(t.Context(), "draws", func() (any, error) {
			calls++
			return e.Rand.Uint64() + e.Rand.Uint64() + uint64(run), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got.(uint64), e.Rand.Uint64()
	}
	for _, seed := range []uint64{1, 2, 1, 1} {
		for _, run := range []int{0, 1} {
			a, b := draw(seed, nil, run, EffortLow)
			if c, d := draw(seed, shared, run, EffortLow); a != c || b != d {
				t.Errorf("seed %d: %d and then %d, alone %d and %d", seed, c, d, a, b)
			}
		}
	}
	if calls != 8+4 { // two seeds and two runs are four results
		t.Errorf("%d calls, wanted 12", calls)
	}
	if draw(1, shared, 0, EffortHigh); calls != 13 {
		t.Error("another effort got the same result")
	}
}

// Keys tell points, weights and k apart, and rows that cannot be compared share nothing.
func TestProblemKey(t *testing.T) {
	x, y := &data.Dense{Cols: 1, V: []float64{1, 2}}, &data.Dense{Cols: 1, V: []float64{1, 2}}
	p := Problem{X: x, K: 2}
	if p.Key("a") != (&Problem{X: x, K: 2}).Key("a") {
		t.Error("the same points have two keys")
	}
	g, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]Problem{"rows": {X: y, K: 2}, "k": {X: x, K: 1}, "weights": {X: x, K: 2, Weight: []float64{1, 1}}, "a graph": {X: x, Graph: g, K: 2}} {
		if q.Key("a") == p.Key("a") {
			t.Errorf("other %s, same key", name)
		}
	}
	if p.Key("a") == p.Key("b") {
		t.Error("two purposes, one key")
	}
	part := Problem{X: data.Subset(x, []int{0}), K: 1}
	if part.Key("a") == part.Key("a") {
		t.Error("rows that cannot be compared are taken for the same")
	}
}
