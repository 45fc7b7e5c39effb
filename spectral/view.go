package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// The degrees that a view is normalised by.
const (
	TargetDegrees = "target"
	SourceDegrees = "source"
)

// view is a second graph over the same points: A_S of equation (17).
type view struct {
	name string
	*field
	vol    float64
	degree []float64 // by node of its own
	own    []int     // clusters of the points by this graph alone
}

func (a *CSP) checkViews() error {
	switch {
	case !(a.ViewWeight >= 0) || math.IsInf(a.ViewWeight, 0):
		return fmt.Errorf("views weigh %v (view-weight), it must be finite and not negative", a.ViewWeight)
	case a.ViewDegrees != TargetDegrees && a.ViewDegrees != SourceDegrees:
		return fmt.Errorf("view-degrees %q, it must be %s or %s", a.ViewDegrees, TargetDegrees, SourceDegrees)
	}
	return nil
}

// look makes the graphs of the views, those of rows as that of the problem's.
func (c *search) look(ctx context.Context) error {
	if c.a.ViewWeight == 0 {
		return nil
	}
	for _, v := range c.p.Views {
		g := v.Graph
		if g == nil {
			var err error
			if g, err = c.a.terrain().graph(ctx, &cluster.Problem{X: v.X}, c.e); err != nil {
				return err
			}
		}
		w := &view{name: v.Name, field: newField(g, c.p.Weight)}
		for i := range w.at {
			w.degree = append(w.degree, w.g.Degree(i))
			w.vol += w.degree[i]
		}
		c.views = append(c.views, w)
	}
	return nil
}

// entries returns what the view says as entries of Q between nodes of f.
// Equation (17) has A_S, (18) a normalised one; u = D_T^{-1/2}v leads from the
// one to the other with the degrees of the target, which are the default: A_S
// is brought to the target's volume, so that a link of weight 1 weighs as much
// as an edge of that weight. By its own degrees Q̄ is D_S^{-1/2}A_S D_S^{-1/2},
// whose largest eigenvalue, 1, is that of a trivial cut, as the paper says; by
// the target's it need not be.
func (v *view) entries(f *field, degree []float64, a *CSP) (list []data.Edge) {
	vol := 0.0
	for _, d := range degree {
		vol += d
	}
	for s, i := range v.at {
		from := f.node[i]
		if from < 0 {
			continue
		}
		to, w := v.g.Neighbours(s)
		for q, r := range to {
			at := f.node[v.at[r]]
			if int(r) < s || at < 0 {
				continue
			}
			scale := vol / v.vol
			if a.ViewDegrees == SourceDegrees {
				scale = math.Sqrt(degree[from] / v.degree[s] * (degree[at] / v.degree[r]))
			}
			list = append(list, data.Edge{U: from, V: at, W: a.ViewWeight * f.scale * scale * w[q]})
		}
	}
	return list
}

// with returns Q with more entries; what it says by groups is shared. Of its
// eigenvalues few are wanted: those of a graph crowd near the largest.
func (d *demand) with(more []data.Edge, few int) (*demand, error) {
	out := *d
	var err error
	if out.pairs, err = data.NewGraph(d.pairs.Len(), append(listed(d.pairs), more...)); err != nil {
		return nil, err
	}
	out.where = out.support()
	out.few = few
	return &out, nil
}

// heed adds the views to Q.
func (c *search) heed(q *demand, degree []float64) (*demand, error) {
	c.said = q
	if len(c.views) == 0 {
		return q, nil
	}
	c.ask()
	var more []data.Edge
	for _, v := range c.views {
		more = append(more, v.entries(c.field, degree, c.a)...)
	}
	if c.p.K == 2 {
		if err := c.join(more); err != nil {
			return nil, err
		}
	}
	return q.with(more, c.needs()+3)
}

// join makes the graph of all edges, those of the views as Q weighs them.
func (c *search) join(more []data.Edge) (err error) {
	edges := listed(c.field.g)
	for _, e := range more {
		e.W /= c.field.scale
		edges = append(edges, e)
	}
	c.joint, err = data.NewGraph(c.field.g.Len(), edges)
	return err
}

