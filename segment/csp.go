package segment

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// checkBeta checks the parameter as csp.CSP does.
func checkBeta(beta string) error {
	pair, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: 1}})
	if err != nil {
		return err
	}
	alg := csp.NewCSP()
	if err := alg.Beta.UnmarshalText([]byte(beta)); err != nil {
		return err
	}
	return alg.Check(&cluster.Problem{Graph: pair, K: 2})
}

// contract makes one node of all labelled regions of a segment, the first k of
// the new graph. to says which node each region is.
func contract(g *data.Graph, known []uint8, k int) (small *data.Graph, to []int32, err error) {
	to = make([]int32, g.Len())
	n := k
	for i, h := range known {
		if h != unknown {
			to[i] = int32(h)
			continue
		}
		to[i] = int32(n)
		n++
	}
	var edges []data.Edge
	for i := range g.Len() {
		next, w := g.Neighbours(i)
		for e, j := range next {
			if int(j) > i && to[i] != to[j] {
				edges = append(edges, data.Edge{U: int(to[i]), V: int(to[j]), W: w[e]})
			}
		}
	}
	small, err = data.NewGraph(n, edges)
	return small, to, err
}

// cutByCSP cuts the graph of regions in two by constrained spectral clustering. It
// returns the relaxed indicator u of each region, above 0 for segment 1.
//
// Section 7.1 of the paper links every two labelled pixels. Here must-links are
// contracted: all labelled regions of a segment are one node, and there is one
// cannot-link. So strokes stay whole, a stroke of many pixels does not make the
// constraint matrix larger, and the search is faster and more reliable.
func cutByCSP(ctx context.Context, g *data.Graph, known []uint8, beta string, workers int) ([]float64, *csp.Cut, error) {
	small, to, err := contract(g, known, 2)
	if err != nil {
		return nil, nil, err
	}
	set := &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 1, W: 1}}}
	alg := csp.NewCSP()
	if err := alg.Beta.UnmarshalText([]byte(beta)); err != nil {
		return nil, nil, err
	}
	s := cluster.Default()
	s.Restarts, s.Workers = 1, workers
	got, err := cluster.Fit(ctx, &cluster.Problem{Graph: small, Constraints: set, K: 2}, alg, s)
	if err != nil {
		return nil, nil, err
	}
	cut, _ := got.Learned.(*csp.Cut)
	v := signs(got.Labels)
	if cut != nil && len(cut.Indicator) == small.Len() {
		v = cut.Indicator
	}
	sign := 1.0
	if v[1] < v[0] {
		sign = -1
	}
	u := make([]float64, g.Len())
	for i, at := range to {
		u[i] = sign * v[at]
	}
	return u, cut, nil
}

// signs is the indicator of clusters 0 and 1, for graphs so small that there
// is nothing to relax.
func signs(label []int) []float64 {
	u := make([]float64, len(label))
	for i, h := range label {
		u[i] = float64(2*h - 1)
	}
	return u
}

// sharesOfTwo turns an indicator into shares of two segments: a half at 0, and 1 for
// the size that the labelled regions have on average.
func sharesOfTwo(u []float64, known []uint8) [][]float64 {
	sum, n := 0.0, 0
	for i, h := range known {
		if h != unknown {
			sum += math.Abs(u[i])
			n++
		}
	}
	scale := 1.0
	if sum > 0 {
		scale = float64(n) / sum
	}
	out := [][]float64{make([]float64, len(u)), make([]float64, len(u))}
	for i := range u {
		x := min(max(0.5+0.5*scale*u[i], 0), 1)
		switch known[i] {
		case 0:
			x = 0
		case 1:
			x = 1
		}
		out[0][i], out[1][i] = 1-x, x
	}
	return out
}

// A Cut describes a cut by constrained spectral clustering.
type Cut struct {
	Rule      string  // by which the demand was chosen: auto, one, eq19 or a fraction
	Beta      float64 // the demand
	Satisfied float64 // the share of the links between strokes that the cut satisfies

	learned *csp.Cut
}

func newCut(c *csp.Cut) *Cut {
	if c == nil {
		return nil
	}
	return &Cut{c.Rule, c.Beta, c.Satisfied, c}
}

// Learned returns all that is known about the cut, to be written as JSON.
func (c *Cut) Learned() any { return c.learned }
