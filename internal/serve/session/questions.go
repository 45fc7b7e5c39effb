package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// A Question asks whether two rows belong in one cluster.
type Question struct {
	N        int    `json:"n"` // the number of the answer that it would get in this session, from 1
	A        string `json:"a"`
	B        string `json:"b"`
	Strategy string `json:"strategy"`
	Why      string `json:"why"`
}

// Questions ask about the rows of a session's table. Their methods may be called by
// several goroutines.
type Questions struct {
	session  *Session
	table    *door.Table
	strategy active.Strategy

	mu    sync.Mutex
	asker *active.Asker
	ids   []string           // of the rows that are clustered
	row   map[string]int     // by id
	moves []refit            // of the fits of these questions
	began int                // events before these questions
	lent  map[[2]string]bool // pairs that are open with others, and passed over

	last      []int  // the clusters of the last of them
	others    int    // rows that it moved and that no answer names
	lastAt    int    // answers that it knew of
	predicted []bool // of the answers since the first fit: whether the clusters then told them
}

// Questions prepares questions about the rows of t, the table of the session. The
// answers that the session has are not asked for again, nor is what follows from its
// labels; pairs that were skipped before may be. Of o, Workers is used, and K where the session does not say it.
func (s *Session) Questions(ctx context.Context, t *door.Table, strategy active.Strategy, o door.Options) (*Questions, error) {
	set := s.header.Fit
	all := s.Options(set, o)
	if all.K == 0 && o.K > 0 {
		all.K = o.K
	}
	p, id, err := s.Problem(ctx, t, s.Constraints(t), all)
	if err != nil {
		return nil, err
	}
	if p.Len() < 2 {
		return nil, &door.OptionError{Msg: "there are no two rows to ask about"}
	}
	seed := uint64(door.DefaultSeed)
	if all.Seed != nil {
		seed = *all.Seed
	}
	pool, err := active.NewPool(ctx, p, seed, o.Workers)
	if err != nil {
		return nil, err
	}
	asker, err := active.New(pool, strategy, all.K, seed)
	if err != nil {
		return nil, &door.OptionError{Option: "strategy", Msg: err.Error()}
	}
	q := &Questions{session: s, table: t, strategy: strategy, asker: asker, row: make(map[string]int, p.Len()), began: len(s.Events())}
	for i := range p.Len() {
		q.ids = append(q.ids, id(i))
		q.row[q.ids[i]] = i
	}
	q.tell(s.InForce())
	return q, nil
}

// tell gives the asker what the session says already.
func (q *Questions) tell(events []Event) {
	first := map[string]int{} // by class, the first row of its label
	var classes []string
	for i := range events {
		e := &events[i]
		a, okA := q.row[e.A]
		b, okB := q.row[e.B]
		switch {
		case e.Op == OpSkip && e.N <= q.began: // it may be asked about again
		case e.isAnswer() && okA && okB:
			q.asker.Record(a, b, answerOf(e))
		case e.Op == OpLabel:
			row, ok := q.row[e.ID]
			if !ok {
				continue
			}
			with, known := first[e.Label]
			if known {
				q.asker.Record(row, with, active.Same)
				continue
			}
			for _, c := range classes {
				q.asker.Record(row, first[c], active.Different)
			}
			first[e.Label], classes = row, append(classes, e.Label)
		}
	}
}

// answerOf returns what an event answers.
func answerOf(e *Event) active.Answer {
	switch {
	case e.Op == OpMust || e.Op == OpBelief && *e.Weight > 0:
		return active.Same
	case e.Op == OpCannot || e.Op == OpBelief && *e.Weight < 0:
		return active.Different
	case e.Op == OpSkip:
		return active.Skip
	}
	return active.Unsure
}

// Next returns the next question; false where nothing is left to ask.
func (q *Questions) Next(ctx context.Context) (Question, bool, error) { return q.NextBeside(ctx, nil) }

// NextBeside returns the next question while others are open with other people: none of those, nor what a
// person would be asked about in their place.
func (q *Questions) NextBeside(ctx context.Context, open []Question) (Question, bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lend(open)
	next, ok, err := q.asker.Next(ctx)
	if !ok || err != nil {
		return Question{}, false, err
	}
	return Question{N: q.answered() + 1, A: q.ids[next.A], B: q.ids[next.B], Strategy: string(q.strategy), Why: next.Why}, true, nil
}

// lend tells the procedure to pass over questions that are open with others, as if they had been skipped,
// and no longer over those that are open no more and were not answered.
func (q *Questions) lend(open []Question) {
	now := map[[2]string]bool{}
	for _, o := range open {
		now[[2]string{min(o.A, o.B), max(o.A, o.B)}] = true
	}
	for pair := range q.lent {
		if !now[pair] && !q.isDecided(pair) {
			q.restart()
			break
		}
	}
	for pair := range now {
		a, okA := q.row[pair[0]]
		b, okB := q.row[pair[1]]
		if okA && okB && !q.asker.Answers().Asked(a, b) {
			q.asker.Record(a, b, active.Skip)
		}
	}
	q.lent = now
}

// isDecided reports whether there is an answer in force about a pair.
func (q *Questions) isDecided(pair [2]string) bool {
	return slices.ContainsFunc(q.session.InForce(), func(e Event) bool {
		return e.isAnswer() && [2]string{min(e.A, e.B), max(e.A, e.B)} == pair
	})
}

