package score

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/inklinghq/inkling/data"
)

const defaultSample = 10_000

// A sample is the rows of which silhouettes are measured, cluster by cluster
// and rising within a cluster: those of cluster c are start[c] to start[c+1].
type sample struct {
	n      int   // rows in all
	sizes  []int // of the clusters, in all
	start  []int
	rows   []int
	engine interface {
		// block returns a function that writes the silhouettes of the rows lo
		// to hi of the sample; it is for one goroutine.
		block() func(lo, hi int, out []float64)
	}
}

func newSample(c coded, opts SilhouetteOptions) (*sample, error) {
	n, k := len(c.codes), len(c.group.values)
	most := opts.Sample
	if most == 0 {
		most = defaultSample
	}
	if most < 0 || most > n {
		most = n
	}
	if most < n && 2*k > most {
		return nil, fmt.Errorf("%d clusters, a silhouette of %d sampled rows has room for two rows of %d; raise Sample", k, most, most/2)
	}
	s := &sample{n: n, sizes: histogram(c.codes, k), start: make([]int, k+1)}
	byCluster := make([]int, n)
	next := starts(s.sizes)
	for i, h := range c.codes {
		byCluster[next[h]] = i
		next[h]++
	}
	r := rand.New(rand.NewPCG(opts.Seed, 0x5c0e))
	for h, size := range s.sizes {
		members := byCluster[:size]
		byCluster = byCluster[size:]
		quota := size
		if most < n {
			quota = min(size, max(2, int(float64(most)*float64(size)/float64(n))))
		}
		s.draw(r, members, quota)
		s.start[h+1] = len(s.rows)
	}
	return s, nil
}

// draw appends quota of the members, rising: each is taken with probability
// (still wanted)/(still to come), which makes all choices equally likely.
func (s *sample) draw(r *rand.Rand, members []int, quota int) {
	for p, i := range members {
		if left := len(members) - p; quota == left || quota > 0 && r.IntN(left) < quota {
			s.rows = append(s.rows, i)
			quota--
		}
	}
}

// load checks the sampled rows and chooses how to measure them: by an inverted
// index if all are sparse, by differences otherwise.
func (s *sample) load(x data.Rows) error {
	buf := make([]float64, x.Dim())
	sparse := true
	for _, i := range s.rows {
		v := x.Row(i, buf)
		if err := v.CheckFinite(i); err != nil {
			return fmt.Errorf("silhouette: %w", err)
		}
		sparse = sparse && v.Idx != nil
	}
	if sparse {
		s.engine = newSparseSilhouette(s, x)
	} else {
		s.engine = &denseSilhouette{s, x}
	}
	return nil
}

// blockRows is how many rows a worker measures at a time.
const blockRows = 32

// measure writes the silhouettes of all rows of the sample. Every row's value
// is computed by one worker in a fixed order, so the bits do not depend on
// who does it.
func (s *sample) measure(ctx context.Context, workers int, out []float64) error {
	blocks := (len(s.rows) + blockRows - 1) / blockRows
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, blocks) {
		wg.Go(func() {
			measure := s.engine.block()
			for ctx.Err() == nil {
				b := int(next.Add(1)) - 1
				if b >= blocks {
					return
				}
				lo, hi := b*blockRows, min((b+1)*blockRows, len(s.rows))
				measure(lo, hi, out[lo:hi])
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// clusterAt returns the cluster of row p of the sample.
func (s *sample) clusterAt(p int) int {
	c, found := slices.BinarySearch(s.start, p)
	if !found {
		c--
	}
	return c // no cluster is empty, so no start stands twice
}

// inRowOrder returns the sampled rows, rising, with their values.
func (s *sample) inRowOrder(values []float64) ([]int, []float64) {
	order := make([]int, len(s.rows))
	for p := range order {
		order[p] = p
	}
	slices.SortFunc(order, func(p, q int) int { return s.rows[p] - s.rows[q] })
	rows, v := make([]int, len(order)), make([]float64, len(order))
	for at, p := range order {
		rows[at], v[at] = s.rows[p], values[p]
	}
	return rows, v
}
