package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A partition is a clustering of one level, with what J needs of each cluster.
type partition struct {
	l     *level
	k     int
	label []int32
	s     []float64 // mass of each cluster: Σ α_i
	m     []float64 // association: z'(B + W)z
	count []int32   // nodes in each cluster
	paid  float64   // for pairs that are together and must be apart
	spare int32     // the cluster that a node without links would rather join
}

// newPartition takes over label. When ctx ends it is not complete.
func newPartition(ctx context.Context, workers int, l *level, k int, label []int32) (*partition, error) {
	p := &partition{l: l, k: k, label: label, s: make([]float64, k), m: make([]float64, k), count: make([]int32, k)}
	return p, p.refresh(ctx, workers)
}

// refresh computes the clusters' sums from the labels alone.
func (p *partition) refresh(ctx context.Context, workers int) error {
	clear(p.s)
	clear(p.m)
	clear(p.count)
	p.paid = 0
	err := blocks.Each(ctx, workers, len(p.label), func(lo, hi int) []float64 {
		part := make([]float64, 2*p.k+1)
		for i := int32(lo); i < int32(hi); i++ {
			c := p.label[i]
			m := p.l.self[i]
			for _, g := range [2]*csr{&p.l.a, &p.l.links} {
				to, w := g.row(i)
				for q, j := range to {
					if p.label[j] == c && j != i {
						m += w[q]
					}
				}
			}
			part[c] += p.l.alpha[i]
			part[p.k+int(c)] += m
			to, w := p.l.apart.row(i)
			for q, j := range to {
				if p.label[j] == c {
					part[2*p.k] += w[q] / 2 // each pair stands in two rows
				}
			}
		}
		return part
	}, func(_, _ int, part []float64) {
		for c := range p.k {
			p.s[c] += part[c]
			p.m[c] += part[p.k+c]
		}
		p.paid += part[2*p.k]
	})
	for _, c := range p.label {
		p.count[c]++
	}
	p.findSpare()
	return err
}

// quality returns −J up to the constant.
func (p *partition) quality() (q float64) {
	for c := range p.k {
		q += quotient(p.m[c], p.s[c])
	}
	return q - p.paid
}

// findSpare settles which cluster loses least by a node that brings it nothing.
func (p *partition) findSpare() {
	best := math.Inf(-1)
	mean := total(p.s) / float64(len(p.label))
	for c := range p.k {
		if g := quotient(p.m[c], p.s[c]+mean) - quotient(p.m[c], p.s[c]); g > best {
			best, p.spare = g, int32(c)
		}
	}
}

// reach is what a node sees of the clusters around it.
type reach struct {
	sum   []float64 // by cluster: Σ_j B_ij + W_ij over its nodes j ≠ i
	in    []bool
	seen  []int32
	price []float64 // by cluster: of being with those one must be apart from
}

func newReach(k int) *reach {
	return &reach{sum: make([]float64, k), in: make([]bool, k), price: make([]float64, k)}
}

func (r *reach) add(c int32, x float64) {
	if !r.in[c] {
		r.in[c] = true
		r.seen = append(r.seen, c)
	}
	r.sum[c] += x
}

func (r *reach) clear() {
	for _, c := range r.seen {
		r.sum[c], r.in[c], r.price[c] = 0, false, 0
	}
	r.seen = r.seen[:0]
}

// look fills r for node i.
func (p *partition) look(i int32, r *reach) {
	r.clear()
	to, w := p.l.a.row(i)
	for q, j := range to {
		if j != i {
			r.add(p.label[j], w[q])
		}
	}
	to, w = p.l.links.row(i)
	for q, j := range to {
		r.add(p.label[j], w[q])
	}
	to, w = p.l.apart.row(i)
	for q, j := range to {
		r.add(p.label[j], 0)
		r.price[p.label[j]] += w[q]
	}
}

// fewClusters is the number up to which a node tries every cluster; above, it
// tries those that it is linked to, and the one that would mind least.
const fewClusters = 16

// best returns the cluster that node i gains most by moving to, and by how much
// J falls; its own and 0 where nothing is gained. A cluster is never emptied,
// nor left without mass.
func (p *partition) best(i int32, r *reach) (to int32, gain float64) {
	from := p.label[i]
	alpha := p.l.alpha[i]
	if p.count[from] < 2 || alpha > 0 && p.s[from]-alpha <= 1e-12*p.s[from] {
		return from, 0
	}
	p.look(i, r)
	stay, leave := quotient(p.m[from], p.s[from]), quotient(p.m[from]-2*r.sum[from]-p.l.self[i], p.s[from]-alpha)
	to, off := from, leave-stay+r.price[from]
	try := func(c int32) {
		if c == from || p.l.firm && r.price[c] > r.price[from] {
			return
		}
		was, now := quotient(p.m[c], p.s[c]), quotient(p.m[c]+2*r.sum[c]+p.l.self[i], p.s[c]+alpha)
		if g := off + (now - was) - r.price[c]; g > gain && g > 1e-12*(math.Abs(stay)+math.Abs(leave)+math.Abs(was)+math.Abs(now)) {
			to, gain = c, g
		}
	}
	if p.k <= fewClusters {
		for c := range int32(p.k) {
			try(c)
		}
	} else {
		for _, c := range r.seen {
			try(c)
		}
		if !r.in[p.spare] {
			try(p.spare)
		}
	}
	return to, gain
}

// move puts node i, of which r is what look saw, into cluster to.
func (p *partition) move(i, to int32, r *reach) {
	from := p.label[i]
	p.m[from] -= 2*r.sum[from] + p.l.self[i]
	p.m[to] += 2*r.sum[to] + p.l.self[i]
	p.paid += r.price[to] - r.price[from]
	p.s[from] -= p.l.alpha[i]
	p.s[to] += p.l.alpha[i]
	p.count[from]--
	p.count[to]++
	p.label[i] = to
}
