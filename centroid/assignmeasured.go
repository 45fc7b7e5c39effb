package centroid

// measured labels a block of dense rows, measures all of them and adds them up.
func measured[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo, hi int) {
	c, x, dist := p.Centres.packed(), r.span(lo, hi), p.Dist[lo:hi]
	var w []float64
	if p.Weight != nil {
		w = p.Weight[lo:hi]
	}
	if p.Shift == nil {
		part.block.Bounds = p.Bounds != nil
		if r.rounded != nil {
			r.searchAll(p, part, lo, hi, nil)
			p.take(part, lo)
			r.settle(c, x, part.label, w, dist, part.Sums.Sum)
			return
		}
		var fixed []int32
		if p.Fixed != nil {
			fixed = p.Fixed[lo:hi]
		}
		sum := part.Sums.Sum
		if r.raw != nil {
			sum = nil
		}
		r.assign(c, x, fixed, w, &part.block, dist, sum)
		p.take(part, lo)
		if r.raw != nil {
			r.raw(part.Sums.Sum, part.label, w)
		}
		return
	}
	r.settle(c, x, part.label, nil, dist, nil)
	p.listNear(part, lo)
	searchOpen(p, part, r, lo, hi)
	remeasure(p, part, r, lo)
	if r.raw != nil {
		r.raw(part.Sums.Sum, part.label, w)
	} else {
		r.add(part.Sums.Sum, r.d, x, part.label, w)
	}
}

// listNear lists the measured rows of a block that may be nearer to another
// centre than to their own.
func (p *assignment) listNear(part *assigned, lo int) {
	part.open = part.open[:0]
	for i, h := range part.label {
		u := upperBound(p.Dist[lo+i])
		if l := p.Shift.least(p.Bounds, lo+i, h, u); !p.fixed(lo+i) && !(u < l) {
			part.open = append(part.open, int32(i))
		}
	}
}

// remeasure measures the rows that have moved to their new centres.
func remeasure[T float32 | float64](p *assignment, part *assigned, r denseRows[T], lo int) {
	n := len(part.Moves)
	if n == 0 {
		return
	}
	part.open, part.own, part.dist = room(part.open, n), room(part.own, n), room(part.dist, n)
	for j, m := range part.Moves {
		part.open[j] = m.row - int32(lo)
		part.own[j] = part.label[part.open[j]]
	}
	r.settle(p.Centres.packed(), r.gather(lo, part.open), part.own, nil, part.dist, nil)
	for j, m := range part.Moves {
		p.Dist[m.row] = part.dist[j]
	}
}
