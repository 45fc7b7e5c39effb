package eigen

import (
	"math"

	"github.com/inklinghq/inkling/internal/blocks"
)

// vectorBlock is p vectors with their products with M and S, node by node:
// number i of vector c stands at i·p + c.
type vectorBlock struct {
	p         int
	v, mv, sv []float64
}

func newVectorBlock(n, p int) *vectorBlock {
	return &vectorBlock{p, make([]float64, n*p), make([]float64, n*p), make([]float64, n*p)}
}

// multiply projects the vectors onto the subspace and fills in their products.
func (c *generalizedLOBPCG) multiply(b *vectorBlock) { c.pencil.MultiplyBlock(b.sv, b.mv, b.v, b.p) }

// grams returns the products of all vectors of the bundles with each other, and
// with the products by M and by S.
func (c *generalizedLOBPCG) grams(list []*vectorBlock) (vv, vm, vs *Dense) {
	m := 0
	for _, b := range list {
		m += b.p
	}
	sum := make([]float64, 3*m*m)
	blocks.Sums(c.workers, c.n, func(lo, hi int, part []float64) {
		v, lv, sv := make([]float64, m), make([]float64, m), make([]float64, m)
		for i := lo; i < hi; i++ {
			at := 0
			for _, b := range list {
				copy(v[at:], b.v[i*b.p:(i+1)*b.p])
				copy(lv[at:], b.mv[i*b.p:(i+1)*b.p])
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
	out := [3]*Dense{}
	for k := range out {
		d := &Dense{N: m, V: sum[k*m*m : (k+1)*m*m]}
		for r := range m {
			for c := range r {
				d.V[c*m+r] = d.V[r*m+c]
			}
		}
		out[k] = d
	}
	return out[0], out[1], out[2]
}

// combine returns the sums of the vectors by the columns of y, those of the first
// skip bundles left out.
func (c *generalizedLOBPCG) combine(list []*vectorBlock, y [][]float64, skip int) *vectorBlock {
	p := len(y)
	out := newVectorBlock(c.n, p)
	first := 0
	for _, b := range list[:skip] {
		first += b.p
	}
	blocks.Rows(c.workers, c.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for c := range p {
				var v, l, t float64
				f := y[c][first:]
				for _, b := range list[skip:] {
					x, lx, sx := b.v[i*b.p:(i+1)*b.p], b.mv[i*b.p:(i+1)*b.p], b.sv[i*b.p:(i+1)*b.p]
					for q, g := range f[:b.p] {
						v += float64(g * x[q])
						l += float64(g * lx[q])
						t += float64(g * sx[q])
					}
					f = f[b.p:]
				}
				out.v[i*p+c], out.mv[i*p+c], out.sv[i*p+c] = v, l, t
			}
		}
	})
	return out
}

// subtractSpan takes off w what the vectors of x span, which need not be orthogonal.
// What would be left of it by sums over products has lost its digits.
func (c *generalizedLOBPCG) subtractSpan(w, x *vectorBlock) {
	p, q := x.p, w.p
	sum := make([]float64, p*p+p*q)
	blocks.Sums(c.workers, c.n, func(lo, hi int, part []float64) {
		for i := lo; i < hi; i++ {
			a, b := x.v[i*p:(i+1)*p], w.v[i*q:(i+1)*q]
			for r, y := range a {
				addShort(part[r*p:(r+1)*p], y, a)
				addShort(part[p*p+r*q:p*p+(r+1)*q], y, b)
			}
		}
	}, sum)
	cols := orthonormalColumns(&Dense{N: p, V: sum[:p*p]}, nil)
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
	blocks.Rows(c.workers, c.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for r, y := range x.v[i*p : (i+1)*p] {
				addShort(w.v[i*q:(i+1)*q], -y, f[r*q:(r+1)*q])
			}
		}
	})
}

// orthonormalColumns returns columns that make the vectors with the products g
// orthonormal, those left out that the others span nearly, and those whose
// products with M, in products unless it is nil, are nothing but rounding.
func orthonormalColumns(g, products *Dense) (cols [][]float64) {
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
				addShort(x, -innerInOrder(gx, x), c)
			}
		}
		g.Apply(gx, x)
		left := innerInOrder(gx, x)
		if !(left > 1e-10) {
			continue
		}
		for i := range x {
			x[i] /= math.Sqrt(left)
		}
		if products != nil {
			if products.Apply(gx, x); !(innerInOrder(gx, x) > 1e-13/left) {
				continue
			}
		}
		cols = append(cols, x)
	}
	return cols
}

// inColumns returns the matrix d in the coordinates of the columns.
func inColumns(d *Dense, cols [][]float64) *Dense {
	out := NewDense(len(cols))
	y := make([]float64, d.N)
	for i, c := range cols {
		d.Apply(y, c)
		for j, e := range cols {
			out.V[i*len(cols)+j] = innerInOrder(y, e)
		}
	}
	for i := range cols { // rounding must not spoil the symmetry
		for j := range i {
			out.V[j*len(cols)+i] = out.V[i*len(cols)+j]
		}
	}
	return out
}

// innerInOrder returns Σ a_i b_i, added up one after the other.
func innerInOrder(a, b []float64) (s float64) {
	for i, y := range a {
		s += float64(y * b[i])
	}
	return s
}

// addShort adds c x to dst, for vectors of a few numbers.
func addShort(dst []float64, c float64, x []float64) {
	for i, y := range x {
		dst[i] += float64(c * y)
	}
}
