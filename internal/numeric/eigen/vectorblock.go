package eigen

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// vectorBlock is p vectors with their products with M and S, node by node:
// number i of vector c stands at i·p + c.
type vectorBlock struct {
	p         int
	v, mv, sv []float64
}

// newBlock returns a block of p vectors with any numbers in it, in the memory of one that is
// no longer needed, if there is one.
func (c *generalizedLOBPCG) newBlock(p int) *vectorBlock {
	b := &vectorBlock{}
	if last := len(c.free) - 1; last >= 0 {
		b, c.free = c.free[last], c.free[:last]
	}
	b.p = p
	for _, v := range []*[]float64{&b.v, &b.mv, &b.sv} {
		*v = slices.Grow((*v)[:0], c.n*p)[:c.n*p]
	}
	return b
}

// multiply projects the vectors onto the subspace and fills in their products.
func (c *generalizedLOBPCG) multiply(b *vectorBlock) { c.pencil.MultiplyBlock(b.sv, b.mv, b.v, b.p) }

// tileRows is the number of rows that stand side by side for products of blocks.
const tileRows = 64

// padded returns a number of columns that vector instructions like, at least n.
func padded(n int) int { return (n + 3) &^ 3 }

// A productTile holds some rows of blocks side by side: rows of width numbers, padded with
// zeros, and the first few columns as rows.
type productTile struct {
	width, columns int
	rows           []float64 // tileRows × width
	transposed     []float64 // columns × tileRows
}

func newProductTile(width, columns int) *productTile {
	return &productTile{width, columns, make([]float64, tileRows*width), make([]float64, columns*tileRows)}
}

// load fills in the rows lo to hi of vectors that stand p numbers a row, from column at on.
func (t *productTile) load(v []float64, p, at, lo, hi int) {
	for i := lo; i < hi; i++ {
		copy(t.rows[(i-lo)*t.width+at:], v[i*p:(i+1)*p])
	}
}

// transpose makes rows of the columns of the first n rows.
func (t *productTile) transpose(n int) {
	for i := range n {
		for c, y := range t.rows[i*t.width : i*t.width+t.columns] {
			t.transposed[c*tileRows+i] = y
		}
	}
}

// addTo adds to row r of sum, for one of the first rows of t after the other, the row times number r of
// by's row; of row r only the first r+1+beyond numbers are of use.
func (t *productTile) addTo(sum []float64, by *productTile, rows, beyond int) {
	for r := range by.columns {
		many := min(t.width, padded(r+1+beyond))
		simd.Combine(sum[r*t.width:r*t.width+many], by.transposed[r*tileRows:r*tileRows+rows], t.rows, t.width)
	}
}

// grams returns the products of all vectors of the bundles with each other, and
// with the products by M and by S. Numbers are added up row after row.
func (c *generalizedLOBPCG) grams(list []*vectorBlock) (vv, vm, vs *Dense) {
	m := 0
	for _, b := range list {
		m += b.p
	}
	width := padded(m)
	sum := make([]float64, 3*m*width)
	blocks.Sums(c.workers, c.n, func(lo, hi int, part []float64) {
		tiles := [3]*productTile{newProductTile(width, m), newProductTile(width, 0), newProductTile(width, 0)}
		for ; lo < hi; lo += tileRows {
			end, at := min(hi, lo+tileRows), 0
			for _, b := range list {
				for q, v := range [3][]float64{b.v, b.mv, b.sv} {
					tiles[q].load(v, b.p, at, lo, end)
				}
				at += b.p
			}
			tiles[0].transpose(end - lo)
			for q, t := range tiles {
				t.addTo(part[q*m*width:(q+1)*m*width], tiles[0], end-lo, 0)
			}
		}
	}, sum)
	out := [3]*Dense{}
	for k := range out {
		d := NewDense(m)
		for r := range m {
			for c, y := range sum[(k*m+r)*width : (k*m+r)*width+r+1] {
				d.V[r*m+c], d.V[c*m+r] = y, y
			}
		}
		out[k] = d
	}
	return out[0], out[1], out[2]
}

