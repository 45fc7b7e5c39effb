package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// A weightedKMeans is a clustering of all nodes at once in terms of weighted
// kernel k-means (the paper's algorithm 1): K = σ diag(α)⁻¹ + diag(α)⁻¹(B +
// W)diag(α)⁻¹, so that Σ_j α_j K_ij over a cluster is a sum of B + W over α_i.
type weightedKMeans struct {
	matrix      affinityMatrix
	pairWeights sparseMatrix // W off the diagonal
	pairCosts   []float64    // −W_ii, also in selfWeight; nil: all 0
	k           int
	alpha       []float64
	selfWeight  []float64 // B_ii + σα_i
	sigma       float64

	label             []int32
	mass, association []float64 // of each cluster, the association including the shift
	sizes             []int32
	clusterSum        []float64 // by cluster, then node: Σ_{j≠i} B_ij + W_ij over the cluster; nil on a graph, see nodeSums
	workers           int
	rowsRead          int // rows of the matrix that have been gone through
}

// setPairs takes over the pairs w. As a penalty the must-links are taken for edges that
// should not be cut, as by the ratio cut: each costs its weight on the diagonal of
// both ends, and gives that back within a cluster.
func (f *weightedKMeans) setPairs(w sparseMatrix, term PairTerm) {
	f.pairWeights = w
	if f.pairCosts = pairCosts(w, len(f.alpha), term); f.pairCosts != nil {
		for i, y := range f.pairCosts {
			f.selfWeight[i] -= y
		}
	}
}

// pairCosts returns the must-link weights of each of n nodes, nil where they are not
// counted.
func pairCosts(w sparseMatrix, n int, term PairTerm) []float64 {
	if w.Start == nil || term != PairPenalty {
		return nil
	}
	costs := make([]float64, n)
	for i := range costs {
		_, weights := w.neighbours(int32(i))
		for _, y := range weights {
			costs[i] += max(y, 0)
		}
	}
	return costs
}

func (f *weightedKMeans) numNodes() int { return len(f.alpha) }

// onGraph reports whether the matrix is sparse: then the sums of a node are
// computed from its neighbours when they are needed, and n·k numbers, which may be
// many more than the edges, are not kept.
func (f *weightedKMeans) onGraph() bool {
	_, ok := f.matrix.(graphMatrix)
	return ok
}

// sumBuffer returns space for nodeSums: one number for each cluster, and one more
// for the points that wait in an assignRound.
func (f *weightedKMeans) sumBuffer() []float64 { return make([]float64, f.k+1) }

// nodeSums writes Σ_{j≠i} B_ij + W_ij over each cluster to sum.
func (f *weightedKMeans) nodeSums(i int, sum []float64) {
	g, ok := f.matrix.(graphMatrix)
	if !ok {
		n := f.numNodes()
		for c := range f.k {
			sum[c] = f.clusterSum[c*n+i]
		}
		return
	}
	clear(sum)
	g.addToClusters(i, f.label, sum)
	to, w := f.pairWeights.neighbours(int32(i))
	for q, j := range to {
		sum[f.label[j]] += w[q]
	}
}

