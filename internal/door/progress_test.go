package door_test

import (
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// Progress counts the rows that all stages of an iteration moved, not only the last
// stage, and an audit does not change it.
func TestProgressCountsAllStages(t *testing.T) {
	table, err := door.Open(background, "example:iris.csv", door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"kmeans", "mpc-kmeans", "cop-kmeans"} {
		var plain, audited []door.Progress
		for _, audit := range []bool{false, true} {
			to := &plain
			if audit {
				to = &audited
			}
			_, err := door.Cluster(background, table, nil, door.Options{K: 3, Method: method, Restarts: 3, Audit: audit,
				Progress: func(p door.Progress) {
					if p.Ended {
						*to = append(*to, p)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
		}
		same := func(p, q door.Progress) bool {
			return p.Run == q.Run && p.Iteration == q.Iteration && p.Moved == q.Moved
		}
		if !slices.EqualFunc(plain, audited, same) {
			t.Errorf("%s: an audit reports other iterations: %v, %v", method, plain, audited)
		}
		if !slices.ContainsFunc(plain, func(p door.Progress) bool { return p.Moved > 0 }) {
			t.Errorf("%s: no iteration has moved a row: %v", method, plain)
		}
	}
}
