package catalog

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// shared returns rows or a graph for m, with constraints of every kind that can
// be satisfied.
func shared(m Method) *cluster.Problem {
	p := &cluster.Problem{K: 3, Weight: slices.Repeat([]float64{1, 2}, 12)}
	if p.X, p.Graph = line(24); m.Takes("rows") {
		p.Graph = nil
	} else {
		p.X = nil
	}
	p.Constraints = &constraint.Set{
		Labels:  []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 12, Class: 1, W: 1}},
		Must:    pairs(3, 4, 1, 20, 22, 2),
		Cannot:  pairs(15, 16, 1, 4, 12, .5),
		Beliefs: pairs(6, 7, .5, 7, 8, -.5),
		Names:   []string{"a", "b"},
	}
	return p
}

// One problem and one method serve many goroutines at a time: all get the same
// result to the bit, nothing is changed, and nobody is left behind. (The race
// detector has more to say.)
func TestFitsShareProblemAndMethod(t *testing.T) {
	many := longtest.Size(8, 16, 50)
	before := runtime.NumGoroutine()
	for _, m := range Methods() {
		p, a := shared(m), m.New()
		results := make([]*cluster.Result, many)
		faults := make([]error, many)
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() {
				s := cluster.Default()
				s.Restarts, s.Workers = 2, i%3
				results[i], faults[i] = cluster.Fit(context.Background(), p, a, s)
			})
		}
		wg.Wait()
		placeTogether(t, m.Name, results[0], p, many)
		for i, r := range results {
			if faults[i] != nil {
				t.Fatalf("%s: %v", m.Name, faults[i])
			}
			if !slices.Equal(r.Labels, results[0].Labels) || !reflect.DeepEqual(r.Objective, results[0].Objective) || !reflect.DeepEqual(r.Trace, results[0].Trace) {
				t.Errorf("%s: fit %d has another result", m.Name, i)
			}
		}
		if !reflect.DeepEqual(p, shared(m)) {
			t.Errorf("%s changes the problem", m.Name)
		}
		if !reflect.DeepEqual(a, m.New()) {
			t.Errorf("%s changes with a fit: %+v", m.Name, a)
		}
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait == 100 {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
		time.Sleep(10 * time.Millisecond) // one that is on its way out
	}
}

// placeTogether asks one model, which nobody has asked before, from many
// goroutines.
func placeTogether(t *testing.T, name string, r *cluster.Result, p *cluster.Problem, many int) {
	t.Helper()
	if r == nil || r.Model == nil {
		return
	}
	placed := make([][]int, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { placed[i], _ = cluster.Predict(context.Background(), r.Model, p.X, i%3) })
	}
	wg.Wait()
	for _, labels := range placed {
		if len(labels) != p.Len() || !slices.Equal(labels, placed[0]) {
			t.Errorf("%s: the model says %v and %v of the same rows", name, labels, placed[0])
		}
	}
}

// A result does not hold on to the rows: they may be overwritten.
func TestResultsHoldNoRows(t *testing.T) {
	for _, m := range Methods() {
		if !m.Takes("rows") || m.Saved == nil {
			continue
		}
		p := shared(m)
		r, err := cluster.Fit(context.Background(), p, m.New(), cluster.Default())
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		again, _ := line(24)
		want, err := cluster.Predict(context.Background(), r.Model, again, 1)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		clear(p.X.(*data.Dense).V)
		clear(p.Weight)
		got, err := cluster.Predict(context.Background(), r.Model, again, 1)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: with its rows overwritten, the model says %v instead of %v (%v)", m.Name, got, want, err)
		}
	}
}
