package pace

import (
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// Two methods, ten fits each, of 1 and 3 seconds, on two workers.
func TestPaceKnowsSlowMethods(t *testing.T) {
	c := &experiment.Curve{Methods: make([]experiment.Method, 2), Amounts: make([]experiment.Amount, 1), Folds: 5, Repeats: 2}
	p := New(c)
	if p.left(time.Second) != 0 {
		t.Error("it knows how long it will take before the first fit")
	}
	for i := range 5 {
		p.Add(experiment.Progress{Done: i + 1, Total: 20, Made: i + 1, Method: 0, Took: time.Second})
	}
	// 5 s of work are made in 2.5 s. Left are 5 s of the first method, and ten
	// fits of the other, which so far look like those of the first.
	if got := p.left(2500 * time.Millisecond); got != 7500*time.Millisecond {
		t.Errorf("%v left, want 7.5s", got)
	}
	for i := range 5 {
		p.Add(experiment.Progress{Done: i + 6, Total: 20, Made: i + 6, Method: 1, Took: 3 * time.Second})
	}
	if got := p.left(10 * time.Second); got != 10*time.Second { // 20 s made, 20 s left
		t.Errorf("%v left, want 10s", got)
	}
	if got := p.String(); got[:22] != "curve: 10 of 20 fits, " {
		t.Errorf("it says %q", got)
	}
	// Half of the fits were in the log: what is left is less.
	p.last.Done += 10
	if got := p.left(10 * time.Second); got != 0 {
		t.Errorf("%v left, want none", got)
	}
}
