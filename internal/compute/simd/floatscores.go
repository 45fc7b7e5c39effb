package simd

// score labels rows from to end of x by float32 scores. Those that are not
// proven go to b.open.
func score[T number](c *Centres, x []T, from, end int, b *Block) {
	s, t, rows := scorerOf[T](c), &b.single, chunk(c.level, c.d)
	for lo := from; lo < end; lo += rows {
		hi := min(lo+rows, end)
		t.reserve(c, &s.panels, rows)
		shift(c.level, x[lo*c.d:hi*c.d], c.d, s, t)
		at, bytes := beyond(x, hi*c.d, rows*c.d)
		t.scoreRows(c, &s.panels, hi-lo, b.Bounds, at, bytes)
		for i := range hi - lo {
			recordScores(c, s, t, i, int32(lo+i), b)
		}
	}
}

// recordScores takes over what float32 scores say of row i, which is row j of t.
func recordScores[T number](c *Centres, s *scorer[T], t *scratch[float32], j int, i int32, b *Block) {
	h := t.label[j]
	b.Label[i] = h
	if h < 0 {
		b.open = append(b.open, i)
	}
	if b.Bounds {
		unscale := 1 / s.scale / s.scale // exact, as the scale is a power of two
		b.Least[i], b.Most[i], b.Second[i] = bound(c, t, j, &s.margin, unscale)
	}
}

// scoreRows scores the first m rows of t.z. Those not proven get the label -1.
func (t *scratch[T]) scoreRows(c *Centres, p *panels[T], m int, scores bool, ahead uintptr, bytes int) {
	tileHeight := c.level.tileRows()
	tiles := (m + tileHeight - 1) / tileHeight
	clear(t.z[m*c.d : tiles*tileHeight*c.d])
	tile(c.level, p, t, c.d, tiles, scores, ahead, bytes)
	if !scores {
		return
	}
	for i := range m {
		if !(t.second[i]-t.best[i] > t.need[i]) {
			t.label[i] = -1
		}
	}
}

// bound turns the two best scores of row i into certain bounds: on both sides of
// the Dist2 to its own centre, and below that to all others.
func bound[T number](c *Centres, t *scratch[T], i int, m *margin, unscale float64) (least, most, second float64) {
	s := t.second[i]
	if h := t.label[i]; c.hasEqual != nil && h >= 0 && c.hasEqual[h] {
		s = t.best[i] // an equal centre is as near
	}
	n, need := float64(t.norm[i]), float64(t.need[i])
	least, most = m.sides(float64(t.best[i]), n, need)
	return least * unscale, most * unscale, m.least(float64(s), n, need) * unscale
}

// rescore is score in float64, for the open rows alone.
func rescore[T number](c *Centres, x []T, b *Block) {
	p, m := c.doublePanels()
	s, t, rows := scorerOf[float64](c), &b.double, chunk(c.level, c.d)
	t.reserve(c, p, rows)
	open, unscale := b.open, 1/s.scale/s.scale
	b.open = b.open[:0] // refilled behind the reader
	for len(open) > 0 {
		part := open[:min(rows, len(open))]
		open = open[len(part):]
		for j, i := range part {
			t.norm[j] = shiftRow(x[int(i)*c.d:int(i+1)*c.d], s.offset, s.scale, t.z[j*c.d:(j+1)*c.d])
			t.need[j] = m.need(t.norm[j])
		}
		t.scoreRows(c, p, len(part), b.Bounds, 0, 0)
		for j, i := range part {
			if b.Bounds {
				b.Least[i], b.Most[i], b.Second[i] = bound(c, t, j, m, unscale)
			}
			if b.Label[i] = t.label[j]; b.Label[i] < 0 {
				b.open = append(b.open, i)
			} else {
				b.Doubled++
			}
		}
	}
}
