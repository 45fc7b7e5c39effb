package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// Answers vary along a curve of questions.
const Answers = "answers"

// Questions are an experiment: what clusterings gain by answers to questions that
// strategies choose. The truth answers; rows of which it is not known are unsure. An
// answered question counts one, whatever follows from it.
type Questions struct {
	Problem    *cluster.Problem // without constraints
	Truth      []int            // the class of each row, below 0 where it is unknown
	Strategies []active.Strategy
	Method     Method
	Answers    []int   // after how many of them rows are clustered and scored, ascending
	Noise      float64 // the share of wrong answers
	Repeats    int
	// Share is the share of the rows, drawn at random, that a repeat is about; 0: all. Of
	// a graph it is always all. Strategies that draw nothing at random are the same in
	// every repeat with all rows.
	Share   float64
	Measure string // one of Measures
	// Settings of every fit; Workers is how many conversations are held at a time.
	Settings cluster.Settings
	Observe  func(Progress) // as for a Curve; Method is the strategy
}

// Answered are the scores of one conversation, by number of answers: of all rows, and of
// those that were never asked about (NaN where there are none).
type Answered struct{ All, Unasked []float64 }

func (c *Questions) check() error {
	if c.Problem == nil {
		return fmt.Errorf("the problem is nil")
	}
	if err := c.Problem.Check(); err != nil {
		return err
	}
	switch {
	case !c.Problem.Constraints.Empty():
		return fmt.Errorf("the problem has constraints already; they are answers about the truth")
	case len(c.Truth) != c.Problem.Len():
		return fmt.Errorf("true classes must be given for all %d rows, got %d", c.Problem.Len(), len(c.Truth))
	case len(c.Strategies) == 0 || len(c.Answers) == 0:
		return fmt.Errorf("there must be at least one strategy and one number of answers, got %d and %d", len(c.Strategies), len(c.Answers))
	case c.Repeats < 1:
		return fmt.Errorf("repeats must be at least 1, got %d", c.Repeats)
	case float64(c.Repeats)*float64(len(c.Strategies)) > mostConversations:
		return fmt.Errorf("%d repeats of %d strategies exceed the limit of conversations", c.Repeats, len(c.Strategies))
	case c.Answers[0] < 0 || !slices.IsSorted(c.Answers) || len(slices.Compact(slices.Clone(c.Answers))) < len(c.Answers):
		return fmt.Errorf("answers must be numbers of 0 or more, each above the one before, got %v", c.Answers)
	case !(c.Share >= 0 && c.Share <= 1):
		return fmt.Errorf("the share of the rows must be from 0 to 1, got %v", c.Share)
	case !(c.Noise >= 0 && c.Noise < 1):
		return fmt.Errorf("noise must be at least 0 and below 1, got %v", c.Noise)
	}
	for at, s := range c.Strategies {
		if slices.Contains(c.Strategies[:at], s) {
			return fmt.Errorf("strategy %s is given twice", s)
		}
	}
	return c.Method.Algorithm().Check(c.Problem)
}

// mostConversations bounds what is kept in memory.
const mostConversations = 1e6

// Converse asks the questions of one strategy in one repeat.
func (c *Questions) Converse(ctx context.Context, s active.Strategy, repeat, workers int) (out Answered, err error) {
	seed := stream(c.Settings.Seed, "questions", float64(repeat)).Uint64()
	wrong := stream(c.Settings.Seed, "wrong answers", float64(repeat), c.Noise)
	c = c.draw(repeat)
	pool, err := active.NewPool(ctx, c.Problem, seed, workers)
	if err != nil {
		return out, err
	}
	asker, err := active.New(pool, s, c.Problem.K, seed)
	if err != nil {
		return out, err
	}
	defer asker.Close()
	known, given := &constraint.Set{}, 0
	for _, goal := range c.Answers {
		for given < goal {
			q, ok, err := asker.Next(ctx)
			if err != nil {
				return out, err
			}
			if !ok {
				break
			}
			say := c.answer(q)
			if say != active.Unsure && wrong.Float64() < c.Noise {
				say = active.Same + active.Different - say
			}
			given++
			pair := constraint.Pair{I: q.A, J: q.B, W: 1}
			switch asker.Record(q.A, q.B, say); say {
			case active.Same:
				known.Must = append(known.Must, pair)
			case active.Different:
				known.Cannot = append(known.Cannot, pair)
			}
		}
		all, unasked, err := c.scores(ctx, known, asker.Answers(), workers)
		if err != nil {
			return out, err
		}
		out.All, out.Unasked = append(out.All, all), append(out.Unasked, unasked)
	}
	return out, nil
}

