package spectral

import (
	"cmp"
	"context"
	"slices"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/eigen"
)

// search is the work of CSP between the graph and the clusters.
type search struct {
	a *CSP
	*run
	pencil *pencil
	top    *spectrum
	start  [][]float64 // where iterations begin
	joined int
	best   *attempt
	tried  int

	views []*view
	said  *demand     // Q without the views
	joint *data.Graph // graph and views in one; nil but for two clusters
	plain []int       // clusters of the points without the views
	least float64     // what vectors without the views cost
}

// denseNodes is the number of nodes up to which all feasible vectors are found.
const denseNodes = 120

// An attempt is what comes of one β.
type attempt struct {
	*schur
	rule      string
	on        []int32 // the constrained nodes, rising; views constrain none
	count     int     // feasible vectors
	exact     bool
	found     []solution // in order, the chosen ones first
	used      int
	localised bool
	of        []int // clusters of the nodes
	honoured  float64
	cut       float64
	settled   bool
}

// needs returns how many vectors a cut takes.
func (c *search) needs() int {
	if c.a.twoWay(c.p.K) {
		return 1
	}
	return c.p.K - 1
}

// prepare makes Q and finds the upper end of its spectrum. Without knowledge
// nothing is left to do but what Spectral does.
func (c *search) prepare(ctx context.Context) error {
	c.listen()
	if len(c.field.at) <= c.p.K {
		return nil
	}
	g, joined, err := c.field.connected()
	if err != nil {
		return err
	}
	c.joined = joined
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		return err
	}
	l.Workers = c.e.Workers
	var closed *constraint.Closure
	if c.a.Closure == On && !c.p.Constraints.Empty() {
		if closed, err = constraint.Close(c.p.Len(), c.p.Constraints); err != nil {
			return err
		}
	}
	q, err := newDemand(c.field, c.p.Constraints, closed, c.p.K, l.Degree)
	if err != nil {
		return err
	}
	if q, err = c.heed(q, l.Degree); err != nil {
		return err
	}
	if c.top, err = newSpectrum(ctx, q, c.seed, c.e.Workers); err != nil {
		return err
	}
	if c.top.most() > 0 {
		c.pencil = newPencil(l, q)
	}
	return nil
}

// solve finds the vectors for β.
func (c *search) solve(ctx context.Context) error {
	if c.pencil == nil {
		return c.embed(ctx, eigen.Normalised)
	}
	if l := c.pencil.l; l.Dim() > denseNodes {
		low, err := eigen.Smallest(ctx, l, eigen.Options{K: c.needs() + 5, Tol: 1e-3, Rel: 0.1, Seed: c.seed, Workers: c.e.Workers})
		if err != nil {
			return err
		}
		c.start = append(append(c.start, low.Vectors[1:]...), c.top.vectors...)
	}
	if c.a.Beta == BetaAuto {
		return c.auto(ctx)
	}
	b := c.b(c.a.Beta)
	got, err := c.try(ctx, b, c.a.Beta, 1, 1e-6, 300)
	if err != nil {
		return err
	}
	if len(got.found) < c.needs() {
		return c.infeasible(b, got.count, got.exact)
	}
	c.best = got
	return c.judge(ctx, got, false)
}

// b returns β/vol by a rule.
func (c *search) b(rule string) float64 {
	most := c.top.most()
	switch rule {
	case BetaOne:
		b := c.between(c.needs() - 1)
		if c.pencil.zqz > b || c.views != nil { // the trivial vector takes the place of one
			b = c.between(c.needs())
		}
		return b
	case BetaEq19:
		n := float64(c.pencil.l.Dim())
		return most * (0.5 + 0.4*min(1, c.pencil.q.entries()/(n*n)))
	}
	f, _ := c.a.share()
	return f * most
}

