package main

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// labels times the kernel alone, as the library uses it: the nearest centre of
// every row, and nothing else, of rows that are kept in whole numbers where the
// processor has them; to make these once is not timed. It reports how many operations
// the distances would take, and the most that the machine can do.
func labels(args []string) (figures, error) {
	x, first, n, err := open(args[0], args[1], args[2])
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *data.Dense:
		return labelled(x.V, first, (*simd.Centres).Nearest64, n)
	case *data.Dense32:
		return labelled(x.V, first, (*simd.Centres).Nearest32, n)
	}
	return nil, fmt.Errorf("%s holds %T, not dense rows", args[0], x)
}

func labelled[T float32 | float64](x []T, first *data.Dense, nearest func(*simd.Centres, []T, *simd.Block), n int) (figures, error) {
	k, d, workers := first.Len(), first.Cols, runtime.GOMAXPROCS(0)
	blockPool := sync.Pool{New: func() any { return new(simd.Block) }}
	each := func(do func(lo, hi int, scratch *simd.Block)) error {
		return blocks.Each(background, workers, len(x)/d, func(lo, hi int) *simd.Block {
			scratch := blockPool.Get().(*simd.Block)
			do(lo, hi, scratch)
			return scratch
		}, func(_, _ int, scratch *simd.Block) { blockPool.Put(scratch) })
	}
	rounded := simd.Round(simd.Pack(k, d, first.V), x)
	if rounded != nil {
		if err := each(func(lo, _ int, scratch *simd.Block) { rounded.Fill(lo/simd.RoundedLen, scratch) }); err != nil {
			return nil, err
		}
	}
	pass := func() error {
		c := simd.Pack(k, d, first.V)
		return each(func(lo, hi int, scratch *simd.Block) {
			if rounded != nil {
				rounded.Nearest(c, lo/simd.RoundedLen, nil, scratch)
			} else {
				nearest(c, x[lo*d:hi*d], scratch)
			}
		})
	}
	if err := pass(); err != nil { // to warm up
		return nil, err
	}
	peak, c := simd.Peak(), startClock()
	for range n {
		if err := pass(); err != nil {
			return nil, err
		}
	}
	f := c.stop()
	f["seconds"], f["cpu"] = f["seconds"].(float64)/float64(n), f["cpu"].(float64)/float64(n)
	f["gflop"] = 2 * float64(len(x)) * float64(k) / 1e9
	f["peak_gflops"], f["workers"], f["level"] = max(peak, simd.Peak())/1e9, workers, simd.Highest().String()
	return f, nil
}
