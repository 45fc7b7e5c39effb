package eigen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// DenseLimit is the dimension up to which Few and Smallest write a matrix out
// as a table.
const DenseLimit = 500

// Few returns the wanted pairs of an operator: as a table up to DenseLimit
// rows, by Lanczos beyond.
func Few(ctx context.Context, a Operator, o Options) (*Pairs, error) {
	if n := a.Dim(); n <= DenseLimit || 2*o.K >= n && n <= 4*DenseLimit {
		return Symmetric(ctx, ToDense(ctx, a), o)
	}
	return Lanczos(ctx, a, o)
}

// Lanczos returns the wanted pairs by thick-restart Lanczos. It is quick for
// eigenvalues that stand apart from the rest. When it has found them it
// searches once more in what is left: so an eigenvalue that stands more than
// once is found as often as it stands. If products run out the pairs are
// returned as they are, and Converged is false.
func Lanczos(ctx context.Context, a Operator, o Options) (*Pairs, error) {
	n := a.Dim()
	o, err := o.check(n)
	if err != nil {
		return nil, err
	}
	k := &krylov{n: n, workers: o.Workers, rng: rand.New(rand.NewPCG(o.Seed, 0x1a2c)),
		apply: a.Apply}
	values, vectors, err := k.findPairs(ctx, o)
	if err != nil {
		return nil, err
	}
	p := &Pairs{Values: values, Vectors: vectors, Products: k.products, Method: "lanczos"}
	y := make([]float64, n)
	p.Converged = true
	for c, v := range vectors {
		scale(v, 1/norm(o.Workers, v))
		orient(v)
		a.Apply(y, v)
		if !finite(y) {
			return nil, fmt.Errorf("a product with the matrix is not finite")
		}
		axpy(o.Workers, y, -values[c], v)
		p.Residuals = append(p.Residuals, norm(o.Workers, y))
		p.Converged = p.Converged && p.Residuals[c] <= max(2*o.Tol, 1e-13*math.Sqrt(float64(n)))*k.size
	}
	return p, ctx.Err()
}

func finite(x []float64) bool {
	s := 0.0
	for _, y := range x {
		s += y - y
	}
	return s == 0
}

// findPairs finds the wanted pairs, then looks for copies that a single Krylov
// space cannot hold: locked away what was found, the best that is left must be
// worse than the worst of the found.
func (k *krylov) findPairs(ctx context.Context, o Options) (values []float64, x [][]float64, err error) {
	r, x, err := k.findRitzPairs(ctx, o, func(r ritzPairs) bool { return k.isConverged(r, o.Tol) })
	if err != nil {
		return nil, nil, err
	}
	values = r.values
	for len(values) < k.n && len(values) > 0 && k.products < o.Max {
		k.locked = x
		one := o
		one.K, one.Observe = 1, nil
		if o.End == Both {
			one.K = 2
		}
		extra, ex, err := k.findRitzPairs(ctx, one, func(r ritzPairs) bool { return k.isConverged(r, o.Tol) || k.isOutside(r, values, o) })
		if err == errExhausted {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if k.isOutside(extra, values, o) || !k.isConverged(extra, o.Tol) {
			break
		}
		values, x = mergePairs(values, x, extra.values, ex, o)
	}
	return values, x, nil
}

func (k *krylov) isConverged(r ritzPairs, tol float64) bool {
	for _, y := range r.resid {
		if !(y <= tol*k.size) {
			return false
		}
	}
	return true
}

// isOutside reports whether the pairs r are, within what is known of them, no
// better than the worst of the values found.
func (k *krylov) isOutside(r ritzPairs, values []float64, o Options) bool {
	for c, y := range r.values {
		// A residual e means an eigenvalue within e, and e² over the gap in
		// earnest; so that a slow search ends, a tenth of it is allowed for.
		slack := 0.1*r.resid[c] - o.Tol*k.size
		lowest, highest := values[len(values)-1], values[len(values)-1]
		if o.End == Both {
			low := (len(values) + 1) / 2
			lowest = values[low-1]
			highest = lowest
			if low < len(values) {
				highest = values[low]
			}
		}
		switch {
		case o.End == Low || o.End == Both && c == 0:
			if y-slack < lowest {
				return false
			}
		default:
			if o.End == Both && len(values) < 2 {
				continue
			}
			if y+slack > highest {
				return false
			}
		}
	}
	return true
}

// mergePairs puts extra pairs among those found and keeps the best.
func mergePairs(values []float64, x [][]float64, more []float64, ex [][]float64, o Options) ([]float64, [][]float64) {
	k := len(values)
	values = append(append([]float64(nil), values...), more...)
	x = append(append([][]float64(nil), x...), ex...)
	order := ascendingOrder(values)
	o.K = k
	var bestValues []float64
	var best [][]float64
	for _, w := range o.want(len(values)) {
		bestValues, best = append(bestValues, values[order[w]]), append(best, x[order[w]])
	}
	return bestValues, best
}
