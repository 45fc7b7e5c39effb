package workspace

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/session"
)

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
}

// saidIn returns what events in force say.
func saidIn(events []session.Event) *said {
	s := &said{map[pair]session.Event{}, map[string]session.Event{}}
	for _, e := range events {
		switch e.Op {
		case session.OpMust, session.OpCannot, session.OpBelief:
			s.links[pairOf(e.A, e.B)] = e
		case session.OpUnsure:
			delete(s.links, pairOf(e.A, e.B))
		case session.OpLabel:
			s.labels[e.ID] = e
		case session.OpUnlabel:
			delete(s.labels, e.ID)
		}
	}
	return s
}

// contradiction proves that events do not go together with what is in force; nil where
// they do.
func (w *Workspace) contradiction(ctx context.Context, events []session.Event) (*Contradiction, error) {
	hard := slices.ContainsFunc(events, func(e session.Event) bool {
		return e.Op == session.OpLabel || e.Op == session.OpMust || e.Op == session.OpCannot
	})
	if !hard {
		return nil, nil
	}
	r, err := inkling.CheckConstraints(ctx, w.table, w.session.ConstraintsWith(w.table, events...), inkling.Options{Workers: w.o.Workers})
	if err != nil {
		return nil, err
	}
	s := saidIn(append(w.session.InForce(), events...))
	for i := range r.Conflicts {
		if c := w.proof(&r.Conflicts[i], s); slices.ContainsFunc(c.Chain, func(e ChainEvent) bool { return e.Event == 0 }) {
			return c, nil
		}
	}
	return nil, nil
}

// proof lists the events that a contradiction is made of. Those that are not in the session
// yet have the number 0.
func (w *Workspace) proof(c *inkling.Conflict, s *said) *Contradiction {
	out := &Contradiction{Message: c.Text, Chain: []ChainEvent{}, Repairs: []Repair{}}
	add := func(e session.Event) {
		step := ChainEvent{e.N, e.String()}
		if slices.Contains(out.Chain, step) {
			return
		}
		out.Chain = append(out.Chain, step)
		if e.N > 0 {
			out.Repairs = append(out.Repairs, Repair{"forget that " + e.String(), []int{e.N}})
		}
	}
	addLabel := func(id string) {
		if e, ok := s.labels[id]; ok {
			add(e)
		}
	}
	step := func(a, b string, op session.Op) {
		if e, ok := s.links[pairOf(a, b)]; ok && e.Op == op {
			add(e)
			return
		}
		addLabel(a)
		addLabel(b)
	}
	step(c.A, c.B, session.OpCannot)
	for i := 1; i < len(c.Chain); i++ {
		step(c.Chain[i-1], c.Chain[i], session.OpMust)
	}
	return out
}
