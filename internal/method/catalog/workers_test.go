package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// blocked returns rows or a graph for m in several blocks, the last of them short, of clusters that overlap, with
// constraints of every kind, some of them wrong.
func blocked(t *testing.T, m Method) *cluster.Problem {
	t.Helper()
	const n, k = 2100, 4
	p := &cluster.Problem{K: k, Weight: make([]float64, n)}
	rng := rand.New(rand.NewPCG(8, 1))
	var truth []int
	var err error
	if m.Takes(cluster.InputRows) {
		p.X, truth, err = example.Blobs(n, k, 5, 1.5, 1, rng)
	} else {
		p.Graph, truth, err = example.PlantedPartition(n, k, 12, 4, rng)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Weight {
		p.Weight[i] = 1 + float64(i%3)/4
	}
	p.Constraints = constraint.RandomPairs(truth, 120, rng)
	p.Constraints.Beliefs = pairs(6, 7, .5, 7, 1500, -.5, 90, 2050, .25)
	p.Constraints.Names = []string{"a", "b", "c", "d"}
	linked := map[int]bool{}
	for _, q := range slices.Concat(p.Constraints.Must, p.Constraints.Cannot) {
		linked[q.I], linked[q.J] = true, true
	}
	for i := 3; i < n; i += 97 {
		if !linked[i] {
			p.Constraints.Labels = append(p.Constraints.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
		}
	}
	return p
}

// Every method has the same bits on any number of workers, more than there are blocks or processors too: labels, objective, every
// iteration, the model, and where that places rows. Restarts and starts run side by side.
func TestSameBitsOnAnyWorkers(t *testing.T) {
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			p := blocked(t, m)
			var want *cluster.Result
			var model []byte
			var placed []int
			for _, workers := range longtest.Size([]int{1, 3}, []int{1, 7}, []int{1, 2, 3, 7, 16}) {
				s := cluster.Default()
				s.Restarts, s.MaxIter, s.Workers = 2, 15, workers
				r, err := cluster.Fit(context.Background(), p, m.New(), s)
				if err != nil {
					t.Fatal(err)
				}
				var bits []byte
				var to []int
				if m.Saved != nil && r.Model != nil {
					if bits, err = json.Marshal(r.Model); err != nil {
						t.Fatal(err)
					}
					if to, err = cluster.Predict(context.Background(), r.Model, p.X, workers); err != nil {
						t.Fatal(err)
					}
				}
				if want == nil {
					want, model, placed = r, bits, to
					continue
				}
				for what, same := range map[string]bool{
					"labels": slices.Equal(r.Labels, want.Labels), "objective": reflect.DeepEqual(r.Objective, want.Objective),
					"trace": reflect.DeepEqual(r.Trace, want.Trace), "model": bytes.Equal(bits, model), "predictions": slices.Equal(to, placed),
				} {
					if !same {
						t.Errorf("%d workers: %s differ from those of one", workers, what)
					}
				}
			}
		})
	}
}
