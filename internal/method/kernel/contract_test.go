package kernel

import (
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// A variant is a method with one of its objectives or kernels.
type variant struct {
	name      string
	a         cluster.Algorithm
	graph     bool
	expensive bool   // a kernel of n² values that is gone through many times
	but       string // a clause that it cannot keep
}

// variants returns every method with every objective, the default first, and
// the kernel methods by the kernel itself and by features.
func variants() (list []variant) {
	for _, objective := range []Objective{NormalizedCut, RatioCut, RatioAssociation} {
		a := NewGraphCut()
		a.Objective = objective
		list = append(list, variant{"graph-cut/" + string(objective), a, true, false, ""})
	}
	for _, objective := range []Objective{NormalizedCut, RatioCut, RatioAssociation} {
		a := NewSSKernelKMeans()
		a.Objective = objective
		list = append(list, variant{"ss-kernel-kmeans/" + string(objective), a, true, false, ""})
	}
	for _, objective := range []Objective{RatioAssociation, RatioCut, NormalizedCut} {
		a, few := NewKernelHMRF(), NewKernelHMRF()
		a.Objective, few.Objective, few.Features = objective, objective, 12
		but := ""
		if objective == RatioCut {
			// All rows being joined, it splits off a single row and no move
			// leads back (the paper says as much of the ratio cut on kernels).
			but = "FindsSeparateBlobs"
		}
		list = append(list, variant{"kernel-hmrf-kmeans/" + string(objective), a, false, objective == RatioCut, ""},
			variant{"kernel-hmrf-kmeans/features/" + string(objective), few, false, objective == RatioCut, but})
	}
	few := NewKernelKMeans()
	few.Features = 12
	return append(list, variant{"kernel-kmeans", NewKernelKMeans(), false, true, ""}, variant{"kernel-kmeans/features", few, false, false, ""})
}

// With -short, which the race detector is run with, clauses are dealt out: the
// ones in which goroutines meet to one variant of each way to work, quick ones
// to all. Without it the expensive variants keep to the quick ones too, and those with
// another objective than the default take turns with the others, unless INKLING_FULL is
// set.
var (
	raced = map[string][]string{
		"graph-cut/normalized-cut":                      {"SameBitsOnAnyWorkers", "CancelReturnsBestSoFar"},
		"ss-kernel-kmeans/normalized-cut":               {"SameBitsOnAnyWorkers", "KeepsNoState"},
		"kernel-hmrf-kmeans/features/ratio-association": {"SameBitsOnAnyWorkers", "KeepsNoState"},
	}
	defaults = []string{"graph-cut/normalized-cut", "ss-kernel-kmeans/normalized-cut", "kernel-hmrf-kmeans/ratio-association", "kernel-hmrf-kmeans/features/ratio-association", "kernel-kmeans/features"}
	quick    = []string{"StartsWithoutTime", "DegenerateInputHasAnAnswer", "RefusesBadProblems", "ContradictionHasAnAnswer"}
)

func TestContract(t *testing.T) {
	t.Parallel()
	for n, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			switch {
			case testing.Short() || v.expensive && !longtest.Full():
				v.some(t, slices.Concat(raced[v.name], quick))
			case v.but != "" || !slices.Contains(defaults, v.name) && !longtest.Full():
				names := slices.Clone(quick)
				for at, c := range clustertest.Checks() {
					if turn := at%3 == n%3 || c.Name == "ObjectiveNeverRises" || c.Name == "FindsSeparateBlobs"; c.Name != v.but && (turn || longtest.Full()) && !slices.Contains(names, c.Name) {
						names = append(names, c.Name)
					}
				}
				v.some(t, names)
			case v.graph:
				clustertest.RunGraph(t, v.a)
			default:
				clustertest.Run(t, v.a)
			}
		})
	}
}

// some holds v to the clauses of these names.
func (v variant) some(t *testing.T, names []string) {
	a, held := v.a, 0
	if v.graph {
		a = clustertest.OnGraph(a)
	}
	for _, c := range clustertest.Checks() {
		if !slices.Contains(names, c.Name) {
			continue
		}
		held++
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(a); err != nil {
				t.Error(err)
			}
		})
	}
	if held != len(names) {
		t.Errorf("%d clauses for the names %v", held, names)
	}
}
