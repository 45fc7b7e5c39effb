package centroid

import (
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/simd"
)

// assignment is the pass that gives each row its nearest centre, or the one it
// is fixed to. Unless rows are sparse it also measures the squared distance to
// it and adds up the clusters while rows are at hand. It changes Labels, Dist
// and Lower, each block its own part.
type assignment struct {
	Centres *Centres
	Sparse  *sparseRows // the same centres, for sparse rows; else nil
	Weight  []float64
	Fixed   []int32
	Labels  []int32
	Dist    []float64
	Lower   []float64 // see bounds; nil: do without
	Bounds  *bounds   // how far Lower has to come down; nil: it says nothing yet

	sums  *sums // left alone for sparse rows
	cost  float64
	moved int
	parts sync.Pool
}

// assigned is the part of one block, and room to work in.
type assigned struct {
	Sums   *sums
	Cost   float64
	Moved  int
	Asked  int
	block  simd.Block
	label  []int32
	open   []int32
	rows64 []float64
	rows32 []float32
	sparse simd.SparseRoom
	seen   []float64
	buf    []float64
	dist   []float64
}

func (p *assignment) Block(x data.Rows, lo, hi int) *assigned {
	part, _ := p.parts.Get().(*assigned)
	if part == nil {
		part = &assigned{label: make([]int32, 0, hi-lo), buf: make([]float64, x.Dim())}
		if p.Sparse == nil {
			part.Sums = newSums(p.Centres.K, p.Centres.D)
		}
	}
	part.Cost, part.Moved = 0, 0
	part.label = append(part.label[:0], p.Labels[lo:hi]...)
	switch x := x.(type) {
	case *data.Dense:
		dense(p, part, rows64(x.V, x.Cols, &part.rows64), lo, hi)
	case *data.Dense32:
		dense(p, part, denseRows[float32]{x.V, x.Cols, 0, nil, &part.rows32, (*simd.Centres).Nearest32, (*simd.Centres).Assign32, (*simd.Centres).Settle32, simd.AddRows32}, lo, hi)
	case *seen:
		p.seen(part, x, lo, hi)
	case *data.Sparse:
		p.sparse(part, lo, hi)
	default:
		p.others(part, x, lo, hi)
	}
	was, dist := p.Labels[lo:hi], p.Dist[lo:hi]
	for i, h := range part.label {
		if h != was[i] {
			part.Moved++
			was[i] = h
		}
	}
	if part.Sums != nil {
		p.count(part, lo, dist)
	}
	return part
}

// count adds up the cost, the weight and the number of the rows of a block.
func (p *assignment) count(part *assigned, lo int, dist []float64) {
	mass, count, cost := part.Sums.Mass, part.Sums.Count, 0.0
	if p.Weight == nil {
		for i, h := range part.label {
			cost += dist[i]
			count[h]++
		}
		for h, n := range count {
			mass[h] = float64(n)
		}
	} else {
		for i, h := range part.label {
			w := p.Weight[lo+i]
			cost += float64(w * dist[i])
			count[h]++
			mass[h] += w
		}
	}
	part.Cost = cost
}

func (p *assignment) Merge(_, _ int, part *assigned) {
	p.cost += part.Cost
	p.moved += part.Moved
	if part.Sums != nil {
		p.sums.merge(part.Sums)
		part.Sums.clear()
	}
	p.parts.Put(part)
}

// sparse labels sparse rows.
func (p *assignment) sparse(part *assigned, lo, hi int) {
	for i := lo; i < hi; i++ {
		if p.fixed(i) {
			part.label[i-lo] = p.Fixed[i]
		} else {
			part.label[i-lo] = int32(p.Sparse.nearest(i, &part.sparse))
		}
	}
}

// others labels rows of a kind that is not ours, one by one.
func (p *assignment) others(part *assigned, x data.Rows, lo, hi int) {
	for i := lo; i < hi; i++ {
		v := x.Row(i, part.buf)
		h, d := 0, 0.0
		if p.fixed(i) {
			h = int(p.Fixed[i])
			d = p.Centres.dist2(v, h)
		} else {
			h, d = p.Centres.Nearest(v)
		}
		part.label[i-lo], p.Dist[i] = int32(h), d
		data.Add(part.Sums.at(h), v, weight(p.Weight, i))
	}
}

