package kernel

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// A level is the graph at one level of coarseness: its nodes are nodes of the
// graph, or groups of them that move as one. Contraction does not change J.
type level struct {
	affinity    sparseMatrix // loops in its rows are not read: selfWeight has them
	pairWeights sparseMatrix // W, between different nodes
	cannotCost  sparseMatrix // cost of two nodes being together that must be apart
	cannotFirm  bool         // no move may raise that cost
	alpha       []float64    // node weights
	selfWeight  []float64    // B_ii + W_ii: what a node adds to the association of any cluster
}

func (l *level) numNodes() int { return len(l.alpha) }

// cannotTogether reports whether i and j cost something in one cluster.
func (l *level) cannotTogether(i, j int32) bool {
	to, _ := l.cannotCost.neighbours(i)
	return slices.Contains(to, j)
}

func sumAll(x []float64) (s float64) {
	for _, y := range x {
		s += y
	}
	return s
}

// contractGroups makes one node of all nodes with the same group, 0 ≤ group <
// count.
func (l *level) contractGroups(ctx context.Context, workers int, group []int32, count int) (*level, error) {
	out := &level{alpha: make([]float64, count), selfWeight: make([]float64, count), cannotFirm: l.cannotFirm}
	for i, g := range group {
		out.alpha[g] += l.alpha[i]
	}
	groups := contraction.NewGroups(group, count)
	for _, part := range []struct {
		from, to *sparseMatrix
		self     []float64 // nil for costs: those within a group cannot be avoided any more
	}{{&l.affinity, &out.affinity, out.selfWeight}, {&l.pairWeights, &out.pairWeights, out.selfWeight}, {&l.cannotCost, &out.cannotCost, nil}} {
		if part.from.Start == nil {
			continue
		}
		g, err := groups.Contract(ctx, workers, &part.from.Graph, part.self)
		if err != nil {
			return nil, err
		}
		part.to.Graph = *g
	}
	for i, g := range group {
		out.selfWeight[g] += l.selfWeight[i]
	}
	return out, nil
}

// combinedRow returns row i of A + W.
func (l *level) combinedRow(i int32, t *contraction.Totals) ([]int32, []float64) {
	t.Reset()
	for _, g := range [2]*sparseMatrix{&l.affinity, &l.pairWeights} {
		to, w := g.neighbours(i)
		for q, j := range to {
			t.AddTo(j, w[q])
		}
	}
	return t.Keys, t.Sums
}

// mergeCost returns by how much J rises if i and j, joined by an edge of weight
// w, become one node.
func (l *level) mergeCost(i, j int32, w float64) float64 {
	apart := quotient(l.selfWeight[i], l.alpha[i]) + quotient(l.selfWeight[j], l.alpha[j])
	return apart - quotient(l.selfWeight[i]+l.selfWeight[j]+2*w, l.alpha[i]+l.alpha[j])
}

// inducedLevel returns the level of the given nodes alone.
func (l *level) inducedLevel(nodes []int32) *level {
	out := &level{cannotFirm: l.cannotFirm}
	at := make(map[int32]int32, len(nodes))
	for q, i := range nodes {
		at[i] = int32(q)
		out.alpha, out.selfWeight = append(out.alpha, l.alpha[i]), append(out.selfWeight, l.selfWeight[i])
	}
	for _, part := range [3]struct{ from, to *sparseMatrix }{{&l.affinity, &out.affinity}, {&l.pairWeights, &out.pairWeights}, {&l.cannotCost, &out.cannotCost}} {
		if part.from.Start == nil {
			continue
		}
		part.to.Start = make([]int, 1, len(nodes)+1)
		for _, i := range nodes {
			to, w := part.from.neighbours(i)
			for q, j := range to {
				if h, ok := at[j]; ok {
					part.to.To, part.to.W = append(part.to.To, h), append(part.to.W, w[q])
				}
			}
			part.to.Start = append(part.to.Start, len(part.to.To))
		}
	}
	return out
}
