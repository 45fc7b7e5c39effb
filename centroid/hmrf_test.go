package centroid_test

import (
	"testing"

	"github.com/inklinghq/inkling/centroid"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
)

func TestPC(t *testing.T)   { clustertest.Run(t, centroid.NewPC()) }
func TestM(t *testing.T)    { clustertest.Run(t, centroid.NewM()) }
func TestMPC(t *testing.T)  { clustertest.Run(t, centroid.NewMPC()) }
func TestHMRF(t *testing.T) { clustertest.Run(t, centroid.NewHMRF()) }

// Every metric with every potential and every inference keeps the contract; each
// combination is held to some clauses, all clauses to every part.
func TestHMRFVariants(t *testing.T) {
	for _, m := range []string{"none", "diagonal", "full", "diagonal-per-cluster", "full-per-cluster"} {
		for _, pot := range []string{"constant", "hmrf", "mpc2003"} {
			for _, inf := range []string{"icm", "bp"} {
				t.Run(m+"/"+pot+"/"+inf, func(t *testing.T) {
					a := centroid.NewHMRF()
					a.Metric, a.Potential, a.Inference = m, pot, inf
					if pot == "constant" {
						a.Weight = centroid.Auto
					}
					for _, c := range clustertest.Checks() {
						if err := c.Do(a); err != nil {
							t.Errorf("%s: %v", c.Name, err)
						}
					}
				})
			}
		}
	}
}

var _ cluster.Algorithm = (*centroid.HMRF)(nil)
