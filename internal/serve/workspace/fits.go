package workspace

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// When fits begin and end.
const (
	settle      = 150 * time.Millisecond // after a change, in which others may follow
	worthEnding = 2 * time.Second        // a fit that is older is not cancelled by a change
	quickRows   = 2_000                  // up to so many, confidences are computed before a fit is shown, else after
	describable = 50_000                 // up to so many rows, clusters are described with every fit
	tracePoints = 60                     // of the objective, that Running keeps
)

// stageWaiting is the stage of a fit that is about to begin.
const stageWaiting = "waiting"

// fits follow every change in the background: one at a time, the last one shown until the next has ended.
type fits struct {
	table    *door.Table
	jobs     *jobs
	record   *record
	kept     *kept
	names    *names
	settings *fitSettings
	then     func() // is called when all about a fit is computed

	again sync.Mutex // held while a fit is made again
	wake  chan wish

	mu        sync.Mutex
	auto      bool // changes are followed by a fit
	running   *Running
	failed    error              // of the last fit
	cancel    context.CancelFunc // of the fit under way; nil: none
	began     time.Time          // when it began
	hurried   bool               // the last fit was cancelled by a change, and the next one is not
	changing  int                // changes that are being written; a fit follows them
	turns     int                // how often something began or ended that decides whether a fit is under way
	dropped   bool               // the fit that is about to begin is not wanted any more
	detailing context.CancelFunc // ends what is computed after the last fit; nil: nothing
}

// A wish is why a fit is wanted.
type wish struct {
	why string
	now bool // a person asked for it
}

// want asks for a fit; one that has just begun begins again, unless the one before it did so
// already: somebody who answers quickly sees the clustering follow.
func (fs *fits) want(why string, now bool) {
	fs.mu.Lock()
	fs.turns++
	switch {
	case fs.cancel != nil && (now || !fs.hurried && time.Since(fs.began) < worthEnding):
		fs.hurried = !now
		fs.cancel()
	case fs.running == nil:
		fs.running = waiting(why)
	}
	fs.dropped = false
	select {
	case old := <-fs.wake: // it is part of this one
		now = now || old.now
	default:
	}
	fs.wake <- wish{why, now} // before a fit that ends now looks whether another one follows; nobody else sends
	fs.mu.Unlock()
}

// expect is called before a change is written, and what it returns after a fit was asked for, or the change was refused: nobody sees
// the change without the fit that follows.
func (fs *fits) expect() (over func()) {
	add := func(n int) {
		fs.mu.Lock()
		fs.changing += n
		fs.turns++
		fs.mu.Unlock()
	}
	add(1)
	return func() {
		add(-1)
		fs.jobs.changed(StateChanged)
	}
}

// turn changes whenever something begins or ends that decides whether a fit is under way.
func (fs *fits) turn() int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.turns
}

// waiting is shown from a change until the fit that follows it begins.
func waiting(why string) *Running {
	return &Running{Stage: stageWaiting, Objective: []float64{}, StartedAt: time.Now().UTC(), Why: why}
}

// refit fits whenever that is wanted, until the workspace is closed.
func (fs *fits) refit() {
	for {
		var wanted wish
		select {
		case <-fs.jobs.ctx.Done():
			return
		case wanted = <-fs.wake:
		}
		if !wanted.now {
			select {
			case <-fs.jobs.ctx.Done():
				return
			case <-time.After(settle):
			}
			select {
			case more := <-fs.wake: // made meanwhile: this fit follows it too
				wanted = more
			default:
			}
		}
		fs.mu.Lock()
		dropped := fs.dropped
		fs.mu.Unlock()
		if !dropped {
			fs.fitOnce(wanted.why)
		}
	}
}

// ended takes the fit under way from what is shown; mu is held.
func (fs *fits) ended() {
	fs.turns++
	fs.cancel, fs.running = nil, nil
	if len(fs.wake) > 0 {
		fs.running = waiting("changes")
	}
}

