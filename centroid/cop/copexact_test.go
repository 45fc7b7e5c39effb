package cop

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// draft returns a layout of n random points with the given cannot-links, the
// last two points labelled 0 and k-1 and apart from some of the others.
func draft(t *testing.T, n, k int, cannot []constraint.Pair, r *rand.Rand) *layout {
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
	s := newLayout(newLumps(p, closed), make([]int32, closed.Components()), c)
	s.frozen = true
	return s
}

// cheapest tries all labels of the part.
func cheapest(s *layout, p part) float64 {
	best := math.Inf(1)
	labels := make([]int32, len(p.lumps))
	for {
		s.write(p, labels)
		if c := legalCost(s, p); c < best {
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

// legalCost is infinite where the labels of the part are not legal.
func legalCost(s *layout, p part) (sum float64) {
	for _, q := range p.lumps {
		sum += s.prices(q)[s.label[q]]
		for _, r := range s.apart.of(q) {
			if s.label[q] == s.label[r] {
				return math.Inf(1)
			}
		}
	}
	return sum
}

func link(i, j int) constraint.Pair { return constraint.Pair{I: i, J: j, W: 1} }

// Every shape that is solved exactly is: its cost is the least of all labels,
// and its labels are legal and have that cost.
func TestPartsAreSolvedExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := map[shape]int{}
	never := 0
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
		s := draft(t, n, k, cannot, r)
		for _, p := range s.parts {
			if p.shape == tangled {
				continue
			}
			want := cheapest(s, p)
			labels, cost := s.solve(p)
			seen[p.shape]++
			if math.IsInf(want, 1) || math.IsInf(cost, 1) {
				if want != cost {
					t.Fatalf("round %d: the least cost is %v, the solution's %v", round, want, cost)
				}
				never++
				continue
			}
			s.write(p, labels)
			if got := legalCost(s, p); math.Abs(got-want) > 1e-9*(1+want) || math.Abs(cost-want) > 1e-9*(1+want) {
				t.Fatalf("round %d, shape %d: labels cost %v, said %v, the least is %v", round, p.shape, got, cost, want)
			}
		}
	}
	t.Logf("trees %d, halves %d, cliques %d; %d without any legal labels", seen[tree], seen[halves], seen[clique], never)
	if seen[tree] < 100 || seen[halves] < 50 || seen[clique] < 50 || never < 10 {
		t.Errorf("too few of some shape: %v, %d", seen, never)
	}
}

// The price of a move is the change of the cost with every centre at its mean,
// and a trail that is not kept leaves no trace.
func TestMovesArePricedExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		s := draft(t, 9, 4, nil, r)
		for q := range s.label {
			s.label[q] = int32(r.IntN(4))
			s.weight[q] = float64(r.IntN(3)) // 0 too
		}
		s.tally()
		s.frozen = false
		before := s.cost()
		s.begin()
		was := append([]int32(nil), s.label...)
		total := 0.0
		for range 5 {
			total += s.move(int32(r.IntN(len(s.label))), int32(r.IntN(4)))
		}
		moved := newLayout(s.lumps, append([]int32(nil), s.label...), append([]float64(nil), s.centre...))
		moved.tally()
		if after := moved.cost(); math.Abs(after-before-total) > 1e-9*(1+before) {
			t.Fatalf("the moves are priced %v, the cost goes from %v to %v", total, before, after)
		}
		s.end(false)
		for q := range was {
			if s.label[q] != was[q] {
				t.Fatal("the labels are not those of before")
			}
		}
		if got := s.cost(); got != before {
			t.Fatalf("undone, the cost is %v, it was %v", got, before)
		}
	}
}
