package simd

import (
	"fmt"
	"math"
)

// Nearest64 finds the nearest centre of each of the len(x)/d rows of x.
func (c *Centres) Nearest64(x []float64, b *Block) { nearest(c, x, b) }

// Nearest32 is Nearest64 for rows in float32; the answer is that of the rows
// widened to float64.
func (c *Centres) Nearest32(x []float32, b *Block) { nearest(c, x, b) }

func nearest[T number](c *Centres, x []T, b *Block) {
	if len(x)%c.d != 0 {
		panic(fmt.Sprintf("simd: %d values do not fill rows of %d", len(x), c.d))
	}
	n := len(x) / c.d
	b.reset(n)
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
	if scorerOf[T](c).integerCentres(c).ok {
		lo = scoreIntegers(c, x, lo, hi, b)
	}
	findSingle(c, x, lo, hi, b)
}

// findSingle labels rows lo to hi of x, and those that are open already, by what
// is better than integers.
func findSingle[T number](c *Centres, x []T, lo, hi int, b *Block) {
	score(c, x, lo, hi, b)
	if len(b.open) >= minRescored && scorerOf[float64](c).ok {
		rescore(c, x, b)
	}
	for _, i := range b.open {
		exact(c, x, int(i), b)
	}
}

// minRescored is from how many rows on float64 scores, by whole tiles, cost less
// than Dist2 to all centres.
const minRescored = 4

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
