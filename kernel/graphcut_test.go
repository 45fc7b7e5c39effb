package kernel

import (
	"testing"

	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestGraphCutKeepsTheContract(t *testing.T) {
	for _, objective := range objectives {
		t.Run(objective, func(t *testing.T) {
			a := NewGraphCut()
			a.Objective = objective
			clustertest.RunGraph(t, a)
		})
	}
}
