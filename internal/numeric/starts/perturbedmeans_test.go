package starts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// The moments of rows are those of the same rows moved, however far: sums of
// squares alone would leave nothing of a variance of 0.01 beside 1e9.
func TestMomentsFarFromTheOrigin(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 4))
	near := &data.Dense{Cols: 3}
	weight := make([]float64, n)
	for i := range n {
		near.V = append(near.V, 0.1*float64(i%3)+rng.NormFloat64()/1000, 0, float64(i%2))
		weight[i] = 1 + rng.Float64()
	}
	mean, variance := moments(&cluster.Problem{X: near, Weight: weight})
	far, sparse := &data.Dense{Cols: 3}, &data.Sparse{Cols: 3, Start: []int{0}}
	for i := range n {
		x, half := near.V[3*i]+1e9, near.V[3*i+2]
		far.V = append(far.V, x, 1e9, half)
		sparse.Idx, sparse.Val = append(sparse.Idx, 0, 1), append(sparse.Val, x, 1e9)
		if half != 0 {
			sparse.Idx, sparse.Val = append(sparse.Idx, 2), append(sparse.Val, half)
		}
		sparse.Start = append(sparse.Start, len(sparse.Idx))
	}
	for _, x := range []data.Rows{far, sparse} {
		m, v := moments(&cluster.Problem{X: x, Weight: weight})
		for f, offset := range []float64{1e9, 1e9, 0} {
			if math.Abs(m[f]-offset-mean[f]) > 1e-6 || math.Abs(v[f]-variance[f]) > 1e-6 {
				t.Errorf("%T, feature %d: mean %v and variance %v, want %v more than %v and %v", x, f, m[f], v[f], offset, mean[f], variance[f])
			}
		}
	}
	if variance[0] < 0.005 || variance[1] != 0 || math.Abs(variance[2]-0.25) > 0.01 {
		t.Errorf("the rows themselves: variance %v", variance)
	}
}

// Values that sparse rows do not hold are 0 in the second look too.
func TestMomentsOfSparseRowsThatHardlyVary(t *testing.T) {
	x := &data.Sparse{Cols: 1, Start: []int{0, 1, 2, 2}, Idx: []int32{0, 0}, Val: []float64{1, 1}}
	mean, variance := []float64{2.0 / 3}, []float64{0} // as if in doubt
	recomputeVariances(&cluster.Problem{X: x}, mean, variance, 3)
	if math.Abs(variance[0]-2.0/9) > 1e-15 {
		t.Errorf("variance %v, want 2/9", variance[0])
	}
}
