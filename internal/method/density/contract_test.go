package density

import (
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestContract(t *testing.T) { clustertest.Run(t, New()) }

func TestContractOfVariants(t *testing.T) {
	join, leaves, near, hard := New(), New(), New(), New()
	hard.Hard = true
	join.Noise, join.Single = JoinNoise, true
	leaves.Selection, leaves.Weight = Leaves, cluster.Fixed(0.01)
	near.Epsilon, near.MinPoints, near.MinClusterSize = 0.7, cluster.Fixed(3), cluster.Fixed(4)
	for name, a := range map[string]*Density{"join": join, "leaves": leaves, "epsilon": near, "hard": hard} {
		t.Run(name, func(t *testing.T) { clustertest.Sample(t, a) })
	}
}
