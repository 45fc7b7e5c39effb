package experiment

import (
	"context"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/blocks"
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
	all := c.tasks()
	r := &running{c: c, tasks: all, fits: make([]*Fit, len(all)), log: log}
	todo := r.recall(past)
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	workers := c.Settings.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	inner := max(1, workers/max(1, len(todo)))
	err := blocks.Tasks(ctx, workers, len(todo), func(i int) { r.do(ctx, todo[i], inner) })
	if r.err != nil {
		return nil, r.err
	}
	return c.table(all, r.fits), err
}

// running is one call of Run.
type running struct {
	c     *Curve
	tasks []task
	fits  []*Fit // by task; nil until it is done
	stop  context.CancelFunc

	mu         sync.Mutex
	log        io.Writer
	done, made int
	err        error
}

// recall takes over the fits that a log has, and returns the tasks left.
func (r *running) recall(past []Fit) (todo []int) {
	had := make(map[Key]*Fit, len(past))
	for i := range past {
		had[past[i].Key] = &past[i]
	}
	for i, t := range r.tasks {
		if f := had[t.Key]; f != nil {
			r.fits[i] = f
			r.done++
		} else {
			todo = append(todo, i)
		}
	}
	return todo
}

func (r *running) do(ctx context.Context, i, workers int) {
	t := r.tasks[i]
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
		r.c.Observe(Progress{Done: r.done, Total: len(r.tasks), Made: r.made, Method: t.method, Amount: t.amount,
			Took: time.Since(began), Failed: f.Error != ""})
	}
}
