package experiment

import (
	"context"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Run makes the fits of c that are not among past, the fits of a log, and
// returns the table of all of them. Each is written to log, if that is not
// nil, as soon as it is made. The table is the same to the bit on any number of
// workers, and however many of the fits came from the log.
//
// When ctx ends, Run returns the table of what is done by then and ctx's error;
// the fits under way are lost. A fit that fails is not an error: it is counted in
// the table.
func Run(ctx context.Context, c *Curve, past []Fit, log io.Writer) (*Table, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	all := newPlan(c)
	r := &running{c: c, plan: all, fits: map[int]*Fit{}, log: log}
	r.recall(past)
	had := maps.Clone(r.fits)
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	workers := blocks.Workers(c.Settings.Workers)
	inner := max(1, workers/max(1, all.Len()-len(had)))
	err := blocks.Tasks(ctx, workers, all.Len(), func(i int) {
		if had[i] == nil {
			r.do(ctx, i, inner)
		}
	})
	if r.err != nil {
		return nil, r.err
	}
	return c.table(all, r.fits), err
}

// running is one call of Run.
type running struct {
	c    *Curve
	plan *plan
	stop context.CancelFunc

	mu         sync.Mutex
	fits       map[int]*Fit // those that are done
	log        io.Writer
	done, made int
	err        error
}

// recall takes over the fits that a log has.
func (r *running) recall(past []Fit) {
	for at := range past {
		if i := r.plan.index(past[at].Key); i >= 0 {
			r.fits[i] = &past[at]
		}
	}
	r.done = len(r.fits)
}

func (r *running) do(ctx context.Context, i, workers int) {
	t := r.plan.task(i)
	began := time.Now()
	f, err := r.c.fit(ctx, t, workers)
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil {
		return // half a fit is none
	}
	if err == nil && r.log != nil {
		err = appendFit(r.log, &f)
	}
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		r.stop()
		return
	}
	r.fits[i] = &f
	r.done++
	r.made++
	if r.c.Observe != nil {
		r.c.Observe(Progress{Done: r.done, Total: r.plan.Len(), Made: r.made, Method: t.method, Amount: t.amount,
			Took: time.Since(began), Failed: f.Error != ""})
	}
}
