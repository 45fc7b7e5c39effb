package door

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/continuity"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Answered says what answers changed about the clusters that there are without them.
type Answered struct {
	Base    string   `json:"base"`               // the method of the clusters without answers
	Spread  bool     `json:"spread"`             // labels spread to rows that nobody asked about
	Asked   int      `json:"asked"`              // rows of answers
	Left    int      `json:"left"`               // those of them that had to leave their clusters
	Doubted int      `json:"doubted"`            // answers that are violated
	Others  int      `json:"others"`             // rows without an answer that are elsewhere than without answers
	Leaving float64  `json:"leaving"`            // by how many standard deviations more rows left than leave a good clustering
	HeldOut *float64 `json:"held_out,omitempty"` // by how many spreading predicts answers better; left out where it was not judged
	Why     string   `json:"why"`
}

// answersSpread is the method that takes over where answers refute the clusters.
const answersSpread = "label-spreading"

// fitAnswers fits without what was answered, once for a table, and changes the clusters as
// the answers demand.
func (j *job) fitAnswers(ctx context.Context) error {
	base, err := j.fitBase(ctx)
	if err != nil || base.fitted == nil {
		return err
	}
	own := *j
	*j = *base
	j.c, j.o, j.notes, j.settings = own.c, own.o, own.notes, own.settings
	for _, n := range base.notes.list {
		j.notes.pass(n)
	}
	if err := j.c.Err(); err != nil {
		return err
	}
	if j.known = j.c.bind(j.rows); j.known.dropped > 0 {
		j.notes.warn("ignored %s on %s", format.Count(j.known.dropped, "constraint"), j.leftOut())
	}
	p := *base.p
	if !j.known.set.Empty() {
		p.Constraints = j.known.set
	}
	j.p, j.kept = &p, nil
	return j.applyAnswers(ctx, base)
}

// applyAnswers replaces the clusters of base by those with the answers.
func (j *job) applyAnswers(ctx context.Context, base *job) error {
	var costs []float64
	if j.p.X != nil && base.fitted.Model != nil && base.fitted.Model.Clusters() == j.p.K {
		costs = confidence.Costs(base.fitted.Model, j.p.X, j.o.Workers)
	}
	task := continuity.Task{Problem: j.p, Given: base.known.set, Base: base.fitted.Labels, Costs: costs, Never: j.o.NoSpread, Seed: j.settings.Seed, Workers: j.o.Workers}
	d, err := j.decideAnswers(ctx, base, task)
	if err != nil {
		return j.failure(err)
	}
	j.answered = describeAnswers(base, d)
	if d.Spread {
		j.fitted = d.Fit
		j.method, _ = catalog.Find(answersSpread)
		j.chosen = nil
		return j.configure(nil)
	}
	j.fitted = relabelled(base.fitted, d.Labels)
	return nil
}

// decideAnswers decides as after each of continuity.Looks in turn, so that the same answers in the same order give the
// same clusters, however often they were asked for meanwhile.
func (j *job) decideAnswers(ctx context.Context, base *job, task continuity.Task) (*continuity.Decision, error) {
	given, said := j.splitGiven()
	looks := continuity.Looks(len(said))
	for _, n := range looks {
		if n == len(said) {
			return continuity.Decide(ctx, &task)
		}
		c := *j.c
		c.entries = slices.Concat(given, said[:n])
		spread, err := base.looks.after(c.entries, task.Never, func() (bool, error) {
			p, before := *task.Problem, task
			before.Look = true
			if p.Constraints = c.bind(j.rows).set; p.Constraints.Empty() {
				return false, nil
			}
			before.Problem = &p
			d, err := continuity.Decide(ctx, &before)
			return err == nil && d.Spread, err
		})
		if err != nil {
			return nil, err
		}
		task.Spread = spread
	}
	task.Settled = true
	return continuity.Decide(ctx, &task)
}

// splitGiven returns the labels of the data, and what was said since, in its order.
func (j *job) splitGiven() (given, said []entry) {
	for _, e := range j.c.entries {
		if e.kind == labelList && e.place.File == j.t.ds.Name {
			given = append(given, e)
		} else {
			said = append(said, e)
		}
	}
	return given, said
}

// looks remember whether labels spread after so many answers.
type looks struct {
	mu     sync.Mutex
	spread map[[sha256.Size]byte]bool
}

