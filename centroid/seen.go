package centroid

import (
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
	"github.com/inklinghq/inkling/metric"
)

// seen are rows as a metric that all clusters share sees them: squared Euclidean
// distances between them are distances under the metric. Rows are transformed
// block by block when they are needed, so that this takes no memory, and sums
// are those of the rows themselves.
type seen struct {
	data.Rows
	m *metric.Learned
}

// scaleRows writes rows times the roots of a diagonal metric to z.
func scaleRows(z, x, root []float64) {
	d := len(root)
	for len(x) >= d {
		from, to := x[:d], z[:d]
		for f, r := range root {
			to[f] = r * from[f]
		}
		x, z = x[d:], z[d:]
	}
}

// Row returns row i transformed, in buf.
func (s *seen) Row(i int, buf []float64) data.Vec {
	s.write(i, buf)
	return data.Vec{Val: buf}
}

func (s *seen) write(i int, dst []float64) {
	v := s.Rows.Row(i, dst)
	if v.Idx == nil && &v.Val[0] == &dst[0] && s.m.Form().Shape == metric.Full {
		v.Val = slices.Clone(v.Val) // it must not be read and written at once
	}
	s.m.Transform(0, v, dst)
}

// roots returns the square roots of a diagonal metric.
func (s *seen) roots() []float64 {
	one := slices.Repeat([]float64{1}, s.Dim())
	s.m.Transform(0, data.Vec{Val: one}, one)
	return one
}

// seen labels a block of transformed rows.
func (p *assignment) seen(part *assigned, x *seen, lo, hi int) {
	d := x.Dim()
	if cap(part.seen) < (hi-lo)*d {
		part.seen = make([]float64, (hi-lo)*d)
	}
	z := part.seen[:(hi-lo)*d]
	if y, ok := x.Rows.(*data.Dense); ok && x.m.Form().Shape == metric.Diagonal {
		scaleRows(z, y.V[lo*d:hi*d], x.roots())
	} else {
		for i := lo; i < hi; i++ {
			x.write(i, z[(i-lo)*d:(i-lo+1)*d])
		}
	}
	r := rows64(z, d, &part.rows64)
	r.base = lo
	r.raw = func(sum []float64, label []int32, w []float64) {
		switch y := x.Rows.(type) {
		case *data.Dense:
			simd.AddRows64(sum, d, y.V[lo*d:hi*d], label, w)
		case *data.Dense32:
			simd.AddRows32(sum, d, y.V[lo*d:hi*d], label, w)
		default:
			for i := lo; i < hi; i++ {
				h := int(label[i-lo])
				data.Add(sum[h*d:(h+1)*d], y.Row(i, part.buf), weight(p.Weight, i))
			}
		}
	}
	dense(p, part, r, lo, hi)
}
