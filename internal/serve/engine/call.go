package engine

import (
	"context"
	"time"

	"github.com/inklinghq/inkling/internal/door"
)

// A Reply answers the request with the same id: OK or Error is set. An Event is sent before
// it, where the request asks for progress.
type Reply struct {
	ID    uint64 `json:"id"`
	OK    any    `json:"ok,omitempty"`
	Error *Error `json:"error,omitempty"`
	Event *Event `json:"event,omitempty"`
}

// An Event says how far a request is.
type Event struct {
	Text  string  `json:"text"`
	Share float64 `json:"share"` // from 0 to 1; 0 where it is not known
}

// A call is a request that is being answered.
type call struct {
	Request
	ctx   context.Context
	mem   *memory
	kept  *kept
	write func(message any) error
}

// given opens the data and reads constraints and options.
func (c *call) given() (*door.Table, *door.Constraints, door.Options, error) {
	o, err := c.Options.options()
	if err != nil {
		return nil, nil, o, err
	}
	t, err := c.Data.open(c.ctx, c.mem, door.Open)
	if err != nil {
		return nil, nil, o, err
	}
	known, err := c.Constraints.on(c.mem, t)
	return t, known, o, err
}

// betweenEvents is the least time between two events of a request.
const betweenEvents = 100 * time.Millisecond

// progress returns what sends events, nil where none are asked for.
func (c *call) progress() func(door.Progress) {
	if !c.Progress {
		return nil
	}
	var last time.Time
	return func(p door.Progress) {
		if now := time.Now(); now.Sub(last) >= betweenEvents {
			last = now
			_ = c.write(Reply{ID: c.ID, Event: &Event{Text: p.String(), Share: p.Share()}}) // its failure is known at the reply
		}
	}
}

// A note is something that users should know.
type note struct {
	Text    door.Hint `json:"text"`
	Warning bool      `json:"warning"`
}

func (c *call) notes(list []door.Note) []note {
	out := make([]note, len(list))
	for i, n := range list {
		out[i] = note{door.Hint(c.Data.called(string(n.Text))), n.Warning}
	}
	return out
}
