package kernel

import (
	"context"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A featureMatrix is the affinityMatrix of features whose products approximate a
// kernel: B_ij = w_i w_j f_i·f_j. The affinity of a point to a cluster is its
// product with the sum of the cluster's points, the centre, so that nothing takes
// n² steps: a pass costs n·k·m for m features.
type featureMatrix struct {
	features *data.Dense
	weight   []float64 // of the points; nil: 1 each
}

func (f *featureMatrix) weightOf(i int) float64 {
	if f.weight == nil {
		return 1
	}
	return f.weight[i]
}

func (f *featureMatrix) featuresOf(i int) []float64 {
	return f.features.V[i*f.features.Cols : (i+1)*f.features.Cols]
}

func (f *featureMatrix) diagonal(i int) float64 {
	w := f.weightOf(i)
	return w * w * dot(f.featuresOf(i), f.featuresOf(i))
}

func (f *featureMatrix) rowCost(k int) float64 { return float64(k * f.features.Cols) }

// clusterCentres returns Σ w_j f_j over each cluster, one after the other.
func (f *featureMatrix) clusterCentres(ctx context.Context, workers, k int, label []int32) ([]float64, error) {
	m := f.features.Cols
	all := make([]float64, k*m)
	err := blocks.Each(ctx, workers, len(label), func(lo, hi int) []float64 {
		part := make([]float64, k*m)
		for i := lo; i < hi; i++ {
			c := int(label[i])
			axpy(part[c*m:(c+1)*m], f.featuresOf(i), f.weightOf(i))
		}
		return part
	}, func(_, _ int, part []float64) { axpy(all, part, 1) })
	return all, err
}

// sumToCentre returns Σ_j B_ij over the cluster with that centre, j ≠ i; own says
// whether i is in the cluster.
func (f *featureMatrix) sumToCentre(i int, centre []float64, own bool) float64 {
	y := f.weightOf(i) * dot(f.featuresOf(i), centre)
	if own {
		y -= f.diagonal(i)
	}
	return y
}

func (f *featureMatrix) clusterSums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
	n, m := len(label), f.features.Cols
	centre, err := f.clusterCentres(ctx, workers, k, label)
	if err != nil {
		return err
	}
	return blocks.Each(ctx, workers, n, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			for c := range k {
				sum[c*n+i] += f.sumToCentre(i, centre[c*m:(c+1)*m], int(label[i]) == c)
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

func (f *featureMatrix) addRow(i int, w float64, dst []float64) {
	w *= f.weightOf(i)
	for j := range dst {
		if j != i {
			dst[j] += float64(w * f.weightOf(j) * dot(f.featuresOf(i), f.featuresOf(j)))
		}
	}
}

func (f *featureMatrix) multiply(ctx context.Context, workers int, x, dst []float64) error {
	sum := make([]float64, f.features.Cols)
	err := blocks.Each(ctx, workers, len(x), func(lo, hi int) []float64 {
		part := make([]float64, len(sum))
		for i := lo; i < hi; i++ {
			axpy(part, f.featuresOf(i), f.weightOf(i)*x[i])
		}
		return part
	}, func(_, _ int, part []float64) { axpy(sum, part, 1) })
	if err != nil {
		return err
	}
	return blocks.Each(ctx, workers, len(x), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			dst[i] = f.weightOf(i)*dot(f.featuresOf(i), sum) - f.diagonal(i)*x[i]
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// movePointsByCentres is movePoints for features, where the sums of a point
// follow from the centres: they are computed at its turn, and all of them again
// at the end.
func (f *weightedKMeans) movePointsByCentres(ctx context.Context, x *featureMatrix) (moved int, err error) {
	n, m := f.numNodes(), x.features.Cols
	centre, err := x.clusterCentres(ctx, f.workers, f.k, f.label)
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
			sums[c] = x.sumToCentre(i, centre[c*m:(c+1)*m], int(from) == c)
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
		axpy(centre[int(from)*m:int(from+1)*m], x.featuresOf(i), -x.weightOf(i))
		axpy(centre[int(to)*m:int(to+1)*m], x.featuresOf(i), x.weightOf(i))
		f.label[i] = to
		moved++
	}
	return moved, f.recompute(ctx)
}
