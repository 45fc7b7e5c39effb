package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// open reads rows, their first centres and a number; that is not timed.
func open(x, centres, number string) (data.Rows, *data.Dense, int, error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, nil, 0, err
	}
	rows, err := dataio.Open(x, dataio.Options{})
	if err != nil {
		return nil, nil, 0, err
	}
	c, err := dataio.Open(centres, dataio.Options{})
	if err != nil {
		return nil, nil, 0, err
	}
	first := &data.Dense{Cols: c.X.Dim()}
	for i := range c.X.Len() {
		first.V = append(first.V, data.Copy(c.X, i)...)
	}
	return rows.X, first, n, nil
}

var background = context.Background()

// fitted times one fit, as a user of the library would call it.
func fitted(p *cluster.Problem, a cluster.Algorithm, s cluster.Settings) (figures, error) {
	f, _, err := timed(p, a, s)
	return f, err
}

// scored is fitted with the ARI of the labels.
func scored(p *cluster.Problem, a cluster.Algorithm, s cluster.Settings, truth []int) (figures, error) {
	f, labels, err := timed(p, a, s)
	if err != nil {
		return nil, err
	}
	f["ari"], err = score.ARI(truth, labels)
	return f, err
}

// timed is fitted that returns the labels too.
func timed(p *cluster.Problem, a cluster.Algorithm, s cluster.Settings) (figures, []int, error) {
	c := startClock()
	r, err := cluster.Fit(background, p, a, s)
	if err != nil {
		return nil, nil, err
	}
	f := c.stop()
	f["check"], f["iterations"], f["status"] = r.Objective.Sum(), r.Iterations, r.Status
	return f, r.Labels, nil
}

// each times one iteration: the second to the last of 1 + n. It checks by the
// objective, which after that many iterations from the same start is the same
// on both sides, but for rounding.
func each(x data.Rows, first *data.Dense, distortion centroid.Distortion, n int) (figures, error) {
	a := centroid.NewKMeans()
	a.Distortion = distortion
	a.StartFrom(first)
	p, s := &cluster.Problem{X: x, K: first.Len()}, cluster.Default()
	s.Restarts, s.Tol = 1, 0
	s.MaxIter = 1
	if _, err := fitted(p, a, s); err != nil { // the first warms up
		return nil, err
	}
	one, err := fitted(p, a, s)
	if err != nil {
		return nil, err
	}
	s.MaxIter = 1 + n
	more, err := fitted(p, a, s)
	if err != nil {
		return nil, err
	}
	if more["iterations"] != 1+n {
		return nil, fmt.Errorf("%s after %d iterations of %d: the times would not compare", more["status"], more["iterations"], 1+n)
	}
	return perIteration(one, more, n), nil
}

func kmeans(args []string) (figures, error) {
	x, first, n, err := open(args[0], args[1], args[2])
	if err != nil {
		return nil, err
	}
	return each(x, first, centroid.Euclidean, n)
}

func sparse(args []string) (figures, error) {
	x, first, n, err := open(args[0], args[1], args[3])
	if err != nil {
		return nil, err
	}
	if _, ok := x.(*data.Sparse); !ok {
		return nil, fmt.Errorf("%s holds %T, not sparse rows", args[0], x)
	}
	return each(x, first, centroid.Distortion(args[2]), n)
}

func fit(args []string) (figures, error) {
	x, first, n, err := open(args[0], args[1], args[2])
	if err != nil {
		return nil, err
	}
	a, s := centroid.NewKMeans(), cluster.Default()
	a.StartFrom(first)
	s.Restarts, s.Tol, s.MaxIter = 1, 0, n
	return fitted(&cluster.Problem{X: x, K: first.Len()}, a, s)
}

// seeded runs until nothing moves, as the peer does.
func seeded(args []string) (figures, error) {
	x, err := dataio.Open(args[0], dataio.Options{})
	if err != nil {
		return nil, err
	}
	labels, err := readInts(args[1])
	if err != nil {
		return nil, err
	}
	truth, err := readInts(args[2])
	if err != nil {
		return nil, err
	}
	known := new(constraint.Set)
	for i, c := range labels {
		if c >= 0 {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: c, W: 1})
		}
	}
	var a cluster.Algorithm = centroid.NewSeeded()
	if args[3] == "Constrained" {
		a = centroid.NewConstrained()
	}
	s := cluster.Default()
	s.Tol, s.MaxIter = 0, 1000
	return scored(&cluster.Problem{X: x.X, K: known.Classes(), Constraints: known}, a, s, truth)
}
