package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A weightedKMeans is a clustering of all nodes at once in terms of weighted
// kernel k-means (the paper's algorithm 1): K = σ diag(α)⁻¹ + diag(α)⁻¹(B +
// W)diag(α)⁻¹, so that Σ_j α_j K_ij over a cluster is a sum of B + W over α_i.
type weightedKMeans struct {
	matrix      affinityMatrix
	pairWeights sparseMatrix // W
	k           int
	alpha       []float64
	selfWeight  []float64 // B_ii + σα_i
	sigma       float64

	label             []int32
	mass, association []float64 // of each cluster, the association including the shift
	sizes             []int32
	clusterSum        []float64 // by cluster, then node: Σ_{j≠i} B_ij + W_ij over the cluster
	workers           int
}

func (f *weightedKMeans) numNodes() int { return len(f.alpha) }

// recompute computes all sums from the labels.
func (f *weightedKMeans) recompute(ctx context.Context) error {
	n := f.numNodes()
	if f.clusterSum == nil {
		f.clusterSum = make([]float64, f.k*n)
	}
	clear(f.clusterSum)
	if err := f.matrix.clusterSums(ctx, f.workers, f.k, f.label, f.clusterSum); err != nil {
		return err
	}
	for i := range n {
		to, w := f.pairWeights.neighbours(int32(i))
		for q, j := range to {
			f.clusterSum[int(f.label[j])*n+i] += w[q]
		}
	}
	f.addUpClusters()
	return nil
}

// addUpClusters computes mass, association and size of each cluster from the sums
// of the nodes.
func (f *weightedKMeans) addUpClusters() {
	f.mass, f.association, f.sizes = make([]float64, f.k), make([]float64, f.k), make([]int32, f.k)
	n := f.numNodes()
	for i, c := range f.label {
		f.mass[c] += f.alpha[i]
		f.association[c] += f.clusterSum[int(c)*n+i] + f.selfWeight[i]
		f.sizes[c]++
	}
}

// quality returns Σ_c m_c/s_c, including the shift.
func (f *weightedKMeans) quality() (q float64) {
	for c := range f.k {
		q += quotient(f.association[c], f.mass[c])
	}
	return q
}

// nearestMean returns the cluster whose mean is nearest to node i by equation
// (1), without K_ii, the lowest of them on ties; its own if the node has no
// weight. An empty cluster has no mean and is infinitely far away (it stays
// empty); so is, with linked, a cluster that the node has no edges to.
func (f *weightedKMeans) nearestMean(i int, linked bool) int32 {
	own, best, dist := f.label[i], f.label[i], math.Inf(1)
	if f.alpha[i] <= 0 {
		return own
	}
	for c := range f.k {
		if f.mass[c] <= 0 {
			continue
		}
		sum := f.clusterSum[c*f.numNodes()+i]
		if linked && sum <= 0 {
			continue
		}
		if int32(c) == own {
			sum += f.selfWeight[i]
		}
		if d := f.association[c]/f.mass[c]/f.mass[c] - 2*sum/f.alpha[i]/f.mass[c]; d < dist {
			best, dist = int32(c), d
		}
	}
	return best
}

// batchStep moves every node to the nearest mean, all at once, and undoes that if
// it raised J. Without a shift that makes K positive definite it can rise, and
// the iteration could cycle. So J falls strictly while nodes move.
func (f *weightedKMeans) batchStep(ctx context.Context) (moved int, err error) {
	was, before := append([]int32(nil), f.label...), f.quality()
	next := make([]int32, f.numNodes())
	err = blocks.Each(ctx, f.workers, f.numNodes(), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			next[i] = f.nearestMean(i, false)
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

// relabel takes new labels. If few change, only the sums that change are
// computed.
func (f *weightedKMeans) relabel(ctx context.Context, next []int32) (moved int, err error) {
	for i, c := range next {
		if c != f.label[i] {
			moved++
		}
	}
	if _, ok := f.matrix.(*featureMatrix); ok || 4*moved > f.numNodes() {
		copy(f.label, next)
		return moved, f.recompute(ctx)
	}
	for i, c := range next {
		if c != f.label[i] {
			if i%64 == 0 && ctx.Err() != nil {
				return moved, ctx.Err()
			}
			f.transferSums(i, c)
			f.label[i] = c
		}
	}
	f.addUpClusters()
	return moved, nil
}

// transferSums moves what node i adds to the sums of the other nodes to cluster
// c.
func (f *weightedKMeans) transferSums(i int, c int32) {
	n, from := f.numNodes(), int(f.label[i])
	a, b := f.clusterSum[from*n:(from+1)*n], f.clusterSum[int(c)*n:(int(c)+1)*n]
	f.matrix.addRow(i, -1, a)
	f.matrix.addRow(i, 1, b)
	to, w := f.pairWeights.neighbours(int32(i))
	for q, j := range to {
		a[j] -= w[q]
		b[j] += w[q]
	}
}

// movePoints goes through all nodes once and moves each immediately to the
// cluster that lowers J most: the first variation. No cluster is emptied. It
// needs no shift.
func (f *weightedKMeans) movePoints(ctx context.Context) (moved int, err error) {
	if x, ok := f.matrix.(*featureMatrix); ok {
		return f.movePointsByCentres(ctx, x)
	}
	n := f.numNodes()
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return moved, ctx.Err()
		}
		to, from := f.bestCluster(i), f.label[i]
		if to == from {
			continue
		}
		f.updateClusters(i, from, to)
		f.transferSums(i, to)
		f.label[i] = to
		moved++
	}
	return moved, nil
}

// updateClusters moves the contribution of node i from one cluster to another.
func (f *weightedKMeans) updateClusters(i int, from, to int32) {
	n := f.numNodes()
	f.association[from] -= 2*f.clusterSum[int(from)*n+i] + f.selfWeight[i]
	f.association[to] += 2*f.clusterSum[int(to)*n+i] + f.selfWeight[i]
	f.mass[from] -= f.alpha[i]
	f.mass[to] += f.alpha[i]
	f.sizes[from]--
	f.sizes[to]++
}

// bestCluster returns the cluster that node i gains most by moving to, its own if
// it gains nothing.
func (f *weightedKMeans) bestCluster(i int) (to int32) {
	n, from, alpha, gain := f.numNodes(), f.label[i], f.alpha[i], 0.0
	to = from
	if f.sizes[from] < 2 || alpha > 0 && f.mass[from]-alpha <= 1e-12*f.mass[from] {
		return to
	}
	stay, leave := quotient(f.association[from], f.mass[from]), quotient(f.association[from]-2*f.clusterSum[int(from)*n+i]-f.selfWeight[i], f.mass[from]-alpha)
	for c := range f.k {
		if int32(c) == from {
			continue
		}
		was, now := quotient(f.association[c], f.mass[c]), quotient(f.association[c]+2*f.clusterSum[c*n+i]+f.selfWeight[i], f.mass[c]+alpha)
		g := (leave - stay) + (now - was)
		if g > gain && g > 1e-12*(math.Abs(stay)+math.Abs(leave)+math.Abs(was)+math.Abs(now)) {
			to, gain = int32(c), g
		}
	}
	return to
}