// fitOnce clusters with what is in force.
func (fs *fits) fitOnce(why string) {
	ctx, cancel := context.WithCancel(fs.jobs.ctx)
	defer cancel()
	fs.mu.Lock()
	if fs.detailing != nil {
		fs.detailing()
	}
	fs.cancel, fs.began = cancel, time.Now()
	fs.running = &Running{Stage: door.StagePreparing, Objective: []float64{}, StartedAt: fs.began.UTC(), Why: why}
	fs.mu.Unlock()
	fs.jobs.changed(StateChanged)
	f, err := fs.fit(ctx)
	if err == nil { // names follow their clusters at once: nobody sees the one without the other
		fs.record.change.Lock()
		defer fs.record.change.Unlock()
		fs.names.follow(f, fs.kept.Latest())
		fs.kept.add(f)
		fs.settings.forgetRestored()
	}
	fs.mu.Lock()
	fs.ended()
	switch {
	case err == nil:
		fs.failed, fs.hurried = nil, false
	case ctx.Err() == nil:
		fs.failed = err
	}
	fs.mu.Unlock()
	fs.jobs.changed(StateChanged)
	if err == nil {
		fs.afterFit(f)
	}
}

// fit clusters with what is in force, as the settings say.
func (fs *fits) fit(ctx context.Context) (*Fit, error) {
	set, err := fs.settings.next(fs.kept.Latest())
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r, e, err := fs.record.fit(ctx, set, door.Options{Workers: fs.jobs.backgroundWorkers(), NoSuspects: true, Progress: fs.progress})
	if err != nil {
		return nil, err
	}
	return fs.finished(ctx, r, &e, time.Since(start))
}

// finished makes what a page shows of a result.
func (fs *fits) finished(ctx context.Context, r *door.Result, e *session.Event, took time.Duration) (*Fit, error) {
	if len(r.Clusters) > maxClusters {
		return nil, Refuse(KindOption, "the fit has %d groups, a page can show at most %d", len(r.Clusters), maxClusters)
	}
	before := fs.kept.Latest()
	f := newFit(fs.table, r, e, before)
	f.seconds = took.Seconds()
	if fs.table.Len() <= quickRows {
		if err := f.addConfidence(ctx, fs.table); err != nil && ctx.Err() != nil {
			return nil, err
		}
	}
	labels, err := fs.record.labels()
	if err != nil {
		return nil, err
	}
	f.addMarks(fs.table, labels, fs.record.session.InForce())
	if before != nil && before.isPreview {
		f.moved = 0
	} else {
		f.countOthers(before)
	}
	f.keepDescriptions(before)
	return f, nil
}

// afterFit does what can wait: confidences and descriptions, which take time, are computed until the next fit begins.
func (fs *fits) afterFit(f *Fit) {
	ctx, cancel := context.WithCancel(fs.jobs.ctx)
	fs.mu.Lock()
	fs.detailing = cancel
	fs.mu.Unlock()
	fs.jobs.start(func() {
		defer cancel()
		if !f.certain.Load().done && f.addConfidence(ctx, fs.table) == nil {
			fs.jobs.changed(StateChanged)
		}
		if fs.table.Len() <= describable {
			if err := f.describeClusters(ctx); err == nil {
				fs.names.propose(f)
			}
		}
		f.detailed.Store(true)
		fs.jobs.changed(StateChanged)
		fs.then()
	})
}

// progress shows how far a fit is.
func (fs *fits) progress(p door.Progress) {
	fs.mu.Lock()
	if fs.running != nil {
		next := *fs.running
		if next.Stage, next.Done, next.Of = p.Stage, p.Run, p.Runs; p.Started > 0 {
			next.Done, next.Of = int(100*p.Started), 100
		}
		if p.Ended && !math.IsNaN(p.Objective) && !math.IsInf(p.Objective, 0) {
			next.Objective = append(slices.Clone(next.Objective[max(0, len(next.Objective)-tracePoints):]), p.Objective)
		}
		fs.running = &next
	}
	fs.mu.Unlock()
	fs.jobs.changed(ProgressMade)
}

// FitNumber returns a fit that is kept, or one with a name, which is made again; 0: the latest.
func (fs *fits) FitNumber(n int) (*Fit, error) {
	if f := fs.kept.number(n); f != nil {
		return f, nil
	}
	switch {
	case n == 0:
		return nil, Refuse(KindNotFound, "there is no fit yet")
	case !fs.record.isState(n):
		return nil, Refuse(KindNotFound, "there is no fit %d among those that are kept", n)
	}
	return fs.fitAgain(n)
}

