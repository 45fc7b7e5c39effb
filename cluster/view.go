package cluster

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// A View is another description of the same points, in the same order: rows or a
// graph, one of the two. It suggests which points belong together; how much
// that counts is up to the algorithm.
type View struct {
	Name  string // for messages
	X     data.Rows
	Graph *data.Graph // weights of 0 or more
}

// Len returns the number of points.
func (v *View) Len() int {
	if v.Graph != nil {
		return v.Graph.Len()
	}
	if v.X != nil {
		return v.X.Len()
	}
	return 0
}

// checkViews refuses views that do not describe the n points.
func checkViews(views []View, n int) error {
	for at := range views {
		v := &views[at]
		if (v.X == nil) == (v.Graph == nil) {
			return Problemf("view", "view %d must have rows or a graph, not both", at)
		}
		if err := v.checkShape(); err != nil {
			return &ProblemError{Field: "view", Err: err}
		}
		if v.Len() != n {
			return Problemf("view", "view %d has %d points, there are %d", at, v.Len(), n)
		}
		if err := v.checkValues(at); err != nil {
			return err
		}
	}
	return nil
}

func (v *View) checkShape() error {
	if v.Graph != nil {
		return v.Graph.Check()
	}
	return checkRows(v.X)
}

func (v *View) checkValues(at int) error {
	if v.Graph == nil {
		if v.X.Dim() < 1 {
			return Problemf("view", "the rows of view %d have no features", at)
		}
		if err := data.CheckFinite(v.X); err != nil {
			return &ProblemError{Field: "view", Err: err}
		}
		return nil
	}
	for i := range v.Graph.Len() {
		to, w := v.Graph.Neighbours(i)
		for q, y := range w {
			if !data.Finite(y) || y < 0 {
				return Problemf("view", "the weight of edge %d-%d of view %d must be finite and not negative, got %v", i, to[q], at, y)
			}
		}
	}
	return nil
}

// checkRows refuses rows whose storage is inconsistent: those of package data,
// and of any other implementation that has a method Check.
func checkRows(x data.Rows) error {
	if c, ok := x.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}