// draw returns the questions about the rows of a repeat.
func (c *Questions) draw(repeat int) *Questions {
	n := c.Problem.Len()
	size := max(int(math.Round(c.Share*float64(n))), min(n, c.Problem.K))
	if c.Share == 0 || c.Problem.X == nil || c.Problem.Graph != nil || c.Problem.Kernel != nil || size == n {
		return c
	}
	rows := stream(c.Settings.Seed, "rows", float64(repeat), c.Share).Perm(n)[:size]
	slices.Sort(rows)
	out, p := *c, &cluster.Problem{X: data.Pick(c.Problem.X, rows), K: c.Problem.K}
	out.Problem, out.Truth = p, make([]int, size)
	for at, i := range rows {
		out.Truth[at] = c.Truth[i]
		if c.Problem.Weight != nil {
			p.Weight = append(p.Weight, c.Problem.Weight[i])
		}
	}
	return &out
}

func (c *Questions) answer(q active.Question) active.Answer {
	a, b := c.Truth[q.A], c.Truth[q.B]
	switch {
	case a < 0 || b < 0:
		return active.Unsure
	case a == b:
		return active.Same
	}
	return active.Different
}

// scores clusters with what is known.
func (c *Questions) scores(ctx context.Context, known *constraint.Set, said *active.Answers, workers int) (all, unasked float64, err error) {
	p := *c.Problem
	if p.Constraints = known; known.Empty() {
		p.Constraints = nil
	}
	s := c.Settings
	s.Workers, s.Observe = workers, nil
	algorithm := c.Method.Algorithm()
	r, err := cluster.Fit(ctx, &p, algorithm, s)
	var conflict *constraint.ConflictError
	if errors.As(err, &conflict) { // wrong answers that the method does not take
		p.Constraints = constraint.Repaired(p.Len(), known)
		r, err = cluster.Fit(ctx, &p, algorithm, s)
	}
	if err != nil {
		return 0, 0, err
	}
	of := func(rows func(i int) bool) float64 {
		var truth, found []int
		for i, h := range r.Labels {
			if c.Truth[i] >= 0 && rows(i) {
				truth, found = append(truth, c.Truth[i]), append(found, h)
			}
		}
		table, err := score.NewTable(truth, found)
		if err != nil { // no rows
			return math.NaN()
		}
		card := table.Card()
		return measureOf(&card, c.Measure)
	}
	return of(func(int) bool { return true }), of(func(i int) bool { return !said.Touches(i) }), nil
}

// Run holds all conversations, and returns the table of all rows and that of rows never
// asked about. Both are the same to the bit on any number of workers. When ctx ends there
// are no tables.
func (c *Questions) Run(ctx context.Context) (all, unasked *Table, err error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	workers := blocks.Workers(c.Settings.Workers)
	total := c.Repeats * len(c.Strategies)
	inner := max(1, workers/total)
	done := make([]Answered, total)
	var mu sync.Mutex
	made := 0
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := blocks.Tasks(ctx, workers, total, func(i int) {
		began := time.Now()
		out, err := c.Converse(ctx, c.Strategies[i%len(c.Strategies)], i/len(c.Strategies), inner)
		if err != nil {
			stop(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		done[i] = out
		if made++; c.Observe != nil {
			c.Observe(Progress{Done: made, Total: total, Made: made, Method: i % len(c.Strategies), Took: time.Since(began)})
		}
	}); err != nil || ctx.Err() != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, nil, err
	}
	return c.Tables(func(s, repeat int) Answered { return done[repeat*len(c.Strategies)+s] })
}

// Tables adds up conversations, given by strategy and repeat.
func (c *Questions) Tables(of func(strategy, repeat int) Answered) (all, unasked *Table, err error) {
	names := make([]string, len(c.Strategies))
	x := make([]float64, len(c.Answers))
	for a, n := range c.Answers {
		x[a] = float64(n)
	}
	values := [2][][][]float64{}
	for s, name := range c.Strategies {
		names[s] = string(name)
		for v := range values {
			values[v] = append(values[v], make([][]float64, len(x)))
		}
		for repeat := range c.Repeats {
			y := of(s, repeat)
			for a := range x {
				values[0][s][a] = append(values[0][s][a], y.All[a])
				values[1][s][a] = append(values[1][s][a], y.Unasked[a])
			}
		}
	}
	if all, err = Tabulate(c.Measure, Answers, names, x, values[0]); err != nil {
		return nil, nil, err
	}
	unasked, err = Tabulate(c.Measure, Answers, slices.Clone(names), slices.Clone(x), values[1])
	if err != nil {
		return nil, nil, err
	}
	for _, n := range c.Answers {
		amount := Amount{Pairs: n, Noise: c.Noise}
		all.Amounts, unasked.Amounts = append(all.Amounts, amount), append(unasked.Amounts, amount)
	}
	return all, unasked, nil
}

// Area returns the mean over a curve of the scores of method m, by draw: the area under it
// by the trapezoidal rule, divided by its width.
func (t *Table) Area(m int) []float64 {
	out := t.Scores(m, 0)
	last := len(t.X) - 1
	if last == 0 {
		return out
	}
	clear(out)
	for a := range last {
		y, next := t.Scores(m, a), t.Scores(m, a+1)
		for d := range out {
			out[d] += (t.X[a+1] - t.X[a]) / (t.X[last] - t.X[0]) * (y[d] + next[d]) / 2
		}
	}
	return out
}
