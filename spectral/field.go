package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/affinity"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// The ways to weigh edges between rows.
const (
	SelfTuning = "self-tuning" // by the distances that are usual around each row
	RBF        = "rbf"         // by one width for all
)

// terrain is how a graph is made of rows.
type terrain struct {
	knn    int
	weighs string
	width  float64
}

func (t terrain) check(p *cluster.Problem) error {
	switch {
	case t.knn < 1:
		return fmt.Errorf("%d neighbours (knn), it must be at least 1", t.knn)
	case t.weighs != SelfTuning && t.weighs != RBF:
		return fmt.Errorf("affinity %q, it must be %s or %s", t.weighs, SelfTuning, RBF)
	case !(t.width >= 0) || math.IsInf(t.width, 0):
		return fmt.Errorf("width %v, it must be finite and not negative (0 chooses it)", t.width)
	case p.Graph == nil && p.X == nil:
		return cluster.Problemf("graph", "this method needs a graph or rows of numbers, not a kernel")
	}
	for i, w := range p.Weight {
		if w > heavy {
			return cluster.Problemf("weight", "the weight of point %d is %g, spectral methods take at most %g", i, w, float64(heavy))
		}
	}
	if p.Graph == nil {
		return nil
	}
	for i := range p.Graph.Len() {
		to, w := p.Graph.Neighbours(i)
		for q, y := range w {
			if y < 0 {
				return cluster.Problemf("graph", "the edge %d-%d weighs %v; spectral methods need weights of 0 or more (ss-kernel-kmeans takes any)", i, to[q], y)
			}
		}
	}
	return nil
}

// graph returns the graph of the problem, or that of its rows' neighbours,
// joined to one piece.
func (t terrain) graph(ctx context.Context, p *cluster.Problem, e *cluster.Env) (*data.Graph, error) {
	if p.Graph != nil {
		return p.Graph, nil
	}
	if p.Len() == 1 {
		return data.NewGraph(1, nil)
	}
	near, err := affinity.KNN(ctx, p.X, t.knn, affinity.KNNOptions{Seed: e.Rand.Uint64(), Workers: e.Workers})
	if err != nil && ctx.Err() == nil {
		err = &cluster.ProblemError{Field: "x", Err: err}
	}
	if err != nil {
		return nil, err
	}
	w := affinity.Weights{Kind: affinity.WeightKind(t.weighs), Width: t.width, Join: true}
	if t.weighs == RBF && w.Width == 0 {
		w.Width = usual(near)
	}
	return near.Graph(ctx, w)
}

// usual returns the median distance to the farthest neighbour, 1 if that is 0.
func usual(near *affinity.Neighbours) float64 {
	far := make([]float64, near.N)
	for i := range far {
		_, d2 := near.Of(i)
		far[i] = math.Sqrt(d2[len(d2)-1])
	}
	slices.Sort(far)
	if m := far[len(far)/2]; m > 0 {
		return m
	}
	return 1
}

// field is the graph that is cut.
type field struct {
	whole *data.Graph // of all points, as given
	g     *data.Graph // of the nodes that have edges, by the weights of the points
	at    []int       // the point of each node of g
	node  []int       // the node of each point, -1: left out
	scale float64     // what weights were divided by, a power of two
}

func (t terrain) field(ctx context.Context, p *cluster.Problem, e *cluster.Env) (*field, error) {
	g, err := t.graph(ctx, p, e)
	if err != nil {
		return nil, err
	}
	f := newField(g, p.Weight)
	if ctx.Err() != nil { // of large graphs each of these takes its time
		return nil, ctx.Err()
	}
	f.order(e.Workers)
	return f, nil
}

// newField weighs the edges of g by the points at their ends, brings the
// largest weight to about 1, so that nothing overflows, and leaves out nodes
// that have no edges.
func newField(g *data.Graph, weight []float64) *field {
	of := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	most := 0.0
	for i := range g.Len() {
		to, w := g.Neighbours(i)
		for q, j := range to {
			most = max(most, of(i)*w[q]*of(int(j)))
		}
	}
	f := &field{whole: g, node: make([]int, g.Len()), scale: 1}
	if most > 0 && !math.IsInf(most, 0) {
		_, exp := math.Frexp(most)
		f.scale = math.Ldexp(1, exp-1)
	}
	// A degree far below the largest weight is nothing but rounding.
	const least = 1e-60
	for i := range g.Len() {
		_, w := g.Neighbours(i)
		s := 0.0
		for q, j := range g.To[g.Start[i]:g.Start[i+1]] {
			s += of(i) * w[q] / f.scale * of(int(j))
		}
		f.node[i] = -1
		if s > least {
			f.node[i] = len(f.at)
			f.at = append(f.at, i)
		}
	}
	f.g = &data.Graph{Start: make([]int, 1, len(f.at)+1)}
	for _, i := range f.at {
		to, w := g.Neighbours(i)
		for q, j := range to {
			if y := of(i) * w[q] / f.scale * of(int(j)); y > 0 && f.node[j] >= 0 {
				f.g.To, f.g.W = append(f.g.To, int32(f.node[j])), append(f.g.W, y)
			}
		}
		f.g.Start = append(f.g.Start, len(f.g.To))
	}
	return f
}

// spread gives every point the cluster of its node. A point that was left out
// goes where say sends it, if it is not below 0, else where most of its
// neighbours are by weight, else into the largest cluster.
func (f *field) spread(of []int, k int, say func(of []int, point int) int) []int {
	out, size := make([]int, len(f.node)), make([]int, k)
	for i := range out {
		if out[i] = -1; f.node[i] >= 0 {
			out[i] = of[f.node[i]]
			size[out[i]]++
		}
	}
	largest := slices.Index(size, slices.Max(size))
	for i, at := range f.node {
		if at >= 0 {
			continue
		}
		if say != nil {
			out[i] = say(of, i)
		}
		pull := make([]float64, k)
		to, w := f.whole.Neighbours(i)
		for q, j := range to {
			if at := f.node[j]; at >= 0 {
				pull[of[at]] += w[q]
			}
		}
		if most := slices.Max(pull); out[i] < 0 && most > 0 {
			out[i] = slices.Index(pull, most)
		}
		if out[i] < 0 {
			out[i] = largest
		}
	}
	return out
}
