package pass

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/beam/shards"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/lloyd"
)

const blockLen = blocks.Len

func init() {
	register.DoFn2x0[[]byte, func(int64)](&ListSpans{})
	register.DoFn3x1[context.Context, int64, func(int64, []byte), error](&DoSpan{})
	register.DoFn2x1[int64, func(*[]byte) bool, error](&Collect{})
	register.Emitter1[int64]()
	register.Emitter2[int64, []byte]()
	register.Iter1[[]byte]()
}

// NewPipeline returns the pipeline of a job whose file is at path. A span is a run of
// units that one worker does at a time; it does not change the result.
func NewPipeline(j *Job, path string, span int) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	spans := beam.ParDo(s, &ListSpans{Units: j.Units(), Span: span}, beam.Impulse(s))
	parts := beam.ParDo(s, &DoSpan{Job: path, Span: span}, beam.Reshuffle(s, spans))
	beam.ParDo0(s, &Collect{Job: path}, beam.GroupByKey(s, parts))
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

// DoSpan does the units of a span, some at a time, and emits their parts.
type DoSpan struct {
	Job  string
	Span int
}

// ProcessElement does the span that begins with unit first.
func (d *DoSpan) ProcessElement(ctx context.Context, first int64, emit func(int64, []byte)) error {
	j, err := load(d.Job)
	if err != nil {
		return err
	}
	units := min(d.Span, j.Units()-int(first))
	type done struct {
		part []byte
		err  error
	}
	out := make(chan done, units)
	var wg sync.WaitGroup
	for u := int(first); u < int(first)+units; u++ {
		wg.Go(func() {
			j.room <- struct{}{}
			defer func() { <-j.room }()
			b, err := j.doUnit(ctx, d.Job, u)
			out <- done{b, err}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for r := range out {
		switch {
		case r.err != nil:
			err = r.err
		case r.part != nil:
			beam.NewCounter("inkling", "units").Inc(ctx, 1)
			emit(0, r.part)
		}
	}
	return err
}

// doUnit returns the part of a unit; nil where the pass has failed already. A file that
// cannot be read is a part too: running the unit again would not help.
func (j *loaded) doUnit(ctx context.Context, path string, u int) ([]byte, error) {
	if j.failed.Load() {
		return nil, nil
	}
	if err := stopped(ctx, path); err != nil {
		return nil, err
	}
	if j.Delay > 0 {
		time.Sleep(time.Duration(j.Delay))
	}
	p := &part{unit: u}
	lo, hi := j.unitRange(u)
	buffer := j.buffers.Get().(*shards.Buffer)
	defer j.buffers.Put(buffer)
	x, err := j.Rows.Read(lo, hi, buffer)
	var bad *inkling.InputError
	switch {
	case errors.As(err, &bad):
		j.failed.Store(true)
		p.fault = &Fault{File: bad.File, Msg: bad.Msg}
		return p.encode(j.K), nil
	case err != nil:
		return nil, err
	case j.Kind == Scan:
		p.limits = newLimits(j.Rows.Cols)
		p.limits.scan(x, lo)
		return p.encode(j.K), nil
	case j.Kind == Distances:
		p.distances = lloyd.NearestDistances(x, j.centres)
		return p.encode(j.K), nil
	}
	found, err := lloyd.AssignRows(ctx, 1, x, j.centres, j.metric)
	if err != nil {
		return nil, err
	}
	p.labels, p.count, p.sum, p.rest, p.distortion = found.Labels, found.Sums.Count, found.Sums.Sum, found.Sums.Errors(), found.Distortion
	return p.encode(j.K), nil
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

// Collect puts the parts of all units together and writes the result.
type Collect struct{ Job string }

// ProcessElement gets all parts under one key.
func (c *Collect) ProcessElement(_ int64, parts func(*[]byte) bool) error {
	j, err := load(c.Job)
	if err != nil {
		return err
	}
	all := newCollector(j.Job)
	for b := []byte(nil); parts(&b); b = nil {
		p, err := decodePart(b)
		if err != nil {
			return err
		}
		if err := all.add(p); err != nil {
			return err
		}
	}
	b, err := all.finish()
	if err != nil {
		return err
	}
	return writeWhole(j.Result, b)
}
