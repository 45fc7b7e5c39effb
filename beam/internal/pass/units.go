package pass

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

const blockLen = blocks.Len

func init() {
	register.DoFn2x0[[]byte, func(int64)](&ListSpans{})
	register.DoFn3x1[context.Context, int64, func(int64, int64), error](&DoSpan{})
	register.DoFn2x1[int64, func(*int64) bool, error](&Count{})
	register.Emitter1[int64]()
	register.Emitter2[int64, int64]()
	register.Iter1[int64]()
}

// NewPipeline returns the pipeline of a job whose file is at path. A span is a run of
// units that one worker does at a time; it does not change the result.
func NewPipeline(j *Job, path string, span int) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	spans := beam.ParDo(s, &ListSpans{Units: j.Units(), Span: span}, beam.Impulse(s))
	parts := beam.ParDo(s, &DoSpan{Job: path, Span: span}, beam.Reshuffle(s, spans))
	beam.ParDo0(s, &Count{Job: path}, beam.GroupByKey(s, parts))
	return p
}

// ListSpans lists the first units of all spans.
type ListSpans struct{ Units, Span int }

// ProcessElement lists them once.
func (l *ListSpans) ProcessElement(_ []byte, emit func(int64)) {
	for u := 0; u < l.Units; u += l.Span {
		emit(int64(u))
	}
}

// DoSpan does the units of a span, some at a time, and emits their numbers.
type DoSpan struct {
	Job  string
	Span int
}

// ProcessElement does the span that begins with unit first.
func (d *DoSpan) ProcessElement(ctx context.Context, first int64, emit func(int64, int64)) error {
	j, err := load(d.Job)
	if err != nil {
		return err
	}
	units := min(d.Span, j.Units()-int(first))
	type done struct {
		unit int
		err  error
	}
	out := make(chan done, units)
	var wg sync.WaitGroup
	for u := int(first); u < int(first)+units; u++ {
		wg.Go(func() {
			j.room <- struct{}{}
			defer func() { <-j.room }()
			out <- done{u, j.doUnit(ctx, d.Job, u)}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for r := range out {
		if r.err != nil {
			err = r.err
			continue
		}
		emit(0, int64(r.unit))
	}
	return err
}

// doUnit writes the part of a unit, or that of a fault: a file that cannot be read is no
// reason to run the unit again. Once there was a fault the other units write nothing.
func (j *loaded) doUnit(ctx context.Context, path string, u int) error {
	if j.failed.Load() {
		return nil
	}
	if err := stopped(ctx, path); err != nil {
		return err
	}
	if j.Delay > 0 {
		time.Sleep(time.Duration(j.Delay))
	}
	p := &part{unit: u}
	lo, hi := j.unitRange(u)
	buffer := j.buffers.Get().(*shards.Buffer)
	defer j.buffers.Put(buffer)
	x, err := j.Rows.Read(lo, hi, buffer)
	scaled := true // or as it was
	if err == nil && j.Scaled {
		scaled = lloyd.AreUnit(x)
		x = lloyd.ScaleToUnit(x)
	}
	var bad *door.InputError
	switch {
	case errors.As(err, &bad):
		j.failed.Store(true)
		p.fault = &Fault{File: bad.File, Msg: bad.Msg}
	case err != nil:
		return err
	case j.Kind == Scan:
		p.limits = newLimits(j.Rows.Cols)
		p.limits.scan(x, lo)
		p.limits.changed = !scaled
	case j.Kind == Distances:
		p.distances = lloyd.NearestDistances(x, j.centres)
	case j.Kind == Place:
		labels, err := cluster.Predict(ctx, j.model, x, 1)
		var far *cluster.TooFarError
		if errors.As(err, &far) {
			j.failed.Store(true)
			p.fault = &Fault{File: j.Rows.Name(lo + far.Row), Msg: fmt.Sprintf("row %d of all has the value %g, too large to square", lo+far.Row, far.Value)}
		} else if err != nil {
			return err
		}
		p.labels = make([]int32, len(labels))
		for i, h := range labels {
			p.labels[i] = int32(h)
		}
	default:
		found, err := lloyd.AssignRows(ctx, 1, x, j.centres, j.metric)
		if err != nil {
			return err
		}
		p.labels, p.count, p.sum, p.rest, p.distortion = found.Labels, found.Sums.Count, found.Sums.Sum, found.Sums.Errors(), found.Distortion
	}
	return writeWhole(j.partPath(u), p.encode(j.K))
}

// local are the contexts of jobs that run in this process: a driver that runs its own
// workers stops them with it.
var local sync.Map

// RunHere makes ctx stop the units of the job at path in this process, until the
// returned function is called.
func RunHere(ctx context.Context, path string) (done func()) {
	local.Store(path, ctx)
	return func() { local.Delete(path) }
}

func stopped(ctx context.Context, path string) error {
	if c, ok := local.Load(path); ok {
		if err := c.(context.Context).Err(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Count proves that every unit was done, and done once.
type Count struct{ Job string }

// ProcessElement gets the numbers of all units under one key.
func (c *Count) ProcessElement(_ int64, units func(*int64) bool) error {
	j, err := load(c.Job)
	if err != nil {
		return err
	}
	seen := make([]bool, j.Units())
	for u := int64(0); units(&u); {
		if u < 0 || int(u) >= len(seen) || seen[u] {
			return fmt.Errorf("unit %d of %d came twice or does not exist", u, len(seen))
		}
		seen[u] = true
	}
	for u, ok := range seen {
		if !ok {
			return fmt.Errorf("unit %d of %d is lost", u, len(seen))
		}
	}
	return writeWhole(j.donePath(), nil)
}
