package experiment

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
)

// A Key is everything that determines a fit.
type Key struct {
	Program  string  `json:"program"`
	Data     string  `json:"data"`   // Fingerprint of rows and truth
	Method   string  `json:"method"` // with every parameter, set or not
	K        int     `json:"k"`
	Seed     uint64  `json:"seed"`
	Restarts int     `json:"restarts"`
	MaxIter  int     `json:"max_iter"`
	Tol      float64 `json:"tol"`
	Folds    int     `json:"folds"`
	Repeat   int     `json:"repeat"` // from 0
	Fold     int     `json:"fold"`   // from 0
	Amount
}

// A Fit is the outcome of one fit. Scores are those of the rows of its fold, but
// satisfied must-links, cannot-links and labels are counted over the constraints
// of the fit. Error says why there is no result, as where the constraints of a
// method that never violates any contradict each other; the scores are then 0.
type Fit struct {
	Key
	Error      string         `json:"error,omitempty"`
	Status     cluster.Status `json:"status,omitempty"`
	Iterations int            `json:"iterations"`
	Objective  float64        `json:"objective"`
	Score      score.Card     `json:"score"`
}

// A task is a fit to be made.
type task struct {
	Key
	method, amount int   // its cell of the table
	foldOf         []int // the fold of each row
}

// A plan numbers the fits of a curve, fold by fold, so that a run cut short has whole
// folds. It makes each task when it is asked for: a curve may have more fits than memory
// holds.
type plan struct {
	c      *Curve
	prints []string // of the problem of each method

	mu     sync.Mutex
	foldOf map[int][]int // by repeat, the latest of them
}

func newPlan(c *Curve) *plan { return &plan{c: c, prints: c.fingerprints(), foldOf: map[int][]int{}} }

// Len returns the number of fits.
func (p *plan) Len() int {
	return p.c.Repeats * p.c.Folds * len(p.c.Amounts) * len(p.c.Methods)
}

// key returns the key of fit i, and its cell of the table.
func (p *plan) key(i int) (_ Key, method, amount int) {
	c, s := p.c, p.c.Settings
	method, i = i%len(c.Methods), i/len(c.Methods)
	amount, i = i%len(c.Amounts), i/len(c.Amounts)
	return Key{c.Program, p.prints[method], c.Methods[method].full, c.Problem.K, s.Seed, s.Restarts, s.MaxIter, s.Tol,
		c.Folds, i / c.Folds, i % c.Folds, c.Amounts[amount]}, method, amount
}

// index returns the number of the fit with a key, -1 where it is not in the plan.
func (p *plan) index(k Key) int {
	c := p.c
	if k.Repeat < 0 || k.Repeat >= c.Repeats || k.Fold < 0 || k.Fold >= c.Folds {
		return -1
	}
	for a, amount := range c.Amounts {
		for m := range c.Methods {
			if amount != k.Amount || c.Methods[m].full != k.Method {
				continue
			}
			i := ((k.Repeat*c.Folds+k.Fold)*len(c.Amounts)+a)*len(c.Methods) + m
			if own, _, _ := p.key(i); own == k {
				return i
			}
		}
	}
	return -1
}

// repeatsKept is how many divisions into folds a plan keeps: workers are rarely further
// apart.
const repeatsKept = 64

// task returns fit i.
func (p *plan) task(i int) task {
	key, method, amount := p.key(i)
	p.mu.Lock()
	defer p.mu.Unlock()
	foldOf := p.foldOf[key.Repeat]
	if foldOf == nil {
		if len(p.foldOf) >= repeatsKept {
			clear(p.foldOf)
		}
		foldOf = p.c.Deal(key.Repeat)
		p.foldOf[key.Repeat] = foldOf
	}
	return task{key, method, amount, foldOf}
}

// fingerprints returns that of the problem of each method.
func (c *Curve) fingerprints() []string {
	out, of := make([]string, len(c.Methods)), map[bool]string{} // by whether there are views
	for m := range out {
		p := c.problem(m)
		views := len(p.Views) > 0
		if of[views] == "" {
			of[views] = Fingerprint(p, c.Truth)
		}
		out[m] = of[views]
	}
	return out
}

// problem returns what method m is given: views only if it uses them.
func (c *Curve) problem(m int) *cluster.Problem {
	if len(c.Problem.Views) == 0 || c.Methods[m].UsesViews() {
		return c.Problem
	}
	p := *c.Problem
	p.Views = nil
	return &p
}

// fit makes one fit. The error is the context's: what went wrong with the fit
// itself is in the record.
func (c *Curve) fit(ctx context.Context, t task, workers int) (Fit, error) {
	known, err := c.drawConstraints(t.foldOf, t.Repeat, t.Fold, t.Amount)
	if err != nil {
		return Fit{}, err
	}
	p := *c.problem(t.method)
	if p.Constraints = known; known.Empty() {
		p.Constraints = nil
	}
	s := c.Settings
	s.Seed, s.Workers, s.Observe = c.startSeed(t.Repeat, t.Fold), workers, nil
	r, err := cluster.Fit(ctx, &p, c.Methods[t.method].Algorithm(), s)
	if ctx.Err() != nil {
		return Fit{}, ctx.Err()
	}
	f := Fit{Key: t.Key}
	if err != nil {
		f.Error = err.Error()
		return f, nil
	}
	f.Status, f.Iterations, f.Objective = r.Status, r.Iterations, r.Objective.Sum()
	var truth, found []int
	for i, h := range r.Labels {
		if t.foldOf[i] == t.Fold {
			truth, found = append(truth, c.Truth[i]), append(found, h)
		}
	}
	table, err := score.NewTable(truth, found)
	if err != nil {
		return Fit{}, err
	}
	f.Score = table.Card()
	f.Score.SetKept(score.Satisfied(known, r.Labels))
	return f, nil
}
