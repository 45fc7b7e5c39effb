package door_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
)

// A fit that ends before there is a clustering worth having returns none, unless anything
// will do; a limit that was over at once is a *TimeLimitError.
func TestNoTrivialClusteringWhenTimeIsOver(t *testing.T) {
	x := open(t, "example:two-moons.csv", door.Source{})
	var late *door.TimeLimitError
	if r, err := door.Cluster(background, x, nil, door.Options{K: 2, Timeout: time.Nanosecond}); r != nil || !errors.As(err, &late) {
		t.Errorf("a limit of 1ns: %v, %v", r, err)
	}
	for _, method := range []string{"spectral", "spectral-learning", "csp", "fast-ge"} {
		for _, any := range []bool{false, true} {
			ctx, stop := context.WithCancel(background)
			o := door.Options{K: 2, Method: method, BestEffort: any}
			o.Progress = func(p door.Progress) {
				if p.Stage == door.StageStarting { // before the first eigenvector
					stop()
				}
			}
			r, err := door.Cluster(ctx, x, nil, o)
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
