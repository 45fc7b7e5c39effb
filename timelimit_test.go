package inkling_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cluster"
)

// A fit that ends before there is a clustering worth having returns none, unless anything
// will do; a limit that was over at once is a *TimeLimitError.
func TestNoTrivialClusteringWhenTimeIsOver(t *testing.T) {
	x := open(t, "example:two-moons.csv", inkling.Source{})
	var late *inkling.TimeLimitError
	if r, err := inkling.Cluster(background, x, nil, inkling.Options{K: 2, Timeout: time.Nanosecond}); r != nil || !errors.As(err, &late) {
		t.Errorf("a limit of 1ns: %v, %v", r, err)
	}
	for _, method := range []string{"spectral", "spectral-learning", "csp", "fast-ge"} {
		for _, any := range []bool{false, true} {
			ctx, stop := context.WithCancel(background)
			o := inkling.Options{K: 2, Method: method, BestEffort: any}
			o.Progress = func(p inkling.Progress) {
				if p.Stage == inkling.StageStarting { // before the first eigenvector
					stop()
				}
			}
			r, err := inkling.Cluster(ctx, x, nil, o)
			stop()
			if !errors.Is(err, context.Canceled) || (r != nil) != any {
				t.Errorf("%s, best effort %v: %v, %v", method, any, r, err)
			}
			if r != nil && (r.Status != cluster.Interrupted || r.KEffective != 1) {
				t.Errorf("%s: status %s with %d clusters", method, r.Status, r.KEffective)
			}
		}
	}
}
