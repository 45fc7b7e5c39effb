package simd

// maxOpenShare is the share of open rows from which on integers do not pay.
const maxOpenShare = 0.3

// scoreIntegers labels rows from from on by scores in integers, and those that
// are not proven by scores in float32. It returns the row at which it gave up,
// since too many were open, or end.
func scoreIntegers[T number](c *Centres, x []T, from, end int, b *Block) int {
	s, t, rows := scorerOf[T](c), &b.integers, intChunk(c.level, c.d)
	stride := intStride(c.d)
	t.which = t.which[:0]
	lo, open := from, 0
	for lo < end && float64(open) <= maxOpenShare*float64(lo-from) {
		hi := min(lo+rows, end)
		t.reserve(rows, stride)
		b.single.reserve(c, &s.panels, rows)
		shift(c.level, x[lo*c.d:hi*c.d], c.d, s, &b.single)
		at, bytes := beyond(x, hi*c.d, rows*c.d)
		step := t.scoreRows(c, s.integerCentres(c), &b.single, hi-lo, stride, at, bytes)
		if b.Bounds {
			t.bounds(c, s.scale, &s.margin, step, b.single.norm[:hi-lo], b.Least[lo:hi], b.Most[lo:hi], b.Second[lo:hi])
		}
		for i, h := range t.label[:hi-lo] {
			b.Label[lo+i] = h
			if h < 0 {
				open++
				postpone(c, s, b, i, int32(lo+i))
			}
		}
		lo = hi
	}
	scorePostponed(c, s, b)
	b.Singled += open
	return lo
}

// scoreRows scores the m rows of z. Those not proven get the label -1.
func (t *intScratch) scoreRows(c *Centres, w *intCentres, z *scratch[float32], m, stride int, ahead uintptr, bytes int) *step {
	s := w.stepFor(longestBelow(z.norm[:m], w.steps[len(w.steps)-1].limit))
	tileHeight := c.level.tileRows()
	tiles := (m + tileHeight - 1) / tileHeight
	clear(t.q[m*stride/2 : tiles*tileHeight*stride/2])
	tileInt(c, w, s, z, t, m, tiles, stride, ahead, bytes)
	return s
}

// longestBelow returns the largest norm below limit.
func longestBelow(norm []float32, limit float32) (n float32) {
	for _, y := range norm {
		if y > n && y < limit {
			n = y
		}
	}
	return n
}

// bounds turns the two best scores of rows, with Σ z² in norm, into certain
// bounds, as bound does. Those of rows that are not proven say nothing yet.
func (t *intScratch) bounds(c *Centres, scale float64, m *margin, s *step, norm []float32, least, most, second []float64) {
	unit, unscale := 2*s.both, 1/scale/scale // exact, as the scale is a power of two
	for i, n := range norm {
		best, next := t.best[i], t.second[i]
		if h := t.label[i]; c.hasEqual != nil && h >= 0 && c.hasEqual[h] {
			next = best
		}
		n, need := float64(n), unit*float64(t.need[i])
		low, high := m.sides(unit*float64(best), n, need)
		least[i], most[i] = low*unscale, high*unscale
		second[i] = m.least(unit*float64(next), n, need) * unscale
	}
}

// postpone puts row i, the one in line j of b.single, among those that wait for
// float32.
func postpone[T number](c *Centres, s *scorer[T], b *Block, j int, i int32) {
	t, l := &b.integers, &b.integers.postponed
	rows := chunk(c.level, c.d)
	if len(t.which) == rows {
		scorePostponed(c, s, b)
	}
	l.reserve(c, &s.panels, rows)
	at := len(t.which)
	copy(l.z[at*c.d:(at+1)*c.d], b.single.z[j*c.d:(j+1)*c.d])
	l.norm[at], l.need[at] = b.single.norm[j], b.single.need[j]
	t.which = append(t.which, i)
}

// scorePostponed scores the waiting rows in float32.
func scorePostponed[T number](c *Centres, s *scorer[T], b *Block) {
	t := &b.integers
	if len(t.which) == 0 {
		return
	}
	t.postponed.scoreRows(c, &s.panels, len(t.which), b.Bounds, 0, 0)
	for j, i := range t.which {
		recordScores(c, s, &t.postponed, j, i, b)
	}
	t.which = t.which[:0]
}
