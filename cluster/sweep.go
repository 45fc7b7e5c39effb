package cluster

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A Pass is one sweep over the rows: the seam at which another engine can run the
// blocks, for example on the machines that hold the rows.
//
// Block runs where the rows are, on several goroutines at a time. It reads the
// pass's exported fields and rows lo to hi, and returns a part. It changes nothing
// but scratch memory and row state: exported slices of which entry i belongs to
// row i, and only Block reads and changes entries lo to hi. An engine keeps row
// state with the rows.
//
// Merge runs at home, on one goroutine, in row order, and writes what the pass
// returns: unexported fields, and slices of the caller.
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
	if s, ok := x.(SelfPlacer); ok {
		if labels, done, err := s.PlaceRows(ctx, m); done || err != nil {
			return labels, err
		}
	}
	if q, ok := m.(Preparer); ok {
		m = q.Prepare(x)
	}
	if q, ok := m.(rowsPlacer); ok {
		if labels, done, err := q.PlaceAll(ctx, x); done || err != nil {
			return labels, err
		}
	}
	pass := &placement{Model: m, labels: make([]int, x.Len())}
	if err := Sweep(ctx, &Env{Workers: workers}, x, pass); err != nil {
		return nil, err
	}
	if pass.tooFar != nil {
		return nil, &ProblemError{Field: "x", Err: pass.tooFar}
	}
	return pass.labels, nil
}

// A SelfPlacer is Rows that are not in memory and that may be placed where they are
// kept. done is false where they are not.
type SelfPlacer interface {
	PlaceRows(ctx context.Context, m Model) (labels []int, done bool, err error)
}

// A rowsPlacer is a Model that may place all rows at once, where the context has a device
// for that. done is false where it has none.
type rowsPlacer interface {
	PlaceAll(ctx context.Context, x data.Rows) (labels []int, done bool, err error)
}

// A Preparer is a Model that places many rows faster after some work. Prepare does
// that work for the rows of x, does not change the receiver, and returns a model of
// the same clusters.
type Preparer interface{ Prepare(x data.Rows) Model }

// placement is the pass that gives each row the label that Model gives it.
type placement struct {
	Model Model

	labels  []int
	tooFar  *TooFarError // the first row that Model cannot place
	scratch sync.Pool    // of parts
}

// placed is the part of one block.
type placed struct {
	labels []int
	tooFar *TooFarError
}

func (p *placement) Block(x data.Rows, lo, hi int) *placed {
	part, _ := p.scratch.Get().(*placed)
	if part == nil {
		part = new(placed)
	}
	part.labels = slices.Grow(part.labels[:0], hi-lo)[:hi-lo]
	clear(part.labels)
	p.Model.Place(x, lo, hi, part.labels)
	part.tooFar = tooFar(p.Model, x, lo, hi, part.labels)
	return part
}

func (p *placement) Merge(lo, _ int, part *placed) {
	copy(p.labels[lo:], part.labels)
	if p.tooFar == nil {
		p.tooFar = part.tooFar
	}
	p.scratch.Put(part)
}
