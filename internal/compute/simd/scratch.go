package simd

// scratch is what scoring a few tiles needs.
type scratch[T number] struct {
	z, norm, need, best, second, state, part []T
	label                                    []int32
}

// reserve makes room for scoring rows rows, a whole number of tiles, against c.
func (s *scratch[T]) reserve(c *Centres, p *panels[T], rows int) {
	l, d := c.level, c.d

	if len(s.z) < rows*d {
		s.z = aligned[T](rows * d)
	}
	if len(s.norm) < rows {
		s.norm, s.need = make([]T, rows, rows+15), make([]T, rows) // norms may be read sixteen at a time
		s.best, s.second = make([]T, rows), make([]T, rows)
		s.label = make([]int32, rows)
	}
	if n := 3 * l.tileRows() * l.registerBytes() / 4; len(s.state) < n {
		s.state = aligned[T](n)
	}
	if n := l.tileRows() * len(p.norm); len(s.part) < n {
		s.part = aligned[T](n)
	}
}

// chunk is how many rows are scored at a time: whole tiles that stay in cache.
func chunk(l Level, d int) int {
	const values = 1 << 12
	tiles := max(1, min(values/d, 252)/l.tileRows())
	return tiles * l.tileRows()
}

// intScratch is what scoring a few tiles in integers needs.
type intScratch struct {
	q            []int16
	rest, need   []float32
	norm         []float32 // of rows that were rounded before
	best, second []int32
	label        []int32
	state        []int32
	postponed    scratch[float32] // rows that wait for scores in float32
	which        []int32          // their indices
}

func (t *intScratch) reserve(rows, stride int) {
	const tileHeight = 14
	if len(t.q) < rows*stride/2 {
		t.q = aligned[int16](rows * stride / 2)
	}
	if len(t.rest) < rows+16 {
		n := rows + 16 // labels are proven sixteen at a time
		t.rest, t.need, t.norm = make([]float32, n), make([]float32, n), make([]float32, n)
		t.best, t.second, t.label = make([]int32, n), make([]int32, n), make([]int32, n)
	}
	if t.state == nil {
		t.state = aligned[int32](3 * tileHeight * 16)
	}
}

// intChunk is chunk for scores in integers: z need only stay in the
// second cache, as it is read once.
func intChunk(l Level, d int) int {
	const values = 1 << 14
	tiles := max(1, min(values/d, 252)/l.tileRows())
	return tiles * l.tileRows()
}

// intStride is how many bytes a row of d numbers of int16 takes.
func intStride(d int) int { return (2*d + 31) / 32 * 32 }
