package posterior

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// The order in which the points of large graphs are worked on does not change a bit.
func TestOrderOfPointsChangesNoBits(t *testing.T) {
	for _, n := range []int{300, 700} { // with an exact diagonal, and with an estimated one
		g, truth, err := example.PlantedPartition(n, 3, 8, 2, rand.New(rand.NewPCG(5, 1)))
		if err != nil {
			t.Fatal(err)
		}
		rows := []int{4, 5, 9, 100, 201, 299}
		alpha := []float64{1, -2, 0.5, 3, -1, 2}
		expand := func(order bool) ([]float64, []float64) {
			k, err := NewKernel(context.Background(), &cluster.Problem{Graph: g, K: 3},
				Options{Clusters: func(context.Context, *data.Graph) ([]int, error) { return truth, nil }})
			if err != nil {
				t.Fatal(err)
			}
			if order {
				ordered, place := orderedByClusters(g, truth)
				if slices.IsSorted(place) {
					t.Fatal("the order is the old one: nothing is tested")
				}
				if k.laplace, err = eigen.NewLaplacian(ordered, eigen.Normalised); err != nil {
					t.Fatal(err)
				}
				k.place, k.solver = place, newSolver(k.laplace)
			}
			gram, err := k.Gram(context.Background(), rows)
			if err != nil {
				t.Fatal(err)
			}
			all, err := k.Expand(context.Background(), gram, alpha, 1)
			if err != nil {
				t.Fatal(err)
			}
			return gram.V, all
		}
		v, all := expand(false)
		w, ordered := expand(true)
		if !slices.Equal(v, w) || !slices.Equal(all, ordered) {
			t.Errorf("%d points: another kernel in another order", n)
		}
	}
}
