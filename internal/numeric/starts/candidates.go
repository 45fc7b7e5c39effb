package starts

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// candidatePass is the pass that computes by how much each of several candidates for
// the next centre of k-means++ would lower the potential.
type candidatePass struct {
	Centres *lloyd.PackedCentres // the candidates
	Dist    []float64            // squared distance of each row to the nearest centre so far
	Weight  []float64
	Trial   [][]float64 // the same with each candidate added

	columns   *sparseColumns // of sparse rows, else nil
	potential *potentialPass
	sums      [][]float64 // running sums of Trial, one for each block
}

func newCandidatePass(x data.Rows, p *potentialPass, count int) *candidatePass {
	c := &candidatePass{Weight: p.Weight, potential: p, Trial: make([][]float64, count), sums: make([][]float64, count)}
	for j := range c.Trial {
		c.Trial[j] = make([]float64, len(p.Dist))
	}
	if x, ok := x.(*data.Sparse); ok {
		c.columns = newSparseColumns(x)
	}
	return c
}

// tieTolerance is the relative difference up to which two potentials are equal: larger
// than rounding errors, so that sparse and dense rows choose the same candidate.
const tieTolerance = 1e-9

// chooseBest returns the candidate in c that lowers the potential most, the first on
// ties, and adds it to the potential.
func (p *candidatePass) chooseBest(ctx context.Context, e *cluster.Env, x data.Rows, c []float64) (best int, err error) {
	p.Centres, p.Dist = lloyd.Pack(lloyd.NewCentres(len(c)/x.Dim(), x.Dim(), c), x), p.potential.Dist
	for j := range p.sums {
		p.sums[j] = p.sums[j][:0]
	}
	if p.columns != nil {
		var rows [][]float64
		for j := range p.Trial {
			rows = append(rows, p.Centres.At(j))
		}
		if err := p.columns.distances(ctx, e.Workers, rows, p.Trial); err != nil {
			return 0, err
		}
	}
	if err := p.sweep(ctx, e, x); err != nil {
		return 0, err
	}
	last := len(p.sums[0]) - 1
	for j := range p.sums {
		if p.sums[j][last] < p.sums[best][last]*(1-tieTolerance) {
			best = j
		}
	}
	p.potential.Dist, p.Trial[best] = p.Trial[best], p.potential.Dist
	p.potential.sums, p.sums[best] = p.sums[best], p.potential.sums
	return best, nil
}

// sweep runs the pass. Where there are few blocks for each worker every candidate is a
// task of its own, with the same sums.
func (p *candidatePass) sweep(ctx context.Context, e *cluster.Env, x data.Rows) error {
	workers, n := blocks.Workers(e.Workers), x.Len()
	switch x.(type) {
	case *data.Dense, *data.Dense32:
		if workers > 1 && n < fewestBlocks*workers*blocks.Len {
			break
		}
		return cluster.Sweep(ctx, e, x, p)
	default:
		return cluster.Sweep(ctx, e, x, p)
	}
	count := len(p.Trial)
	parts := make([]float64, (n+blocks.Len-1)/blocks.Len*count)
	err := blocks.Tasks(ctx, workers, len(parts), func(t int) {
		lo := t / count * blocks.Len
		hi := min(n, lo+blocks.Len)
		parts[t] = p.tryCandidate(x, lo, lo, hi, t%count, make([]int32, hi-lo))
	})
	for at := 0; at < len(parts) && err == nil; at += count {
		p.Merge(0, 0, parts[at:at+count])
	}
	return err
}

func (p *candidatePass) Block(x data.Rows, lo, hi int) []float64 {
	part := make([]float64, len(p.Trial))
	label := make([]int32, hi-lo)
	rows, first := lloyd.LoadBlock(x, lo, hi)
	for j := range p.Trial {
		part[j] = p.tryCandidate(rows, first, lo, hi, j, label)
	}
	return part
}

// tryCandidate returns the potential of rows lo to hi with candidate j added.
func (p *candidatePass) tryCandidate(rows data.Rows, first, lo, hi, j int, label []int32) (sum float64) {
	to := p.Trial[j][lo:hi]
	for i := range label {
		label[i] = int32(j)
	}
	if p.columns == nil {
		p.Centres.LabelledDistances(rows, first, first+hi-lo, label, to)
	}
	for i, y := range p.Dist[lo:hi] {
		if y < to[i] {
			to[i] = y
		}
		sum += float64(lloyd.WeightAt(p.Weight, lo+i) * to[i])
	}
	return sum
}

func (p *candidatePass) Merge(_, _ int, part []float64) {
	for j, y := range part {
		if n := len(p.sums[j]); n > 0 {
			y += p.sums[j][n-1]
		}
		p.sums[j] = append(p.sums[j], y)
	}
}
