package kernel

import (
	"testing"

	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestSSKernelKMeansKeepsTheContract(t *testing.T) {
	for _, objective := range objectives {
		t.Run(objective, func(t *testing.T) {
			a := NewSSKernelKMeans()
			a.Objective = objective
			clustertest.RunGraph(t, a)
		})
	}
}

// The two methods on rows share all but what they take from the problem, so
// each is held to the contract with another kind of kernel: one as a matrix,
// one by features.
func TestKernelMethodsOnRowsKeepTheContract(t *testing.T) {
	t.Run("kernel-hmrf-kmeans", func(t *testing.T) { clustertest.Run(t, NewKernelHMRF()) })
	t.Run("kernel-kmeans", func(t *testing.T) {
		a := NewKernelKMeans()
		a.Features = 12
		clustertest.Run(t, a)
	})
}
