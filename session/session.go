// Package session is the memory of a piece of work on one table: what a person
// said about its rows, question by question, and the clusterings that followed.
// It is a file of JSON lines that only grows, so that nothing is lost, not even
// what was undone, and that gives the same clusters whenever it is replayed.
//
//	s, err := session.Create("iris.jsonl", header)
//	q, err := s.Questions(ctx, t, session.Auto, inkling.Options{})
//	next, ok, err := q.Next(ctx)
//	_, _, err = q.Answer(next, session.Same, "anna")
//	r, _, err := q.Fit(ctx, inkling.Options{})
package session

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/internal/door"
	session "github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// The errors of sessions.
var (
	ErrReadOnly      = session.ErrReadOnly
	ErrNothingToUndo = session.ErrNothingToUndo
)

// A LockedError says that another process has the session open.
type LockedError struct {
	Path string
	By   string // what the lock file says about that process; "": nothing
	Err  error
}

func (e *LockedError) Error() string { return e.Err.Error() }
func (e *LockedError) Unwrap() error { return e.Err }

// A ChangedError says that the data are not those that the session was begun with.
type ChangedError struct {
	Path string
	Err  error
}

func (e *ChangedError) Error() string { return e.Err.Error() }
func (e *ChangedError) Unwrap() error { return e.Err }

func publicError(err error) error {
	var locked *session.LockedError
	var changed *session.ChangedError
	switch {
	case errors.As(err, &locked):
		return &LockedError{locked.Path, locked.By, err}
	case errors.As(err, &changed):
		return &ChangedError{changed.Path, err}
	}
	return door.Bridge.Error(err)
}

func table(t *inkling.Table) *door.Table { return door.Bridge.Table(t) }

func options(o inkling.Options) door.Options { return door.Bridge.Options(o) }

// A Header describes the data of a session and how they are clustered.
type Header struct{ h session.Header }

// NewHeader returns the header of a session on t, which was read from dataPath by
// source; o says how its rows are prepared and clustered.
func NewHeader(ctx context.Context, dataPath string, source inkling.Source, t *inkling.Table, o inkling.Options) (Header, error) {
	h, err := session.NewHeader(ctx, dataPath, door.Bridge.Source(source), table(t), options(o))
	return Header{h}, publicError(err)
}

// A Session is open until Close. Its methods may be called by several goroutines.
type Session struct{ s *session.Session }

func newSession(s *session.Session, err error) (*Session, error) {
	if err != nil {
		return nil, publicError(err)
	}
	return &Session{s}, nil
}

// Create begins a session in a new file.
func Create(path string, h Header) (*Session, error) { return newSession(session.Create(path, h.h)) }

// Open continues a session. One process at a time can have it open.
func Open(path string) (*Session, error) { return newSession(session.Open(path)) }

// Read opens a session to be read only.
func Read(path string) (*Session, error) { return newSession(session.Read(path)) }

// Close closes the session.
func (s *Session) Close() error { return s.s.Close() }

// Header returns the header of the session.
func (s *Session) Header() Header { return Header{s.s.Header()} }

// Path returns the file of the session.
func (s *Session) Path() string { return s.s.Path() }

// DataPath returns the path of the data.
func (s *Session) DataPath() string { return s.s.DataPath() }

// Notes say what users should know about how the session was read.
func (s *Session) Notes() []string { return s.s.Notes() }

// Table reads the data of the session as when it was begun; a *ChangedError says
// that they are others now.
func (s *Session) Table(ctx context.Context, workers int) (*inkling.Table, error) {
	t, err := s.s.Table(ctx, workers)
	if err != nil {
		return nil, publicError(err)
	}
	return door.Bridge.ToTable(t).(*inkling.Table), nil
}

// An Event is one line of a session: what was said, undone or fitted.
type Event struct {
	N  int       `json:"n"` // from 1, without gaps
	At time.Time `json:"at"`
	// Op is label, unlabel, must, cannot, belief, unsure, skip, rename, stroke, mark, undo
	// or fit.
	Op     string   `json:"op"`
	ID     string   `json:"id,omitempty"`     // the row of a label
	Label  string   `json:"label,omitempty"`  // its class
	A      string   `json:"a,omitempty"`      // the rows of a link
	B      string   `json:"b,omitempty"`      //
	Weight *float64 `json:"weight,omitempty"` // nil: 1
	Of     int      `json:"of,omitempty"`     // the event that an undo takes back
	By     string   `json:"by,omitempty"`     // who or what made the event
}

func newEvents(events []session.Event) []Event { return mirror.To[[]Event](events) }

// Events returns all events, undone ones too.
func (s *Session) Events() []Event { return newEvents(s.s.Events()) }

// InForce returns the events that were not undone.
func (s *Session) InForce() []Event { return newEvents(s.s.InForce()) }

// Totals count what is in force.
type Totals struct {
	Labels, Must, Cannot, Beliefs, Unsure, Skipped int
}

// Totals returns how much is in force.
func (s *Session) Totals() Totals { return mirror.To[Totals](s.s.Totals()) }

// Constraints returns what is in force as constraints on t.
func (s *Session) Constraints(t *inkling.Table) *inkling.Constraints {
	return door.Bridge.Constraints(s.s.Constraints(table(t))).(*inkling.Constraints)
}

// Undo takes back event n.
func (s *Session) Undo(n int) (Event, error) {
	e, err := s.s.Undo(n)
	return mirror.To[Event](e), publicError(err)
}

// WriteLabels writes the labels in force as id,label,weight.
func (s *Session) WriteLabels(w io.Writer) error { return s.s.WriteLabels(w) }

// WriteLinks writes the must-links and cannot-links in force as a,b,kind,weight.
func (s *Session) WriteLinks(w io.Writer) error { return s.s.WriteLinks(w) }

// WriteBeliefs writes the beliefs in force as a,b,belief.
func (s *Session) WriteBeliefs(w io.Writer) error { return s.s.WriteBeliefs(w) }

// A Replayed fit was made again.
type Replayed struct {
	N            int    `json:"n"` // the event
	LabelsSHA256 string `json:"labels_sha256"`
	Same         bool   `json:"same"` // as when it was made
}

// Replay makes every fit of the session again and says whether the clusters are
// the same.
func (s *Session) Replay(ctx context.Context, t *inkling.Table, o inkling.Options) ([]Replayed, error) {
	all, err := s.s.Replay(ctx, table(t), options(o), func(session.Replayed) {})
	return mirror.To[[]Replayed](all), publicError(err)
}
