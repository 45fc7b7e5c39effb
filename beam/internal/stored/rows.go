// Package stored is the rows of a fit that are kept in shards: the driver's side of
// package pass. The fit itself, its loop, its starts and its inference, is that of one
// machine; only the search for the nearest centres of all rows runs on the workers.
package stored

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/inklinghq/inkling/beam/internal/pass"
	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A Runner runs the pipeline of a job and returns when it has ended. When ctx ends first
// it stops the job.
type Runner interface {
	Run(ctx context.Context, j *pass.Job, path string) error
	Workers() int // units that one process should do at a time
}

// Options say how passes run.
type Options struct {
	Runner   Runner
	Work     string // a folder that driver and workers share
	UnitRows int    // 0: pass.DefaultUnitRows
	Delay    time.Duration
	// Passed, if not nil, is called after every pass.
	Passed func(kind pass.Kind, took time.Duration)
}

// Rows are rows in shards. They are lloyd.SearchedRows.
type Rows struct {
	*fit
	set    *shards.Set
	o      Options
	scaled bool // to length 1
	limits *pass.Limits
	last   *lloyd.Assigned
	model  []byte // a saved model, by which the workers place the rows

	mu     sync.Mutex
	blocks [cachedBlocks]cachedBlock
	next   int
	single map[int][]float64 // rows that were read one by one
}

// A fit is what rows and the same rows scaled to length 1 have in common.
type fit struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	passes  int
	failure atomic.Pointer[error] // the first read that failed
}

// fail ends the fit.
func (f *fit) fail(err error) {
	if f.failure.CompareAndSwap(nil, &err) {
		f.cancel(err)
	}
}

type cachedBlock struct {
	number int // of the block, from 1; 0: none
	rows   data.Rows
}

// The driver keeps some blocks of rows that are read in order, and rows that are read
// one by one: those with constraints.
const (
	cachedBlocks = 16
	cachedSingle = 1 << 22
)

// Open scans the rows once. cancel is called when rows cannot be read later on; it should
// end the context of the fit.
func Open(ctx context.Context, set *shards.Set, o Options, cancel context.CancelCauseFunc) (*Rows, error) {
	if o.UnitRows == 0 {
		o.UnitRows = pass.DefaultUnitRows
	}
	if o.UnitRows < 0 || o.UnitRows%blocks.Len != 0 {
		return nil, &door.OptionError{Option: "unit-rows", Msg: fmt.Sprintf("the rows of a unit must be a multiple of %d, got %d", blocks.Len, o.UnitRows)}
	}
	if set.Len() > math.MaxInt32 {
		return nil, &door.OptionError{Msg: fmt.Sprintf("%d rows; at most %d are supported", set.Len(), math.MaxInt32)}
	}
	r := &Rows{fit: &fit{ctx: ctx, cancel: cancel}, set: set, o: o, single: map[int][]float64{}}
	found, err := r.run(ctx, &pass.Job{Kind: pass.Scan})
	if err != nil {
		return nil, err
	}
	r.limits = found.Limits
	return r, nil
}

// run runs one pass.
func (r *Rows) run(ctx context.Context, j *pass.Job) (*pass.Result, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.passes++
	start := time.Now()
	path := filepath.Join(r.o.Work, fmt.Sprintf("pass-%06d", r.passes))
	j.Scaled = r.scaled
	j.Rows, j.UnitRows, j.Workers, j.Delay, j.Parts = r.set, r.o.UnitRows, r.o.Runner.Workers(), int64(r.o.Delay), path+".parts"
	if err := os.Mkdir(j.Parts, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(j.Parts)
	if err := os.Chmod(j.Parts, 0o777); err != nil { // workers may run as another user
		return nil, err
	}
	if err := j.Write(path + ".job"); err != nil {
		return nil, unwritten(err)
	}
	defer os.Remove(path + ".job")
	if err := r.o.Runner.Run(ctx, j, path+".job"); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unwritten(err)
	}
	out, err := pass.ReadResult(j)
	if errors.Is(err, os.ErrNotExist) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the pass has ended without a result: %w", err)
	}
	if err == nil && r.o.Passed != nil {
		r.o.Passed(j.Kind, time.Since(start))
	}
	return out, err
}

// A WriteError says that a worker could not write to the shared folder.
type WriteError struct{ Msg string }

func (e *WriteError) Error() string { return e.Msg }

// unwritten finds in the long text of a failed pipeline that a file could not be written.
func unwritten(err error) error {
	_, text, found := strings.Cut(err.Error(), pass.CouldNotWrite)
	if !found {
		return err
	}
	text, _, _ = strings.Cut(text, "\n")
	return &WriteError{pass.CouldNotWrite + text}
}

// Assign finds the nearest of the centres c for every row on the workers.
func (r *Rows) Assign(ctx context.Context, c *lloyd.Centres, m *metric.Learned) (*lloyd.Assigned, error) {
	j := &pass.Job{Kind: pass.Assign, K: c.K, Centres: c.C}
	if err := j.SetMetric(m); err != nil {
		return nil, err
	}
	found, err := r.run(ctx, j)
	if err != nil {
		return nil, err
	}
	r.last = found.Assigned
	r.last.Centres, r.last.Metric = c, m
	return r.last, nil
}

