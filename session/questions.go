package session

import (
	"context"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	session "github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/mirror"
)

// A Strategy is a way to choose questions.
type Strategy string

// The strategies; Auto is the best of those that were measured.
const (
	Auto               Strategy = "auto"
	NPU                Strategy = "npu"
	MinMax             Strategy = "min-max"
	ExploreConsolidate Strategy = "explore-consolidate"
	COBRAS             Strategy = "cobras"
	Random             Strategy = "random"
)

// An Answer is what a person says about two rows.
type Answer int8

// The answers.
const (
	Same      = Answer(active.Same)
	Different = Answer(active.Different)
	Unsure    = Answer(active.Unsure)
	Skip      = Answer(active.Skip)
)

// A Question asks whether rows A and B belong together.
type Question struct {
	N        int    `json:"n"` // the number of the answer that it would get in this session, from 1
	A        string `json:"a"`
	B        string `json:"b"`
	Strategy string `json:"strategy"`
	Why      string `json:"why"`
}

// Questions choose which rows to ask about, and keep the answers in the session.
type Questions struct{ q *session.Questions }

// Questions begins to ask about the rows of t.
func (s *Session) Questions(ctx context.Context, t *inkling.Table, strategy Strategy, o inkling.Options) (*Questions, error) {
	q, err := s.s.Questions(ctx, table(t), active.Strategy(strategy), options(o))
	if err != nil {
		return nil, publicError(err)
	}
	return &Questions{q}, nil
}

// Next returns the question to ask now; false where there is nothing left to ask.
func (q *Questions) Next(ctx context.Context) (Question, bool, error) {
	next, ok, err := q.q.Next(ctx)
	return Question(next), ok, publicError(err)
}

// Answer keeps an answer, which is on disk when it returns. contradicts says that
// it contradicts earlier ones, and is then not used.
func (q *Questions) Answer(to Question, say Answer, by string) (e Event, contradicts bool, err error) {
	event, contradicts, err := q.q.Reply(session.Question(to), active.Answer(say), by, "")
	return mirror.To[Event](event), contradicts, publicError(err)
}

// Label says that a row is of a class.
func (q *Questions) Label(id, class, by string) (Event, error) {
	e, err := q.q.Label(id, class, by)
	return mirror.To[Event](e), publicError(err)
}

// Undo takes back the last answer.
func (q *Questions) Undo() (Event, error) {
	e, err := q.q.Undo()
	return mirror.To[Event](e), publicError(err)
}

// Entailed returns how many pairs follow from the answers.
func (q *Questions) Entailed() (pairs int) { return q.q.Entailed() }

// ExpectedMoves returns how many rows the next ten answers are expected to move.
func (q *Questions) ExpectedMoves() (rows float64, ok bool) {
	a := q.q.Advice()
	return a.Rows, a.Known
}

// Fit clusters with what is in force, as the header of the session says. It may
// run beside questions.
func (q *Questions) Fit(ctx context.Context, h Header, o inkling.Options) (*inkling.Result, Event, error) {
	r, e, err := q.q.Fit(ctx, h.h.Fit, options(o))
	if r == nil {
		return nil, Event{}, publicError(err)
	}
	return door.Bridge.ToResult(r).(*inkling.Result), mirror.To[Event](e), publicError(err)
}

// Close ends the questions; the session stays open.
func (q *Questions) Close() { q.q.Close() }
