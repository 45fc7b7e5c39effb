package simd

import "fmt"

// ByFeature are k centres of d features, held feature by feature, so that a
// sparse row meets all of them in one walk through its values. They serve any
// number of goroutines.
type ByFeature struct {
	k, d  int
	width int // k, filled up to whole octets
	c     []float64
	level Level
}

// PackByFeature copies the k rows of c, of d numbers each.
func PackByFeature(k, d int, c []float64) *ByFeature {
	if k < 1 || d < 1 || len(c) != k*d {
		panic(fmt.Sprintf("simd: %d values for %d centres of %d", len(c), k, d))
	}
	b := &ByFeature{k: k, d: d, width: (k + 7) / 8 * 8, level: level}
	b.c = aligned[float64](d * b.width)
	for h := range k {
		for f, y := range c[h*d : (h+1)*d] {
			b.c[f*b.width+h] = y
		}
	}
	return b
}

// Room returns how many numbers Products writes.
func (b *ByFeature) Room() int { return b.width }

// Products writes to out[h], for every centre h, the sum of val[p] times
// feature idx[p] of the centre, added up in the order of p without fusing; what
// stands in out beyond the centres means nothing.
func (b *ByFeature) Products(idx []int32, val, out []float64) {
	val, out = val[:len(idx)], out[:b.width]
	for _, f := range idx {
		if uint(f) >= uint(b.d) {
			panic(fmt.Sprintf("simd: feature %d of %d", f, b.d))
		}
	}
	if b.level == Plain || len(idx) == 0 {
		b.plainProducts(idx, val, out)
		return
	}
	products(b.level, idx, val, b.c, b.width, out)
}

func (b *ByFeature) plainProducts(idx []int32, val, out []float64) {
	clear(out)
	for p, f := range idx {
		y := val[p]
		for h, x := range b.c[int(f)*b.width : int(f)*b.width+b.k] {
			out[h] += float64(y * x)
		}
	}
}