// combine returns the sums of the vectors by the columns of y, and where there are
// several bundles the same without the vectors of the first.
func (c *generalizedLOBPCG) combine(list []*vectorBlock, y [][]float64) (all, others *vectorBlock) {
	p, m := len(y), 0
	for _, b := range list {
		m += b.p
	}
	all = c.newBlock(p)
	width := padded(p)
	if len(list) > 1 {
		others = c.newBlock(p)
		width = padded(2 * p)
	}
	factors := make([]float64, m*width) // of vector q in the sums
	for q := range m {
		for c := range p {
			factors[q*width+c] = y[c][q]
			if others != nil && q >= list[0].p {
				factors[q*width+p+c] = y[c][q]
			}
		}
	}
	blocks.Rows(c.workers, c.n, func(lo, hi int) {
		row, sums := make([]float64, m), make([]float64, width)
		for i := lo; i < hi; i++ {
			for kind := range 3 {
				at := 0
				for _, b := range list {
					at += copy(row[at:], b.part(kind)[i*b.p:(i+1)*b.p])
				}
				clear(sums)
				simd.Combine(sums, row, factors, width)
				copy(all.part(kind)[i*p:(i+1)*p], sums)
				if others != nil {
					copy(others.part(kind)[i*p:(i+1)*p], sums[p:])
				}
			}
		}
	})
	return all, others
}

// part returns the vectors, or their products with M or S.
func (b *vectorBlock) part(kind int) []float64 { return [3][]float64{b.v, b.mv, b.sv}[kind] }

// subtractSpan takes off w what the vectors of x span, which need not be orthogonal.
// What would be left of it by sums over products has lost its digits.
func (c *generalizedLOBPCG) subtractSpan(w, x *vectorBlock) {
	p, q := x.p, w.p
	width := padded(p + q)
	sum := make([]float64, p*width)
	blocks.Sums(c.workers, c.n, func(lo, hi int, part []float64) {
		tile := newProductTile(width, p)
		for ; lo < hi; lo += tileRows {
			end := min(hi, lo+tileRows)
			tile.load(x.v, p, 0, lo, end)
			tile.load(w.v, q, p, lo, end)
			tile.transpose(end - lo)
			tile.addTo(part, tile, end-lo, p+q)
		}
	}, sum)
	g := NewDense(p)
	for r := range p {
		copy(g.V[r*p:(r+1)*p], sum[r*width:])
	}
	f := make([]float64, p*q) // of vector r of x in vector c of w
	for _, e := range orthonormalColumns(g, nil) {
		for c := range q {
			y := 0.0
			for r := range p {
				y += float64(e[r] * sum[r*width+p+c])
			}
			for r := range p {
				f[r*q+c] += float64(y * e[r])
			}
		}
	}
	blocks.Rows(c.workers, c.n, func(lo, hi int) {
		minus := make([]float64, p)
		for i := lo; i < hi; i++ {
			for r, y := range x.v[i*p : (i+1)*p] {
				minus[r] = -y
			}
			simd.Combine(w.v[i*q:(i+1)*q], minus, f, q)
		}
	})
}

// orthonormalColumns returns columns that make the vectors with the products g
// orthonormal, those left out that the others span nearly, and those whose
// products with M, in products unless it is nil, are nothing but rounding.
func orthonormalColumns(g, products *Dense) (cols [][]float64) {
	m := g.N
	gx := make([]float64, m)
	var gCols [][]float64 // products of g with cols
	for at := range m {
		size := g.V[at*m+at]
		if !(size > 0) || math.IsInf(size, 0) {
			continue
		}
		x := make([]float64, m)
		x[at] = 1 / math.Sqrt(size)
		for range 2 {
			for q, c := range cols {
				addShort(x, -innerInOrder(gCols[q], x), c)
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
		product := make([]float64, m)
		g.Apply(product, x)
		cols, gCols = append(cols, x), append(gCols, product)
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
