package combinatorial

import (
	"math/rand/v2"
	"slices"
)

// TabuColouring looks for a colouring of g by tabu search from a greedy
// colouring with clashes. It finds what greedy colourings miss and proves
// nothing; nil means that the budget is spent or the graph too large. Its random
// choices are the same each time.
func (g *Graph) TabuColouring(budget *int) []int32 {
	if g.Len()*g.K > 4*maxTable {
		return nil
	}
	r := NewRecolouring(g.Adj, g.K)
	r.Stop = g.Stop
	for v, list := range g.Banned {
		for _, h := range list {
			r.Ban(int32(v), h)
		}
	}
	for _, v := range slices.Backward(g.degeneracyOrder()) {
		row := r.Clashes(v)
		r.Recolour(v, int32(slices.Index(row, slices.Min(row))))
	}
	rng := rand.New(rand.NewPCG(uint64(g.Len()), uint64(g.K)))
	if !r.TabuSearch(budget, rng) {
		return nil
	}
	return r.Colours()
}

// TabuSearch removes clashes from a full colouring (Hertz and de Werra,
// Computing 39, 1987): it changes, step by step, the clashing vertex whose
// change leaves fewest clashes, and does not change it back for a while. Each
// step is deducted from budget, and the search ends when budget is below 0. It
// reports whether the colouring is proper.
func (r *Recolouring) TabuSearch(budget *int, rng *rand.Rand) bool {
	until := make([]int32, len(r.clashes)) // [v*k+h]: the step up to which v may not take h again
	fewest := r.edges
	for step := int32(1); len(r.clashing) > 0; step++ {
		if isSpent(budget, r.Stop) {
			return false
		}
		*budget -= len(r.clashing) * r.k
		v, h := r.bestChange(until, step, fewest, rng)
		if v < 0 {
			continue // all changes are tabu for now
		}
		*budget -= len(r.adj[v])
		until[int(v)*r.k+int(r.colour[v])] = step + int32(len(r.clashing))*3/5 + rng.Int32N(10)
		r.Recolour(v, h)
		fewest = min(fewest, r.edges)
	}
	return true
}

// bestChange returns the change that leaves fewest clashes among those that are
// not tabu, ties at random; -1 if none is allowed. A change that beats every
// colouring so far is always allowed.
func (r *Recolouring) bestChange(until []int32, step int32, fewest int, rng *rand.Rand) (vertex, colour int32) {
	vertex = -1
	least, ties := int32(banned), 0
	for _, v := range r.clashing {
		row, old := r.Clashes(v), r.colour[v]
		until := until[int(v)*r.k : (int(v)+1)*r.k]
		for h, x := range row {
			gain := x - row[old]
			if gain > least || int32(h) == old || x >= banned {
				continue
			}
			if until[h] > step && r.edges+int(gain) >= fewest {
				continue
			}
			if gain < least {
				least, ties = gain, 0
			}
			ties++
			if rng.IntN(ties) == 0 {
				vertex, colour = v, int32(h)
			}
		}
	}
	return vertex, colour
}
