package simd

import (
	"fmt"
	"math"
	"unsafe"
)

// A Block receives the labels of a block of rows, and holds the memory that
// finding them needs. The zero Block is ready; used again, it allocates
// nothing. It serves one goroutine at a time.
type Block struct {
	// Bounds asks for Least, Most and Second.
	Bounds bool
	// Rough leaves rows without a label, -1, whose label would have to be proven
	// otherwise than by whole numbers; Least then bounds all distances, and Most
	// and Second say nothing.
	Rough bool
	// Label[i] is the centre nearest to row i, the lowest on ties.
	Label []int32
	// Second[i], if asked for, is at most the Dist2 of row i to any centre but
	// Label[i]. It is close to the least of them, and may differ in the last
	// digits from level to level. Least[i] and Most[i] are on both sides of the
	// Dist2 of row i to Label[i], and as close to it.
	Least, Most, Second []float64
	// Singled counts the rows of the last call that scores in whole numbers left
	// open. Doubled and Exact count those that float32 scores left open: Doubled
	// were then proven by float64 scores, Exact by Dist2.
	Singled, Doubled, Exact int

	whole  wholeScratch
	late   *Block // for rows in whole numbers that wait for float32
	late32 []float32
	late64 []float64
	single scratch[float32]
	double scratch[float64]
	open   []int32
	dist   []float64 // of one row to all centres
	row    []float64 // one row widened
}

// scratch is what scoring a few tiles needs.
type scratch[T number] struct {
	z, norm, need, best, second, state, part []T
	label                                    []int32
}

// Nearest64 finds the nearest centre of each row of x, of which there are
// len(x)/d.
func (c *Centres) Nearest64(x []float64, b *Block) { nearest(c, x, b) }

// Nearest32 is Nearest64 for rows in float32; the answer is that of the rows
// widened to float64.
func (c *Centres) Nearest32(x []float32, b *Block) { nearest(c, x, b) }

func nearest[T number](c *Centres, x []T, b *Block) {
	if len(x)%c.d != 0 {
		panic(fmt.Sprintf("simd: %d values do not fill rows of %d", len(x), c.d))
	}
	n := len(x) / c.d
	b.start(n)
	find(c, x, 0, n, b)
}

// find labels rows lo to hi of x.
func find[T number](c *Centres, x []T, lo, hi int, b *Block) {
	if lo == hi {
		return
	}
	if c.k == 1 {
		clear(b.Label[lo:hi])
		if b.Bounds {
			distRows(c.level, x[lo*c.d:hi*c.d], false, c.d, b.Label[lo:hi], c.c, b.Most[lo:hi])
			copy(b.Least[lo:hi], b.Most[lo:hi])
		}
		for i := range b.Second {
			b.Second[i] = math.Inf(1)
		}
		return
	}
	if c.level == Plain || !scorerOf[T](c).ok {
		for i := lo; i < hi; i++ {
			exact(c, x, i, b)
		}
		return
	}
	b.open = b.open[:0]
	if scorerOf[T](c).integers(c).ok {
		lo = scoreWhole(c, x, lo, hi, b)
	}
	findSingle(c, x, lo, hi, b)
}

// findSingle labels rows lo to hi of x, and those that are open already, by what
// is better than whole numbers.
func findSingle[T number](c *Centres, x []T, lo, hi int, b *Block) {
	score(c, x, lo, hi, b)
	if len(b.open) >= fewRescored && scorerOf[float64](c).ok {
		rescore(c, x, b)
	}
	for _, i := range b.open {
		exact(c, x, int(i), b)
	}
}

// fewRescored is from how many rows on float64 scores, by whole tiles, cost less
// than Dist2 to all centres.
const fewRescored = 4

