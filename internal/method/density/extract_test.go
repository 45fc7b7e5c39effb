package density

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// drawTree draws a condensed tree of at most most nodes, with points.
func drawTree(rng *rand.Rand, most int) *hierarchy.Tree {
	t := &hierarchy.Tree{Parent: []int32{-1}, Birth: []float64{0}}
	leaves := []int32{0}
	for len(t.Parent)+2 <= most && rng.IntN(8) > 0 {
		q := rng.IntN(len(leaves))
		v := leaves[q]
		birth := t.Birth[v] + float64(1+rng.IntN(4))
		leaves = slices.Delete(leaves, q, q+1)
		for range 2 {
			leaves = append(leaves, int32(len(t.Parent)))
			t.Parent, t.Birth = append(t.Parent, v), append(t.Birth, birth)
		}
	}
	t.Size = make([]int32, len(t.Parent))
	for v := range t.Parent {
		for range 1 + rng.IntN(4) {
			last := t.Birth[v] + float64(rng.IntN(4))
			for u := range t.Parent {
				if t.Parent[u] == int32(v) {
					last = min(last, t.Birth[u])
				}
			}
			t.Node, t.Lambda = append(t.Node, int32(v)), append(t.Lambda, last)
			for u := int32(v); u >= 0; u = t.Parent[u] {
				t.Size[u]++
			}
		}
	}
	return t
}

// drawLinks draws links of points of a tree, some heavier than others.
func drawLinks(rng *rand.Rand, n, count int) (list []constraint.Pair) {
	for range count {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			list = append(list, constraint.Pair{I: i, J: j, W: float64(1 + rng.IntN(3))})
		}
	}
	return list
}

// everyChoice calls do with every set of nodes of which exactly one is on the way from each leaf to the root.
func everyChoice(t *hierarchy.Tree, root bool, do func(nodes []int32)) {
	children := make([]int, len(t.Parent))
	for _, up := range t.Parent[1:] {
		children[up]++
	}
	for set := range 1 << len(t.Parent) {
		in := func(v int32) bool { return set>>v&1 == 1 }
		if in(0) && !root {
			continue
		}
		valid := true
		var nodes []int32
		for v := range t.Parent {
			if in(int32(v)) {
				nodes = append(nodes, int32(v))
			}
			if children[v] > 0 {
				continue
			}
			count := 0
			for u := int32(v); u >= 0; u = t.Parent[u] {
				if in(u) {
					count++
				}
			}
			valid = valid && (count == 1 || count == 0 && len(t.Parent) == 1 && !root)
		}
		if valid {
			do(nodes)
		}
	}
}

// plainCost is J in units of mass by its definition, from the clusters of points.
func plainCost(t *hierarchy.Tree, nodes []int32, must, cannot []constraint.Pair, labels []constraint.Label, link, label float64) float64 {
	of := make([]int32, len(t.Node))
	cost := 0.0
	for i, v := range t.Node {
		of[i] = -1
		leaves := t.Lambda[i]
		for u := v; u >= 0; u = t.Parent[u] {
			if slices.Contains(nodes, u) {
				of[i] = u
				cost -= leaves - t.Birth[u]
				break
			}
			leaves = t.Birth[u]
		}
	}
	together := func(q constraint.Pair) bool { return of[q.I] >= 0 && of[q.I] == of[q.J] }
	for _, q := range must {
		if !together(q) {
			cost += link * q.W
		}
	}
	for _, q := range cannot {
		if together(q) {
			cost += link * q.W
		}
	}
	count := map[int32]map[int]int{}
	for _, l := range labels {
		v := of[l.I]
		if v < 0 {
			cost += label
			continue
		}
		if count[v] == nil {
			count[v] = map[int]int{}
		}
		count[v][l.Class]++
	}
	for _, classes := range count {
		all, most := 0, 0
		for _, c := range classes {
			all, most = all+c, max(most, c)
		}
		cost += label * float64(all-most)
	}
	return cost
}