// between returns 0.9λ + 0.1λ' for eigenvalue number m of Q̄, from 0, and the
// next. Of two equal ones there is nothing between them: a little less it is.
func (c *search) between(m int) float64 {
	value := func(m int) float64 {
		if m < len(c.top.values) {
			return max(c.top.values[m], 0)
		}
		return 0
	}
	a, b := value(m), value(m+1)
	if b > (1-1e-6)*a {
		return 0.99 * a
	}
	return 0.9*a + 0.1*b
}

// try solves for one b, for extra vectors beside those that are needed. There are no vectors where too few are feasible.
func (c *search) try(ctx context.Context, b float64, rule string, extra int, tol float64, steps int) (*attempt, error) {
	s := c.pencil.at(b)
	t := &attempt{schur: s, rule: rule, on: c.said.where}
	t.count, t.exact = c.top.feasible(s.b, c.pencil.zqz)
	c.tried++
	need := c.needs()
	if t.count < need {
		return t, nil
	}
	var err error
	if s.Dim() <= denseNodes {
		t.found, err = s.dense(ctx, min(t.count, s.Dim()-1))
		t.settled = true
	} else {
		t.found, t.settled, err = s.lowest(ctx, c.start, min(t.count, need+extra), steps, tol)
	}
	if err != nil {
		return nil, err
	}
	t.arrange(c.a.Order, need)
	return t, nil
}

// arrange brings the vectors in order: those that are of use first, then by
// cost or by λ.
func (t *attempt) arrange(order string, need int) {
	rank := func(s solution) int {
		switch {
		case t.local(s.v):
			return 2
		case need == 1 && oneSigned(s.v):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(t.found, func(a, b solution) int {
		by := cmp.Compare(a.cost, b.cost)
		if order == ByLambda {
			by = cmp.Compare(a.lambda, b.lambda)
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), by)
	})
	t.used = min(need, len(t.found))
	for _, s := range t.found[:t.used] {
		t.localised = t.localised || t.local(s.v)
	}
}

// local says that v lives on the constrained nodes: the others have much less
// of its mass than of the volume, and little of the graph has any.
func (t *attempt) local(v []float64) bool {
	mass, share, fourth := 0.0, 0.0, 0.0 // mass and share of the other nodes
	rest := t.on
	for i, y := range v {
		fourth += float64(y*y) * float64(y*y) / t.l.Degree[i]
		if len(rest) > 0 && int(rest[0]) == i {
			rest = rest[1:]
			continue
		}
		mass += float64(y * y)
		share += t.l.Degree[i]
	}
	return mass < 0.7*share && t.vol < 0.05*fourth
}

func oneSigned(v []float64) bool {
	pos := 0
	for _, y := range v {
		if y > 0 {
			pos++
		}
	}
	return pos == 0 || pos == len(v)
}

// judge makes clusters of the vectors and prices them. Clusters that t has
// already stay if they are better.
func (c *search) judge(ctx context.Context, t *attempt, rough bool) error {
	was := *t
	of, err := c.discretise(ctx, t, rough)
	if err != nil {
		return err
	}
	t.of = of
	t.honoured, t.cut = c.worth(of)
	t.prefer(&was)
	return nil
}

// prefer takes the clusters of was if they honour more, or as much and cut less.
func (t *attempt) prefer(was *attempt) {
	if was.of != nil && (was.honoured > t.honoured || was.honoured == t.honoured && was.cut < t.cut) {
		t.of, t.honoured, t.cut = was.of, was.honoured, was.cut
	}
}

// worth returns how much of Q, the views apart, a clustering honours, and what
// it cuts of the graph and of the views.
func (c *search) worth(of []int) (honoured, cut float64) {
	labels := make([]int, c.p.Len())
	for at, i := range c.field.at {
		labels[i] = of[at]
	}
	if c.views != nil {
		labels = c.field.spread(of, c.p.K, c.say)
	}
	return c.said.satisfied(of, c.p.K), c.field.price(labels, c.p.K) + c.strain(labels)
}
