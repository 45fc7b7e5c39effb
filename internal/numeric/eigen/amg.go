package eigen

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// AMG is an algebraic multigrid preconditioner for a graph's Laplacian plus a
// diagonal. Nodes are paired along heavy edges, twice per level, groups become
// the nodes of the next level, and values are constant on groups (unsmoothed
// aggregation): every level is again the Laplacian of a graph, no denser than
// the one before. Coarse levels are solved by two steps of conjugate gradients
// each (the K-cycle, Notay 2008), which makes up for the plain interpolation;
// so the preconditioner is not quite linear, and Solver allows for that.
//
// It serves one goroutine at a time.
type AMG struct {
	// Workers is the number of goroutines; below 1 one per processor. It does
	// not change a bit of the result.
	Workers int

	n              int
	levels         []*level
	rank           []int32   // of a node on the finest level
	half           []float64 // √degree by rank, for the normalised form; else nil
	coarsestFactor *Cholesky
}

// NewAMG prepares the preconditioner for l + diag(extra); a nil extra stands
// for zeros. With zeros on a whole component the matrix is singular there:
// right sides must be free of the null vector, and answers are up to it.
func NewAMG(l *Laplacian, extra []float64) (*AMG, error) {
	return NewAMGContext(context.Background(), l, extra)
}

// NewAMGContext is NewAMG, which gives up when ctx ends.
func NewAMGContext(ctx context.Context, l *Laplacian, extra []float64) (*AMG, error) {
	n := l.Dim()
	mass := make([]float64, n)
	for i := range n {
		mass[i] = 1
		if l.Form == Normalised {
			mass[i] = l.Degree[i]
		}
	}
	a := &AMG{n: n, Workers: l.Workers}
	a.levels, a.rank = newHierarchy(ctx, a.Workers, l.g, mass)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.Form == Normalised {
		a.half = make([]float64, n)
		for i, r := range a.rank {
			a.half[r] = math.Sqrt(l.Degree[i])
		}
	}
	if err := a.SetDiagonal(extra); err != nil {
		return nil, err
	}
	return a, nil
}

// SetDiagonal makes a the preconditioner for the same Laplacian with another
// extra diagonal. That takes far less time than a new one: the levels stay.
func (a *AMG) SetDiagonal(extra []float64) error {
	if extra != nil && len(extra) != a.n {
		return fmt.Errorf("a diagonal of %d numbers for %d nodes", len(extra), a.n)
	}
	for i, y := range extra {
		if !(y >= 0) || math.IsInf(y, 0) {
			return fmt.Errorf("the extra diagonal must be 0 or more, got %v at node %d", y, i)
		}
	}
	t := make([]float64, a.n)
	for i, y := range extra {
		r := a.rank[i]
		t[r] = float64(y * a.levels[0].mass[r])
	}
	setDiagonals(a.levels, t)
	return a.factorCoarsest()
}

// Levels returns the sizes of the levels, the finest first.
func (a *AMG) Levels() []int {
	out := make([]int, len(a.levels))
	for i, l := range a.levels {
		out[i] = l.g.Len()
	}
	return out
}

// factorCoarsest prepares the direct solution of the coarsest level. Components on
// which the matrix is singular get a constant added to all their entries,
// which changes nothing for right sides that sum to zero.
func (a *AMG) factorCoarsest() error {
	l := a.levels[len(a.levels)-1]
	n := l.g.Len()
	if a.coarsestFactor = nil; n > coarsest {
		return nil // no edges: the smoother is exact
	}
	lap := &Laplacian{Sparse: Sparse{g: l.g}}
	lap.findComponents()
	extra, size := make([]float64, lap.Components), make([]float64, lap.Components)
	for i, c := range lap.Component {
		extra[c] += l.extra[i]
		size[c] = max(size[c], l.diag[i])
	}
	m := NewDense(n)
	for i := range n {
		c := lap.Component[i]
		m.V[i*n+i] = l.diag[i]
		if l.diag[i] == 0 {
			m.V[i*n+i] = 1
		}
		to, w := l.g.Neighbours(i)
		for p, j := range to {
			m.V[i*n+int(j)] -= w[p]
		}
		if extra[c] <= 1e-14*size[c] {
			for j := range n {
				if lap.Component[j] == c {
					m.V[i*n+j] += size[c]
				}
			}
		}
	}
	var err error
	if a.coarsestFactor, err = raisedCholesky(m); err != nil {
		return fmt.Errorf("coarsest of %d levels: %w; are there weights of wildly different sizes?", len(a.levels), err)
	}
	return nil
}

// raisedCholesky factors m, or m with a slightly larger diagonal if rounding errors
// make the factorization fail: with parts that are connected only by edges of 1e-12
// of the others, m is nearly singular. An approximate solution is enough here.
func raisedCholesky(m *Dense) (c *Cholesky, err error) {
	for lift := 0.0; lift < 1e-6; lift = max(1e-14, 100*lift) {
		raised := &Dense{N: m.N, V: slices.Clone(m.V)}
		for i := range m.N {
			raised.V[i*m.N+i] *= 1 + lift
		}
		if c, err = NewCholesky(context.Background(), raised); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// Precondition sets dst to roughly the solution for r.
func (a *AMG) Precondition(dst, r []float64) { a.PreconditionBlock(dst, r, 1) }

// rankAndScale returns where node i stands on the finest level, and by what it is
// scaled on the way in and out.
func (a *AMG) rankAndScale(i int) (at int, f float64) {
	at = int(a.rank[i])
	if a.half == nil {
		return at, 1
	}
	return at, a.half[at]
}

// PreconditionBlock is Precondition for p vectors, node by node.
func (a *AMG) PreconditionBlock(dst, r []float64, p int) {
	ctx := context.Background()
	scratch := a.levels[0].workspaceFor(p)
	rowTasks(ctx, a.Workers, a.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at, f := a.rankAndScale(i)
			for c, y := range r[i*p : (i+1)*p] {
				scratch.b[at*p+c] = float64(f * y)
			}
		}
	})
	a.cycle(ctx, 0, scratch.x, scratch.b, p)
	rowTasks(ctx, a.Workers, a.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at, f := a.rankAndScale(i)
			for c, y := range scratch.x[at*p : (at+1)*p] {
				dst[i*p+c] = float64(f * y)
			}
		}
	})
}
