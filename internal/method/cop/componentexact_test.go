package cop

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// randomPartition returns a partition of n random points with the given cannot-links and
// two more points, labelled 0 and k-1, that have cannot-links with some of them.
func randomPartition(t *testing.T, n, k int, cannot []constraint.Pair, r *rand.Rand) *partition {
	t.Helper()
	x := &data.Dense{Cols: 2}
	for range 2 * (n + 2) {
		x.V = append(x.V, r.NormFloat64())
	}
	known := &constraint.Set{Cannot: cannot, Labels: []constraint.Label{{I: n, Class: 0, W: 1}, {I: n + 1, Class: k - 1, W: 1}}}
	for i := range n {
		if r.IntN(4) == 0 {
			known.Cannot = append(known.Cannot, constraint.Pair{I: i, J: n + r.IntN(2), W: 1})
		}
	}
	p := &cluster.Problem{X: x, K: k, Constraints: known}
	closed, err := constraint.Close(x.Len(), known)
	if err != nil {
		t.Fatal(err)
	}
	c := make([]float64, 2*k)
	for f := range c {
		c[f] = r.NormFloat64()
	}
	s := newPartition(newChunklets(p, closed), make([]int32, closed.Components()), c)
	s.centresFixed = true
	return s
}

// leastFeasibleCost tries all labels of the component.
func leastFeasibleCost(s *partition, p cannotComponent) float64 {
	best := math.Inf(1)
	labels := make([]int32, len(p.chunklets))
	for {
		s.setLabels(p, labels)
		if c := feasibleCost(s, p); c < best {
			best = c
		}
		at := 0
		for ; at < len(labels) && int(labels[at]) == s.k-1; at++ {
			labels[at] = 0
		}
		if at == len(labels) {
			return best
		}
		labels[at]++
	}
}

// feasibleCost returns the cost of the component, infinite if its labels violate a
// constraint.
func feasibleCost(s *partition, p cannotComponent) (sum float64) {
	for _, q := range p.chunklets {
		sum += s.assignmentCosts(q)[s.label[q]]
		for _, r := range s.cannotLinked.listOf(q) {
			if s.label[q] == s.label[r] {
				return math.Inf(1)
			}
		}
	}
	return sum
}

func link(i, j int) constraint.Pair { return constraint.Pair{I: i, J: j, W: 1} }

// solveExactly returns labels without violations, and their cost is the least of all
// labels.
func TestComponentsAreSolvedExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	solved := map[componentShape]int{}
	infeasible := 0
	for round := range 600 {
		n, k := 2+r.IntN(5), 2+r.IntN(3)
		var cannot []constraint.Pair
		switch round % 3 {
		case 0: // a tree
			for i := 1; i < n; i++ {
				cannot = append(cannot, link(i, r.IntN(i)))
			}
		case 1: // a clique
			for i := range n {
				for j := range i {
					cannot = append(cannot, link(i, j))
				}
			}
		case 2: // a ring and chords, two clusters
			k = 2
			for i := range n {
				cannot = append(cannot, link(i, (i+1)%n))
			}
		}
		s := randomPartition(t, n, k, cannot, r)
		for _, p := range s.cannotComponents {
			if p.shape == shapeGeneral {
				continue
			}
			want := leastFeasibleCost(s, p)
			labels, cost := s.solveExactly(p)
			solved[p.shape]++
			if math.IsInf(want, 1) || math.IsInf(cost, 1) {
				if want != cost {
					t.Fatalf("round %d: the least cost is %v, the solution's %v", round, want, cost)
				}
				infeasible++
				continue
			}
			s.setLabels(p, labels)
			if got := feasibleCost(s, p); math.Abs(got-want) > 1e-9*(1+want) || math.Abs(cost-want) > 1e-9*(1+want) {
				t.Fatalf("round %d, shape %d: labels cost %v, said %v, the least is %v", round, p.shape, got, cost, want)
			}
		}
	}
	t.Logf("trees %d, components for two clusters %d, cliques %d; %d infeasible", solved[shapeTree], solved[shapeTwoClusters], solved[shapeClique], infeasible)
	if solved[shapeTree] < 100 || solved[shapeTwoClusters] < 50 || solved[shapeClique] < 50 || infeasible < 10 {
		t.Errorf("too few of some shape: %v, %d", solved, infeasible)
	}
}

// The cost of a move is the change of the total cost with every centre at its mean,
// and undone moves leave no trace.
func TestMoveCostsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		s := randomPartition(t, 9, 4, nil, r)
		for q := range s.label {
			s.label[q] = int32(r.IntN(4))
			s.weight[q] = float64(r.IntN(3)) // 0 too
		}
		s.updateCentres()
		s.centresFixed = false
		before := s.totalCost()
		s.beginUndo()
		was := append([]int32(nil), s.label...)
		total := 0.0
		for range 5 {
			total += s.moveChunklet(int32(r.IntN(len(s.label))), int32(r.IntN(4)))
		}
		moved := newPartition(s.chunklets, append([]int32(nil), s.label...), append([]float64(nil), s.centre...))
		moved.updateCentres()
		if after := moved.totalCost(); math.Abs(after-before-total) > 1e-9*(1+before) {
			t.Fatalf("the moves cost %v, the cost goes from %v to %v", total, before, after)
		}
		s.endUndo(false)
		for q := range was {
			if s.label[q] != was[q] {
				t.Fatal("the labels are not those of before")
			}
		}
		if got := s.totalCost(); got != before {
			t.Fatalf("undone, the cost is %v, it was %v", got, before)
		}
	}
}
