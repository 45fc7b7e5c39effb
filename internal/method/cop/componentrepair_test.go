package cop

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// plantedPartition returns a partition of n points around k centres with true
// cannot-links, about four per point, and one labelled point per class, which forbids
// clusters.
func plantedPartition(t *testing.T, n, k int, r *rand.Rand) *partition {
	t.Helper()
	x, truth := &data.Dense{Cols: 2}, make([]int, n)
	c := make([]float64, 2*k)
	for h := range k {
		c[2*h], c[2*h+1] = math.Cos(2*math.Pi*float64(h)/float64(k)), math.Sin(2*math.Pi*float64(h)/float64(k))
	}
	for i := range n {
		truth[i] = i % k
		x.V = append(x.V, c[2*truth[i]]+r.NormFloat64(), c[2*truth[i]+1]+r.NormFloat64())
	}
	known := &constraint.Set{}
	for i := range k {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
	}
	for range 4 * n {
		if i, j := r.IntN(n), r.IntN(n); truth[i] != truth[j] {
			known.Cannot = append(known.Cannot, link(i, j))
		}
	}
	closed, err := constraint.Close(n, known)
	if err != nil {
		t.Fatal(err)
	}
	s := newPartition(newChunklets(&cluster.Problem{X: x, K: k, Constraints: known}, closed), make([]int32, closed.Components()), c)
	s.centresFixed = true
	return s
}

// Components near the hardest density for three and four clusters are repaired, and
// every way to find a first labelling satisfies all constraints.
func TestComponentsAreRepaired(t *testing.T) {
	repaired, coloured, components := 0, 0, 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := plantedPartition(t, 200, 3+int(seed%2), r)
		for _, p := range s.cannotComponents {
			if p.shape != shapeGeneral {
				continue
			}
			components++
			for q := range s.label {
				s.label[q] = s.fixedCluster[q]
			}
			if s.repairComponent(context.Background(), p, 1<<24, r, nil) {
				repaired++
				if math.IsInf(feasibleCost(s, p), 1) {
					t.Fatalf("problem %d: the repaired labels violate a constraint", seed)
				}
			}
			if s.colourComponent(p) {
				coloured++
				if math.IsInf(feasibleCost(s, p), 1) {
					t.Fatalf("problem %d: the colouring violates a constraint", seed)
				}
			}
		}
		if !s.findFirstLabelling(context.Background(), r) {
			t.Errorf("problem %d: no first labelling", seed)
			continue
		}
		for _, p := range s.cannotComponents {
			if math.IsInf(feasibleCost(s, p), 1) {
				t.Fatalf("problem %d: the first labelling violates a constraint", seed)
			}
		}
	}
	t.Logf("of %d components %d are repaired, %d coloured greedily", components, repaired, coloured)
	if repaired*10 < components*9 || components < 30 {
		t.Errorf("only %d of %d components are repaired", repaired, components)
	}
}

// countingSource counts the numbers drawn from it.
type countingSource struct {
	rand.Source
	n int
}

func (c *countingSource) Uint64() uint64 {
	c.n++
	return c.Source.Uint64()
}

// Four points with cannot-links between any two, and a fifth with cannot-links to two
// of them: a component that three clusters cannot satisfy. That is found out at once,
// and not after millions of useless steps, each of which draws a random number.
func TestSmallInfeasibleComponents(t *testing.T) {
	known := &constraint.Set{Cannot: []constraint.Pair{link(0, 1), link(0, 2), link(0, 3), link(1, 2), link(1, 3), link(2, 3), link(4, 0), link(4, 1)}}
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 3, 4}}, K: 3, Constraints: known}
	from := &countingSource{Source: rand.NewPCG(1, 2)}
	_, err := New().Start(context.Background(), p, &cluster.Env{Rand: rand.New(from)})
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Verdict.Answer != constraint.No || len(none.Points) != 4 {
		t.Fatalf("the error is %v", err)
	}
	if t.Logf("%d numbers drawn", from.n); from.n > 200_000 {
		t.Errorf("%d numbers were drawn for an infeasible component", from.n)
	}
}

// A point that cannot be with any of the three classes has no cluster, also
// where cannot-links connect it with others in a ring.
func TestPointWithoutACluster(t *testing.T) {
	known := &constraint.Set{}
	for i := range 3 {
		known.Labels = append(known.Labels, constraint.Label{I: i, Class: i, W: 1})
		known.Cannot = append(known.Cannot, link(3, i))
	}
	for i := range 4 {
		known.Cannot = append(known.Cannot, link(3+i, 3+(i+1)%4))
	}
	x := &data.Dense{Cols: 1, V: []float64{0, 10, 20, 1, 11, 21, 12}}
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 3, Constraints: known}, New(), cluster.Default())
	if err == nil {
		t.Errorf("labels %v", r.Labels)
	}
}
