package simd

// Rounded are rows in integers (see intcentres.go), made once and searched many
// times: offset, scale and units stay the same while centres move. It serves any
// number of goroutines once it is filled.
type Rounded[T number] struct {
	x          []T
	d, stride  int
	offset     []T
	scale      float64
	base       float64 // the least limit of a unit: no ‖e_h‖² may exceed it
	q          []int16
	norm, rest []float32 // Σ z² and ‖z − s_x p‖
	step       []uint8   // which unit a block has
}

// maxGrowth is how much larger ‖e‖² may become than it was for the first centres.
const maxGrowth = 4

// RoundedLen is the number of rows in a block.
const RoundedLen = 1024

// Round returns room for the rows of x in integers, to be filled block by
// block; nil where they are of no use. Offset and scale are those of c, which
// should be centres of the rows.
func Round[T number](c *Centres, x []T) *Rounded[T] {
	s := scorerOf[T](c)
	if c.level == Plain || c.k == 1 || !s.ok || !s.integerCentres(c).ok {
		return nil
	}
	n, stride := len(x)/c.d, intStride(c.d)
	tileHeight := c.level.tileRows() // a kernel reads whole tiles
	return &Rounded[T]{x: x, d: c.d, stride: stride, offset: s.offset, scale: s.scale, base: maxGrowth * s.margin.e2,
		q: aligned[int16]((n + tileHeight) * stride / 2), norm: make([]float32, n+16), rest: make([]float32, n+16),
		step: make([]uint8, (n+RoundedLen-1)/RoundedLen)}
}

// RoundedBytes returns how much memory Round takes for n rows of d numbers.
func RoundedBytes(n, d int) int { return n * (intStride(d) + 8) }

// span returns the rows of a block.
func (r *Rounded[T]) span(block int) (lo, hi int) {
	return block * RoundedLen, min((block+1)*RoundedLen, len(r.x)/r.d)
}

// Fill rounds the rows of a block.
func (r *Rounded[T]) Fill(block int, b *Block) {
	lo, hi := r.span(block)
	n, t := hi-lo, &b.single
	if len(t.z) < n*r.d {
		t.z = aligned[float32](n * r.d)
	}
	shift(level, r.x[lo*r.d:hi*r.d], r.d, &scorer[T]{offset: r.offset, scale: r.scale},
		&scratch[float32]{z: t.z, norm: r.norm[lo:hi], need: make([]float32, n)})
	j, last := 0, octaves*stepsPer
	for most := longestBelow(r.norm[lo:hi], limitOf(r.base, last)); j < last && !(most < limitOf(r.base, j)); {
		j++
	}
	r.step[block] = uint8(j)
	roundRows(t.z, r.d, n, unitOf(limitOf(r.base, j)), r.q[lo*r.stride/2:], r.stride, r.rest[lo:])
}

// scorer returns the one for c, whose integers are not ok where c and the
// rows do not go together.
func (r *Rounded[T]) scorer(c *Centres) *scorer[T] {
	p := pinnedScorerOf[T](c)
	p.once.Do(func() {
		p.rows = r
		s := &p.scorer
		s.offset, s.scale = r.offset, r.scale
		e, norm, top := shifted(c, r.offset)
		if e2 := top * r.scale * r.scale; e2 >= leastE*leastE && e2*(1+0x1p-20) <= r.base {
			s.margin = newMargin(c.d, false, e2)
			s.integers.pack(c, e, norm, s.scale, &s.margin, r.base)
		}
	})
	if p.rows != r {
		return new(scorer[T])
	}
	return &p.scorer
}

// Serves reports whether rounded rows can be searched for the nearest of c:
// which centres that lie much further out than those of Round, or all of them at
// one place, do not allow.
func (r *Rounded[T]) Serves(c *Centres) bool { return r.scorer(c).integers.ok }

// Nearest is Nearest32 or Nearest64 for the rows of a block whose numbers, from 0
// on, which lists, or for all if it is nil. The centres must be served. It uses
// Rough.
func (r *Rounded[T]) Nearest(c *Centres, block int, which []int32, b *Block) {
	lo, hi := r.span(block)
	n, half, t := hi-lo, r.stride/2, &b.integers
	q, norm, rest := r.q[lo*half:], r.norm[lo:], r.rest[lo:]
	if which != nil {
		n = len(which)
	}
	b.reset(n)
	if n == 0 {
		return
	}
	tileHeight := c.level.tileRows()
	tiles := (n + tileHeight - 1) / tileHeight
	t.reserve(max(tiles*tileHeight, intChunk(c.level, c.d)), r.stride)
	if which != nil {
		for j, i := range which {
			copy(t.q[j*half:(j+1)*half], q[int(i)*half:(int(i)+1)*half])
			t.norm[j], t.rest[j] = norm[i], rest[i]
		}
		clear(t.q[n*half : tiles*tileHeight*half])
		q, norm, rest = t.q, t.norm, t.rest
	}
	s := r.scorer(c)
	st := s.integers.stepAt(int(r.step[block]))
	at, bytes := beyond(r.q, min(hi*half, len(r.q)), RoundedLen*half)
	if which != nil {
		bytes = 0
	}
	scoreRounded(c, &s.integers, st, q, norm, rest, t, n, tiles, r.stride, at, bytes)
	if b.Bounds {
		t.bounds(c, s.scale, &s.margin, st, norm[:n], b.Least, b.Most, b.Second)
	}
	copy(b.Label, t.label[:n])
	if !b.Rough {
		r.resolveUnproven(c, lo, which, b)
	}
}

// resolveUnproven finds the labels that integers have not proven.
func (r *Rounded[T]) resolveUnproven(c *Centres, lo int, which []int32, b *Block) {
	b.open = b.open[:0]
	for j, h := range b.Label {
		if h < 0 {
			b.open = append(b.open, int32(j))
		}
	}
	if b.Singled = len(b.open); b.Singled == 0 {
		return
	}
	if b.postponed == nil {
		b.postponed = new(Block)
	}
	l, rows := b.postponed, postponedRows[T](b)
	*rows = (*rows)[:0]
	for _, j := range b.open {
		i := int(j)
		if which != nil {
			i = int(which[j])
		}
		*rows = append(*rows, r.x[(lo+i)*r.d:(lo+i+1)*r.d]...)
	}
	l.Bounds = b.Bounds
	l.reset(len(b.open))
	l.open = l.open[:0]
	findSingle(c, *rows, 0, len(b.open), l)
	for i, j := range b.open {
		b.Label[j] = l.Label[i]
		if b.Bounds {
			b.Least[j], b.Most[j], b.Second[j] = l.Least[i], l.Most[i], l.Second[i]
		}
	}
	b.Doubled, b.Exact = l.Doubled, l.Exact
}

func postponedRows[T number](b *Block) *[]T {
	var t T
	if _, single := any(t).(float32); single {
		return any(&b.postponed32).(*[]T)
	}
	return any(&b.postponed64).(*[]T)
}
