package clustertest

import (
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// findsTheNumber wants three clusters of three separate blobs from a method that says that it finds their
// number, an answer where it is 0 on degenerate points, and exactly as many as it is asked for.
func findsTheNumber(a cluster.Algorithm) error {
	if !a.Capabilities().FindsK {
		return nil
	}
	p, _ := easy()
	for _, k := range []int{0, 3, 2} {
		if p.K = k; k == 2 { // labels have three classes
			p.Constraints = nil
		}
		r, err := fit(p, a, func(s *cluster.Settings) { s.Audit = true })
		if err != nil {
			return err
		}
		if found := 1 + slices.Max(r.Labels); found != k && !(k == 0 && found == 3) {
			return fmt.Errorf("three blobs with k = %d have %d clusters", k, found)
		}
		if r.Model != nil && r.Model.Clusters() != 1+slices.Max(r.Labels) {
			return fmt.Errorf("the model has %d clusters, the result %d", r.Model.Clusters(), 1+slices.Max(r.Labels))
		}
	}
	for _, x := range [][]float64{{5}, {1, 1}, {0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 10, 11, 12, 13}, {-1e100, -1e100, 1e100, 1e100}} {
		r, err := fit(small(0, 1, x...), a, func(s *cluster.Settings) { s.Audit = true })
		if err == nil {
			err = placesAlike(small(0, 1, x...), r.Model, r.Labels)
		}
		if err != nil {
			return fmt.Errorf("%v without k: %w", x, err)
		}
	}
	return nil
}

// leavesNoise wants points far from all others to have no cluster where a method says that it leaves noise, a
// model that places such points nowhere, and the part of the result that has clusters to be that of its points.
func leavesNoise(a cluster.Algorithm) error {
	if !a.Capabilities().LeavesNoise {
		return nil
	}
	p, _ := easy()
	x, far := p.X.(*data.Dense), []float64{500, 500, 500, 500, 500}
	p = &cluster.Problem{X: &data.Dense{Cols: x.Cols, V: append(slices.Clone(x.V), far...)}, K: p.K}
	r, err := fit(p, a, nil)
	if err != nil {
		return err
	}
	n := p.Len()
	if r.Labels[n-1] != -1 {
		return fmt.Errorf("a point far from all others is in cluster %d", r.Labels[n-1])
	}
	points, some := r.Assigned()
	if len(points) != len(some.Labels) || slices.Contains(points, n-1) || len(points) < n/2 {
		return fmt.Errorf("%d points with a cluster have %d labels", len(points), len(some.Labels))
	}
	for at, i := range points {
		if some.Labels[at] != r.Labels[i] {
			return fmt.Errorf("point %d has label %d and %d", i, r.Labels[i], some.Labels[at])
		}
	}
	if r.Model == nil {
		return nil
	}
	got, err := cluster.Predict(background, r.Model, &data.Dense{Cols: x.Cols, V: []float64{-900, 900, 0, 0, 0}}, 1)
	if err == nil && got[0] != -1 {
		err = fmt.Errorf("the model places a new point far from all others in cluster %d", got[0])
	}
	return err
}
