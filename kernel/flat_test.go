package kernel

import (
	"testing"

	"github.com/inklinghq/inkling/cluster"
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
	t.Run("kernel-hmrf-kmeans", func(t *testing.T) { contract(t, NewKernelHMRF()) })
	t.Run("kernel-kmeans", func(t *testing.T) {
		a := NewKernelKMeans()
		a.Features = 12
		contract(t, a)
	})
}

// contract runs the suite on rows; with -short, which the race detector is run
// with, the clause about workers alone, for a kernel has n² values.
func contract(t *testing.T, a cluster.Algorithm) {
	if !testing.Short() {
		clustertest.Run(t, a)
		return
	}
	for _, c := range clustertest.Checks() {
		if c.Name == "SameBitsOnAnyWorkers" {
			if err := c.Do(a); err != nil {
				t.Error(err)
			}
		}
	}
}
