package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// edits are what people change: labels, links, names, clusters as a whole, and what they take back. Each is refused
// where it contradicts what is in force, and is followed by questions and fits.
type edits struct {
	points    *points
	jobs      *jobs
	record    *record
	kept      *kept
	names     *names
	settings  *fitSettings
	fits      *fits
	questions *questions
}

// Label labels points in one act.
func (ed *edits) Label(ctx context.Context, r LabelRequest) (*Changed, error) {
	if len(r.Points) == 0 {
		return nil, Refuse(KindOption, "no points are given to label")
	}
	if r.Label == "" {
		return nil, Refuse(KindOption, "the label is empty")
	}
	var events []session.Event
	for _, p := range r.Points {
		if _, ok := ed.points.row(p); !ok {
			return nil, noPoint(p)
		}
		events = append(events, session.Event{Op: session.OpLabel, ID: ed.points.id(p), Label: r.Label, By: byPage})
	}
	return ed.add(ctx, events, r.Force, "labels")
}

// linkEvent returns the event of a link.
func (ed *edits) linkEvent(kind string, a, b int, weight *float64, by string) (session.Event, error) {
	op := session.Op(kind)
	switch op {
	case session.OpMust, session.OpCannot, session.OpBelief:
	default:
		return session.Event{}, Refuse(KindOption, "the kind of a link is must, cannot or belief, not %q", kind)
	}
	for _, p := range []int{a, b} {
		if _, ok := ed.points.row(p); !ok {
			return session.Event{}, noPoint(p)
		}
	}
	if a == b {
		return session.Event{}, Refuse(KindOption, "a link needs two points, not %s twice", ed.points.id(a))
	}
	return session.Event{Op: op, A: ed.points.id(a), B: ed.points.id(b), Weight: weight, By: by}, nil
}

// Link links two points.
func (ed *edits) Link(ctx context.Context, r LinkRequest) (*Changed, error) {
	return ed.Links(ctx, LinksRequest{Kind: r.Kind, Pairs: [][]int{{r.A, r.B}}, Weight: r.Weight, Force: r.Force})
}

// Links links pairs of points in one act.
func (ed *edits) Links(ctx context.Context, r LinksRequest) (*Changed, error) {
	var events []session.Event
	for _, pair := range r.Pairs {
		if len(pair) != 2 {
			return nil, Refuse(KindInput, "a pair has two points, not %d", len(pair))
		}
		e, err := ed.linkEvent(r.Kind, pair[0], pair[1], r.Weight, byPage)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil, Refuse(KindOption, "no pairs are given to link")
	}
	return ed.add(ctx, events, r.Force, "links")
}

// add writes events in one act, unless they contradict what is in force.
func (ed *edits) add(ctx context.Context, events []session.Event, force bool, why string) (*Changed, error) {
	return ed.addSaying(ctx, events, force, why, "")
}

// addSaying does what add does, and says what else was done.
func (ed *edits) addSaying(ctx context.Context, events []session.Event, force bool, why, did string) (*Changed, error) {
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	contradicts, err := ed.contradiction(ctx, events)
	if err != nil {
		return nil, err
	}
	if contradicts != nil && !force {
		return nil, contradicts.refusal()
	}
	defer ed.fits.expect()()
	written, err := ed.record.write(by(ctx, events))
	if err != nil {
		return nil, refusedEvent(err)
	}
	ed.questions.refresh()
	ed.fits.followed(why)
	return &Changed{Events: numbers(written), Contradicts: contradicts, Did: did}, nil
}

// refusedEvent says that the session does not take an event, or that it could not be
// written.
func refusedEvent(err error) error {
	if errors.Is(err, session.ErrReadOnly) {
		return Refuse(KindConflict, "%v", err)
	}
	var disk *fs.PathError
	if errors.As(err, &disk) {
		return &RequestError{Problem: Problem{KindInternal, fmt.Sprintf("nothing was changed: %v: %v", filepath.Base(disk.Path), disk.Err), "make room on the disk or put the file back, and try again"}}
	}
	return Refuse(KindOption, "%v", err)
}

func numbers(events []session.Event) []int {
	out := []int{}
	for _, e := range events {
		out = append(out, e.N)
	}
	return out
}

// Undo takes back what the person of ctx did last.
func (ed *edits) Undo(ctx context.Context) (*Changed, error) {
	return ed.turnBack(func() ([]session.Event, error) { return ed.record.session.UndoAct(ed.questions.person(personOf(ctx))) })
}

// Redo does again what they undid last.
func (ed *edits) Redo(ctx context.Context) (*Changed, error) {
	return ed.turnBack(func() ([]session.Event, error) { return ed.record.session.RedoAct(ed.questions.person(personOf(ctx))) })
}

func (ed *edits) turnBack(do func() ([]session.Event, error)) (*Changed, error) {
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	defer ed.fits.expect()()
	out, err := TurnBack(ed.record.session, do)
	if err != nil {
		return nil, err
	}
	ed.record.undone()
	ed.questions.refresh()
	ed.fits.followed("undone")
	return out, nil
}

// TurnBack undoes, does again or forgets, and says what.
func TurnBack(s *session.Session, do func() ([]session.Event, error)) (*Changed, error) {
	before := len(s.Events())
	did, err := do()
	if errors.Is(err, session.ErrNothingToUndo) || errors.Is(err, session.ErrNothingToRedo) {
		return nil, Refuse(KindConflict, "%v", err)
	}
	if err != nil {
		return nil, refusedEvent(err)
	}
	return &Changed{Events: numbers(s.Events()[before:]), Did: *Words(did)}, nil
}

// Words say what events do; nil where there are none.
func Words(events []session.Event) *string {
	if len(events) == 0 {
		return nil
	}
	if events[0].By == session.ByReturn {
		text := "the return to another state"
		return &text
	}
	text := events[0].String()
	if n := len(events) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return &text
}