// The choice of clusters is the best of all choices, with and without constraints, with a free and with a given number of them.
func TestChoiceIsTheBestOfAll(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 3))
		tree := drawTree(rng, 1+rng.IntN(14))
		n := len(tree.Node)
		var must, cannot []constraint.Pair
		var labels []constraint.Label
		if seed%4 > 0 {
			must, cannot = drawLinks(rng, n, rng.IntN(6)), drawLinks(rng, n, rng.IntN(6))
		}
		if seed%3 == 2 {
			for _, i := range rng.Perm(n)[:min(n, rng.IntN(6))] {
				labels = append(labels, constraint.Label{I: i, Class: rng.IntN(3), W: 1})
			}
		}
		link, label := float64(rng.IntN(5)), float64(rng.IntN(20))
		root := rng.IntN(2) == 0
		shape := newTreeShape(tree, nil)
		costs := newNodeScores(tree, tree.Stability(), must, cannot, labels).costs(link, label)
		best := math.Inf(1)
		byNumber := map[int]float64{}
		everyChoice(tree, root, func(nodes []int32) {
			cost := plainCost(tree, nodes, must, cannot, labels, link, label)
			best = min(best, cost)
			if was, ok := byNumber[len(nodes)]; !ok || cost < was {
				byNumber[len(nodes)] = cost
			}
		})
		check := func(what string, nodes []int32, cost, want float64) {
			t.Helper()
			if plain := plainCost(tree, nodes, must, cannot, labels, link, label); math.Abs(cost-want) > 1e-9 || math.Abs(plain-want) > 1e-9 {
				t.Fatalf("seed %d, %s: nodes %v cost %v, by the definition %v, the best is %v", seed, what, nodes, cost, plain, want)
			}
		}
		nodes, cost := shape.choose(costs, root)
		check("any number", nodes, cost, best)
		leaves := int(shape.leaves[0])
		for _, most := range []int{1, 2, leaves} {
			counted := shape.chooseCounted(costs, root, most)
			for k := range most + 2 {
				nodes, cost, ok := counted.best(k)
				want, possible := byNumber[k]
				if possible = possible && k <= most; ok != possible {
					t.Fatalf("seed %d: %d of %d leaves: %v, wanted %v", seed, k, leaves, ok, possible)
				}
				if ok {
					if len(nodes) != k {
						t.Fatalf("seed %d: asked for %d nodes, got %v", seed, k, nodes)
					}
					check("a given number", nodes, cost, want)
				}
			}
		}
	}
}

// satisfied is the weight of the links that a choice satisfies.
func satisfied(t *hierarchy.Tree, nodes []int32, must, cannot []constraint.Pair) float64 {
	return -plainCost(t, nodes, must, cannot, nil, 1, 0) + plainCost(t, nodes, nil, nil, nil, 1, 0)
}

// More weight never satisfies less.
func TestMoreWeightNeverSatisfiesLess(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		tree := drawTree(rng, 25)
		n := len(tree.Node)
		must, cannot := drawLinks(rng, n, 8), drawLinks(rng, n, 8)
		scores, shape := newNodeScores(tree, tree.Stability(), must, cannot, nil), newTreeShape(tree, nil)
		for _, k := range []int{0, min(3, int(shape.leaves[0]))} {
			last := math.Inf(-1)
			for _, weight := range []float64{0, 0.1, 0.5, 1, 2, 5, 20, 1000} {
				var nodes []int32
				if costs := scores.costs(weight, 0); k == 0 {
					nodes, _ = shape.choose(costs, false)
				} else {
					nodes, _, _ = shape.chooseCounted(costs, true, k).best(k)
				}
				now := satisfied(tree, nodes, must, cannot)
				if now < last {
					t.Fatalf("seed %d, k = %d: weight %v satisfies %v, a smaller one %v", seed, k, weight, now, last)
				}
				last = now
			}
		}
	}
}
