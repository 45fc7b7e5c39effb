package score

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

const defaultSample = 10_000

// A sample is the rows whose silhouettes are measured, cluster by cluster and
// ascending within a cluster: those of cluster c are start[c] to start[c+1].
type sample struct {
	n         int   // rows in all
	sizes     []int // of the clusters, in all
	start     []int
	rows      []int
	distances interface {
		// blockMeasure returns a function that writes the silhouettes of the rows
		// lo to hi of the sample; it is for one goroutine.
		blockMeasure() func(lo, hi int, out []float64)
	}
}

func newSample(c coded, most int, seed uint64) (*sample, error) {
	n, k := len(c.codes), len(c.group.values)
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
	r := rand.New(rand.NewPCG(seed, 0x5c0e))
	for h, size := range s.sizes {
		members := byCluster[:size]
		byCluster = byCluster[size:]
		quota := size
		if most < n {
			quota = min(size, max(2, int(float64(most)*float64(size)/float64(n))))
		}
		s.drawMembers(r, members, quota)
		s.start[h+1] = len(s.rows)
	}
	return s, nil
}

// drawMembers appends quota of the members, ascending: each is taken with probability
// (still wanted)/(still to come), which makes all choices equally likely.
func (s *sample) drawMembers(r *rand.Rand, members []int, quota int) {
	for p, i := range members {
		if left := len(members) - p; quota == left || quota > 0 && r.IntN(left) < quota {
			s.rows = append(s.rows, i)
			quota--
		}
	}
}

// blockRows is how many rows a worker measures at a time.
const blockRows = 32

// measure writes the silhouettes of all rows of the sample. Every row's value
// is computed by one worker in a fixed order, so the bits do not depend on
// who does it.
func (s *sample) measure(ctx context.Context, workers int, out []float64) error {
	measures := sync.Pool{New: func() any { return s.distances.blockMeasure() }}
	return blocks.Tasks(ctx, workers, (len(s.rows)+blockRows-1)/blockRows, func(b int) {
		measure := measures.Get().(func(lo, hi int, out []float64))
		lo, hi := b*blockRows, min((b+1)*blockRows, len(s.rows))
		measure(lo, hi, out[lo:hi])
		measures.Put(measure)
	})
}

// clusterAt returns the cluster of row p of the sample.
func (s *sample) clusterAt(p int) int {
	c, found := slices.BinarySearch(s.start, p)
	if !found {
		c--
	}
	return c // no cluster is empty, so all starts differ
}

// inRowOrder returns the sampled rows, ascending, with their values.
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

// silhouetteOf returns (b − a) / max(a, b) of a row of cluster own, given the
// sums of its distances to the rows of each cluster.
func (s *sample) silhouetteOf(own int, sums []float64) float64 {
	size := s.start[own+1] - s.start[own]
	if size == 1 {
		return 0
	}
	a, b := sums[own]/float64(size-1), math.Inf(1)
	for c, sum := range sums {
		if c != own {
			b = min(b, sum/float64(s.start[c+1]-s.start[c]))
		}
	}
	if a == b && !math.IsInf(a, 0) {
		return 0
	}
	return (b - a) / max(a, b) // NaN where a distance overflowed
}
