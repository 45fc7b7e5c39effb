package session

import (
	"context"
	"fmt"
	"time"

	"github.com/inklinghq/inkling/internal/door"
)

// ByReturn is who makes the undos that lead back to a fit. They are an act, which can be undone.
const ByReturn = "return"

// A State is a fit with a name, to which a person may return: how it was made, and what was in
// force for it.
type State struct {
	N    int // the event that names it
	Fit  int
	Name string
	At   time.Time
}

// States returns the fits that have names, in the order in which they got them.
func (s *Session) States() (out []State) {
	for _, e := range s.InForce() {
		if e.Op != OpMark {
			continue
		}
		for i := range out {
			if out[i].Fit == e.Of { // it has another name now
				out = append(out[:i], out[i+1:]...)
				break
			}
		}
		out = append(out, State{e.N, e.Of, e.Name, e.At})
	}
	return out
}

// Return takes back what was said since a fit, and what was taken back since is in force again: all
// that the fit knew of, and nothing else. Names of fits stay. It returns the events that it took back,
// and ErrNothingToUndo where there are none.
func (s *Session) Return(fit int) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := fitAt(s.events, fit)
	if err != nil {
		return nil, err
	}
	var back act
	for i, in := range effects(s.events) {
		e := &s.events[i]
		switch {
		case i < f.Through || !in || !e.canBeUndone() || e.Op == OpMark:
		case e.Op == OpUndo && (e.Of > f.Through || s.events[e.Of-1].Op == OpMark): // of no event that the fit knew of
		default:
			back = append(back, e.N)
		}
	}
	return s.takeBack(back, ByReturn, "")
}

// FitAgain makes a fit of the session again, without an event. Of o it uses what Fit uses.
func (s *Session) FitAgain(ctx context.Context, t *door.Table, fit int, o door.Options) (*door.Result, *Event, error) {
	events := s.Events()
	e, err := fitAt(events, fit)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.fit(ctx, t, events[:e.Through], e.Settings, o)
	return r, e, err
}

// fitAt returns the event of a fit.
func fitAt(events []Event, n int) (*Event, error) {
	if n < 1 || n > len(events) {
		return nil, noSuchEvent(n, len(events))
	}
	if events[n-1].Op != OpFit {
		return nil, fmt.Errorf("event %d is not a fit: %s", n, events[n-1])
	}
	e := events[n-1]
	return &e, nil
}
