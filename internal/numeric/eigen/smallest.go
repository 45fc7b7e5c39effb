package eigen

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Smallest returns the K smallest pairs of a graph's Laplacian, ascending.
// Options.End must be Low.
//
// Eigenvalue 0 belongs to the components, as many as there are: their vectors
// (Laplacian.Null) come first, in the order of the components, and are exact.
// The others live on one component each: those of a component up to DenseLimit
// nodes are found by Symmetric, of a larger one by LOBPCG, preconditioned by
// multigrid and started on a coarse level.
//
// The tolerance is relative to the largest eigenvalue, which is bounded by 2
// (Normalised) or twice the largest degree (Plain). Clustering needs no more
// than 1e-4; see Options.Rel for small eigenvalues and Options.Loose for more
// pairs than are needed exactly.
func Smallest(ctx context.Context, l *Laplacian, o Options) (*Pairs, error) {
	n := l.Dim()
	o, err := o.check(n)
	if err != nil {
		return nil, err
	}
	if o.End != Low {
		return nil, fmt.Errorf("%w: end %v; the smallest eigenvalues are at the low end", ErrOptions, o.End)
	}
	out := &Pairs{Converged: true, Method: "components"}
	for _, z := range l.Null(o.K) {
		out.Values, out.Vectors = append(out.Values, 0), append(out.Vectors, z)
	}
	if missing := o.K - l.Components; missing > 0 {
		if err := l.appendAboveNull(ctx, missing, o, out); err != nil {
			return nil, err
		}
	}
	y := make([]float64, n)
	bound := o.Tol * l.largestBound()
	for c, v := range out.Vectors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		orient(v)
		l.Apply(y, v)
		axpy(o.Workers, y, -out.Values[c], v)
		r := norm(o.Workers, y)
		out.Residuals = append(out.Residuals, r)
		out.Converged = out.Converged && (c >= o.K-o.Loose || r <= max(1.01*bound, 1e-13*l.largestBound()*math.Sqrt(float64(n))))
	}
	return out, ctx.Err()
}

// largestBound is at least the largest eigenvalue.
func (l *Laplacian) largestBound() float64 {
	if l.Form == Normalised {
		return 2
	}
	most := 0.0
	for _, d := range l.Degree {
		most = max(most, 2*d)
	}
	return most
}

// appendAboveNull appends the smallest pairs above the null space.
func (l *Laplacian) appendAboveNull(ctx context.Context, missing int, o Options, out *Pairs) error {
	var values []float64
	var vectors [][]float64
	members := make([][]int32, l.Components)
	for i, c := range l.Component {
		members[c] = append(members[c], int32(i))
	}
	for _, nodes := range members {
		if len(nodes) < 2 {
			continue
		}
		part := l
		if l.Components > 1 {
			var err error
			if part, err = l.restrictTo(nodes); err != nil {
				return err
			}
		}
		found, err := part.smallestOfConnected(ctx, min(missing, len(nodes)-1), o, l.largestBound())
		if err != nil {
			return err
		}
		out.Products += found.Products
		out.Method = found.Method
		for c, v := range found.Vectors {
			if l.Components > 1 {
				whole := make([]float64, l.Dim())
				for at, i := range nodes {
					whole[i] = v[at]
				}
				v = whole
			}
			values, vectors = append(values, found.Values[c]), append(vectors, v)
		}
	}
	for _, at := range ascendingOrder(values)[:min(missing, len(values))] {
		out.Values, out.Vectors = append(out.Values, values[at]), append(out.Vectors, vectors[at])
	}
	return nil
}

// SmallestMemory returns about how many bytes Smallest takes for k pairs of n nodes: tables of
// n by n numbers where it is dense, otherwise sixteen times as many vectors as it
// iterates.
func SmallestMemory(n, k int) float64 {
	p := float64(k + guards(k))
	if n <= DenseLimit || 5*p > float64(n) {
		return 8 * 3.5 * float64(n) * float64(n)
	}
	return 8 * 16 * p * float64(n)
}

// restrictTo is the Laplacian of one component.
func (l *Laplacian) restrictTo(nodes []int32) (*Laplacian, error) {
	g := &data.Graph{Start: make([]int, 1, len(nodes)+1)}
	for _, i := range nodes {
		to, w := l.g.Neighbours(int(i))
		for p, j := range to {
			if w[p] > 0 { // edges of weight 0 may lead elsewhere
				at, _ := slices.BinarySearch(nodes, j)
				g.To, g.W = append(g.To, int32(at)), append(g.W, w[p])
			}
		}
		g.Start = append(g.Start, len(g.To))
	}
	p, err := NewLaplacian(g, l.Form)
	if err != nil {
		return nil, err
	}
	p.Workers = l.Workers
	return p, nil
}

// smallestOfConnected returns the k smallest pairs of a connected graph's Laplacian but
// the null one.
func (l *Laplacian) smallestOfConnected(ctx context.Context, k int, o Options, bound float64) (*Pairs, error) {
	n := l.Dim()
	if n <= DenseLimit || 5*(k+guards(k)) > n {
		o.K = k + 1
		p, err := Symmetric(ctx, ToDense(ctx, l), o)
		if err != nil {
			return nil, err
		}
		p.Values, p.Vectors = p.Values[1:], p.Vectors[1:]
		return p, nil
	}
	a, err := NewAMGContext(ctx, l, nil)
	if err != nil {
		return nil, err
	}
	b, err := multilevelLOBPCG(ctx, a, k, o, bound, func(b *lobpcg, i int) {
		if o.Observe != nil {
			o.Observe(Progress{Iteration: i, Products: b.products, Done: min(k, b.convergedCount()), Worst: slices.Max(b.residualNorms[:min(k, len(b.residualNorms))])})
		}
	})
	if err != nil {
		return nil, err
	}
	p := &Pairs{Values: b.values[:min(k, len(b.values))], Products: b.products, Method: "lobpcg"}
	for c := range p.Values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float64, n)
		for i, r := range a.rank {
			v[i] = b.x[c][r]
		}
		scale(v, 1/norm(o.Workers, v))
		p.Vectors = append(p.Vectors, v)
	}
	return p, nil
}
