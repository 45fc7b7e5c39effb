package spectral

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/eigen"
	"github.com/inklinghq/inkling/internal/blocks"
)

// bundle is p vectors with their products, node by node: number i of vector c
// stands at i·p + c.
type bundle struct {
	p         int
	v, lv, sv []float64
}

func newBundle(n, p int) *bundle {
	return &bundle{p, make([]float64, n*p), make([]float64, n*p), make([]float64, n*p)}
}

// multiply fills in the products, rid of their part along z as the vectors are.
func (s *schurComplement) multiply(b *bundle) {
	s.offTrivial(b.v, b.p)
	s.laplacian.ApplyBlock(b.lv, b.v, b.p)
	s.offTrivial(b.lv, b.p)
	s.rows(func(lo, hi int) { addTo(b.lv[lo*b.p:hi*b.p], costOffset, b.v[lo*b.p:hi*b.p]) })
	s.applyBlock(b.sv, b.v, b.p)
	s.offTrivial(b.sv, b.p)
}

// offTrivial takes the part along z off p vectors.
func (s *schurComplement) offTrivial(x []float64, p int) {
	along := s.along(s.z, x, p)
	s.rows(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c, y := range along {
				x[i*p+c] -= float64(y * s.z[i])
			}
		}
	})
}

// along returns the products of a with p vectors.
func (s *schurComplement) along(a, x []float64, p int) []float64 {
	out := make([]float64, p)
	s.sums(p, func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			for c, y := range x[i*p : (i+1)*p] {
				part[c] += float64(a[i] * y)
			}
		}
	}, out)
	return out
}

// rows does work over the nodes side by side.
func (s *schurComplement) rows(do func(lo, hi int)) {
	n := s.Dim()
	_ = blocks.Tasks(context.Background(), s.laplacian.Workers, (n+blocks.Len-1)/blocks.Len, func(t int) {
		do(t*blocks.Len, min(n, (t+1)*blocks.Len))
	})
}

// sums adds up count numbers over the nodes, in an order that does not depend
// on the number of hands.
func (s *schurComplement) sums(count int, do func(lo, hi int, part []float64), out []float64) {
	_ = blocks.Each(context.Background(), s.laplacian.Workers, s.Dim(), func(lo, hi int) []float64 {
		part := make([]float64, count)
		do(lo, hi, part)
		return part
	}, func(_, _ int, part []float64) {
		for i, y := range part {
			out[i] += y
		}
	})
}

// applyBlock is S for p vectors.
func (s *schurComplement) applyBlock(dst, x []float64, p int) {
	along := s.along(s.bz, x, p)
	s.rows(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c := range p {
				dst[i*p+c] = -float64(s.b*x[i*p+c]) - float64(along[c]/s.zbz*s.bz[i])
			}
		}
	})
	s.constraints.addBlock(dst, x, p)
}

// grams returns the products of all vectors of the bundles with each other, and
// with the products by L̄ and by S.
func (s *schurComplement) grams(list []*bundle) (vv, vl, vs *eigen.Dense) {
	m := 0
	for _, b := range list {
		m += b.p
	}
	sum := make([]float64, 3*m*m)
	s.sums(3*m*m, func(lo, hi int, part []float64) {
		v, lv, sv := make([]float64, m), make([]float64, m), make([]float64, m)
		for i := lo; i < hi; i++ {
			at := 0
			for _, b := range list {
				copy(v[at:], b.v[i*b.p:(i+1)*b.p])
				copy(lv[at:], b.lv[i*b.p:(i+1)*b.p])
				copy(sv[at:], b.sv[i*b.p:(i+1)*b.p])
				at += b.p
			}
			for r, y := range v {
				a, l, s := part[r*m:r*m+r+1], part[m*m+r*m:m*m+r*m+r+1], part[2*m*m+r*m:2*m*m+r*m+r+1]
				for c := range a {
					a[c] += float64(y * v[c])
					l[c] += float64(y * lv[c])
					s[c] += float64(y * sv[c])
				}
			}
		}
	}, sum)
	out := [3]*eigen.Dense{}
	for k := range out {
		d := &eigen.Dense{N: m, V: sum[k*m*m : (k+1)*m*m]}
		for r := range m {
			for c := range r {
				d.V[c*m+r] = d.V[r*m+c]
			}
		}
		out[k] = d
	}
	return out[0], out[1], out[2]
}

