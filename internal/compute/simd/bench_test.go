package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A shape is the size of a benchmark.
type shape struct{ n, d, k int }

func (s shape) String() string { return fmt.Sprintf("n=%d/d=%d/k=%d", s.n, s.d, s.k) }

var shapes = []shape{{1000000, 32, 100}, {100000, 128, 256}, {1000000, 16, 100}, {1000000, 2, 8}, {1000000, 8, 3}, {1000000, 20, 2}, {20000, 784, 50}}

// data makes rows around k places, and centres near them.
func (s shape) data() (x, c []float64) {
	r := rand.New(rand.NewPCG(1, uint64(s.n)))
	c = make([]float64, s.k*s.d)
	for i := range c {
		c[i] = 2 * r.NormFloat64()
	}
	x = make([]float64, s.n*s.d)
	for i := range s.n {
		h := r.IntN(s.k)
		for f := range s.d {
			x[i*s.d+f] = c[h*s.d+f] + r.NormFloat64()
		}
	}
	for i := range c {
		c[i] += r.NormFloat64() / 4
	}
	return x, c
}

// blockRows is how many rows a caller hands over at a time.
const blockRows = 1024

// search finds the nearest centres of all rows on several goroutines.
func search[T number](x []T, c []float64, s shape, workers int) (open int64) {
	p := Pack(s.k, s.d, c)
	var next, left atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			b := new(Block)
			for {
				hi := int(next.Add(blockRows))
				lo := hi - blockRows
				if lo >= s.n {
					return
				}
				nearest(p, x[lo*s.d:min(hi, s.n)*s.d], b)
				left.Add(int64(b.Doubled + b.Exact))
			}
		})
	}
	wg.Wait()
	return left.Load()
}

func BenchmarkNearest(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.String(), func(b *testing.B) {
			x, c := s.data()
			y := narrow(x)
			for l := Highest(); l >= Plain; l-- {
				for _, kind := range []string{"f32", "f64"} {
					for _, workers := range []int{1, 2} {
						b.Run(fmt.Sprintf("level=%v/%s/workers=%d", l, kind, workers), func(b *testing.B) {
							defer Force(Force(l))
							peak := Peak()
							var open int64
							for b.Loop() {
								if kind == "f32" {
									open = search(y, c, s, workers)
								} else {
									open = search(x, c, s, workers)
								}
							}
							rate := 2 * float64(s.n) * float64(s.d) * float64(s.k) * float64(b.N) / b.Elapsed().Seconds()
							b.ReportMetric(rate/1e9, "GFLOP/s")
							if peak > 0 {
								b.ReportMetric(100*rate/peak/float64(workers), "%peak")
							}
							b.ReportMetric(100*float64(open)/float64(s.n), "%open")
						})
					}
				}
			}
		})
	}
}

func BenchmarkPack(b *testing.B) {
	for _, s := range []shape{{1, 32, 100}, {1, 128, 1000}} {
		b.Run(fmt.Sprintf("d=%d/k=%d", s.d, s.k), func(b *testing.B) {
			x, c := s.data()
			for b.Loop() {
				Pack(s.k, s.d, c).Nearest64(x, new(Block))
			}
		})
	}
}

func BenchmarkPeak(b *testing.B) {
	best := 0.0
	for b.Loop() {
		best = max(best, Peak())
	}
	b.ReportMetric(best/1e9, "GFLOP/s")
}

// BenchmarkBlock times single blocks and reports the median, which other work on
// the machine disturbs little: a block is done in less than a turn of the
// scheduler.
func BenchmarkBlock(b *testing.B) {
	for _, s := range shapes {
		s.n = min(s.n, 1<<16)
		b.Run(fmt.Sprintf("d=%d/k=%d", s.d, s.k), func(b *testing.B) {
			x, c := s.data()
			for l := Highest(); l >= Plain; l-- {
				b.Run(fmt.Sprintf("level=%v/f32", l), func(b *testing.B) { blocks(b, l, narrow(x), c, s) })
				b.Run(fmt.Sprintf("level=%v/f64", l), func(b *testing.B) { blocks(b, l, x, c, s) })
			}
		})
	}
}

func blocks[T number](b *testing.B, l Level, x []T, c []float64, s shape) {
	defer Force(Force(l))
	p, block := Pack(s.k, s.d, c), new(Block)
	var took []float64
	for b.Loop() {
		for lo := 0; lo+blockRows <= s.n; lo += blockRows {
			begun := time.Now()
			nearest(p, x[lo*s.d:(lo+blockRows)*s.d], block)
			took = append(took, time.Since(begun).Seconds())
		}
	}
	slices.Sort(took)
	t := took[len(took)/2]
	work := 2 * float64(blockRows) * float64(s.d) * float64(s.k)
	b.ReportMetric(t/blockRows*1e9, "ns/row")
	b.ReportMetric(work/t/1e9, "GFLOP/s")
	if peak := Peak(); peak > 0 {
		b.ReportMetric(100*work/t/peak, "%peak")
	}
}
