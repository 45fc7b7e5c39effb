package csp

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// pencil is the generalized eigenvalue problem of equation (13),
//
//	L̄ v = λ (Q̄ − bI) v,  b = β/vol,
//
// over a connected graph. With B = Q̄ − bI and z = D^{1/2}1/‖·‖, the null
// vector of L̄, λ ≠ 0 implies zᵀBv = 0. That gives v's part along z, and leaves
//
//	S y = θ L̄ y on the complement of z,  θ = 1/λ,  S = B − (Bz)(Bz)ᵀ/(zᵀBz),
//
// where L̄ is positive definite: all eigenvalues are real, whatever β is, and
// the feasible ones, λ > 0, are at the upper end.
//
// Parts of a graph may be so weakly connected that L̄ is numerically singular. So
// costOffset·vol is added to the cost of every cut: of the cuts that cost nearly
// nothing, the one that satisfies Q best has the lowest λ, and no θ consists of
// rounding errors.
type pencil struct {
	laplacian      *eigen.Laplacian
	constraints    *spectral.ConstraintMatrix
	z              []float64
	qz             []float64
	zqz            float64
	vol            float64
	multigridCache *eigen.AMG // of L̄ and a shift
	iterations     int        // of all climbs
}

func newPencil(l *eigen.Laplacian, q *spectral.ConstraintMatrix) *pencil {
	p := &pencil{laplacian: l, constraints: q, z: l.Null(1)[0], qz: make([]float64, l.Dim())}
	q.Apply(p.qz, p.z)
	p.zqz = inner(p.z, p.qz)
	for _, d := range l.Degree {
		p.vol += d
	}
	return p
}

// costOffset is added to the eigenvalues of L̄ but the trivial one: well above the
// rounding of vᵀL̄v, well below what a cut of any weight costs.
const costOffset = 1e-11

func inner(a, b []float64) (s float64) {
	for i, y := range a {
		s += float64(y * b[i])
	}
	return s
}

// schurComplement is S for one b.
type schurComplement struct {
	*pencil
	b   float64
	bz  []float64
	zbz float64
}

// withShift returns the problem for one b. Where zᵀBz vanishes nothing can be
// eliminated; b is then a little more.
func (p *pencil) withShift(b float64) *schurComplement {
	if near := 1e-9 * (math.Abs(p.zqz) + math.Abs(b)); math.Abs(p.zqz-b) <= near {
		b += 1e3*near + 1e-300
	}
	s := &schurComplement{pencil: p, b: b, bz: make([]float64, p.laplacian.Dim()), zbz: p.zqz - b}
	for i := range s.bz {
		s.bz[i] = p.qz[i] - float64(b*p.z[i])
	}
	return s
}

func (s *schurComplement) Dim() int { return s.laplacian.Dim() }

func (s *schurComplement) Apply(dst, x []float64) {
	s.constraints.Apply(dst, x)
	c := inner(s.bz, x) / s.zbz
	for i, y := range x {
		dst[i] -= float64(s.b*y) + float64(c*s.bz[i])
	}
}

// A feasibleVector is a feasible vector.
type feasibleVector struct {
	lambda   float64
	v        []float64 // vᵀv = vol
	cost     float64   // vᵀL̄v
	alpha    float64   // vᵀQ̄v
	residual float64   // ‖L̄v − λBv‖ / (‖L̄v‖ + λ‖Bv‖)
}

// solutionOf makes v of y.
func (s *schurComplement) solutionOf(lambda float64, y []float64) feasibleVector {
	n := len(y)
	v := make([]float64, n)
	t := inner(s.bz, y)/s.zbz + inner(s.z, y) // whatever of z is left in y goes too
	for i := range v {
		v[i] = y[i] - float64(t*s.z[i])
	}
	scale := math.Sqrt(s.vol / inner(v, v))
	for i := range v {
		v[i] *= scale
	}
	lv, qv := make([]float64, n), make([]float64, n)
	s.laplacian.Apply(lv, v)
	s.constraints.Apply(qv, v)
	out := feasibleVector{lambda: lambda, v: v, cost: max(0, inner(v, lv)), alpha: inner(v, qv)}
	along := inner(s.z, v)
	for i, y := range v {
		lv[i] += float64(costOffset * (y - float64(along*s.z[i])))
	}
	r, a, b := 0.0, 0.0, 0.0
	for i := range v {
		bv := qv[i] - float64(s.b*v[i])
		e := lv[i] - float64(lambda*bv)
		r, a, b = r+float64(e*e), a+float64(lv[i]*lv[i]), b+float64(bv*bv)
	}
	out.residual = math.Sqrt(r) / (math.Sqrt(a) + lambda*math.Sqrt(b))
	return out
}

// solveDense finds the count lowest feasible vectors by dense algebra.
func (s *schurComplement) solveDense(ctx context.Context, count int) ([]feasibleVector, error) {
	null := [][]float64{s.z}
	m, err := eigen.NewSum(eigen.Term{Scale: 1, A: eigen.Shifted{A: s.laplacian, Shift: costOffset}}, eigen.Term{Scale: 1, A: eigen.LowRank{N: s.Dim(), U: null, C: []float64{1}}})
	if err != nil {
		return nil, err
	}
	pairs, err := eigen.NearlyDefinite(ctx, eigen.ToDense(ctx, eigen.Projected{A: s, Null: null}), eigen.ToDense(ctx, m), eigen.Options{K: count, End: eigen.High})
	if err != nil {
		return nil, err
	}
	return s.feasibleOf(pairs), nil
}

// feasibleOf takes the pairs with λ > 0.
func (s *schurComplement) feasibleOf(pairs *eigen.Pairs) (out []feasibleVector) {
	for c, theta := range pairs.Values {
		if theta > negligibleTheta*math.Abs(pairs.Values[0]) && theta > 0 {
			out = append(out, s.solutionOf(1/theta, pairs.Vectors[c]))
		}
	}
	return out
}

// negligibleTheta is the share of the largest θ below which one is rounding.
const negligibleTheta = 1e-13

// multigrid prepares the preconditioner for L̄ + shift·I. The shift is never below
// 100·costOffset, or the indicators of weakly connected parts would dominate its
// results.
func (p *pencil) multigrid(shift float64) (_ *eigen.AMG, err error) {
	shift = max(shift, 100*costOffset)
	extra := make([]float64, p.laplacian.Dim())
	for i := range extra {
		extra[i] = shift
	}
	if p.multigridCache == nil {
		p.multigridCache, err = eigen.NewAMG(p.laplacian, extra)
		return p.multigridCache, err
	}
	return p.multigridCache, p.multigridCache.SetDiagonal(extra)
}
