package affinity

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// WeightedFeatures are the matrix B_ij = w_i w_j f_i·f_j of features whose products
// approximate a kernel. The affinity of a point to a cluster is its
// product with the sum of the cluster's points, the centre, so that nothing takes
// n² steps: a pass costs n·k·m for m features.
type WeightedFeatures struct {
	Features *data.Dense
	Weight   []float64 // of the points; nil: 1 each
}

func (f *WeightedFeatures) weightOf(i int) float64 {
	if f.Weight == nil {
		return 1
	}
	return f.Weight[i]
}

func (f *WeightedFeatures) featuresOf(i int) []float64 {
	return f.Features.V[i*f.Features.Cols : (i+1)*f.Features.Cols]
}

// Diagonal returns B_ii.
func (f *WeightedFeatures) Diagonal(i int) float64 {
	w := f.weightOf(i)
	return w * w * innerProduct(f.featuresOf(i), f.featuresOf(i))
}

// RowCost returns the multiplications for one row of ClusterSums.
func (f *WeightedFeatures) RowCost(k int) float64 { return float64(k * f.Features.Cols) }

// ClusterCentres returns Σ w_j f_j over each cluster, one after the other.
func (f *WeightedFeatures) ClusterCentres(ctx context.Context, workers, k int, label []int32) ([]float64, error) {
	m := f.Features.Cols
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

// SumToCentre returns Σ_j B_ij over the cluster with that centre, j ≠ i; own says
// whether i is in the cluster.
func (f *WeightedFeatures) SumToCentre(i int, centre []float64, own bool) float64 {
	y := f.weightOf(i) * innerProduct(f.featuresOf(i), centre)
	if own {
		y -= f.Diagonal(i)
	}
	return y
}

// ClusterSums adds, for every row i, Σ_j B_ij over j ≠ i in cluster c to sum[c·n + i].
func (f *WeightedFeatures) ClusterSums(ctx context.Context, workers, k int, label []int32, sum []float64) error {
	n, m := len(label), f.Features.Cols
	centre, err := f.ClusterCentres(ctx, workers, k, label)
	if err != nil {
		return err
	}
	return blocks.Each(ctx, workers, n, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			for c := range k {
				sum[c*n+i] += f.SumToCentre(i, centre[c*m:(c+1)*m], int(label[i]) == c)
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// AddRow adds w·B_ij to dst[j] for every j ≠ i.
func (f *WeightedFeatures) AddRow(i int, w float64, dst []float64) {
	w *= f.weightOf(i)
	for j := range dst {
		if j != i {
			dst[j] += float64(w * f.weightOf(j) * innerProduct(f.featuresOf(i), f.featuresOf(j)))
		}
	}
}

// Multiply writes Σ_j B_ij x_j over j ≠ i to dst[i], for every i.
func (f *WeightedFeatures) Multiply(ctx context.Context, workers int, x, dst []float64) error {
	sum := make([]float64, f.Features.Cols)
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
			dst[i] = f.weightOf(i)*innerProduct(f.featuresOf(i), sum) - f.Diagonal(i)*x[i]
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// MoveToCentre adds row i, times sign and its weight, to a centre.
func (f *WeightedFeatures) MoveToCentre(i int, sign float64, centre []float64) {
	axpy(centre, f.featuresOf(i), sign*f.weightOf(i))
}

func axpy(y, x []float64, a float64) {
	for i, z := range x {
		y[i] += float64(a * z)
	}
}

// innerProduct adds up in the order of the features.
func innerProduct(x, y []float64) (s float64) {
	for i, a := range x {
		s += float64(a * y[i])
	}
	return s
}
