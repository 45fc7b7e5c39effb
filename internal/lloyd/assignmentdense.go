package lloyd

import "github.com/inklinghq/inkling/internal/simd"

// denseRows are dense rows of either precision with the kernels for them.
type denseRows[T float32 | float64] struct {
	v       []T
	d       int
	write   func(i int, dst []T) // writes row i, where they are not in v; else nil
	room    *[]T
	rounded *simd.Rounded[T] // the same rows; nil: there are none
	nearest func(*simd.Centres, []T, *simd.Block)
}

func rows64(v []float64, d int, room *[]float64) denseRows[float64] {
	return denseRows[float64]{v: v, d: d, room: room, nearest: (*simd.Centres).Nearest64}
}

func rows32(v []float32, d int, room *[]float32) denseRows[float32] {
	return denseRows[float32]{v: v, d: d, room: room, nearest: (*simd.Centres).Nearest32}
}

// search finds the nearest of c for the rows of a block that which lists, or for
// all if it is nil.
func (r denseRows[T]) search(c *simd.Centres, lo, hi int, which []int32, b *simd.Block) {
	switch {
	case r.rounded != nil && r.rounded.Serves(c):
		r.rounded.Nearest(c, lo/simd.RoundedLen, which, b)
	case which == nil:
		r.nearest(c, r.span(lo, hi), b)
	default:
		r.nearest(c, r.gather(lo, which), b)
	}
}

// span returns rows lo to hi.
func (r denseRows[T]) span(lo, hi int) []T {
	if r.write == nil {
		return r.v[lo*r.d : hi*r.d]
	}
	rows := room(*r.room, (hi-lo)*r.d)
	for i := lo; i < hi; i++ {
		r.write(i, rows[(i-lo)*r.d:(i-lo+1)*r.d])
	}
	*r.room = rows
	return rows
}

// searchAll is search among all centres.
func (r denseRows[T]) searchAll(p *assignment, part *assigned, lo, hi int, which []int32) {
	r.search(p.Centres.pack, lo, hi, which, &part.block)
	part.Asked += len(part.block.Label)
	part.Single += part.block.Singled
}

// gather brings some rows of a block side by side.
func (r denseRows[T]) gather(lo int, which []int32) []T {
	rows := room(*r.room, len(which)*r.d)
	for j, i := range which {
		at, to := lo+int(i), rows[j*r.d:(j+1)*r.d]
		if r.write != nil {
			r.write(at, to)
		} else {
			copy(to, r.v[at*r.d:(at+1)*r.d])
		}
	}
	*r.room = rows
	return rows
}

// dense labels a block of dense rows: all of them by the kernel, or, where
// bounds say something, only those that the bounds leave open.
func dense[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo, hi int) {
	switch {
	case p.Shift != nil:
		p.listOpen(part, lo)
		if p.Shift.movers != nil {
			askMovers(p, part, r, lo, hi)
		}
		searchOpen(p, part, r, lo, hi)
	default:
		part.block.Bounds = p.Bounds != nil
		r.searchAll(p, part, lo, hi, nil)
		p.take(part, lo)
	}
}

// take takes over what the kernel has found for all rows.
func (p *assignment) take(part *assigned, lo int) {
	copy(part.label, part.block.Label)
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
	for i, h := range p.Fixed[lo : lo+len(part.label)] {
		if h < 0 {
			continue
		}
		part.label[i] = h
		if p.Bounds != nil {
			p.Bounds.keep(lo + i)
		}
	}
}

// listOpen lists the rows of a block that the bounds leave open.
func (p *assignment) listOpen(part *assigned, lo int) {
	b, half := p.Bounds, p.Shift.half
	upper, lower := b.upper[lo:lo+len(part.label)], b.lower[lo:lo+len(part.label)]
	part.open = part.open[:0]
	for i, h := range part.label {
		if lower[i]-upper[i] > b.both[h] {
			continue
		}
		if half != nil {
			if u := b.most(lo+i, h); u < half[h] {
				b.beyond(lo+i, h, 2*half[h]-u)
				continue
			}
		}
		part.open = append(part.open, int32(i))
	}
}

// askMovers searches open rows among the movers, and leaves open those that may
// then still be nearer to another centre than to their own.
func askMovers[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo, hi int) {
	if len(part.open) == 0 {
		return
	}
	whole, which := 4*len(part.open) > 3*(hi-lo), part.open
	if whole {
		which = nil
	}
	part.block.Bounds, part.block.Rough = true, true
	r.search(p.Shift.movers.pack, lo, hi, which, &part.block)
	part.block.Rough = false
	b, s, found, left := p.Bounds, p.Shift, &part.block, part.open[:0]
	for j, i := range part.open {
		if whole {
			j = int(i)
		}
		at, h := lo+int(i), part.label[i]
		u, l := b.most(at, h), s.others(b, at, h)
		m := found.Least[j]
		if g := s.place[h]; g >= 0 && g == found.Label[j] {
			m = found.Second[j]
		}
		if !(m > l*l*(RoundingMargin*RoundingMargin)) {
			l = min(l, lowerBound(m))
		}
		b.beyond(at, h, l)
		if !(u < l) {
			left = append(left, i)
		}
	}
	part.open = left
}

// searchOpen searches the open rows among all centres.
func searchOpen[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo, hi int) {
	if len(part.open) == 0 {
		return
	}
	part.block.Bounds = true
	r.searchAll(p, part, lo, hi, part.open)
	for j, i := range part.open {
		at, h := lo+int(i), part.block.Label[j]
		p.Bounds.hold(at, h, upperBound(part.block.Most[j]))
		p.Bounds.beyond(at, h, lowerBound(part.block.Second[j]))
		if was := part.label[i]; h != was {
			part.label[i] = h
			part.Moves = append(part.Moves, Move{int32(at), was})
		}
	}
}
