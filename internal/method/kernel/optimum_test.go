package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// On tiny graphs no run is below the optimum over all clusterings that fill k
// clusters, and ten starts of either method for graphs mostly reach it.
func TestTinyGraphsAgainstAllClusterings(t *testing.T) {
	t.Parallel()
	const n, k, graphs = 8, 3, 30
	reached := map[string]int{}
	for at := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(at, 4))
		p := smallProblem(rng, n, k)
		truth := make([]int, n)
		for i := range truth {
			truth[i] = rng.IntN(k)
		}
		p.Constraints = constraint.RandomPairs(truth, 3, rng)
		for _, objective := range objectives {
			cut, paper := NewGraphCut(), NewSSKernelKMeans()
			cut.Objective, paper.Objective = objective, objective
			for name, a := range map[string]cluster.Algorithm{"cut": cut, "paper": paper} {
				objectiveOf, err := ObjectiveFunc(p, a)
				if err != nil {
					t.Fatal(err)
				}
				s := cluster.Default()
				s.Restarts, s.Effort, s.Audit = 10, cluster.EffortNormal, true
				r, err := cluster.Fit(context.Background(), p, a, s)
				if err != nil {
					t.Fatal(err)
				}
				if got := objectiveOf(r.Labels); math.Abs(got-r.Objective.Sum()) > 1e-9 {
					t.Fatalf("%s of %s is %v, from its labels %v", objective, name, r.Objective.Sum(), got)
				}
				best := leastOf(n, k, objectiveOf)
				if r.Objective.Sum() < best-1e-9 && filled(r.Sizes(k)) == k {
					t.Fatalf("%s of %s is %v, below the optimum %v", objective, name, r.Objective.Sum(), best)
				}
				if r.Objective.Sum() <= best+1e-9 {
					reached[name+" "+string(objective)]++
				}
			}
		}
	}
	for _, objective := range objectives {
		for _, name := range []string{"cut", "paper"} {
			if got := reached[name+" "+string(objective)]; got < graphs*8/10 {
				t.Errorf("%s: the optimum of the %s is reached on %d of %d graphs", name, objective, got, graphs)
			}
		}
	}
	t.Log(reached)
}

func filled(sizes []int) (k int) {
	for _, s := range sizes {
		if s > 0 {
			k++
		}
	}
	return k
}

func leastOf(n, k int, objectiveOf func([]int) float64) float64 {
	best, label := math.Inf(1), make([]int, n)
	var try func(i, used int)
	try = func(i, used int) {
		if i == n {
			if used == k {
				best = min(best, objectiveOf(label))
			}
			return
		}
		for c := range min(used+1, k) {
			label[i] = c
			try(i+1, max(used, c+1))
		}
	}
	try(0, 0)
	return best
}