// listed returns the edges of g, each once.
func listed(g *data.Graph) (edges []data.Edge) {
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, j := range to {
			if int(j) >= i {
				edges = append(edges, data.Edge{U: i, V: int(j), W: w[q]})
			}
		}
	}
	return edges
}

// split returns the two sides, or what a threshold on the same vector does
// better where what is cut decides.
func (c *search) split(sides []int, t *attempt) []int {
	price := c.choice()
	if price == nil {
		return sides
	}
	u := make([]float64, len(sides))
	for i, y := range t.found[0].v {
		u[i] = y * t.q.half[i]
	}
	least := price(sides)
	for _, g := range []*data.Graph{c.field.g, c.joint} {
		if of := sweep(g, u); price(of) < least {
			sides, least = of, price(of)
		}
	}
	return sides
}

// turned returns clusters of the vectors' rows at unit length, the trivial
// vector being one of them, as for Spectral, where these are better.
func (c *search) turned(ctx context.Context, t *attempt, of []int, starts int) ([]int, error) {
	list := [][]float64{t.z}
	for _, s := range t.found[:t.used] {
		v := slices.Clone(s.v)
		for i := range v {
			v[i] /= math.Sqrt(t.vol)
		}
		list = append(list, v)
	}
	space := newPoints(list)
	space.unit()
	price := c.choice()
	other, err := space.cluster(ctx, c.p.K, starts, c.e, price)
	if err != nil || price(of) <= price(other) {
		return of, err
	}
	return other, nil
}

// choice returns what clusters of the same vectors are chosen by: nil, or where
// views are heeded with β auto, what they cut and do not honour.
func (c *search) choice() func(of []int) float64 {
	if c.views == nil || c.a.Beta != BetaAuto {
		return nil
	}
	return func(of []int) float64 {
		honoured, cut := c.worth(of)
		return cut + float64(c.p.K)*(1-honoured)
	}
}

// ask lets views place points that have no edges in the graph and of which
// nothing else is known.
func (c *search) ask() {
	if len(c.field.at) == c.p.Len() {
		return
	}
	known := c.say
	c.say = func(of []int, point int) int {
		if known != nil {
			if h := known(of, point); h >= 0 {
				return h
			}
		}
		pull, best := make([]float64, c.p.K), -1
		for _, v := range c.views {
			to, w := v.whole.Neighbours(point)
			for q, j := range to {
				if at := c.field.node[j]; at >= 0 {
					pull[of[at]] += w[q] / (v.vol * v.scale)
				}
			}
		}
		for h, y := range pull {
			if y > 0 && (best < 0 || y > pull[best]) {
				best = h
			}
		}
		return best
	}
}

// strain returns what a clustering of the points cuts of the views, by their
// weight.
func (c *search) strain(labels []int) (sum float64) {
	for _, v := range c.views {
		sum += c.a.ViewWeight * v.price(labels, c.p.K)
	}
	return sum
}

// price returns the normalized cut, an empty cluster counted as in Objective.
func (f *field) price(labels []int, k int) float64 {
	cut, empty := ncut(f, labels, k)
	return cut + float64(empty)
}

// near are shares of λ₁ that views need: a graph has as many eigenvalues near
// the largest as it has clusters.
var near = []float64{0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.4, 0.3}

// candidates returns the b that auto tries. Of views there are none above that
// of the rule one: vectors that satisfy all must-links better than any cut does
// are almost trivial, and of one sign.
func (c *search) candidates() []float64 {
	list := []float64{c.b(BetaOne)}
	tried := shares
	if c.views != nil {
		tried = slices.Concat(near, shares)
	}
	for _, f := range tried {
		if b := f * c.top.most(); c.views == nil || b < list[0] {
			list = append(list, b)
		}
	}
	return list
}

// careful says that there are views and the graph is so small that every
// candidate is tried, with all care: what they are judged by is close then.
func (c *search) careful() bool { return c.views != nil && c.pencil.l.Dim() <= carefulNodes }

const carefulNodes = 1000
