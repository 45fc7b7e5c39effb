package eigen

import (
	"context"
	"math"
)

// grams returns SᵀS and SᵀT, both q by q with the lower triangle filled in,
// for the q vectors s and t. SᵀT must be symmetric. When ctx ends they are not
// complete.
func grams(ctx context.Context, workers int, s, t [][]float64) (ss, st []float64) {
	q, n := len(s), len(s[0])
	size := q * q
	part := make([]float64, (n+chunk-1)/chunk*2*size)
	chunksUntil(ctx, workers, n, func(c, lo, hi int) {
		g, h := part[2*c*size:(2*c+1)*size], part[(2*c+1)*size:(2*c+2)*size]
		for ; lo < hi; lo += tile {
			end := min(hi, lo+tile)
			for a := range q {
				if ctx.Err() != nil {
					return
				}
				x, row := s[a][lo:end], a*q
				for b := range a + 1 {
					g[row+b] += inner(x, s[b][lo:end])
					h[row+b] += inner(x, t[b][lo:end])
				}
			}
		}
	})
	ss, st = make([]float64, size), make([]float64, size)
	for at := 0; at < len(part); at += 2 * size {
		addTo(ss, 1, part[at:at+size])
		addTo(st, 1, part[at+size:at+2*size])
	}
	return ss, st
}

// rayleighRitz returns the count smallest pairs of the pencil (h, g), both q
// by q with lower triangles, as coordinates. Vectors that depend on those
// before them, up to rounding, are left out: their coordinates are 0.
func rayleighRitz(ctx context.Context, q int, g, h []float64, count int) (values []float64, coef [][]float64, err error) {
	// Scale to unit length, then Cholesky, leaving out small pivots.
	f := make([]float64, q)
	for a := range q {
		if d := g[a*q+a]; d > 0 {
			f[a] = 1 / math.Sqrt(d)
		}
	}
	var kept []int
	c := make([]float64, q*q) // rows of kept vectors, columns by kept
	for a := range q {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		row := c[len(kept)*q : (len(kept)+1)*q]
		for b, k := range kept {
			row[b] = (float64(g[a*q+k]*f[a])*f[k] - inner(row[:b], c[b*q:b*q+b])) / c[b*q+b]
		}
		pivot := 1 - inner(row[:len(kept)], row[:len(kept)])
		if f[a] == 0 || !(pivot > 1e-10) {
			clear(row)
			continue
		}
		row[len(kept)] = math.Sqrt(pivot)
		kept = append(kept, a)
	}
	m := len(kept)
	chol := &Cholesky{m, make([]float64, m*m)}
	t := NewDense(m)
	for a, k := range kept {
		copy(chol.c[a*m:(a+1)*m], c[a*q:a*q+m])
		for b, l := range kept[:a+1] {
			y := float64(h[k*q+l]*f[k]) * f[l]
			t.V[a*m+b], t.V[b*m+a] = y, y
		}
	}
	for range 2 {
		for i := range m {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			chol.forward(t.V[i*m : (i+1)*m])
		}
		t.transpose(ctx)
	}
	values, y, err := symmetric(ctx, 1, m, t.V, Options{K: min(count, m)}.want(m))
	if err != nil {
		return nil, nil, err
	}
	for _, v := range y {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		chol.backward(v)
		full := make([]float64, q)
		for a, k := range kept {
			full[k] = float64(v[a] * f[k])
		}
		coef = append(coef, full)
	}
	return values, coef, nil
}
