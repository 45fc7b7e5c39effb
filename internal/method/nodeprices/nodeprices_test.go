package nodeprices

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// drawn is a random objective, in full.
type drawn struct {
	p      *cluster.Problem
	nodes  *Nodes
	b      [][]float64 // B
	labels []int
}

// matrix returns W of s in full, its diagonal included.
func (x *drawn) matrix(s *constraint.Set) [][]float64 {
	n := len(x.labels)
	w := make([][]float64, n)
	for i := range w {
		w[i] = make([]float64, n)
	}
	put := func(i, j int, y float64) {
		if i != j {
			w[i][j] += x.nodes.PairWeight * y
			w[j][i] += x.nodes.PairWeight * y
		}
	}
	for _, q := range s.Beliefs {
		put(q.I, q.J, q.W)
	}
	if x.nodes.CannotWeight == 0 {
		for _, q := range s.Must {
			put(q.I, q.J, q.W)
		}
		for _, q := range s.Cannot {
			put(q.I, q.J, -q.W)
		}
	}
	if x.nodes.MustCosts {
		for i := range w {
			for j := range w {
				if i != j {
					w[i][i] -= max(0, w[i][j])
				}
			}
		}
	}
	return w
}

// objective adds up J.
func (x *drawn) objective(s *constraint.Set, labels []int) (sum float64) {
	w := x.matrix(s)
	for c := range x.nodes.K {
		mass, association := 0.0, 0.0
		for i, h := range labels {
			if h != c {
				continue
			}
			mass += x.nodes.Alpha[i]
			for j, g := range labels {
				if g == c {
					association += x.b[i][j] + w[i][j]
				}
			}
		}
		if mass > 0 {
			sum -= association / mass
		}
	}
	if x.nodes.CannotWeight > 0 {
		for _, q := range s.Cannot {
			if labels[q.I] == labels[q.J] {
				sum += x.nodes.CannotWeight * q.W
			}
		}
	}
	return sum
}

// A pair that is of both kinds, and one that is given twice, are among those drawn.
func draw(rng *rand.Rand) *drawn {
	n, k := 4+rng.IntN(9), 2+rng.IntN(3)
	x := &drawn{p: &cluster.Problem{K: k}, nodes: &Nodes{K: k, PairWeight: 0.2 + rng.Float64(), MustCosts: rng.IntN(2) == 0}}
	x.b = make([][]float64, n)
	for i := range n {
		x.b[i] = make([]float64, n)
		x.labels = append(x.labels, rng.IntN(k))
		x.nodes.Alpha = append(x.nodes.Alpha, 0.5+rng.Float64())
		if rng.IntN(6) == 0 {
			x.nodes.Alpha[i] = 0
		}
	}
	for i := range n {
		for j := range i + 1 {
			if rng.IntN(2) == 0 {
				x.b[i][j] = rng.NormFloat64()
				x.b[j][i] = x.b[i][j]
			}
		}
	}
	s := &constraint.Set{}
	for range rng.IntN(8) {
		q := constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 0.5 + rng.Float64()}
		switch {
		case q.I == q.J:
		case rng.IntN(2) == 0:
			s.Must = append(s.Must, q)
		default:
			s.Cannot = append(s.Cannot, q)
		}
	}
	for range rng.IntN(3) {
		s.Beliefs = append(s.Beliefs, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 2*rng.Float64() - 1})
	}
	x.p.Constraints = s
	if rng.IntN(2) == 0 {
		x.contract(rng)
	}
	x.fill(rng.IntN(2) == 0 && x.nodes.Group == nil)
	return x
}

// contract makes groups of the must-links, if they do not contradict the cannot-links.
func (x *drawn) contract(rng *rand.Rand) {
	closed, err := constraint.Close(len(x.labels), x.p.Constraints)
	if err != nil {
		return
	}
	x.nodes.CannotWeight, x.nodes.MustCosts = 0.5+rng.Float64(), false
	for i := range x.labels {
		q := closed.Component(i)
		x.nodes.Group = append(x.nodes.Group, int32(q))
		x.labels[i] = x.labels[closed.Members(q)[0]]
	}
}