// recompute computes all sums from the labels.
func (f *weightedKMeans) recompute(ctx context.Context) error {
	dense, ok := f.matrix.(denseMatrix)
	if !ok {
		f.addUpClusters()
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	n := f.numNodes()
	f.clusterSum = append(f.clusterSum[:0], make([]float64, f.k*n)...) // zeros, in place where there are some
	f.rowsRead += n
	if err := dense.ClusterSums(ctx, f.workers, f.k, f.label, f.clusterSum); err != nil {
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
	g, sparse := f.matrix.(graphMatrix)
	for i, c := range f.label {
		var own float64
		if sparse {
			own = f.sumWithin(&g.graph, int32(i))
		} else {
			own = f.clusterSum[int(c)*n+i]
		}
		f.mass[c] += f.alpha[i]
		f.association[c] += own + f.selfWeight[i]
		f.sizes[c]++
	}
}

// sumWithin returns what nodeSums has for the cluster of node i of a graph.
func (f *weightedKMeans) sumWithin(graph *sparseMatrix, i int32) (s float64) {
	for _, g := range [2]*sparseMatrix{graph, &f.pairWeights} {
		to, w := g.neighbours(i)
		for q, j := range to {
			if j != i && f.label[j] == f.label[i] {
				s += w[q]
			}
		}
	}
	return s
}

// quality returns Σ_c m_c/s_c, including the shift.
func (f *weightedKMeans) quality() (q float64) {
	for c := range f.k {
		q += quotient(f.association[c], f.mass[c])
	}
	return q
}

// meanNorms returns the squared norm of each mean, +Inf for an empty cluster: that
// has no mean, is infinitely far away, and stays empty.
func (f *weightedKMeans) meanNorms() []float64 {
	norms := make([]float64, f.k)
	for c := range norms {
		if norms[c] = math.Inf(1); f.mass[c] > 0 {
			norms[c] = f.association[c] / f.mass[c] / f.mass[c]
		}
	}
	return norms
}

// nearestMean returns the cluster whose mean is nearest to node i by equation
// (1), without K_ii, the lowest of them on ties; its own if the node has no
// weight. With linked, clusters that the node has no edges to do not count. The
// sums are those of nodeSums, which it changes, and the norms those of meanNorms.
func (f *weightedKMeans) nearestMean(i int, sums, norms []float64, linked bool) int32 {
	own, best, dist := f.label[i], f.label[i], math.Inf(1)
	if f.alpha[i] <= 0 {
		return own
	}
	if linked {
		for c, s := range sums[:f.k] {
			if s <= 0 {
				sums[c] = math.Inf(-1)
			}
		}
	}
	if int(own) < f.k {
		sums[own] += f.selfWeight[i]
	}
	for c, d := range norms {
		if s := sums[c]; s != 0 && f.mass[c] > 0 {
			d -= 2 * s / f.alpha[i] / f.mass[c]
		}
		if d < dist {
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
	next, norms := make([]int32, f.numNodes()), f.meanNorms()
	err = blocks.Each(ctx, f.workers, f.numNodes(), func(lo, hi int) struct{} {
		sums := f.sumBuffer()
		for i := lo; i < hi; i++ {
			f.nodeSums(i, sums)
			next[i] = f.nearestMean(i, sums, norms, false)
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
	if _, ok := f.matrix.(*affinity.WeightedFeatures); ok || f.onGraph() || 4*moved > f.numNodes() {
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
	f.matrix.AddRow(i, -1, a)
	f.matrix.AddRow(i, 1, b)
	f.rowsRead += 2
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
	if x, ok := f.matrix.(*affinity.WeightedFeatures); ok {
		return f.movePointsByCentres(ctx, x)
	}
	sums := f.sumBuffer()
	for i := range f.numNodes() {
		if i%64 == 0 && ctx.Err() != nil {
			return moved, ctx.Err()
		}
		f.nodeSums(i, sums)
		to, from := f.bestCluster(i, sums), f.label[i]
		if to == from {
			continue
		}
		f.updateClusters(i, from, to, sums)
		if !f.onGraph() {
			f.transferSums(i, to)
		}
		f.label[i] = to
		moved++
	}
	return moved, nil
}

// updateClusters moves the contribution of node i, whose sums are given, from one
// cluster to another.
func (f *weightedKMeans) updateClusters(i int, from, to int32, sums []float64) {
	f.association[from] -= 2*sums[from] + f.selfWeight[i]
	f.association[to] += 2*sums[to] + f.selfWeight[i]
	f.mass[from] -= f.alpha[i]
	f.mass[to] += f.alpha[i]
	f.sizes[from]--
	f.sizes[to]++
}

// bestCluster returns the cluster that node i, whose sums are given, gains most by
// moving to, its own if it gains nothing.
func (f *weightedKMeans) bestCluster(i int, sums []float64) (to int32) {
	from, alpha, gain := f.label[i], f.alpha[i], 0.0
	to = from
	if f.sizes[from] < 2 || alpha > 0 && f.mass[from]-alpha <= 1e-12*f.mass[from] {
		return to
	}
	stay, leave := quotient(f.association[from], f.mass[from]), quotient(f.association[from]-2*sums[from]-f.selfWeight[i], f.mass[from]-alpha)
	for c := range f.k {
		if int32(c) == from {
			continue
		}
		was, now := quotient(f.association[c], f.mass[c]), quotient(f.association[c]+2*sums[c]+f.selfWeight[i], f.mass[c]+alpha)
		g := (leave - stay) + (now - was)
		if g > gain && g > 1e-12*(math.Abs(stay)+math.Abs(leave)+math.Abs(was)+math.Abs(now)) {
			to, gain = int32(c), g
		}
	}
	return to
}

// movePointsByCentres is movePoints for features, where the sums of a point
// follow from the centres: they are computed at its turn, and all of them again
// at the end.
func (f *weightedKMeans) movePointsByCentres(ctx context.Context, x *affinity.WeightedFeatures) (moved int, err error) {
	n, m := f.numNodes(), x.Features.Cols
	centre, err := x.ClusterCentres(ctx, f.workers, f.k, f.label)
	if err != nil {
		return 0, err
	}
	sums := f.sumBuffer()
	for i := range n {
		if i%64 == 0 && ctx.Err() != nil {
			return moved, ctx.Err()
		}
		from := f.label[i]
		for c := range f.k {
			sums[c] = x.SumToCentre(i, centre[c*m:(c+1)*m], int(from) == c)
		}
		near, w := f.pairWeights.neighbours(int32(i))
		for q, j := range near {
			sums[f.label[j]] += w[q]
		}
		to := f.bestCluster(i, sums)
		if to == from {
			continue
		}
		f.updateClusters(i, from, to, sums)
		x.MoveToCentre(i, -1, centre[int(from)*m:int(from+1)*m])
		x.MoveToCentre(i, 1, centre[int(to)*m:int(to+1)*m])
		f.label[i] = to
		moved++
	}
	return moved, f.recompute(ctx)
}
