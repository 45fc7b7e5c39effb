// Package workspace is a piece of work that a page shows: a table, its session, the fits that
// follow every change in the background, the next question, places on a plane. It knows
// points by number, in a fixed shuffled order, so that the first few are a fair sample of
// all, and does not know HTTP: package server does.
//
// Every change is an event of the session and on disk before it is confirmed. The last
// fit stays until the next has ended.
//
// A Workspace is made of parts that know only those below them:
//
//	view                                     what a page shows; changes nothing
//	edits                                    labels, links, mergers, names, undo
//	questions           suspicions           what is asked of people, and what looks wrong
//	fits                                     when to cluster; names, fitSettings: as what, and how
//	kept                places               fits to look at; points on a plane
//	points      jobs    record               rows by number; the background; the session
package workspace

import (
	"runtime"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// Options say how a workspace is made.
type Options struct {
	Session  *session.Session // open; the workspace closes it
	Table    *door.Table      // its data
	Settings session.Settings // of the fits, where they say something; else those of the session
	Workers  int              // below 1: one per processor, and one less for fits in the background
	Notes    []Note           // to be shown
	// Changed, if not nil, is called after changes, with what has changed; it must not wait.
	Changed func(what string)
}

// A Workspace is a table under work. Its methods may be called by several goroutines.
type Workspace struct {
	points *points
	jobs   *jobs
	record *record

	*kept
	*fitSettings
	*places
	*fits
	*suspicions
	*questions
	*edits
	*view
}

// New begins the work on a table: places, questions and the first fit are made in the
// background. Close ends it.
func New(o Options) *Workspace {
	w := assemble(o)
	w.jobs.start(w.begin)
	return w
}

// assemble puts the parts together; nothing runs yet.
func assemble(o Options) *Workspace {
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	t, j, ke := o.Table, newJobs(o.Workers, o.Changed), &kept{}
	ps, rec := newPoints(t), &record{table: t, session: o.Session}
	se := newFitSettings(t, rec, o.Settings)
	na := &names{points: ps, record: rec, kept: ke, proposed: map[int]proposed{}}
	pl := newPlaces(j, ps, rec, se.now.K)
	su := &suspicions{points: ps, jobs: j, record: rec, kept: ke}
	fs := &fits{table: t, jobs: j, record: rec, kept: ke, names: na, settings: se, auto: true, wake: make(chan wish, 1), then: su.judgeUnasked, running: waiting("opened")}
	qs := &questions{points: ps, jobs: j, record: rec, names: na, settings: se, answered: fs.followed, expect: fs.expect, now: time.Now, seats: map[string]*seat{}}
	ed := &edits{points: ps, jobs: j, record: rec, kept: ke, names: na, settings: se, fits: fs, questions: qs}
	v := &view{points: ps, jobs: j, record: rec, kept: ke, names: na, settings: se, places: pl, fits: fs, suspicions: su, questions: qs, notes: o.Notes, small: newPictures(o.Workers)}
	if !se.now.kFixed && t.Input() != cluster.InputRows && (t.Input() == cluster.InputKernel || t.Len() > choosableRows) {
		v.notes = append(v.notes, PlainNotes("the number of groups of these data is not chosen: change it in the settings, or label rows")...)
	}
	return &Workspace{ps, j, rec, ke, se, pl, fs, su, qs, ed, v}
}

// begin makes what is shown first, and then follows changes until the workspace is closed.
func (w *Workspace) begin() {
	w.places.place() // first, so that there is something to see
	last := w.fits.makeLast()
	if w.jobs.ctx.Err() != nil {
		return
	}
	if last == nil {
		w.fits.showPreview(w.places.rows())
	}
	w.jobs.start(w.questions.prepare)
	w.fits.begin(last)
	w.places.settleDown()
	w.fits.refit()
}

// Len returns the number of points.
func (w *Workspace) Len() int { return w.points.table.Len() }

// Table returns the data.
func (w *Workspace) Table() *door.Table { return w.points.table }

// Session returns the session.
func (w *Workspace) Session() *session.Session { return w.record.session }

// Events returns the number of the last event.
func (w *Workspace) Events() int { return len(w.record.session.Events()) }

// Identity is different for every session, also for later ones of the same name.
func (w *Workspace) Identity() string {
	h := w.record.session.Header()
	return h.Data.SHA256[:12] + "-" + strconv.FormatInt(h.Created.UnixMilli(), 36)
}

// Close ends what is under way and closes the session.
func (w *Workspace) Close() error {
	w.jobs.close()
	return w.record.close()
}
