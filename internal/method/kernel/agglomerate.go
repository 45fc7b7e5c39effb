package kernel

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// A mergePair is two nodes and by how much J would rise if they became one.
type mergePair struct {
	a, b int32
	cost float64
}

// agglomerate merges nodes of l, the cheapest pairs first, until k are left, and
// returns the cluster of each node. Each round merges up to a quarter of the
// nodes, each node once, and makes a new level of them. Costs are multiplied by a
// random factor of up to 1 + blur, so that several tries differ.
func agglomerate(ctx context.Context, workers int, l *level, k int, blur float64, rng *rand.Rand) ([]int32, error) {
	label := make([]int32, l.numNodes())
	for i := range label {
		label[i] = int32(i)
	}
	for l.numNodes() > k {
		group, count := mergePairs(l, max(1, min(l.numNodes()-k, l.numNodes()/4)), blur, rng)
		next, err := l.contractGroups(ctx, workers, group, count)
		if err != nil {
			return nil, err
		}
		for i, h := range label {
			label[i] = group[h]
		}
		l = next
	}
	return label, nil
}

// mergePairs merges up to most disjoint pairs, and returns the group of each node
// and the number of groups.
func mergePairs(l *level, most int, blur float64, rng *rand.Rand) (group []int32, count int) {
	n := l.numNodes()
	partner := slices.Repeat([]int32{-1}, n)
	left := most
	take := func(list []mergePair) {
		slices.SortFunc(list, func(x, y mergePair) int {
			return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
		})
		for _, m := range list {
			if left > 0 && partner[m.a] < 0 && partner[m.b] < 0 {
				partner[m.a], partner[m.b] = m.b, m.a
				left--
			}
		}
	}
	along := neighbourPairs(l, blur, rng)
	take(along)
	if most-left < n/fewMerges {
		take(siblingPairs(l, along, partner))
	}
	if left == most { // without edges: the lightest nodes
		take(unlinkedPairs(l, false))
	}
	if left == most { // all must be apart: violate some cannot-links
		take(unlinkedPairs(l, true))
	}
	group = slices.Repeat([]int32{-1}, n)
	for i := range group {
		if group[i] >= 0 {
			continue
		}
		group[i] = int32(count)
		if j := partner[i]; j >= 0 {
			group[j] = int32(count)
		}
		count++
	}
	return group, count
}

// neighbourPairs returns the cheapest merge along an edge of each node.
func neighbourPairs(l *level, blur float64, rng *rand.Rand) (list []mergePair) {
	t := contraction.NewTotals()
	for i := range int32(l.numNodes()) {
		to, w := l.affinity.neighbours(i)
		if l.pairWeights.Start != nil {
			to, w = l.combinedRow(i, t)
		}
		best := mergePair{a: i, b: -1}
		for at, j := range to {
			if j == i {
				continue
			}
			c := l.mergeCost(i, j, w[at])
			if blur > 0 {
				c *= 1 + blur*rng.Float64()
			}
			if (best.b < 0 || c < best.cost) && !l.cannotTogether(i, j) {
				best.b, best.cost = j, c
			}
		}
		if best.b >= 0 {
			if best.b < best.a {
				best.a, best.b = best.b, best.a
			}
			list = append(list, best)
		}
	}
	return list
}

// fewMerges is the share of nodes, 1/fewMerges, of which fewer merge along edges in a
// round where most prefer the same few nodes. Then nodes with the same preference merge
// too, without which there would be a round for each of them.
const fewMerges = 20

// siblingPairs pairs nodes without a partner whose cheapest merge is with the same node,
// in the order of the list of those merges.
func siblingPairs(l *level, along []mergePair, partner []int32) (list []mergePair) {
	waiting := map[int32]int32{}
	for _, m := range along {
		i, hub := m.a, m.b
		if partner[i] >= 0 {
			i, hub = hub, i
		}
		if partner[i] >= 0 || partner[hub] < 0 {
			continue
		}
		if j, found := waiting[hub]; found && i != j && !l.cannotTogether(i, j) {
			list = append(list, mergePair{min(i, j), max(i, j), m.cost})
			delete(waiting, hub)
		} else {
			waiting[hub] = i
		}
	}
	return list
}

// unlinkedPairs pairs nodes by mass, the lightest first, whether or not an edge
// joins them; with force also nodes that must not be together.
func unlinkedPairs(l *level, force bool) (list []mergePair) {
	order := make([]int32, l.numNodes())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(l.alpha[a], l.alpha[b]) })
	const tries = 8
	for at, i := range order {
		for _, j := range order[at+1 : min(at+1+tries, len(order))] {
			if force || !l.cannotTogether(i, j) {
				list = append(list, mergePair{min(i, j), max(i, j), float64(at)})
				break
			}
		}
	}
	return list
}
