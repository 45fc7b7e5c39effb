package engine

import (
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// A Question asks whether two rows belong in one cluster.
type Question struct {
	A   int    `json:"a"`
	B   int    `json:"b"`
	Why string `json:"why"`
}

// ask prepares questions and returns a handle for next and answer.
func (c *call) ask() (any, error) {
	t, known, o, err := c.given()
	if err != nil {
		return nil, err
	}
	p, id, err := door.NewProblem(c.ctx, t, known, o)
	if err != nil {
		return nil, err
	}
	if p.Len() < 2 {
		return nil, &door.OptionError{Msg: "there are no two rows to ask about"}
	}
	seed := uint64(door.DefaultSeed)
	if o.Seed != nil {
		seed = *o.Seed
	}
	pool, err := active.NewPool(c.ctx, p, seed, o.Workers)
	if err != nil {
		return nil, err
	}
	strategy := active.Strategy(c.Strategy)
	if strategy == "" {
		strategy = active.Auto
	}
	asker, err := active.New(pool, strategy, o.K, seed)
	if err != nil {
		return nil, &door.OptionError{Option: "strategy", Msg: err.Error(), Err: err}
	}
	q := &questions{asker: asker, known: p.Constraints, point: map[int]int{}}
	for i := range p.Len() {
		at, _ := t.Row(id(i))
		q.row = append(q.row, at)
		q.point[at] = i
	}
	q.begin()
	return map[string]uint64{"handle": c.kept.addQuestions(q)}, nil
}

// next returns the next question, null where nothing is left to ask.
func (c *call) next() (any, error) {
	q, err := c.kept.questionsOf(c.Handle)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	next, ok, err := q.asker.Next(c.ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return map[string]any{"question": nil}, nil
	}
	return map[string]any{"question": Question{q.row[next.A], q.row[next.B], next.Why}}, nil
}

// answer takes the answer about two rows, those of the question or others.
func (c *call) answer() (any, error) {
	q, err := c.kept.questionsOf(c.Handle)
	if err != nil {
		return nil, err
	}
	say, ok := map[string]active.Answer{"same": active.Same, "different": active.Different, "unsure": active.Unsure, "skip": active.Skip}[c.Answer]
	if !ok {
		return nil, &door.OptionError{Option: "answer", Msg: sprintf("an answer is same, different, unsure or skip, not %q", c.Answer)}
	}
	if len(c.Rows) != 2 {
		return nil, protocolError("an answer is about two rows, not %d", len(c.Rows))
	}
	a, okA := q.point[c.Rows[0]]
	b, okB := q.point[c.Rows[1]]
	if !okA || !okB || a == b {
		return nil, &door.InputError{File: "data", Msg: sprintf("there are no two rows %d and %d to answer about", c.Rows[0], c.Rows[1])}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return map[string]bool{"contradicts": !q.asker.Record(a, b, say)}, nil
}

// forget takes back all answers, so that other ones can be given.
func (c *call) forget() (any, error) {
	q, err := c.kept.questionsOf(c.Handle)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asker.Forget()
	q.begin()
	return map[string]bool{"ok": true}, nil
}