// NearestDistances returns the squared distance of every row to the nearest of the
// centres c.
func (r *Rows) NearestDistances(ctx context.Context, c *lloyd.Centres) ([]float64, error) {
	found, err := r.run(ctx, &pass.Job{Kind: pass.Distances, K: c.K, Centres: c.C})
	if err != nil {
		return nil, err
	}
	return found.Distance, nil
}

// LastAssigned returns what Assign returned last.
func (r *Rows) LastAssigned() *lloyd.Assigned { return r.last }

// ExactSums reports whether sums of the rows do not depend on their order.
func (r *Rows) ExactSums() bool { return r.limits.ExactSums(r.set.Len()) }

// CheckFinite returns an error if there is a NaN or an infinity.
func (r *Rows) CheckFinite() error { return r.limits.CheckFinite() }

// Err returns the error of the first read that failed.
func (r *Rows) Err() error {
	if e := r.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// Passes returns the number of passes so far.
func (r *Rows) Passes() int { return r.passes }

// UnitSize returns the number of rows in a unit.
func (r *Rows) UnitSize() int { return r.o.UnitRows }

// Units returns the number of units.
func (r *Rows) Units() int { return (r.set.Len() + r.o.UnitRows - 1) / r.o.UnitRows }

// Len returns the number of rows.
func (r *Rows) Len() int { return r.set.Len() }

// Dim returns the number of columns.
func (r *Rows) Dim() int { return r.set.Cols }

// Load reads rows lo to hi.
func (r *Rows) Load(lo, hi int) data.Rows {
	x, err := r.set.Read(lo, hi, nil)
	switch {
	case err == nil && r.scaled:
		return lloyd.ScaleToUnit(x)
	case err == nil:
		return x
	}
	r.fail(err)
	if r.set.Double || r.scaled {
		return &data.Dense{Cols: r.set.Cols, V: make([]float64, (hi-lo)*r.set.Cols)}
	}
	return &data.Dense32{Cols: r.set.Cols, V: make([]float32, (hi-lo)*r.set.Cols)}
}

// Row returns row i in buf. Who reads the first row of a block is taken to read the
// block: it is loaded as a whole, and kept for a while. Other rows are read one by one
// and kept.
func (r *Rows) Row(i int, buf []float64) data.Vec {
	buf = buf[:r.set.Cols]
	b := i / blocks.Len
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.blocks {
		if c.number == b+1 {
			copy(buf, c.rows.Row(i-b*blocks.Len, buf).Val)
			return data.Vec{Val: buf}
		}
	}
	if v, ok := r.single[i]; ok {
		copy(buf, v)
		return data.Vec{Val: buf}
	}
	if i%blocks.Len == 0 {
		rows := r.Load(i, min(r.set.Len(), i+blocks.Len))
		r.blocks[r.next] = cachedBlock{b + 1, rows}
		r.next = (r.next + 1) % cachedBlocks
		copy(buf, rows.Row(0, buf).Val)
		return data.Vec{Val: buf}
	}
	copy(buf, r.Load(i, i+1).Row(0, buf).Val)
	if len(r.single) < cachedSingle {
		r.single[i] = append([]float64(nil), buf...)
	}
	return data.Vec{Val: buf}
}

// Pick returns some rows in memory.
func (r *Rows) Pick(at []int) data.Rows {
	if r.set.Double || r.scaled {
		out := &data.Dense{Cols: r.set.Cols, V: make([]float64, 0, len(at)*r.set.Cols)}
		for _, i := range at {
			out.V = append(out.V, r.Load(i, i+1).(*data.Dense).V...)
		}
		return out
	}
	out := &data.Dense32{Cols: r.set.Cols, V: make([]float32, 0, len(at)*r.set.Cols)}
	for _, i := range at {
		out.V = append(out.V, r.Load(i, i+1).(*data.Dense32).V...)
	}
	return out
}

// UnitRows returns the rows scaled to length 1: the rows themselves if they have that
// length already. It scans them once more.
func (r *Rows) UnitRows() data.Rows {
	u := &Rows{fit: r.fit, set: r.set, o: r.o, scaled: true, single: map[int][]float64{}}
	found, err := u.run(r.ctx, &pass.Job{Kind: pass.Scan})
	if err != nil {
		r.fail(err)
		return r
	}
	if u.limits = found.Limits; !u.limits.Changed() {
		r.limits = u.limits
		return r
	}
	return u
}

// ZeroRows returns the number of rows of zeros.
func (r *Rows) ZeroRows() int { return r.limits.Zeros() }

// SetModel makes the workers place the rows by a saved model.
func (r *Rows) SetModel(saved []byte) { r.model = saved }

// PlaceRows places the rows by the model that was set, if one was.
func (r *Rows) PlaceRows(ctx context.Context, m cluster.Model) (labels []int, done bool, err error) {
	if r.model == nil {
		return nil, false, nil
	}
	found, err := r.run(ctx, &pass.Job{Kind: pass.Place, K: m.Clusters(), Model: r.model})
	if err != nil {
		return nil, false, err
	}
	return found.Placed, true, nil
}