// after returns what is remembered of constraints, or else computes and remembers it.
func (l *looks) after(list []entry, never bool, compute func() (bool, error)) (bool, error) {
	h := sha256.New()
	fmt.Fprint(h, never, list)
	key := [sha256.Size]byte(h.Sum(nil))
	l.mu.Lock()
	defer l.mu.Unlock()
	if spread, ok := l.spread[key]; ok {
		return spread, nil
	}
	spread, err := compute()
	if err != nil {
		return false, err
	}
	if l.spread == nil {
		l.spread = map[[sha256.Size]byte]bool{}
	}
	l.spread[key] = spread
	return spread, nil
}

// fitBase fits the rows as `inkling cluster` does without what was answered.
func (j *job) fitBase(ctx context.Context) (*job, error) {
	given := NewConstraints(j.t)
	o := j.o
	o.Method, o.NoSpread, o.Unconstrained, o.Notify = autoMethod, false, false, nil
	if classes, err := classesOf(j.c); err == nil && o.KMax == 0 {
		o.K = max(o.K, classes)
	}
	key := fmt.Sprintf("%p %d %d %d %v %v %v %d %d %v %v %v", j.t, o.K, o.KMin, o.KMax, o.Parameters, j.settings.Seed, o.Effort, o.Restarts, o.MaxIter, o.Tol,
		j.prepareOptions().Scale, o.Components)
	kept, err := o.Kept.Base().Get(key, func() (any, error) {
		base, err := fitted(ctx, j.t, given, o)
		if err != nil || base.nonEmpty() >= j.o.K || base.p.X == nil {
			return base, err
		}
		o.Method = allClusters
		filled, err := fitted(ctx, j.t, given, o)
		if err != nil || filled.nonEmpty() <= base.nonEmpty() {
			return base, err
		}
		filled.notes.say("method %s: %s leaves %d of the %d clusters that were asked for without rows", allClusters, base.method.Name, j.o.K-base.nonEmpty(), j.o.K)
		return filled, nil
	})
	if err != nil {
		return nil, err
	}
	return kept.(*job), nil
}

// allClusters is the method of the clusters without answers where the one that was chosen leaves clusters empty
// that were asked for, as where labels name fewer classes.
const allClusters = "pc-kmeans"

// fitted decides and fits.
func fitted(ctx context.Context, t *Table, c *Constraints, o Options) (*job, error) {
	j, err := newJob(ctx, t, c, o)
	if err != nil {
		return nil, err
	}
	if err = j.decide(ctx); err == nil {
		err = j.fit(ctx)
	}
	if err == nil && j.fitted == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	j.looks = new(looks)
	return j, err
}

// nonEmpty counts the clusters that have rows; none where there was no fit.
func (j *job) nonEmpty() int {
	if j.fitted == nil {
		return 0
	}
	has := map[int]bool{}
	for _, h := range j.fitted.Labels {
		if h >= 0 {
			has[h] = true
		}
	}
	return len(has)
}

// classesOf counts the classes among the labels.
func classesOf(c *Constraints) (int, error) {
	_, names, err := c.Classes()
	return len(names), err
}

func describeAnswers(base *job, d *continuity.Decision) *Answered {
	a := &Answered{Base: base.method.Name, Spread: d.Spread, Asked: len(d.Asked), Left: len(d.Left), Doubted: d.Doubted, Leaving: d.Leaving}
	if !math.IsNaN(d.HeldOut) {
		a.HeldOut = &d.HeldOut
	}
	named := map[int]bool{}
	for _, row := range d.Asked {
		named[row] = true
	}
	for i, h := range d.Labels {
		if h != base.fitted.Labels[i] && !named[i] {
			a.Others++
		}
	}
	rows := format.Count(a.Asked, "row")
	switch {
	case d.Spread:
		a.Why = fmt.Sprintf("%d of %s in answers had to leave their clusters, so the answers spread to the rows around them", a.Left, rows)
	case a.Left == 0:
		a.Why = fmt.Sprintf("the answers agree with the clusters of %s", a.Base)
	case d.Small:
		a.Why = fmt.Sprintf("%d of %s in answers left their clusters; spreading the answers further would leave a cluster almost empty", a.Left, rows)
	case d.Vague:
		a.Why = fmt.Sprintf("%d of %s in answers left their clusters; the answers tell too little about one another to move rows that nobody asked about", a.Left, rows)
	default:
		a.Why = fmt.Sprintf("%d of %s in answers left their clusters; that is too few to move rows that nobody asked about", a.Left, rows)
	}
	return a
}
