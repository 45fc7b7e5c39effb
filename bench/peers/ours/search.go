package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// search times a Lloyd iteration in which every row is searched, as the peers
// do it: no bounds, no objective per row kept. It is the kernel of the library
// in a loop of its own, since the library itself spares rows where it can. As
// in each, the first iteration is not timed.
func search(args []string) (figures, error) {
	x, first, n, err := open(args[0], args[1], args[2])
	if err != nil {
		return nil, err
	}
	k, workers := first.Len(), runtime.GOMAXPROCS(0)
	switch x := x.(type) {
	case *data.Dense:
		return searched(&lloyd[float64]{x: x.V, d: x.Cols, k: k, workers: workers, c: first.V,
			assign: (*simd.Centres).Assign64, nearest: (*simd.Centres).Nearest64}, n), nil
	case *data.Dense32:
		return searched(&lloyd[float32]{x: x.V, d: x.Cols, k: k, workers: workers, c: first.V,
			assign: (*simd.Centres).Assign32, nearest: (*simd.Centres).Nearest32}, n), nil
	}
	return nil, fmt.Errorf("%s holds %T, not dense rows", args[0], x)
}

func searched[T float32 | float64](l *lloyd[T], n int) figures {
	l.labels = make([]int32, len(l.x)/l.d)
	peak := simd.Peak()
	l.iterate()
	c := startClock()
	for range n {
		l.iterate()
	}
	f := c.stop()
	f["seconds"], f["cpu"] = f["seconds"].(float64)/float64(n), f["cpu"].(float64)/float64(n)
	c = startClock()
	for range n {
		l.label()
	}
	labels := c.stop()
	f["labels_seconds"], f["labels_cpu"] = labels["seconds"].(float64)/float64(n), labels["cpu"].(float64)/float64(n)
	f["check"] = l.iterate() // the cost at the centres of the last timed iteration
	f["gflop"] = 2 * float64(len(l.x)) * float64(l.k) / 1e9
	f["peak_gflops"], f["workers"], f["level"] = max(peak, simd.Peak())/1e9, l.workers, simd.Highest().String()
	return f
}

// lloyd is k-means without bounds.
type lloyd[T float32 | float64] struct {
	x       []T
	d, k    int
	workers int
	c       []float64
	labels  []int32
	assign  func(c *simd.Centres, x []T, fixed []int32, w []float64, b *simd.Block, dist, sum []float64)
	nearest func(c *simd.Centres, x []T, b *simd.Block)
}

// blocks hands out the rows from lo to hi to as many goroutines as there are
// workers; start makes what one goroutine does with its blocks, and what it
// does at the end, one goroutine at a time.
func (l *lloyd[T]) blocks(start func() (block func(lo, hi int), end func())) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var one sync.Mutex
	n := len(l.labels)
	for range l.workers {
		wg.Go(func() {
			block, end := start()
			for {
				lo := int(next.Add(blocks.Len)) - blocks.Len
				if lo >= n {
					break
				}
				block(lo, min(lo+blocks.Len, n))
			}
			one.Lock()
			defer one.Unlock()
			end()
		})
	}
	wg.Wait()
}

// iterate labels every row, moves the centres to the means and returns the sum
// of the squared distances to the centres before.
func (l *lloyd[T]) iterate() (cost float64) {
	p := simd.Pack(l.k, l.d, l.c)
	sums, counts := make([]float64, l.k*l.d), make([]int, l.k)
	l.blocks(func() (func(lo, hi int), func()) {
		b, dist := new(simd.Block), make([]float64, blocks.Len)
		sum, count, spent := make([]float64, l.k*l.d), make([]int, l.k), 0.0
		block := func(lo, hi int) {
			l.assign(p, l.x[lo*l.d:hi*l.d], nil, nil, b, dist[:hi-lo], sum)
			copy(l.labels[lo:hi], b.Label)
			for i, h := range l.labels[lo:hi] {
				count[h]++
				spent += dist[i]
			}
		}
		return block, func() {
			cost += spent
			for h, c := range count {
				counts[h] += c
			}
			for i, y := range sum {
				sums[i] += y
			}
		}
	})
	c := append([]float64(nil), l.c...)
	for h, m := range counts {
		for f := h * l.d; m > 0 && f < (h+1)*l.d; f++ {
			c[f] = sums[f] / float64(m)
		}
	}
	l.c = c
	return cost
}

// label finds the nearest centre of every row and does nothing else.
func (l *lloyd[T]) label() {
	p := simd.Pack(l.k, l.d, l.c)
	l.blocks(func() (func(lo, hi int), func()) {
		b := new(simd.Block)
		return func(lo, hi int) { l.nearest(p, l.x[lo*l.d:hi*l.d], b) }, func() {}
	})
}
