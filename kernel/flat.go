package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A weave is a symmetric matrix B of affinities, n × n, that a flat clustering
// works on: a graph, or rows through a kernel.
type weave interface {
	// sums adds, for every node i, Σ_j B_ij over j ≠ i in cluster c to
	// sum[c·n + i].
	sums(ctx context.Context, workers, k int, label []int32, sum []float64) error
	// row adds w·B_ij to dst[j] for every j ≠ i.
	row(i int, w float64, dst []float64)
	// times writes Σ_j B_ij x_j over j ≠ i to dst[i], for every i.
	times(ctx context.Context, workers int, x, dst []float64) error
}

// flat is a clustering of all nodes at once, as weighted kernel k-means sees it
// (the paper's algorithm 1): K = σ diag(α)⁻¹ + diag(α)⁻¹(B + W)diag(α)⁻¹, so
// that Σ_j α_j K_ij over a cluster is a sum of B + W over α_i.
type flat struct {
	b     weave
	links csr // W
	k     int
	alpha []float64
	self  []float64 // B_ii + σα_i
	sigma float64

	label []int32
	s, m  []float64 // mass and association of each cluster, the shift within
	count []int32
	sum   []float64 // by cluster, then node: Σ_{j≠i} B_ij + W_ij over the cluster
	work  int       // workers
}

func (f *flat) n() int { return len(f.alpha) }

// renew computes everything from the labels.
func (f *flat) renew(ctx context.Context) error {
	n := f.n()
	if f.sum == nil {
		f.sum = make([]float64, f.k*n)
	}
	clear(f.sum)
	if err := f.b.sums(ctx, f.work, f.k, f.label, f.sum); err != nil {
		return err
	}
	for i := range n {
		to, w := f.links.row(int32(i))
		for q, j := range to {
			f.sum[int(f.label[j])*n+i] += w[q]
		}
	}
	f.tally()
	return nil
}

// tally adds up the clusters from the sums.
func (f *flat) tally() {
	f.s, f.m, f.count = make([]float64, f.k), make([]float64, f.k), make([]int32, f.k)
	n := f.n()
	for i, c := range f.label {
		f.s[c] += f.alpha[i]
		f.m[c] += f.sum[int(c)*n+i] + f.self[i]
		f.count[c]++
	}
}

// quality returns Σ_c m_c/s_c, the shift within.
func (f *flat) quality() (q float64) {
	for c := range f.k {
		q += quotient(f.m[c], f.s[c])
	}
	return q
}

// nearest returns the cluster whose mean is nearest to node i by equation (1),
// less K_ii, the lowest of them on ties; its own where it has no weight. An
// empty cluster has no mean and is infinitely far (it stays empty); so are, if
// linked is asked for, clusters that the node has no links to.
func (f *flat) nearest(i int, linked bool) int32 {
	own, best, dist := f.label[i], f.label[i], math.Inf(1)
	if f.alpha[i] <= 0 {
		return own
	}
	for c := range f.k {
		if f.s[c] <= 0 {
			continue
		}
		sum := f.sum[c*f.n()+i]
		if linked && sum <= 0 {
			continue
		}
		if int32(c) == own {
			sum += f.self[i]
		}
		if d := f.m[c]/f.s[c]/f.s[c] - 2*sum/f.alpha[i]/f.s[c]; d < dist {
			best, dist = int32(c), d
		}
	}
	return best
}

// batch moves every node to the nearest mean, all at once, and takes that back
// where it raised J: without a shift that makes K positive definite it can, and
// could go round in circles. So J falls strictly while nodes move.
func (f *flat) batch(ctx context.Context) (moved int, err error) {
	was, before := append([]int32(nil), f.label...), f.quality()
	next := make([]int32, f.n())
	err = blocks.Each(ctx, f.work, f.n(), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			next[i] = f.nearest(i, false)
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return 0, err
	}
	if moved, err = f.relabel(ctx, next); err != nil || moved == 0 {
		return moved, err
	}
	if f.quality() <= before {
		_, err = f.relabel(ctx, was)
		return 0, err
	}
	return moved, nil
}

// relabel takes new labels. Where few change, only what changes is computed.
func (f *flat) relabel(ctx context.Context, next []int32) (moved int, err error) {
	for i, c := range next {
		if c != f.label[i] {
			moved++
		}
	}
	if _, ok := f.b.(*featured); ok || 4*moved > f.n() {
		copy(f.label, next)
		return moved, f.renew(ctx)
	}
	for i, c := range next {
		if c != f.label[i] {
			if i%64 == 0 && ctx.Err() != nil {
				return moved, ctx.Err()
			}
			f.carry(i, c)
			f.label[i] = c
		}
	}
	f.tally()
	return moved, nil
}

// carry moves what node i adds to the sums of others to cluster c.
func (f *flat) carry(i int, c int32) {
	n, from := f.n(), int(f.label[i])
	a, b := f.sum[from*n:(from+1)*n], f.sum[int(c)*n:(int(c)+1)*n]
	f.b.row(i, -1, a)
	f.b.row(i, 1, b)
	to, w := f.links.row(int32(i))
	for q, j := range to {
		a[j] -= w[q]
		b[j] += w[q]
	}
}

// moves goes once through all nodes and moves each to where J falls most, at
// once: the first variation. No cluster is emptied. It needs no shift.
func (f *flat) moves(ctx context.Context) (moved int, err error) {
	if x, ok := f.b.(*featured); ok {
		return f.movesByCentres(ctx, x)
	}
	n := f.n()
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return moved, ctx.Err()
		}
		to, from := f.best(i), f.label[i]
		if to == from {
			continue
		}
		f.reckon(i, from, to)
		f.carry(i, to)
		f.label[i] = to
		moved++
	}
	return moved, nil
}

// reckon moves what node i is to its cluster from one to another.
func (f *flat) reckon(i int, from, to int32) {
	n := f.n()
	f.m[from] -= 2*f.sum[int(from)*n+i] + f.self[i]
	f.m[to] += 2*f.sum[int(to)*n+i] + f.self[i]
	f.s[from] -= f.alpha[i]
	f.s[to] += f.alpha[i]
	f.count[from]--
	f.count[to]++
}

// best is that of a partition, with all sums at hand.
func (f *flat) best(i int) (to int32) {
	n, from, alpha, gain := f.n(), f.label[i], f.alpha[i], 0.0
	to = from
	if f.count[from] < 2 || alpha > 0 && f.s[from]-alpha <= 1e-12*f.s[from] {
		return to
	}
	stay, leave := quotient(f.m[from], f.s[from]), quotient(f.m[from]-2*f.sum[int(from)*n+i]-f.self[i], f.s[from]-alpha)
	for c := range f.k {
		if int32(c) == from {
			continue
		}
		was, now := quotient(f.m[c], f.s[c]), quotient(f.m[c]+2*f.sum[c*n+i]+f.self[i], f.s[c]+alpha)
		g := (leave - stay) + (now - was)
		if g > gain && g > 1e-12*(math.Abs(stay)+math.Abs(leave)+math.Abs(was)+math.Abs(now)) {
			to, gain = int32(c), g
		}
	}
	return to
}
