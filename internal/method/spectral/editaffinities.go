package spectral

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// labelReach is how far in the order of its class a label is linked.
const labelReach = 25

// editAffinities returns g with the constraints written into its weights.
func editAffinities(g *data.Graph, s *constraint.Set) (*data.Graph, error) {
	if s.Empty() {
		return g, nil
	}
	top := 1.0
	for _, w := range g.W {
		top = max(top, w)
	}
	class, strength := classOfPoints(g.Len(), s)
	left := func(i, j int) float64 { // the share of an edge that labels leave
		if class[i] < 0 || class[j] < 0 || class[i] == class[j] {
			return 1
		}
		return 1 - min(strength[i], strength[j])
	}
	var edges []data.Edge
	// Edges of one pair add up in a graph, so what is added is the difference.
	for _, p := range pairStrengths(s, class, strength) {
		was := left(p.I, p.J) * edgeWeight(g, p.I, p.J)
		now := was + p.W*(top-was)
		if p.W < 0 {
			now = was * (1 + p.W)
		}
		edges = append(edges, data.Edge{U: p.I, V: p.J, W: now - was})
	}
	out, err := g.Edited(func(i, j int, w float64) float64 { return left(i, j) * w }, edges)
	if err != nil {
		return nil, err
	}
	for q, w := range out.W { // what rounding leaves of a weight that was taken away
		if w < 1e-15*top {
			out.W[q] = 0
		}
	}
	return out, nil
}

// classOfPoints returns the class of every point, -1 where none or several are given, and
// the weight of its label, at most 1.
func classOfPoints(n int, s *constraint.Set) (class []int, strength []float64) {
	class, strength = make([]int, n), make([]float64, n)
	for i := range class {
		class[i] = -1
	}
	mixed := s.SoftSeeds()
	for _, l := range s.Labels {
		if !mixed[l.I] {
			class[l.I], strength[l.I] = l.Class, max(strength[l.I], min(l.W, 1))
		}
	}
	return class, strength
}

// pairStrengths returns all pairs with a constraint, each once, I below
// J, with a strength from -1, apart, to 1, together. Of several statements
// about a pair the strongest counts, and apart before together.
func pairStrengths(s *constraint.Set, class []int, strength []float64) []constraint.Pair {
	var list []constraint.Pair
	put := func(i, j int, w float64) {
		if i != j && w != 0 {
			list = append(list, constraint.Pair{I: min(i, j), J: max(i, j), W: w})
		}
	}
	for _, p := range s.Must {
		put(p.I, p.J, min(p.W, 1))
	}
	for _, p := range s.Cannot {
		put(p.I, p.J, -min(p.W, 1))
	}
	for _, p := range s.Beliefs {
		put(p.I, p.J, p.W)
	}
	members := map[int][]int{}
	for i, c := range class {
		if c >= 0 {
			members[c] = append(members[c], i)
		}
	}
	for c := range s.Classes() {
		m := members[c]
		for at, i := range m {
			for step := 1; step <= labelReach && step < len(m); step++ {
				j := m[(at+step)%len(m)]
				put(i, j, min(strength[i], strength[j]))
			}
		}
	}
	slices.SortFunc(list, func(a, b constraint.Pair) int {
		return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J), cmp.Compare(math.Abs(b.W), math.Abs(a.W)), cmp.Compare(a.W, b.W))
	})
	return slices.CompactFunc(list, func(a, b constraint.Pair) bool { return a.I == b.I && a.J == b.J })
}

// edgeWeight returns the weight of the edge between i and j, 0 if there is none.
func edgeWeight(g *data.Graph, i, j int) float64 {
	to, w := g.Neighbours(i)
	if q, ok := slices.BinarySearch(to, int32(j)); ok {
		return w[q]
	}
	return 0
}
