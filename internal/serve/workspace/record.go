package workspace

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What makes events.
const (
	byPage   = "page" // a person by hand
	byMerge  = "merge"
	bySplit  = "split"
	byRemove = "remove" // of a point from its cluster
)

// record is what was said about the rows: the session, read in the words of a page, and written through the
// questions once there are any, so that they know what follows.
type record struct {
	table   *door.Table
	session *session.Session
	change  sync.Mutex // held from the check of a change until it is on disk

	mu        sync.Mutex
	questions *session.Questions // nil: not prepared yet
}

// asker returns the questions once they are prepared.
func (rec *record) asker() *session.Questions {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.questions
}

// setAsker keeps the questions that are prepared.
func (rec *record) setAsker(q *session.Questions) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.questions = q
}

// write writes events in one act; change is held.
func (rec *record) write(events []session.Event) ([]session.Event, error) {
	if q := rec.asker(); q != nil {
		return q.Add(events...)
	}
	return rec.session.AppendAll(events)
}

// undone tells the questions that events were taken back, or made again.
func (rec *record) undone() {
	if q := rec.asker(); q != nil {
		q.Refresh()
	}
}

// fit clusters with what is in force.
func (rec *record) fit(ctx context.Context, set session.Settings, o door.Options) (*door.Result, session.Event, error) {
	if q := rec.asker(); q != nil {
		return q.Fit(ctx, set, o)
	}
	return rec.session.Fit(ctx, rec.table, set, o)
}

// close closes the session.
func (rec *record) close() error {
	if q := rec.asker(); q != nil {
		q.Close()
	}
	return rec.session.Close()
}

// linksInForce returns the links in force, of several on a pair the last.
func (rec *record) linksInForce() []session.Event {
	s := saidIn(rec.session.InForce())
	out := make([]session.Event, 0, len(s.links))
	for _, e := range s.links {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b session.Event) int { return a.N - b.N })
	return out
}

// answerTo returns the last event in force that says of two rows that they belong together or do not, or
// that nobody knows; nil: none.
func (rec *record) answerTo(one, two string) (last *session.Event) {
	for _, e := range rec.session.InForce() {
		if (e.Op == session.OpMust || e.Op == session.OpCannot || e.Op == session.OpUnsure) && pairOf(e.A, e.B) == pairOf(one, two) {
			last = &e
		}
	}
	return last
}

// totals counts what is in force.
func (rec *record) totals() Totals { return Totals(rec.session.Totals()) }

// labels returns the label of each row, "" where it has none.
func (rec *record) labels() ([]string, error) {
	class, names, err := rec.session.Constraints(rec.table).Classes()
	if err != nil {
		return nil, err
	}
	out := make([]string, len(class))
	for i, c := range class {
		if c >= 0 {
			out[i] = names[c]
		}
	}
	return out, nil
}

// balance counts splits less mergers in force.
func balance(events []session.Event) (n int) {
	for _, e := range session.InForce(events) {
		switch {
		case e.With != 0:
		case e.By == bySplit:
			n++
		case e.By == byMerge:
			n--
		}
	}
	return n
}

// isState reports whether a fit has a name.
func (rec *record) isState(fit int) bool {
	return slices.ContainsFunc(rec.session.States(), func(s session.State) bool { return s.Fit == fit })
}

// madeIn returns the numbers of the events in force that people made, but those that name fits.
func madeIn(events []session.Event) (out []int) {
	for _, e := range session.InForce(events) {
		if e.Op != session.OpFit && e.Op != session.OpMark && e.By != session.ByFit {
			out = append(out, e.N)
		}
	}
	return out
}

// A pair is two ids, the smaller first.
type pair [2]string

func pairOf(a, b string) pair {
	if b < a {
		return pair{b, a}
	}
	return pair{a, b}
}

// said is what is in force, by what it is about: the last word of each.
type said struct {
	links  map[pair]session.Event
	labels map[string]session.Event
	spoken map[string]bool // rows that were labelled or whose labels were taken back: those of the data do not count
}

// saidIn returns what events in force say.
func saidIn(events []session.Event) *said {
	s := &said{map[pair]session.Event{}, map[string]session.Event{}, map[string]bool{}}
	for _, e := range events {
		switch e.Op {
		case session.OpMust, session.OpCannot, session.OpBelief:
			s.links[pairOf(e.A, e.B)] = e
		case session.OpUnsure:
			delete(s.links, pairOf(e.A, e.B))
		case session.OpLabel:
			s.labels[e.ID], s.spoken[e.ID] = e, true
		case session.OpUnlabel:
			delete(s.labels, e.ID)
			s.spoken[e.ID] = true
		}
	}
	return s
}
