package workspace

import (
	"context"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/serve/session"
)

// lease is how long a question stays with the person who has it, after they were seen last.
const lease = 2 * time.Minute

// unnamed begins the names of people who gave none, which a page makes up.
const unnamed = "~"

type personKey struct{}

// WithPerson returns a context for what a person does: their name, or what a page made up for them beginning
// with ~; "": nobody says who it is.
func WithPerson(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, personKey{}, name)
}

func personOf(ctx context.Context) string {
	name, _ := ctx.Value(personKey{}).(string)
	return name
}

// nameOf names a person in sentences.
func nameOf(who string) string {
	switch {
	case who == "":
		return "somebody"
	case strings.HasPrefix(who, unnamed):
		return "person " + strings.TrimPrefix(who, unnamed)
	}
	return who
}

// A seat is a person who answers.
type seat struct {
	current   *session.Question // to be answered
	seen      time.Time
	done      bool               // nothing is left to ask
	computing chan struct{}      // closed when current is there; nil: nothing is computed
	stale     bool               // what is computed is not wanted any more
	settled   map[[2]string]bool // disputed pairs that they insist on
	waits     bool               // it was made before anybody came, for whoever comes first
}

// seat returns that of a person, who was seen now; mu is held.
func (qs *questions) seat(who string) *seat {
	s := qs.seats[who]
	if free := qs.seats[""]; s == nil && free != nil && free.waits {
		delete(qs.seats, "")
		s, qs.seats[who] = free, free
	}
	if s == nil {
		s = &seat{settled: map[[2]string]bool{}}
		qs.seats[who] = s
	}
	s.seen, s.waits = qs.now(), false
	return s
}

// waiting returns a seat for whoever comes first; mu is held.
func (qs *questions) waiting() *seat {
	s := qs.seat("")
	s.waits = true
	return s
}

// isHere reports whether a person was seen lately; mu is held.
func (qs *questions) isHere(who string) bool {
	s := qs.seats[who]
	return s != nil && qs.now().Sub(s.seen) < lease
}

// openBeside returns the questions that are open with others than the person of a seat. Those of people who
// have not been seen for a while are open no more; mu is held.
func (qs *questions) openBeside(own *seat) (open []session.Question) {
	for other, s := range qs.seats {
		if s == own || s.waits {
			continue
		}
		if !qs.isHere(other) {
			s.current = nil
		}
		if s.current != nil {
			open = append(open, *s.current)
		}
	}
	return open
}

// present returns who was seen lately, a person itself left out; mu is held.
func (qs *questions) present(who string) (others []string) {
	for other, s := range qs.seats {
		if other != who && !s.waits && qs.isHere(other) {
			others = append(others, other)
		}
	}
	return others
}

// person returns who undoes: a person what they did, and what was done without a name or by
// people without one who are here no more.
func (qs *questions) person(who string) session.Person {
	return session.Person{Name: who, Owns: func(other string) bool {
		if other == who || other == "" {
			return true
		}
		qs.mu.Lock()
		defer qs.mu.Unlock()
		return strings.HasPrefix(other, unnamed) && !qs.isHere(other)
	}}
}

// by marks events as made by the person of a context.
func by(ctx context.Context, events []session.Event) []session.Event {
	who := personOf(ctx)
	for i := range events {
		events[i].Who = who
	}
	return events
}