func (p *assignment) fixed(i int) bool { return p.Fixed != nil && p.Fixed[i] >= 0 }

// denseRows are dense rows of either precision with the kernels for them.
type denseRows[T float32 | float64] struct {
	v       []T
	d       int
	base    int                                             // v begins with this row
	raw     func(sum []float64, label []int32, w []float64) // adds up other rows in place of v's; nil: v's
	room    *[]T
	nearest func(*simd.Centres, []T, *simd.Block)
	assign  func(c *simd.Centres, x []T, fixed []int32, w []float64, b *simd.Block, dist, sum []float64)
	settle  func(c *simd.Centres, x []T, label []int32, w, dist, sum []float64)
	add     func(sum []float64, d int, x []T, label []int32, w []float64)
}

func rows64(v []float64, d int, room *[]float64) denseRows[float64] {
	return denseRows[float64]{v, d, 0, nil, room, (*simd.Centres).Nearest64, (*simd.Centres).Assign64, (*simd.Centres).Settle64, simd.AddRows64}
}

func (r denseRows[T]) span(lo, hi int) []T { return r.v[(lo-r.base)*r.d : (hi-r.base)*r.d] }

// dense labels a block of dense rows: all of them by the kernel, or, where
// bounds say something, only those that the bounds leave open.
func dense[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo, hi int) {
	c, x := p.Centres.packed(), r.span(lo, hi)
	var w []float64
	if p.Weight != nil {
		w = p.Weight[lo:hi]
	}
	if p.Bounds == nil {
		part.block.Bounds = p.Lower != nil
		var fixed []int32
		if p.Fixed != nil {
			fixed = p.Fixed[lo:hi]
		}
		sum := part.Sums.Sum
		if r.raw != nil {
			sum = nil
		}
		r.assign(c, x, fixed, w, &part.block, p.Dist[lo:hi], sum)
		copy(part.label, part.block.Label)
		if r.raw != nil {
			r.raw(part.Sums.Sum, part.label, w)
		}
		for i, second := range part.block.Second {
			p.Lower[lo+i] = lowerBound(second)
		}
		return
	}
	r.settle(c, x, part.label, nil, p.Dist[lo:hi], nil)
	p.findOpen(part, lo, hi)
	if len(part.open) > 0 {
		settleOpen(p, part, r, c, lo)
	}
	if r.raw != nil {
		r.raw(part.Sums.Sum, part.label, w)
	} else {
		r.add(part.Sums.Sum, r.d, x, part.label, w)
	}
}

// findOpen lowers the bounds of the rows and lists those that they leave open.
func (p *assignment) findOpen(part *assigned, lo, hi int) {
	part.open = part.open[:0]
	for i := lo; i < hi; i++ {
		if p.fixed(i) {
			continue
		}
		h := part.label[i-lo]
		l := p.Lower[i] - p.Bounds.drift(h)
		p.Lower[i] = l
		if p.Bounds.leavesOpen(h, p.Dist[i], l) {
			part.open = append(part.open, int32(i-lo))
		}
	}
}

// settleOpen has the kernel label the open rows, side by side in a buffer.
func settleOpen[T float32 | float64](p *assignment, part *assigned, r denseRows[T], c *simd.Centres, lo int) {
	rows := (*r.room)[:0]
	for _, i := range part.open {
		rows = append(rows, r.span(lo+int(i), lo+int(i)+1)...)
	}
	*r.room = rows
	part.block.Bounds = true
	r.nearest(c, rows, &part.block)
	part.dist = append(part.dist[:0], make([]float64, len(part.open))...)
	r.settle(c, rows, part.block.Label, nil, part.dist, nil)
	for j, i := range part.open {
		part.label[i], p.Dist[lo+int(i)] = part.block.Label[j], part.dist[j]
		p.Lower[lo+int(i)] = lowerBound(part.block.Second[j])
	}
}