// Fit changes settings, those that are given, and fits.
func (fs *fits) Fit(r FitRequest) error {
	if err := fs.settings.change(r); err != nil {
		return err
	}
	fs.want("asked for", true)
	return nil
}

// Cancel ends the fit under way, or the one that is about to begin.
func (fs *fits) Cancel() {
	fs.mu.Lock()
	switch {
	case fs.cancel != nil:
		fs.cancel()
	case fs.running != nil && fs.running.Stage == stageWaiting:
		fs.turns++
		fs.running, fs.dropped = nil, true
	}
	fs.mu.Unlock()
	fs.jobs.changed(StateChanged)
}

// SetAuto says whether changes are followed by a fit.
func (fs *fits) SetAuto(on bool) {
	fs.mu.Lock()
	fs.auto = on
	fs.mu.Unlock()
	if on && fs.behind() {
		fs.want("changes", false)
	}
	fs.jobs.changed(StateChanged)
}

// behind reports whether something was changed since the last fit.
func (fs *fits) behind() bool {
	f := fs.kept.Latest()
	if f == nil || f.isPreview {
		return true
	}
	for _, e := range fs.record.session.Events()[f.through:] {
		if e.Op != session.OpFit && e.Op != session.OpRename && e.Op != session.OpSkip && e.Op != session.OpUnsure && e.Op != session.OpMark {
			return true
		}
	}
	return false
}

// followed asks for a fit after a change.
func (fs *fits) followed(why string) {
	fs.settings.forgetRestored()
	fs.mu.Lock()
	auto := fs.auto
	fs.mu.Unlock()
	if auto {
		fs.want(why, false)
	}
	fs.jobs.changed(StateChanged)
}

// Running returns the fit under way; nil: none.
func (fs *fits) Running() *Running {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.running
}

// fitAgain makes a fit of the session again and keeps it.
func (fs *fits) fitAgain(n int) (*Fit, error) {
	fs.again.Lock()
	defer fs.again.Unlock()
	if f := fs.kept.number(n); f != nil {
		return f, nil
	}
	start := time.Now()
	r, e, err := fs.record.session.FitAgain(fs.jobs.ctx, fs.table, n, door.Options{Workers: fs.jobs.backgroundWorkers(), NoSuspects: true})
	if err != nil {
		return nil, err
	}
	f, err := fs.finished(fs.jobs.ctx, r, e, time.Since(start))
	if err != nil {
		return nil, err
	}
	fs.kept.add(f)
	return f, nil
}

// makeLast makes the last fit of the session again and keeps it; nil where there is none, or that failed. Whether another
// fit follows is for begin to say.
func (fs *fits) makeLast() *Fit {
	start := time.Now()
	fs.mu.Lock()
	fs.running = &Running{Stage: door.StagePreparing, Objective: []float64{}, StartedAt: start.UTC(), Why: "opened"}
	fs.mu.Unlock()
	r, e, err := fs.record.session.LastFit(fs.jobs.ctx, fs.table, door.Options{Workers: fs.jobs.workers, NoSuspects: true, Progress: fs.progress})
	var f *Fit
	if err == nil && r != nil {
		f, err = fs.finished(fs.jobs.ctx, r, e, time.Since(start))
	}
	if err == nil && f != nil {
		fs.kept.add(f)
	}
	if err != nil {
		return nil
	}
	return f
}

// begin shows the last fit, if there is one, and asks for the next where it does not know of everything that was said.
func (fs *fits) begin(last *Fit) {
	behind := fs.behind()
	fs.mu.Lock()
	fs.turns++
	fs.running = nil
	if behind {
		fs.running = waiting("opened")
	}
	fs.mu.Unlock()
	if last != nil {
		fs.afterFit(last)
	}
	if behind {
		fs.want("opened", true)
	}
	fs.jobs.changed(StateChanged)
}

// state returns the fit under way, whether changes are followed by fits, and why the last one failed.
func (fs *fits) state() (running *Running, auto bool, failed error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if running = fs.running; running == nil && fs.changing > 0 && fs.auto {
		running = waiting("changes")
	}
	return running, fs.auto, fs.failed
}