func (b *Block) start(n int) {
	b.Label = grow(b.Label, n)
	b.Least, b.Most, b.Second = b.Least[:0], b.Most[:0], b.Second[:0]
	if b.Bounds {
		b.Least, b.Most, b.Second = grow(b.Least, n), grow(b.Most, n), grow(b.Second, n)
	}
	b.Singled, b.Doubled, b.Exact = 0, 0, 0
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// fit makes room for scoring rows rows, a whole number of tiles, against c.
func (s *scratch[T]) fit(c *Centres, p *panels[T], rows int) {
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

// score labels rows from to end of x by float32 scores. Those that are not
// proven go to b.open.
func score[T number](c *Centres, x []T, from, end int, b *Block) {
	s, t, rows := scorerOf[T](c), &b.single, chunk(c.level, c.d)
	for lo := from; lo < end; lo += rows {
		hi := min(lo+rows, end)
		t.fit(c, &s.panels, rows)
		shift(c.level, x[lo*c.d:hi*c.d], c.d, s, t)
		at, bytes := beyond(x, hi*c.d, rows*c.d)
		t.run(c, &s.panels, hi-lo, b.Bounds, at, bytes)
		for i := range hi - lo {
			note(c, s, t, i, int32(lo+i), b)
		}
	}
}

// beyond says which memory the rows after from take, at most values numbers.
func beyond[T any](x []T, from, values int) (at uintptr, bytes int) {
	ahead := x[from:min(from+values, len(x))]
	return uintptr(unsafe.Pointer(unsafe.SliceData(ahead))), len(ahead) * int(unsafe.Sizeof(x[0]))
}

// note takes over what float32 scores say of row i, which is row j of t.
func note[T number](c *Centres, s *scorer[T], t *scratch[float32], j int, i int32, b *Block) {
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

// run scores the first m rows of t.z. Those not proven get the label -1.
func (t *scratch[T]) run(c *Centres, p *panels[T], m int, scores bool, ahead uintptr, bytes int) {
	tall := c.level.tileRows()
	tiles := (m + tall - 1) / tall
	clear(t.z[m*c.d : tiles*tall*c.d])
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
	if h := t.label[i]; c.twin != nil && h >= 0 && c.twin[h] {
		s = t.best[i] // a twin is as near
	}
	n, need := float64(t.norm[i]), float64(t.need[i])
	least, most = m.sides(float64(t.best[i]), n, need)
	return least * unscale, most * unscale, m.least(float64(s), n, need) * unscale
}

// rescore is score in float64, for the open rows alone.
func rescore[T number](c *Centres, x []T, b *Block) {
	p, m := c.doublePanels()
	s, t, rows := scorerOf[float64](c), &b.double, chunk(c.level, c.d)
	t.fit(c, p, rows)
	open, unscale := b.open, 1/s.scale/s.scale
	b.open = b.open[:0] // refilled behind the reader
	for len(open) > 0 {
		some := open[:min(rows, len(open))]
		open = open[len(some):]
		for j, i := range some {
			t.norm[j] = shiftRow(x[int(i)*c.d:int(i+1)*c.d], s.offset, s.scale, t.z[j*c.d:(j+1)*c.d])
			t.need[j] = m.need(t.norm[j])
		}
		t.run(c, p, len(some), b.Bounds, 0, 0)
		for j, i := range some {
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

// shiftRow writes (x − offset)·scale to z and returns Σ z².
func shiftRow[T number](x []T, offset []float64, scale float64, z []float64) (norm float64) {
	for f, y := range x {
		v := (float64(y) - offset[f]) * scale
		z[f] = v
		norm += v * v
	}
	return norm
}

// exact labels row i by Dist2 to every centre.
func exact[T number](c *Centres, x []T, i int, b *Block) {
	label, best, second := int32(0), math.Inf(1), math.Inf(1)
	if c.level == Plain {
		b.row = grow(b.row, c.d)
		for f, y := range x[i*c.d : (i+1)*c.d] {
			b.row[f] = float64(y)
		}
		label, best, second = plainNearest(b.row, c.c, b.Bounds)
	} else {
		b.dist = grow(b.dist, c.k)
		distRows(c.level, x[i*c.d:(i+1)*c.d], true, c.d, c.all, c.c, b.dist)
		for h, y := range b.dist {
			if y < best {
				label, best, second = int32(h), y, best
			} else if y < second {
				second = y
			}
		}
	}
	b.Label[i] = label
	if b.Bounds {
		b.Least[i], b.Most[i], b.Second[i] = best, best, second
	}
	b.Exact++
}
