package simd

// tooMany is the share of open rows from which on whole numbers do not pay.
const tooMany = 0.3

// scoreWhole labels rows from from on by scores in whole numbers, and those that
// are not proven by scores in float32. It returns the row at which it gave up,
// since too many were open, or end.
func scoreWhole[T number](c *Centres, x []T, from, end int, b *Block) int {
	s, t, rows := scorerOf[T](c), &b.whole, wholeChunk(c.level, c.d)
	stride := wholeStride(c.d)
	t.which = t.which[:0]
	lo, open := from, 0
	for lo < end && float64(open) <= tooMany*float64(lo-from) {
		hi := min(lo+rows, end)
		t.fit(rows, stride)
		b.single.fit(c, &s.panels, rows)
		shift(c.level, x[lo*c.d:hi*c.d], c.d, s, &b.single)
		at, bytes := beyond(x, hi*c.d, rows*c.d)
		step := t.run(c, s.integers(c), &b.single, hi-lo, stride, at, bytes)
		if b.Bounds {
			t.bounds(c, s.scale, &s.margin, step, b.single.norm[:hi-lo], b.Least[lo:hi], b.Most[lo:hi], b.Second[lo:hi])
		}
		for i, h := range t.label[:hi-lo] {
			b.Label[lo+i] = h
			if h < 0 {
				open++
				wait(c, s, b, i, int32(lo+i))
			}
		}
		lo = hi
	}
	catchUp(c, s, b)
	b.Singled += open
	return lo
}

// run scores the m rows of z. Those not proven get the label -1.
func (t *wholeScratch) run(c *Centres, w *integers, z *scratch[float32], m, stride int, ahead uintptr, bytes int) *step {
	s := w.step(longestBelow(z.norm[:m], w.steps[len(w.steps)-1].limit))
	tall := c.level.tileRows()
	tiles := (m + tall - 1) / tall
	clear(t.q[m*stride/2 : tiles*tall*stride/2])
	tileWhole(c, w, s, z, t, m, tiles, stride, ahead, bytes)
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
func (t *wholeScratch) bounds(c *Centres, scale float64, m *margin, s *step, norm []float32, least, most, second []float64) {
	unit, unscale := 2*s.both, 1/scale/scale // exact, as the scale is a power of two
	for i, n := range norm {
		best, next := t.best[i], t.second[i]
		if h := t.label[i]; c.twin != nil && h >= 0 && c.twin[h] {
			next = best
		}
		n, need := float64(n), unit*float64(t.need[i])
		low, high := m.sides(unit*float64(best), n, need)
		least[i], most[i] = low*unscale, high*unscale
		second[i] = m.least(unit*float64(next), n, need) * unscale
	}
}

// wait puts row i, the one in line j of b.single, among those that wait for
// float32.
func wait[T number](c *Centres, s *scorer[T], b *Block, j int, i int32) {
	t, l := &b.whole, &b.whole.late
	rows := chunk(c.level, c.d)
	if len(t.which) == rows {
		catchUp(c, s, b)
	}
	l.fit(c, &s.panels, rows)
	at := len(t.which)
	copy(l.z[at*c.d:(at+1)*c.d], b.single.z[j*c.d:(j+1)*c.d])
	l.norm[at], l.need[at] = b.single.norm[j], b.single.need[j]
	t.which = append(t.which, i)
}

// catchUp scores the waiting rows in float32.
func catchUp[T number](c *Centres, s *scorer[T], b *Block) {
	t := &b.whole
	if len(t.which) == 0 {
		return
	}
	t.late.run(c, &s.panels, len(t.which), b.Bounds, 0, 0)
	for j, i := range t.which {
		note(c, s, &t.late, j, i, b)
	}
	t.which = t.which[:0]
}
