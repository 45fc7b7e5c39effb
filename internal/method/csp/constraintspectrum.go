package csp

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// constraintSpectrum is the upper end of the eigenvalues of Q̄, without those of nodes
// that Q says nothing of, which are 0.
type constraintSpectrum struct {
	values  []float64   // descending
	vectors [][]float64 // of the first few
	zeros   int         // nodes without entries in Q
	known   float64     // all eigenvalues above this are in values
}

const (
	wholeUpTo = 250 // nodes of a block of Q up to which all its eigenvalues are found
	topOnly   = 40  // eigenvalues that are found of a larger block
	keepTop   = 4   // vectors that are kept at least
)

// newConstraintSpectrum divides Q into blocks that share no node: a few hundred links
// among many points make mostly blocks of two or three nodes. The vectors of the need+1
// largest eigenvalues are among those that are kept: an iteration that begins with
// them has as many feasible vectors as there are above β, up to need.
func newConstraintSpectrum(ctx context.Context, d *spectral.ConstraintMatrix, need int, seed uint64, workers int) (*constraintSpectrum, error) {
	type found struct {
		value float64
		nodes []int32
		v     []float64
	}
	out := &constraintSpectrum{zeros: d.Dim() - len(d.Support), known: math.Inf(-1)}
	var all []found
	for _, piece := range d.ConnectedParts() {
		part, err := d.RestrictTo(piece)
		if err != nil {
			return nil, err
		}
		o := eigen.Options{K: len(piece), End: eigen.High, Seed: seed, Workers: workers}
		var pairs *eigen.Pairs
		if len(piece) <= wholeUpTo {
			pairs, err = eigen.Symmetric(ctx, eigen.ToDense(ctx, part), o)
		} else {
			o.K = topOnly
			if d.MaxEigenvalues > 0 {
				o.K = d.MaxEigenvalues
			}
			o.K = min(max(o.K, need+2), len(piece))
			if pairs, err = eigen.Lanczos(ctx, part, o); err == nil {
				out.known = max(out.known, pairs.Values[len(pairs.Values)-1])
			}
		}
		if err != nil {
			return nil, err
		}
		for c, y := range pairs.Values {
			all = append(all, found{y, piece, pairs.Vectors[c]})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.value, a.value) })
	for c, f := range all {
		out.values = append(out.values, f.value)
		if c < max(keepTop, need+1) {
			whole := make([]float64, d.Dim())
			for q, i := range f.nodes {
				whole[i] = f.v[q]
			}
			out.vectors = append(out.vectors, whole)
		}
	}
	return out, nil
}

func (s *constraintSpectrum) largest() float64 {
	if len(s.values) == 0 {
		return 0
	}
	return s.values[0]
}

// feasibleCount counts the vectors with λ > 0 of a connected graph: the eigenvalues
// of Q̄ above b, less one if the trivial vector is among what B is positive on.
// (The paper's sufficient condition, β < λ_max·vol, forgets the latter.) exact
// is false where the count is a lower bound.
func (s *constraintSpectrum) feasibleCount(b, zqz float64) (count int, exact bool) {
	for _, y := range s.values {
		if y > b {
			count++
		}
	}
	if b < 0 {
		count += s.zeros
	}
	if zqz > b {
		count--
	}
	return count, b >= s.known
}

// feasibleBelow returns the b below which count vectors are feasible: an eigenvalue of
// Q̄, the next one where the trivial vector takes the place of one; 0 where that
// is below those that are known.
func (s *constraintSpectrum) feasibleBelow(count int, zqz float64) float64 {
	value := func(m int) float64 {
		if m < len(s.values) {
			return max(s.values[m], 0)
		}
		return 0
	}
	if b := value(count - 1); b > zqz {
		return b
	}
	return value(count)
}