// mix returns the sums of the vectors by the columns of y, those of the first
// skip bundles left out.
func (s *schurComplement) mix(list []*bundle, y [][]float64, skip int) *bundle {
	p := len(y)
	out := newBundle(s.Dim(), p)
	first := 0
	for _, b := range list[:skip] {
		first += b.p
	}
	s.rows(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c := range p {
				var v, l, t float64
				f := y[c][first:]
				for _, b := range list[skip:] {
					x, lx, sx := b.v[i*b.p:(i+1)*b.p], b.lv[i*b.p:(i+1)*b.p], b.sv[i*b.p:(i+1)*b.p]
					for q, g := range f[:b.p] {
						v += float64(g * x[q])
						l += float64(g * lx[q])
						t += float64(g * sx[q])
					}
					f = f[b.p:]
				}
				out.v[i*p+c], out.lv[i*p+c], out.sv[i*p+c] = v, l, t
			}
		}
	})
	return out
}

// apart takes off w what the vectors of x span, which need not be orthogonal.
// What would be left of it by sums over products has lost its digits.
func (s *schurComplement) apart(w, x *bundle) {
	p, q := x.p, w.p
	sum := make([]float64, p*p+p*q)
	s.sums(len(sum), func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			a, b := x.v[i*p:(i+1)*p], w.v[i*q:(i+1)*q]
			for r, y := range a {
				addTo(part[r*p:(r+1)*p], y, a)
				addTo(part[p*p+r*q:p*p+(r+1)*q], y, b)
			}
		}
	}, sum)
	cols := independent(&eigen.Dense{N: p, V: sum[:p*p]}, nil)
	f := make([]float64, p*q) // of vector r of x in vector c of w
	for _, e := range cols {
		for c := range q {
			y := 0.0
			for r := range p {
				y += float64(e[r] * sum[p*p+r*q+c])
			}
			for r := range p {
				f[r*q+c] += float64(y * e[r])
			}
		}
	}
	s.rows(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for r, y := range x.v[i*p : (i+1)*p] {
				addTo(w.v[i*q:(i+1)*q], -y, f[r*q:(r+1)*q])
			}
		}
	})
}

// independent returns columns that make the vectors with the products g
// orthonormal, those left out that the others span nearly, and those whose
// products with L̄, in l unless it is nil, are nothing but rounding.
func independent(g, l *eigen.Dense) (cols [][]float64) {
	m := g.N
	gx := make([]float64, m)
	for at := range m {
		size := g.V[at*m+at]
		if !(size > 0) || math.IsInf(size, 0) {
			continue
		}
		x := make([]float64, m)
		x[at] = 1 / math.Sqrt(size)
		for range 2 {
			for _, c := range cols {
				g.Apply(gx, c)
				addTo(x, -inner(gx, x), c)
			}
		}
		g.Apply(gx, x)
		left := inner(gx, x)
		if !(left > 1e-10) {
			continue
		}
		for i := range x {
			x[i] /= math.Sqrt(left)
		}
		if l != nil {
			if l.Apply(gx, x); !(inner(gx, x) > 1e-13/left) {
				continue
			}
		}
		cols = append(cols, x)
	}
	return cols
}

// within returns the matrix d in the coordinates of the columns.
func within(d *eigen.Dense, cols [][]float64) *eigen.Dense {
	out := eigen.NewDense(len(cols))
	y := make([]float64, d.N)
	for i, c := range cols {
		d.Apply(y, c)
		for j, e := range cols {
			out.V[i*len(cols)+j] = inner(y, e)
		}
	}
	for i := range cols { // rounding must not spoil the symmetry
		for j := range i {
			out.V[j*len(cols)+i] = out.V[i*len(cols)+j]
		}
	}
	return out
}

func addTo(dst []float64, c float64, x []float64) {
	for i, y := range x {
		dst[i] += float64(c * y)
	}
}
