package confidence

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// byNeighbours estimates the confidence of rows whose method has no costs for single
// rows, by the share of edge weights that stay in a cluster.
func byNeighbours(ctx context.Context, p *cluster.Problem, clusters []int, o Options, out *Rows) error {
	g := p.Graph
	if g == nil && p.X != nil && p.Len() > 1 {
		k, err := posterior.NewKernel(ctx, &cluster.Problem{X: p.X, Derived: p.Derived}, posterior.Options{Seed: o.Seed, Workers: o.Workers})
		if err != nil {
			return err
		}
		g = k.Graph()
	}
	const prior = 0.2 // the share of the weights that the prior, equal for all clusters, counts as
	blocks.Rows(o.Workers, p.Len(), func(lo, hi int) {
		share := make([]float64, p.K)
		for i := lo; i < hi; i++ {
			clear(share)
			total := 0.0
			add := func(j int, w float64) {
				if j != i && w > 0 {
					share[clusters[j]] += w
					total += w
				}
			}
			if g != nil {
				to, w := g.Neighbours(i)
				for q, j := range to {
					add(int(j), w[q])
				}
			} else if p.Kernel != nil {
				for j := range p.Len() {
					add(j, p.Kernel.V[i*p.Len()+j])
				}
			}
			out.Second[i] = -1
			for h := range share {
				if h != clusters[i] && (out.Second[i] < 0 || share[h] > share[out.Second[i]]) {
					out.Second[i] = h
				}
			}
			out.Confidence[i], out.Margin[i] = 1/float64(p.K), math.NaN()
			if total > 0 {
				out.Confidence[i] = (share[clusters[i]]/total + prior/float64(p.K)) / (1 + prior)
			}
		}
	})
	return ctx.Err()
}
