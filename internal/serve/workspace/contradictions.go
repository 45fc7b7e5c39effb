package workspace

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// contradiction proves that events do not go together with what is in force; nil where
// they do.
func (ed *edits) contradiction(ctx context.Context, events []session.Event) (*Contradiction, error) {
	hard := slices.ContainsFunc(events, func(e session.Event) bool {
		return e.Op == session.OpLabel || e.Op == session.OpMust || e.Op == session.OpCannot
	})
	if !hard {
		return nil, nil
	}
	r, err := door.CheckConstraints(ctx, ed.points.table, ed.record.session.ConstraintsWith(ed.points.table, events...), door.Options{Workers: ed.jobs.workers})
	if err != nil {
		return nil, err
	}
	if len(r.Conflicts) == 0 {
		return nil, nil
	}
	class, names, err := door.NewConstraints(ed.points.table).Classes()
	if err != nil {
		return nil, err
	}
	ofData := func(id string) string {
		if row, ok := ed.points.table.Row(id); ok && class[row] >= 0 {
			return names[class[row]]
		}
		return ""
	}
	s := saidIn(append(ed.record.session.InForce(), events...))
	for i := range r.Conflicts {
		if c, now := ed.proof(&r.Conflicts[i], s, ofData); now {
			return c, nil
		}
	}
	return nil, nil
}

// refusal is the error of a change that contradicts what is in force.
func (c *Contradiction) refusal() error {
	return &RequestError{Problem{KindConflict, c.Message, "forget one of the constraints that it contradicts"}, &Changed{Events: []int{}, Contradicts: c}}
}

// proof lists what a contradiction is made of: events, those that are not in the session yet with
// the number 0, and labels of the data. now reports whether there are such events.
func (ed *edits) proof(c *door.Conflict, s *said, ofData func(id string) string) (out *Contradiction, now bool) {
	out = &Contradiction{Message: c.Text, Chain: []ChainEvent{}, Repairs: []Repair{}}
	list := func(step ChainEvent, repair Repair) {
		if slices.Contains(out.Chain, step) {
			return
		}
		out.Chain = append(out.Chain, step)
		if len(repair.Forget) > 0 || len(repair.Points) > 0 {
			out.Repairs = append(out.Repairs, repair)
		}
	}
	add := func(e session.Event) {
		if e.N == 0 {
			now = true
			list(ChainEvent{0, e.String()}, Repair{})
			return
		}
		list(ChainEvent{e.N, e.String()}, Repair{Text: "forget that " + e.String(), Forget: []int{e.N}})
	}
	addLabel := func(id string) {
		switch e, ok := s.labels[id]; {
		case ok:
			add(e)
		case !s.spoken[id] && ofData(id) != "":
			text := session.Event{Op: session.OpLabel, ID: id, Label: ofData(id)}.String()
			list(ChainEvent{0, text + ", in the data"}, Repair{Text: "forget that " + text, Forget: []int{}, Points: []int{ed.points.pointOf(id)}})
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
	return out, now
}
