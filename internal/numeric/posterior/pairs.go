package posterior

import "context"

// A Pair is two points of a Gram, by their positions in it, and whether they belong
// together.
type Pair struct {
	I, J     int
	Together bool
	Weight   float64
}

// LeaveOneOutPairs returns, for each pair, the mean of a Gaussian process on all other
// pairs: near 1 where they say that it belongs together, near −1 where they say that it
// does not. The covariance of the pairs (a, b) and (c, d) is
// K_ac K_bd + K_ad K_bc. Pairs of the same two points are left out together.
func LeaveOneOutPairs(ctx context.Context, g *Gram, pairs []Pair) ([]float64, error) {
	m := len(pairs)
	if m == 0 {
		return nil, nil
	}
	v, y := make([]float64, m*m), make([]float64, m)
	mean, total := 0.0, 0.0
	for i, p := range pairs {
		y[i] = -1
		if p.Together {
			y[i] = 1
		}
		mean += p.Weight * y[i]
		total += p.Weight
		for j, q := range pairs[:i+1] {
			c := g.At(p.I, q.I)*g.At(p.J, q.J) + g.At(p.I, q.J)*g.At(p.J, q.I)
			v[i*m+j], v[j*m+i] = c, c
		}
	}
	mean /= total
	inverse, err := invert(ctx, v, m, func(i int) float64 { return noise / min(pairs[i].Weight, 1e6) })
	if err != nil {
		return nil, err
	}
	out := make([]float64, m)
	for i := range m {
		s := 0.0
		for j := range m {
			s += float64(inverse[i*m+j] * (y[j] - mean))
		}
		out[i] = y[i] - s/inverse[i*m+i]
	}
	return out, nil
}
