// Package workspace is a piece of work that a page shows: a table, its session, the fits that
// follow every change in the background, the next question, places on a plane. It knows
// points by number, in a fixed shuffled order, so that the first few are a fair sample of
// all, and does not know HTTP: package server does.
//
// Every change is an event of the session and on disk before it is confirmed. The last
// fit stays until the next has ended.
package workspace

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What a Workspace reports to its Options.Changed.
const (
	StateChanged    = "state"
	ProgressMade    = "progress"
	QuestionChanged = "question"
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
	o        Options
	table    *door.Table
	session  *session.Session
	contents *contents.Reader
	notes    []Note
	order    []int32 // the row of each point
	point    []int32 // the point of each row

	ctx  context.Context // ends with the workspace
	stop context.CancelFunc
	work sync.WaitGroup // goroutines

	change sync.Mutex // held from the check of a change until it is on disk
	again  sync.Mutex // held while a fit is made again

	mu         sync.Mutex
	settings   session.Settings
	kFixed     bool              // a person said how many clusters
	kBalance   atomic.Int64      // splits less mergers when that was said
	restored   *session.Settings // of the fit that is returned to, for the next one; nil: none
	auto       bool
	fits       []*Fit // kept, the latest last
	shownFirst *Fit   // until there is one; nil: nothing
	running    *Running
	failed     error     // of the last fit
	prepared   *prepared // nil: not yet
	plane      *plane
	graph      *data.Graph // where the data are one; node has its points
	node       []uint32
	planeDone  chan struct{} // closed when plane is there
	near       nearPlane     // by neighbours
	small      pictures

	wake    chan wish
	cancel  context.CancelFunc // of the fit under way; nil: none
	began   time.Time          // when it began
	hurried bool               // the last fit was cancelled by a change, and the next one is not
	dropped bool               // the fit that is about to begin is not wanted any more

	detailing     context.CancelFunc // ends what is computed after the last fit; nil: nothing
	asking        asking
	suspected     suspects
	proposedNames map[int]proposed // by index of the cluster; change is held
}

// A plane has the places of points.
type plane struct {
	x, y  []float32
	share float64 // of the variance that it shows; 0: unknown
	err   error
}

// prepared are the rows as they are clustered.
type prepared struct {
	x   data.Rows // nil for graphs and kernels
	row []int32   // of the table, by prepared row
	at  []int32   // the prepared row, by row of the table; -1 where it was left out
}

// A wish is why a fit is wanted.
type wish struct {
	why string
	now bool // a person asked for it
}

// Kind returns table or graph.
func (w *Workspace) Kind() string { return kindOf(w.table) }

// Len returns the number of points.
func (w *Workspace) Len() int { return w.table.Len() }

// Table returns the data.
func (w *Workspace) Table() *door.Table { return w.table }

// FitSettings returns how the rows are clustered now.
func (w *Workspace) FitSettings() session.Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.settings
}

// Session returns the session.
func (w *Workspace) Session() *session.Session { return w.session }

// shuffle gives rows their numbers as points: the same for every table of this size.
func (w *Workspace) shuffle() {
	n := w.table.Len()
	w.order, w.point = make([]int32, n), make([]int32, n)
	for i, row := range rand.New(rand.NewPCG(uint64(n), 7)).Perm(n) {
		w.order[i], w.point[row] = int32(row), int32(i)
	}
}

// row returns the row of a point; false where there is no such point.
func (w *Workspace) row(point int) (int, bool) {
	if point < 0 || point >= len(w.order) {
		return 0, false
	}
	return int(w.order[point]), true
}

// id returns the id of a point that exists.
func (w *Workspace) id(point int) string { return w.table.ID(int(w.order[point])) }

// pointOf returns the point with an id; -1 where there is none.
func (w *Workspace) pointOf(id string) int {
	if row, ok := w.table.Row(id); ok {
		return int(w.point[row])
	}
	return -1
}

// changed reports what has changed.
func (w *Workspace) changed(what string) {
	if w.o.Changed != nil {
		w.o.Changed(what)
	}
}

// start runs do until it ends or the workspace is closed.
func (w *Workspace) start(do func()) {
	w.work.Add(1)
	go func() {
		defer w.work.Done()
		do()
	}()
}

// backgroundWorkers leaves a processor to answers.
func (w *Workspace) backgroundWorkers() int { return max(1, w.o.Workers-1) }

// Identity is different for every session, also for later ones of the same name.
func (w *Workspace) Identity() string {
	h := w.session.Header()
	return h.Data.SHA256[:12] + "-" + strconv.FormatInt(h.Created.UnixMilli(), 36)
}
