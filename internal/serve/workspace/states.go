package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// Requests about fits with names.
type (
	// NameRequest gives a fit a name.
	NameRequest struct {
		Fit  int    `json:"fit,omitempty"` // 0: the latest
		Name string `json:"name"`
	}
	// ReturnRequest returns to a fit.
	ReturnRequest struct {
		Fit int `json:"fit"`
	}
)

// states returns the fits that have names.
func (w *Workspace) states(events []session.Event) []NamedState {
	out := []NamedState{}
	states, latest := w.session.States(), w.Latest()
	if len(states) == 0 || latest == nil || latest.isPreview {
		return out
	}
	now := madeIn(events)
	for _, s := range states {
		if s.Fit > len(events) {
			continue // it was named since
		}
		f := events[s.Fit-1].Fitted
		shown := latest.N <= len(events) && f.LabelsSHA256 == events[latest.N-1].LabelsSHA256 && slices.Equal(madeIn(events[:f.Through]), now)
		out = append(out, NamedState{s.N, s.Fit, s.Name, f.Method, f.K, shown, s.At})
	}
	return out
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

// isState reports whether a fit has a name.
func (w *Workspace) isState(fit int) bool {
	return slices.ContainsFunc(w.session.States(), func(s session.State) bool { return s.Fit == fit })
}

// NameState gives a fit a name.
func (w *Workspace) NameState(ctx context.Context, r NameRequest) (*Changed, error) {
	name := strings.TrimSpace(r.Name)
	if name == "" {
		return nil, Refuse(KindOption, "the name is empty")
	}
	w.change.Lock()
	defer w.change.Unlock()
	f, err := w.FitNumber(r.Fit)
	if err != nil {
		return nil, err
	}
	for _, s := range w.session.States() {
		if s.Name == name && s.Fit != f.N {
			return nil, &RequestError{Problem: Problem{KindConflict, "another saved result is called " + name, "choose another name, or forget that one"}}
		}
	}
	e, err := w.session.Append(session.Event{Op: session.OpMark, Of: f.N, Name: name, By: byPage, Who: personOf(ctx)})
	if err != nil {
		return nil, refusedEvent(err)
	}
	w.changed(StateChanged)
	return &Changed{Events: []int{e.N}}, nil
}

// Return takes back what was said since a fit, and fits again with its settings.
func (w *Workspace) Return(_ context.Context, r ReturnRequest) (*Changed, error) {
	w.change.Lock()
	defer w.change.Unlock()
	events := w.session.Events()
	if r.Fit < 1 || r.Fit > len(events) || events[r.Fit-1].Op != session.OpFit {
		return nil, Refuse(KindNotFound, "there is no fit %d", r.Fit)
	}
	set := events[r.Fit-1].Settings
	_, err := w.session.Return(r.Fit)
	if err != nil && !errors.Is(err, session.ErrNothingToUndo) {
		return nil, refusedEvent(err)
	}
	if q := w.asking.ready(); q != nil {
		q.Refresh()
	}
	w.refreshQuestion()
	balance := w.balance(w.session.Events())
	w.mu.Lock()
	if w.settings.Method != "" && w.settings.Method != "auto" {
		w.settings.Method = set.Method
	}
	w.settings.Effort, w.settings.Seed, w.settings.Parameters = set.Effort, set.Seed, set.Parameters
	if chosen := set.K == 0; w.kFixed && !(chosen && set.KMin == w.settings.KMin && set.KMax == w.settings.KMax) {
		w.settings.K, w.settings.KMin, w.settings.KMax = set.K, 0, 0
		w.kFixed = !chosen // else it follows the fit again
		w.kBalance.Store(int64(balance))
	}
	w.restored = &set
	w.mu.Unlock()
	w.wantFit("returned", true)
	w.changed(StateChanged)
	return &Changed{Events: numbers(w.session.Events()[len(events):])}, nil
}

// returned reports whether somebody went to another state, or took that back, between the fit before and f.
func (w *Workspace) returned(f, before *Fit) bool {
	from := before.through
	events := w.session.Events()
	return slices.ContainsFunc(events[min(from, f.through):f.through], func(e session.Event) bool {
		return e.Op == session.OpUndo && (e.By == session.ByReturn || events[e.Of-1].By == session.ByReturn)
	})
}

// fitAgain makes a fit of the session again and keeps it.
func (w *Workspace) fitAgain(n int) (*Fit, error) {
	w.again.Lock()
	defer w.again.Unlock()
	if f := w.keptFit(n); f != nil {
		return f, nil
	}
	start := time.Now()
	r, e, err := w.session.FitAgain(w.ctx, w.table, n, door.Options{Workers: w.backgroundWorkers(), NoSuspects: true})
	if err != nil {
		return nil, err
	}
	f, err := w.finished(w.ctx, r, e, time.Since(start))
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.keep(f)
	w.mu.Unlock()
	return f, nil
}