// answered is the number of answers in force.
func (q *Questions) answered() int { return answersIn(q.session.Totals()) }

func answersIn(t Totals) int { return t.Must + t.Cannot + t.Beliefs + t.Unsure + t.Skipped }

// Reply writes the answer to a question to the session, by a program and, where several work on it, a
// person. When it returns without an error the answer is on disk. contradicts says that it is at odds with
// those before.
func (q *Questions) Reply(to Question, say active.Answer, by, who string) (e Event, contradicts bool, err error) {
	ops := map[active.Answer]Op{active.Same: OpMust, active.Different: OpCannot, active.Unsure: OpUnsure, active.Skip: OpSkip}
	op, ok := ops[say]
	if !ok {
		return Event{}, false, fmt.Errorf("%s is not an answer", say)
	}
	a, okA := q.row[to.A]
	b, okB := q.row[to.B]
	if !okA || !okB {
		return Event{}, false, &door.InputError{File: q.table.Name(), Msg: fmt.Sprintf("there are no rows %q and %q to answer about", to.A, to.B)}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	e, err = q.session.Append(Event{Op: op, A: to.A, B: to.B, By: by, Who: who, Asked: &Asked{to.Strategy, to.Why}})
	if err != nil {
		return e, false, err
	}
	if len(q.last) == len(q.ids) && (say == active.Same || say == active.Different) {
		q.predicted = append(q.predicted, (q.last[a] == q.last[b]) == (say == active.Same))
	}
	return e, !q.asker.Record(a, b, say), nil
}

// Label writes the label of a row to the session, instead of an answer.
func (q *Questions) Label(id, label, by string) (Event, error) {
	if _, ok := q.row[id]; !ok {
		return Event{}, &door.InputError{File: q.table.Name(), Msg: fmt.Sprintf("there is no row %q to label", id)}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	e, err := q.session.Append(Event{Op: OpLabel, ID: id, Label: label, By: by})
	if err == nil {
		q.restart()
	}
	return e, err
}

// Add writes events to the session that were made otherwise than by an answer: links, labels,
// as one act. The questions that follow take them into account.
func (q *Questions) Add(events ...Event) ([]Event, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	out, err := q.session.AppendAll(events)
	if err == nil {
		q.restart()
	}
	return out, err
}

// Refresh takes into account what was added to the session, or taken back, without these
// questions.
func (q *Questions) Refresh() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.restart()
}

// restart tells a new procedure all that is in force.
func (q *Questions) restart() {
	q.asker.Forget()
	q.tell(q.session.InForce())
}

// Undo takes back the last answer or label.
func (q *Questions) Undo() (Event, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, err := q.session.Undo(0)
	if err == nil {
		q.restart()
	}
	return e, err
}

// Entailed returns how many pairs of rows that were asked about follow from the answers
// without having been asked.
func (q *Questions) Entailed() (pairs int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.asker.Answers()
	touched := a.Touched()
	for i, x := range touched {
		for _, y := range touched[:i] {
			if !a.Asked(x, y) && a.Relation(x, y) != active.Unknown {
				pairs++
			}
		}
	}
	return pairs
}

// Knows reports whether there is a row with this id among those that are clustered.
func (q *Questions) Knows(id string) bool {
	_, ok := q.row[id]
	return ok
}

// Asked reports whether a row was part of an answer that says something.
func (q *Questions) Asked(id string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	row, ok := q.row[id]
	return ok && q.asker.Answers().Touches(row)
}

// Fit clusters with all answers; see Session.Fit.
func (q *Questions) Fit(ctx context.Context, set Settings, o door.Options) (*door.Result, Event, error) {
	r, e, err := q.session.Fit(ctx, q.table, set, o)
	if err != nil {
		return r, e, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	labels, answers := r.Assignment(), answersIn(totals(InForce(q.session.Events()[:e.Through])))
	q.others = 0
	for i, h := range labels {
		if len(q.last) == len(labels) && q.last[i] != h && !q.asker.Answers().Touches(i) {
			q.others++
		}
	}
	if len(q.last) == len(labels) && answers > q.lastAt {
		q.moves = append(q.moves, refit{answers - q.lastAt, moved(q.last, labels)})
	}
	q.last, q.lastAt = labels, answers
	return r, e, nil
}

// moved counts the rows that are in another cluster; those without one, -1, count as one cluster.
func moved(a, b []int) int {
	k := 2 + max(slices.Max(a), slices.Max(b))
	whole := func(labels []int) []int {
		labels = slices.Clone(labels)
		for i, h := range labels {
			if h < 0 {
				labels[i] = k - 1
			}
		}
		return labels
	}
	return score.Moved(whole(a), whole(b), k)
}

// Others returns how many rows the last fit moved that no answer names.
func (q *Questions) Others() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.others
}

// Keep refuses a change of rows that nobody asked about: from now on answers move only the rows that
// they name, until that is undone.
func (q *Questions) Keep(by string) (Event, error) {
	return q.session.Append(Event{Op: OpKeep, By: by})
}

// Close ends the questions; the session stays open.
func (q *Questions) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asker.Close()
}
