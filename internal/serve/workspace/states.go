package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"

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
func (v *view) states(events []session.Event) []NamedState {
	out := []NamedState{}
	states, latest := v.record.session.States(), v.kept.Latest()
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

// NameState gives a fit a name.
func (ed *edits) NameState(ctx context.Context, r NameRequest) (*Changed, error) {
	name := strings.TrimSpace(r.Name)
	if name == "" {
		return nil, Refuse(KindOption, "the name is empty")
	}
	f, err := ed.fits.FitNumber(r.Fit) // which may be made again, and takes a while then
	if err != nil {
		return nil, err
	}
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	for _, s := range ed.record.session.States() {
		if s.Name == name && s.Fit != f.N {
			return nil, &RequestError{Problem: Problem{KindConflict, "another saved result is called " + name, "choose another name, or forget that one"}}
		}
	}
	e, err := ed.record.session.Append(session.Event{Op: session.OpMark, Of: f.N, Name: name, By: byPage, Who: personOf(ctx)})
	if err != nil {
		return nil, refusedEvent(err)
	}
	ed.jobs.changed(StateChanged)
	return &Changed{Events: []int{e.N}}, nil
}

// Return takes back what was said since a fit, and fits again with its settings.
func (ed *edits) Return(_ context.Context, r ReturnRequest) (*Changed, error) {
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	events := ed.record.session.Events()
	if r.Fit < 1 || r.Fit > len(events) || events[r.Fit-1].Op != session.OpFit {
		return nil, Refuse(KindNotFound, "there is no fit %d", r.Fit)
	}
	set := events[r.Fit-1].Settings
	defer ed.fits.expect()()
	_, err := ed.record.session.Return(r.Fit)
	if err != nil && !errors.Is(err, session.ErrNothingToUndo) {
		return nil, refusedEvent(err)
	}
	ed.record.undone()
	ed.questions.refresh()
	ed.settings.restore(set)
	ed.fits.want("returned", true)
	ed.jobs.changed(StateChanged)
	return &Changed{Events: numbers(ed.record.session.Events()[len(events):])}, nil
}
