package session

import "github.com/inklinghq/inkling/internal/door"

// effects reports for each event whether it is in force: not undone by an undo that is
// in force itself.
func effects(events []Event) []bool {
	in := make([]bool, len(events))
	for i := range in {
		in[i] = true
	}
	for i := len(events) - 1; i >= 0; i-- { // an undo names an event before it
		if e := &events[i]; e.Op == OpUndo && in[i] {
			in[e.Of-1] = false
		}
	}
	return in
}

// InForce returns the events that have not been undone, without the undos.
func (s *Session) InForce() []Event { return InForce(s.Events()) }

// InForce returns those of the first events of a session that have not been undone by
// them, without the undos.
func InForce(events []Event) (out []Event) {
	for i, in := range effects(events) {
		if in && events[i].Op != OpUndo {
			out = append(out, events[i])
		}
	}
	return out
}

// Constraints returns what the session says about the rows of t. Where a row was
// labelled twice, or a pair decided about twice, the last word counts.
func (s *Session) Constraints(t *door.Table) *door.Constraints {
	return constraints(t, s.Events())
}

// ConstraintsWith returns what the session would say about the rows of t after these
// events.
func (s *Session) ConstraintsWith(t *door.Table, events ...Event) *door.Constraints {
	return addWords(door.NewConstraints(t), t, append(s.InForce(), events...))
}

func constraints(t *door.Table, events []Event) *door.Constraints {
	return addWords(door.NewConstraints(t), t, InForce(events))
}

// addWords adds what events in force say to the labels of the data, which they override.
func addWords(c *door.Constraints, t *door.Table, events []Event) *door.Constraints {
	class, _, err := c.Classes()
	labelled := func(id string) bool {
		row, ok := t.Row(id)
		return err == nil && ok && class[row] >= 0
	}
	for _, e := range lastWords(events) {
		if (e.Op == OpLabel || e.Op == OpUnlabel) && labelled(e.ID) {
			c.Unlabel(e.ID)
		}
		weight := 0.0
		if e.Weight != nil {
			weight = *e.Weight
		}
		switch e.Op {
		case OpLabel:
			c.LabelWeighted(e.ID, e.Label, weight)
		case OpMust:
			c.Add(door.Link{A: e.A, B: e.B, Kind: door.MustLink, Weight: weight})
		case OpCannot:
			c.Add(door.Link{A: e.A, B: e.B, Kind: door.CannotLink, Weight: weight})
		case OpBelief:
			c.Add(door.Link{A: e.A, B: e.B, Kind: door.BeliefLink, Weight: weight})
		}
	}
	return c
}

// A subject is what an event speaks about: a row, or a pair of rows.
type subject struct{ a, b string }

func (e *Event) subject() subject {
	switch {
	case e.Op == OpLabel, e.Op == OpUnlabel:
		return subject{a: e.ID}
	case e.A < e.B:
		return subject{e.A, e.B}
	}
	return subject{e.B, e.A}
}

// lastWords returns the constraints among events: of several labels of a row, and of
// several decisions about a pair, the last. A pair that is unsure in the end has none.
func lastWords(events []Event) (out []Event) {
	last := map[subject]int{}
	for i := range events {
		if e := &events[i]; e.isConstraint() || e.Op == OpUnsure {
			last[e.subject()] = i
		}
	}
	for i := range events {
		if e := &events[i]; e.isConstraint() && last[e.subject()] == i {
			out = append(out, *e)
		}
	}
	return out
}

// Names returns the names that clusters were given, by the names that the fit gave them.
func (s *Session) Names() map[string]string {
	names := map[string]string{}
	for own, given := range s.Given() {
		names[own] = given.Name
	}
	return names
}

// A GivenName is a name of a cluster and the event by which a person gave it; 0: none did.
type GivenName struct {
	Name string
	By   int
}

// Given returns the names of clusters by those that the fit gave them, with where they come from. A
// name that followed its cluster to another fit is gone when the event that gave it is undone.
func (s *Session) Given() map[string]GivenName {
	names := map[string]GivenName{}
	events := s.Events()
	in := effects(events)
	for i := range events {
		e := &events[i]
		switch {
		case e.Op != OpRename || !in[i]:
		case e.By != ByFit:
			names[e.Cluster] = GivenName{e.Name, e.N}
		case e.Of > 0 && e.Of <= len(in) && !in[e.Of-1]:
			delete(names, e.Cluster)
		default:
			names[e.Cluster] = GivenName{e.Name, e.Of}
		}
	}
	return names
}

// Totals counts the answers in force: of several about a row or a pair, the last.
type Totals struct {
	Labels, Must, Cannot, Beliefs, Unsure, Skipped int
}

// Totals counts what was said, undone events left out.
func (s *Session) Totals() Totals { return totals(s.InForce()) }

func totals(events []Event) (t Totals) {
	last := map[subject]Op{}
	for i := range events {
		e := &events[i]
		if !e.isConstraint() && !e.isAnswer() {
			continue
		}
		if _, said := last[e.subject()]; e.Op != OpSkip || !said { // who skips a question takes back no answer
			last[e.subject()] = e.Op
		}
	}
	for _, op := range last {
		switch op {
		case OpLabel:
			t.Labels++
		case OpMust:
			t.Must++
		case OpCannot:
			t.Cannot++
		case OpBelief:
			t.Beliefs++
		case OpUnsure:
			t.Unsure++
		case OpSkip:
			t.Skipped++
		}
	}
	return t
}
