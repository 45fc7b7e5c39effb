package eigen

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Products and sums of blocks are those of the definition, added up row after row and
// vector after vector: the same bits, whatever the number of vectors and of workers.
func TestBlockProducts(t *testing.T) {
	const n = 2500
	for _, sizes := range [][]int{{1}, {2, 2, 2}, {3, 3}, {5, 4, 5}, {9, 9, 9}, {21, 21, 20}} {
		rng := rand.New(rand.NewPCG(5, uint64(len(sizes)*100+sizes[0])))
		var list []*vectorBlock
		var column [][3][]float64 // of every vector and its products
		for _, p := range sizes {
			b := (&generalizedLOBPCG{n: n}).newBlock(p)
			for kind := range 3 {
				for i := range b.part(kind) {
					b.part(kind)[i] = rng.NormFloat64()
				}
			}
			list = append(list, b)
			for c := range p {
				var of [3][]float64
				for kind := range of {
					for i := range n {
						of[kind] = append(of[kind], b.part(kind)[i*p+c])
					}
				}
				column = append(column, of)
			}
		}
		m := len(column)
		y := make([][]float64, sizes[0])
		for c := range y {
			for range m {
				y[c] = append(y[c], rng.NormFloat64())
			}
		}
		for _, workers := range []int{1, 3} {
			c := &generalizedLOBPCG{n: n, workers: workers}
			vv, vm, vs := c.grams(list)
			for kind, got := range []*Dense{vv, vm, vs} {
				for r := range m {
					for q := range r + 1 {
						want := 0.0
						for lo := 0; lo < n; lo += 1024 { // the blocks
							part := 0.0
							for i := lo; i < min(n, lo+1024); i++ {
								part += float64(column[r][0][i] * column[q][kind][i])
							}
							want += part
						}
						if got.V[r*m+q] != want || got.V[q*m+r] != want {
							t.Fatalf("%v vectors: product %d, %d of kind %d is %v and %v, wanted %v", sizes, r, q, kind, got.V[r*m+q], got.V[q*m+r], want)
						}
					}
				}
			}
			all, others := c.combine(list, y)
			if (others == nil) != (len(sizes) == 1) {
				t.Fatalf("%v vectors: sums without the first bundle: %v", sizes, others != nil)
			}
			for kind := range 3 {
				for i := range n {
					for c := range y {
						sum, rest := 0.0, 0.0
						for q := range m {
							sum += float64(y[c][q] * column[q][kind][i])
							if q >= sizes[0] {
								rest += float64(y[c][q] * column[q][kind][i])
							}
						}
						if got := all.part(kind)[i*len(y)+c]; got != sum {
							t.Fatalf("%v vectors: sum %d of row %d is %v, wanted %v", sizes, c, i, got, sum)
						}
						if others != nil && others.part(kind)[i*len(y)+c] != rest {
							t.Fatalf("%v vectors: sum %d of row %d without the first bundle is %v, wanted %v", sizes, c, i, others.part(kind)[i*len(y)+c], rest)
						}
					}
				}
			}
		}
	}
}

// What is left of vectors has no part in the span of others, though these are not orthogonal.
func TestSubtractSpan(t *testing.T) {
	const n, p, q = 1500, 5, 3
	rng := rand.New(rand.NewPCG(5, 6))
	x, w := (&generalizedLOBPCG{n: n}).newBlock(p), (&generalizedLOBPCG{n: n}).newBlock(q)
	for i := range n {
		for c := range p {
			x.v[i*p+c] = rng.NormFloat64() + 2*x.v[i*p]
		}
		for c := range q {
			w.v[i*q+c] = rng.NormFloat64() + x.v[i*p+c]
		}
	}
	(&generalizedLOBPCG{n: n, workers: 2}).subtractSpan(w, x)
	for a := range p {
		for b := range q {
			product := 0.0
			for i := range n {
				product += x.v[i*p+a] * w.v[i*q+b]
			}
			if math.Abs(product) > 1e-9 {
				t.Errorf("vector %d has a product of %v with vector %d of the span", b, product, a)
			}
		}
	}
	left := 0.0
	for _, y := range w.v {
		left += y * y
	}
	if left < n {
		t.Errorf("only %v of the vectors is left", left)
	}
}
