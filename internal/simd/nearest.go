package simd

import (
	"fmt"
	"math"
)

// A Block receives the labels of a block of rows, and holds the memory that
// finding them needs. The zero Block is ready; used again, it allocates
// nothing. It serves one goroutine at a time.
type Block struct {
	// Bounds asks for Second.
	Bounds bool
	// Label[i] is the centre nearest to row i, the lowest on ties.
	Label []int32
	// Second[i], if asked for, is at most the Dist2 of row i to any centre but
	// Label[i]. It is close to the least of them, and may differ in the last
	// digits from level to level.
	Second []float64
	// Doubled and Exact count the rows of the last call that float32 scores
	// left open: Doubled were then proven by float64 scores, Exact by Dist2.
	Doubled, Exact int

	single scratch[float32]
	double scratch[float64]
	open   []int32
	dist   []float64
}

// scratch is what scoring a few tiles needs.
type scratch[T number] struct {
	z, norm, best, second, state []T
	label                        []int32
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
	if n == 0 {
		return
	}
	if c.k == 1 {
		clear(b.Label)
		for i := range b.Second {
			b.Second[i] = math.Inf(1)
		}
		return
	}
	if c.level == Plain || c.k < leastScored || !scorerOf[T](c).ok {
		for i := range n {
			exact(c, x, i, b)
		}
		return
	}
	score(c, x, b)
	if len(b.open) >= c.level.tileRows() && scorerOf[float64](c).ok {
		rescore(c, x, b)
	}
	for _, i := range b.open {
		exact(c, x, int(i), b)
	}
}

// leastScored is the number of centres from which scoring pays.
const leastScored = 3

func (b *Block) start(n int) {
	b.Label = grow(b.Label, n)
	b.Second = b.Second[:0]
	if b.Bounds {
		b.Second = grow(b.Second, n)
	}
	b.open = b.open[:0]
	b.Doubled, b.Exact = 0, 0
}

func grow[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// fit makes room for scoring rows rows, a whole number of tiles.
func (s *scratch[T]) fit(l Level, rows, d int) {
	if len(s.z) < rows*d {
		s.z = aligned[T](rows * d)
	}
	if len(s.norm) < rows {
		s.norm, s.best, s.second = make([]T, rows), make([]T, rows), make([]T, rows)
		s.label = make([]int32, rows)
	}
	if s.state == nil {
		s.state = aligned[T](3 * l.tileRows() * l.registerBytes() / 4)
	}
}

// chunk is how many rows are scored at a time: whole tiles that stay in cache.
func chunk(l Level, d int) int {
	const values = 1 << 13
	tiles := max(1, min(values/d, 252)/l.tileRows())
	return tiles * l.tileRows()
}

// score labels rows by float32 scores. Those that are not proven go to b.open.
func score[T number](c *Centres, x []T, b *Block) {
	s, t, rows := scorerOf[T](c), &b.single, chunk(c.level, c.d)
	t.fit(c.level, rows, c.d)
	tall := c.level.tileRows()
	for lo := 0; lo < len(b.Label); lo += rows {
		hi := min(lo+rows, len(b.Label))
		m := hi - lo
		shift(c.level, x[lo*c.d:hi*c.d], c.d, s.offset, s.scale, t.z, t.norm)
		tiles := (m + tall - 1) / tall
		clear(t.z[m*c.d : tiles*tall*c.d])
		tile(c.level, &s.panels, t.z, c.d, tiles, t.state, t.label, t.best, t.second)
		copy(b.Label[lo:hi], t.label)
		for i := range m {
			gap, n := float64(t.second[i])-float64(t.best[i]), float64(t.norm[i])
			if !(gap > s.margin.quick(n)) && !(gap > s.margin.need(n)) {
				b.open = append(b.open, int32(lo+i))
			}
		}
		for i := range b.Second[min(lo, len(b.Second)):min(hi, len(b.Second))] {
			b.Second[lo+i] = bound(c, t, i, &s.margin, s.scale)
		}
	}
}

// bound turns the second best score of row i into a certain lower bound of the
// Dist2 to all centres but its own.
func bound[T number](c *Centres, t *scratch[T], i int, m *margin, scale float64) float64 {
	s := t.second[i]
	if h := t.label[i]; c.twin != nil && uint32(h) < uint32(c.k) && c.twin[h] {
		s = t.best[i] // a twin is as near
	}
	return m.least(float64(s), float64(t.norm[i])) / scale / scale
}

// rescore is score in float64, for the open rows alone.
func rescore[T number](c *Centres, x []T, b *Block) {
	p, m := c.doublePanels()
	s, t, rows := scorerOf[float64](c), &b.double, chunk(c.level, c.d)
	t.fit(c.level, rows, c.d)
	tall, open := c.level.tileRows(), b.open
	b.open = b.open[:0] // refilled behind the reader
	for len(open) > 0 {
		some := open[:min(rows, len(open))]
		open = open[len(some):]
		for j, i := range some {
			t.norm[j] = shiftRow(x[int(i)*c.d:int(i+1)*c.d], s.offset, s.scale, t.z[j*c.d:(j+1)*c.d])
		}
		tiles := (len(some) + tall - 1) / tall
		clear(t.z[len(some)*c.d : tiles*tall*c.d])
		tile(c.level, p, t.z, c.d, tiles, t.state, t.label, t.best, t.second)
		for j, i := range some {
			if b.Bounds {
				b.Second[i] = bound(c, t, j, m, s.scale)
			}
			if t.second[j]-t.best[j] > m.need(t.norm[j]) {
				b.Label[i] = t.label[j]
				b.Doubled++
			} else {
				b.open = append(b.open, i)
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
	b.dist = grow(b.dist, c.k)
	distRows(c.level, x[i*c.d:(i+1)*c.d], true, c.d, c.all, c.c, b.dist)
	best, second, label := math.Inf(1), math.Inf(1), 0
	for h, y := range b.dist {
		if y < best {
			best, second, label = y, best, h
		} else if y < second {
			second = y
		}
	}
	b.Label[i] = int32(label)
	if b.Bounds {
		b.Second[i] = second
	}
	b.Exact++
}