// fill writes B and W to the nodes, as sums or as graphs.
func (x *drawn) fill(dense bool) {
	n, k := len(x.labels), x.nodes.K
	w := x.matrix(x.p.Constraints)
	var affinity, pairs, cannot []data.Edge
	x.nodes.Sums = make([]float64, n*k)
	for i := range n {
		x.nodes.Self = append(x.nodes.Self, x.b[i][i]+w[i][i])
		for j := range n {
			if i != j {
				x.nodes.Sums[x.labels[j]*n+i] += x.b[i][j] + w[i][j]
			}
			if i < j {
				affinity = append(affinity, data.Edge{U: i, V: j, W: x.b[i][j]})
				pairs = append(pairs, data.Edge{U: i, V: j, W: w[i][j]})
			}
		}
	}
	for _, q := range x.p.Constraints.Cannot {
		cannot = append(cannot, data.Edge{U: q.I, V: q.J, W: x.nodes.CannotWeight * q.W})
	}
	x.nodes.Pairs = data.BuildGraph(n, pairs)
	if x.nodes.CannotWeight > 0 {
		x.nodes.Cannot = data.BuildGraph(n, cannot)
	}
	if !dense {
		x.nodes.Affinity, x.nodes.Sums = data.BuildGraph(n, affinity), nil
	}
}

// Costs and penalties are differences of the objective, added up entry by entry.
func TestPricesAreDifferencesOfTheObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 14))
	for range 1000 {
		x := draw(rng)
		now := x.objective(x.p.Constraints, x.labels)
		same := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9*(1+math.Abs(now)) {
				t.Fatalf("%s is %v, by the objective %v", what, got, want)
			}
		}
		prices := x.nodes.Prices(x.p, x.labels)
		for i := range x.labels {
			for h := range x.p.K {
				if h == x.labels[i] {
					continue
				}
				after := append([]int(nil), x.labels...)
				for j := range after {
					if i == j || x.nodes.Group != nil && x.nodes.Group[i] == x.nodes.Group[j] {
						after[j] = h
					}
				}
				same("the cost", prices.MoveCost(i, h), x.objective(x.p.Constraints, after)-now)
			}
		}
		for kind, list := range map[cluster.Kind][]constraint.Pair{cluster.MustLinks: x.p.Constraints.Must, cluster.CannotLinks: x.p.Constraints.Cannot, cluster.Beliefs: x.p.Constraints.Beliefs} {
			for at, q := range list {
				rest := append(append([]constraint.Pair(nil), list[:at]...), list[at+1:]...)
				less := *x.p.Constraints
				switch kind {
				case cluster.MustLinks:
					less.Must = rest
				case cluster.CannotLinks:
					less.Cannot = rest
				default:
					less.Beliefs = rest
				}
				got, ok := prices.PairPenalty(kind, q)
				if !ok {
					t.Fatal("no penalty")
				}
				same("the penalty", got, now-x.objective(&less, x.labels))
			}
		}
	}
}

// Three of one class and one of another, all but one in the first cluster. Masses are 3 and 1.
func TestLabelsCostWhatTheirViolatedPairsDo(t *testing.T) {
	labels := []constraint.Label{{I: 0, Class: 0, W: 2}, {I: 1, Class: 0, W: 2}, {I: 2, Class: 1, W: 1}, {I: 3, Class: 0, W: 1}}
	p := &cluster.Problem{K: 2, Constraints: &constraint.Set{Labels: labels}}
	pairs := data.BuildGraph(4, []data.Edge{{U: 0, V: 1, W: 6}, {U: 0, V: 3, W: 3}, {U: 0, V: 2, W: -3}})
	for _, c := range []struct {
		costs bool
		want  []float64
	}{
		{false, []float64{2, 0, 2, 0}},    // the cannot-link of 0 and 2: 2 · 3/3
		{true, []float64{2 + 4, 0, 2, 4}}, // and the must-link of 0 and 3: 3/3 + 3/1
	} {
		nodes := &Nodes{K: 2, Alpha: []float64{1, 1, 1, 1}, Self: make([]float64, 4), Affinity: data.BuildGraph(4, nil), Pairs: pairs, PairWeight: 3, MustCosts: c.costs}
		prices := nodes.Prices(p, []int{0, 0, 0, 1})
		for at, l := range labels {
			if got, ok := prices.LabelPenalty(l); !ok || math.Abs(got-c.want[at]) > 1e-12 {
				t.Errorf("must-links cost %v: label %d costs %v, want %v", c.costs, at, got, c.want[at])
			}
		}
	}
	contracted := &Nodes{K: 2, Alpha: []float64{1, 1, 1, 1}, Self: make([]float64, 4), Affinity: data.BuildGraph(4, nil), CannotWeight: 5, Group: []int32{0, 0, 1, 0}}
	for at, l := range labels {
		if got, _ := contracted.Prices(p, []int{0, 0, 0, 0}).LabelPenalty(l); got != 5 {
			t.Errorf("label %d of a group costs %v", at, got)
		}
	}
}
