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

func TestKernelMethodsOnRowsKeepTheContract(t *testing.T) {
	t.Run("kernel-hmrf-kmeans", func(t *testing.T) { clustertest.Run(t, NewKernelHMRF()) })
	if testing.Short() {
		t.Skip("one kernel method is enough where time is short")
	}
	t.Run("kernel-kmeans", func(t *testing.T) { clustertest.Run(t, NewKernelKMeans()) })
}
