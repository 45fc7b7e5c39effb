package progress

import "testing"

// The share rises with every iteration and run, and is unknown where nothing tells it.
func TestShare(t *testing.T) {
	last := 0.0
	for run := 1; run <= 4; run++ {
		for iteration := range 20 {
			share := Progress{Stage: Fitting, Run: run, Runs: 4, Iteration: iteration}.Share()
			if share < last || share > 1 || share == last && (run > 1 || iteration > 0) {
				t.Fatalf("run %d, iteration %d: %v after %v", run, iteration, share, last)
			}
			last = share
		}
	}
	if got := (Progress{Stage: Choosing, Run: 4, Runs: 12}).Share(); got != 0.25 {
		t.Errorf("three of twelve candidates are %v", got)
	}
	for _, p := range []Progress{{}, {Stage: Fitting}, {Stage: Judging, Run: 1, Runs: 2}, {Stage: Preparing}} {
		if got := p.Share(); got != 0 {
			t.Errorf("%+v: %v", p, got)
		}
	}
	if got := (Progress{Stage: Fitting, Run: 9, Runs: 4}).Share(); got != 1 {
		t.Errorf("more runs than planned: %v", got)
	}
}
