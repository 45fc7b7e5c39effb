package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A partition is a clustering of one level, with the sums that J needs of each
// cluster.
type partition struct {
	level         *level
	k             int
	label         []int32
	mass          []float64 // mass of each cluster: Σ α_i
	association   []float64 // association: z'(B + W)z
	sizes         []int32   // nodes in each cluster
	cannotPenalty float64   // cost of violated cannot-links
	fallback      int32     // the cluster that a node without edges tries
}

// newPartition takes over label. If ctx ends, the partition is not complete.
func newPartition(ctx context.Context, workers int, l *level, k int, label []int32) (*partition, error) {
	p := &partition{level: l, k: k, label: label, mass: make([]float64, k), association: make([]float64, k), sizes: make([]int32, k)}
	return p, p.recompute(ctx, workers)
}

// recompute computes the sums of the clusters from the labels alone.
func (p *partition) recompute(ctx context.Context, workers int) error {
	clear(p.mass)
	clear(p.association)
	clear(p.sizes)
	p.cannotPenalty = 0
	err := blocks.Each(ctx, workers, len(p.label), func(lo, hi int) []float64 {
		part := make([]float64, 2*p.k+1)
		for i := int32(lo); i < int32(hi); i++ {
			c := p.label[i]
			m := p.level.selfWeight[i]
			for _, g := range [2]*sparseMatrix{&p.level.affinity, &p.level.pairWeights} {
				to, w := g.neighbours(i)
				for q, j := range to {
					if p.label[j] == c && j != i {
						m += w[q]
					}
				}
			}
			part[c] += p.level.alpha[i]
			part[p.k+int(c)] += m
			to, w := p.level.cannotCost.neighbours(i)
			for q, j := range to {
				if p.label[j] == c {
					part[2*p.k] += w[q] / 2 // each pair stands in two rows
				}
			}
		}
		return part
	}, func(_, _ int, part []float64) {
		for c := range p.k {
			p.mass[c] += part[c]
			p.association[c] += part[p.k+c]
		}
		p.cannotPenalty += part[2*p.k]
	})
	for _, c := range p.label {
		p.sizes[c]++
	}
	p.findFallback()
	return err
}

// quality returns −J up to the constant.
func (p *partition) quality() (q float64) {
	for c := range p.k {
		q += quotient(p.association[c], p.mass[c])
	}
	return q - p.cannotPenalty
}

// findFallback finds the cluster that loses least by a node without edges to it.
func (p *partition) findFallback() {
	best := math.Inf(-1)
	mean := sumAll(p.mass) / float64(len(p.label))
	for c := range p.k {
		if g := quotient(p.association[c], p.mass[c]+mean) - quotient(p.association[c], p.mass[c]); g > best {
			best, p.fallback = g, int32(c)
		}
	}
}

// nodeLinks are the links of one node to the clusters around it.
type nodeLinks struct {
	sum        []float64 // by cluster: Σ_j B_ij + W_ij over its nodes j ≠ i
	linked     []bool
	clusters   []int32
	cannotCost []float64 // by cluster: of the cannot-links that the node would violate there
}

func newNodeLinks(k int) *nodeLinks {
	return &nodeLinks{sum: make([]float64, k), linked: make([]bool, k), cannotCost: make([]float64, k)}
}

func (r *nodeLinks) addLink(c int32, x float64) {
	if !r.linked[c] {
		r.linked[c] = true
		r.clusters = append(r.clusters, c)
	}
	r.sum[c] += x
}

func (r *nodeLinks) reset() {
	for _, c := range r.clusters {
		r.sum[c], r.linked[c], r.cannotCost[c] = 0, false, 0
	}
	r.clusters = r.clusters[:0]
}

// collectLinks fills r for node i.
func (p *partition) collectLinks(i int32, r *nodeLinks) {
	r.reset()
	to, w := p.level.affinity.neighbours(i)
	for q, j := range to {
		if j != i {
			r.addLink(p.label[j], w[q])
		}
	}
	to, w = p.level.pairWeights.neighbours(i)
	for q, j := range to {
		r.addLink(p.label[j], w[q])
	}
	to, w = p.level.cannotCost.neighbours(i)
	for q, j := range to {
		r.addLink(p.label[j], 0)
		r.cannotCost[p.label[j]] += w[q]
	}
}

// fewClusters is the number of clusters up to which a node tries all of them;
// above, it tries those that it has links to, and the fallback.
const fewClusters = 16

// bestMove returns the cluster that node i gains most by moving to, and by how
// much J falls; its own and 0 if nothing is gained. A cluster is never emptied,
// nor left without mass.
func (p *partition) bestMove(i int32, r *nodeLinks) (to int32, gain float64) {
	from := p.label[i]
	alpha := p.level.alpha[i]
	if p.sizes[from] < 2 || alpha > 0 && p.mass[from]-alpha <= 1e-12*p.mass[from] {
		return from, 0
	}
	p.collectLinks(i, r)
	stay, leave := quotient(p.association[from], p.mass[from]), quotient(p.association[from]-2*r.sum[from]-p.level.selfWeight[i], p.mass[from]-alpha)
	to, off := from, leave-stay+r.cannotCost[from]
	try := func(c int32) {
		if c == from || p.level.cannotFirm && r.cannotCost[c] > r.cannotCost[from] {
			return
		}
		was, now := quotient(p.association[c], p.mass[c]), quotient(p.association[c]+2*r.sum[c]+p.level.selfWeight[i], p.mass[c]+alpha)
		if g := off + (now - was) - r.cannotCost[c]; g > gain && g > 1e-12*(math.Abs(stay)+math.Abs(leave)+math.Abs(was)+math.Abs(now)) {
			to, gain = c, g
		}
	}
	if p.k <= fewClusters {
		for c := range int32(p.k) {
			try(c)
		}
	} else {
		for _, c := range r.clusters {
			try(c)
		}
		if !r.linked[p.fallback] {
			try(p.fallback)
		}
	}
	return to, gain
}

// moveNode moves node i, whose links are r, to cluster to.
func (p *partition) moveNode(i, to int32, r *nodeLinks) {
	from := p.label[i]
	p.association[from] -= 2*r.sum[from] + p.level.selfWeight[i]
	p.association[to] += 2*r.sum[to] + p.level.selfWeight[i]
	p.cannotPenalty += r.cannotCost[to] - r.cannotCost[from]
	p.mass[from] -= p.level.alpha[i]
	p.mass[to] += p.level.alpha[i]
	p.sizes[from]--
	p.sizes[to]++
	p.label[i] = to
}
