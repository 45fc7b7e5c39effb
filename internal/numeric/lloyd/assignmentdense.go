package lloyd

import "github.com/inklinghq/inkling/internal/compute/simd"

// denseRows are dense rows of either precision with the kernels for them.
type denseRows[T float32 | float64] struct {
	v       []T
	d       int
	write   func(i int, dst []T) // writes row i; nil: rows are in v
	scratch *[]T
	rounded *simd.Rounded[T] // the same rows as integers; nil: not kept
	nearest func(*simd.Centres, []T, *simd.Block)
}

func rows64(v []float64, d int, scratch *[]float64) denseRows[float64] {
	return denseRows[float64]{v: v, d: d, scratch: scratch, nearest: (*simd.Centres).Nearest64}
}

func rows32(v []float32, d int, scratch *[]float32) denseRows[float32] {
	return denseRows[float32]{v: v, d: d, scratch: scratch, nearest: (*simd.Centres).Nearest32}
}

// search finds the nearest of the centres c for the rows of a block that which lists,
// for all rows if it is nil.
func (r denseRows[T]) search(c *simd.Centres, lo, hi int, which []int32, b *simd.Block) {
	switch {
	case r.rounded != nil && r.rounded.Serves(c):
		r.rounded.Nearest(c, lo/simd.RoundedLen, which, b)
	case which == nil:
		r.nearest(c, r.rowsBetween(lo, hi), b)
	default:
		r.nearest(c, r.gatherRows(lo, which), b)
	}
}

// rowsBetween returns rows lo to hi.
func (r denseRows[T]) rowsBetween(lo, hi int) []T {
	if r.write == nil {
		return r.v[lo*r.d : hi*r.d]
	}
	rows := scratch(*r.scratch, (hi-lo)*r.d)
	for i := lo; i < hi; i++ {
		r.write(i, rows[(i-lo)*r.d:(i-lo+1)*r.d])
	}
	*r.scratch = rows
	return rows
}

// searchAll is search among all centres.
func (r denseRows[T]) searchAll(p *assignment, part *assignmentPart, lo, hi int, which []int32) {
	r.search(p.Centres.pack, lo, hi, which, &part.block)
	part.Searched += len(part.block.Label)
	part.Singled += part.block.Singled
}

// gatherRows copies some rows of a block into consecutive memory.
func (r denseRows[T]) gatherRows(lo int, which []int32) []T {
	rows := scratch(*r.scratch, len(which)*r.d)
	for j, i := range which {
		at, to := lo+int(i), rows[j*r.d:(j+1)*r.d]
		if r.write != nil {
			r.write(at, to)
		} else {
			copy(to, r.v[at*r.d:(at+1)*r.d])
		}
	}
	*r.scratch = rows
	return rows
}

// labelDense labels a block of dense rows: all of them by the kernel, or, where
// bounds are used, only those that the bounds leave open.
func labelDense[T float32 | float64](p *assignment, part *assignmentPart, r denseRows[T], lo, hi int) {
	switch {
	case p.CentreMoves != nil:
		p.listOpen(part, lo)
		if p.CentreMoves.movers != nil {
			searchMovers(p, part, r, lo, hi)
		}
		searchOpen(p, part, r, lo, hi)
	default:
		part.block.Bounds = p.Bounds != nil
		r.searchAll(p, part, lo, hi, nil)
		p.acceptAll(part, lo)
	}
}

// acceptAll takes the labels and bounds that the kernel found for all rows.
func (p *assignment) acceptAll(part *assignmentPart, lo int) {
	copy(part.labels, part.block.Label)
	if p.Bounds != nil {
		upper, lower := p.Bounds.upper, p.Bounds.lower
		for i, d2 := range part.block.Second { // nothing has moved since
			lower[lo+i] = lowerBound(d2)
		}
		for i, d2 := range part.block.Most {
			upper[lo+i] = upperBound(d2)
		}
	}
	if p.Fixed == nil {
		return
	}
	for i, h := range p.Fixed[lo : lo+len(part.labels)] {
		if h < 0 {
			continue
		}
		part.labels[i] = h
		if p.Bounds != nil {
			p.Bounds.forbidSearch(lo + i)
		}
	}
}

// listOpen lists the rows of a block that the bounds leave open.
func (p *assignment) listOpen(part *assignmentPart, lo int) {
	b, half := p.Bounds, p.CentreMoves.halfGap
	upper, lower := b.upper[lo:lo+len(part.labels)], b.lower[lo:lo+len(part.labels)]
	part.open = part.open[:0]
	for i, h := range part.labels {
		if lower[i]-upper[i] > b.bothMoved[h] {
			continue
		}
		if half != nil {
			if u := b.upperAt(lo+i, h); u < half[h] {
				b.setLower(lo+i, h, 2*half[h]-u)
				continue
			}
		}
		part.open = append(part.open, int32(i))
	}
}

// searchMovers searches open rows among the movers, and leaves open those that may
// then still be nearer to another centre than to their own.
func searchMovers[T float32 | float64](p *assignment, part *assignmentPart, r denseRows[T], lo, hi int) {
	if len(part.open) == 0 {
		return
	}
	whole, which := 4*len(part.open) > 3*(hi-lo), part.open
	if whole {
		which = nil
	}
	part.block.Bounds, part.block.Rough = true, true
	r.search(p.CentreMoves.movers.pack, lo, hi, which, &part.block)
	part.block.Rough = false
	b, s, found, left := p.Bounds, p.CentreMoves, &part.block, part.open[:0]
	for j, i := range part.open {
		if whole {
			j = int(i)
		}
		at, h := lo+int(i), part.labels[i]
		u, l := b.upperAt(at, h), s.lowerToRest(b, at, h)
		m := found.Least[j]
		if g := s.moverIndex[h]; g >= 0 && g == found.Label[j] {
			m = found.Second[j]
		}
		if !(m > l*l*(RoundingMargin*RoundingMargin)) {
			l = min(l, lowerBound(m))
		}
		b.setLower(at, h, l)
		if !(u < l) {
			left = append(left, i)
		}
	}
	part.open = left
}

// searchOpen searches the open rows among all centres.
func searchOpen[T float32 | float64](p *assignment, part *assignmentPart, r denseRows[T], lo, hi int) {
	if len(part.open) == 0 {
		return
	}
	part.block.Bounds = true
	r.searchAll(p, part, lo, hi, part.open)
	for j, i := range part.open {
		at, h := lo+int(i), part.block.Label[j]
		p.Bounds.setUpper(at, h, upperBound(part.block.Most[j]))
		p.Bounds.setLower(at, h, lowerBound(part.block.Second[j]))
		if was := part.labels[i]; h != was {
			part.labels[i] = h
			part.Moves = append(part.Moves, Move{int32(at), was})
		}
	}
}
