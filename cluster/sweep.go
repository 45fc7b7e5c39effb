package cluster

import (
	"context"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A Pass is one sweep over the rows. Block runs where the rows are, on several
// goroutines at a time, and reads only the pass's exported fields, which it
// must not change; Merge runs at home, on one goroutine, in row order.
type Pass[Part any] interface {
	Block(x data.Rows, lo, hi int) Part
	Merge(lo, hi int, part Part)
}

// Sweep runs p over all of x on e's workers. Parts wait in a short window, so
// memory does not grow with the number of rows. When ctx ends, the pass is left
// half merged and ctx's error returned.
func Sweep[Part any](ctx context.Context, e *Env, x data.Rows, p Pass[Part]) error {
	return blocks.Each(ctx, e.Workers, x.Len(),
		func(lo, hi int) Part { return p.Block(x, lo, hi) }, p.Merge)
}

// Predict places every row of x with m, on so many workers, one per processor
// if below 1. When ctx ends first there are no labels, nor where a row is
// TooFarError from all clusters to tell them apart. One model may serve any number
// of calls at a time.
//
// Methods that work on a graph or a kernel learn no model, and Result.Model is
// nil: that is an error here.
func Predict(ctx context.Context, m Model, x data.Rows, workers int) ([]int, error) {
	if m == nil {
		return nil, Problemf("model", "there is no model to place rows with; methods on graphs and kernels learn none")
	}
	if c, ok := m.(interface{ Check() error }); ok {
		if err := c.Check(); err != nil {
			return nil, &ProblemError{Field: "model", Err: err}
		}
	}
	if x == nil {
		return nil, Problemf("x", "there are no rows to place")
	}
	if err := checkRows(x); err != nil {
		return nil, &ProblemError{Field: "x", Err: err}
	}
	if ctx == nil {
		return nil, errNoContext
	}
	if x.Dim() != m.Dim() {
		return nil, Problemf("x", "the model was fitted on %d features, the rows have %d", m.Dim(), x.Dim())
	}
	if err := data.CheckFinite(x); err != nil {
		return nil, &ProblemError{Field: "x", Err: err}
	}
	labels := make([]int, x.Len())
	var first *TooFarError
	err := blocks.Each(ctx, workers, x.Len(), func(lo, hi int) *TooFarError {
		m.Place(x, lo, hi, labels[lo:hi])
		return tooFar(m, x, lo, hi, labels[lo:hi])
	}, func(_, _ int, e *TooFarError) {
		if first == nil {
			first = e
		}
	})
	if err != nil {
		return nil, err
	}
	if first != nil {
		return nil, &ProblemError{Field: "x", Err: first}
	}
	return labels, nil
}
