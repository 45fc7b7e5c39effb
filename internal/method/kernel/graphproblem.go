package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// A graphProblem is a problem on a graph in the form that the methods work on: the
// finest level, with the constraint matrix W.
type graphProblem struct {
	objective  Objective
	k          int
	finest     *level  // all nodes by themselves
	group      []int32 // the contracted node that each belongs to; nil: its own
	groupCount int
	contracted *level    // must-links contracted, or finest; nil before contractMustLinks
	pairWeight float64   // of a soft pair of weight 1
	cannotCost float64   // of a violated cannot-link of weight 1; 0: it is a soft pair
	pairCosts  []float64 // of the finest nodes, as in weightedKMeans; nil: all 0
}

// pairOptions say what pairs do: all are soft, or must-links are contracted and the
// weight is what a violated cannot-link costs; by rule, these are firm.
type pairOptions struct {
	weight     cluster.Number
	term       PairTerm // of soft pairs
	contracted bool
}

// newGraphProblem reads graph and constraints.
func newGraphProblem(ctx context.Context, workers int, p *cluster.Problem, objective Objective, pairs pairOptions) (*graphProblem, error) {
	g, n := p.Graph, p.Len()
	f := &graphProblem{objective: objective, k: p.K, finest: &level{
		affinity: sparseMatrix{*g}, alpha: make([]float64, n), selfWeight: make([]float64, n),
	}}
	sum := 0.0
	for i := range n {
		f.finest.alpha[i] = p.W(i)
		degree := 0.0
		to, w := g.Neighbours(i)
		for q, j := range to {
			degree += w[q]
			sum += math.Abs(w[q])
			if int(j) == i {
				f.finest.selfWeight[i] += w[q]
			}
		}
		switch objective {
		case NormalizedCut:
			f.finest.alpha[i] *= degree
		case RatioCut:
			f.finest.selfWeight[i] -= degree
		}
	}
	f.contracted = f.finest
	auto := func() float64 { return f.graphWeight(ctx, p, workers) }
	if !pairs.contracted {
		edges, w := weighEdges(n, p.K, p.Constraints, pairs.weight, auto)
		f.finest.pairWeights, f.pairWeight = newSparseMatrix(n, edges), w
		f.pairCosts = pairCosts(f.finest.pairWeights, n, pairs.term)
		return f, nil
	}
	closed, err := constraint.Close(n, p.Constraints)
	if err != nil {
		return nil, err
	}
	if f.cannotCost = fixedValue(pairs.weight); f.cannotCost == 0 {
		f.finest.cannotFirm, f.cannotCost = true, 1
		if mass := sumAll(f.finest.alpha); mass > 0 && sum > 0 {
			f.cannotCost = 2 * sum / mass // more than a move can gain by it: 2, for the normalized cut
		}
	}
	f.finest.cannotCost = newSparseMatrix(n, cannotEdges(p.Constraints, f.cannotCost))
	if p.Constraints != nil {
		edges, w := weighEdges(n, p.K, &constraint.Set{Beliefs: p.Constraints.Beliefs}, cluster.ByRule(cluster.RuleAuto), auto)
		f.finest.pairWeights, f.pairWeight = newSparseMatrix(n, edges), w
	}
	if closed.Components() < n {
		f.group = make([]int32, n)
		for i := range f.group {
			f.group[i] = int32(closed.Component(i))
		}
		f.contracted = nil // made by contractMustLinks on demand: it is as large as the graph
		f.groupCount = closed.Components()
	}
	return f, nil
}

// withoutConstraints returns f as it is without constraints.
func (f *graphProblem) withoutConstraints() *graphProblem {
	g, l := *f, *f.finest
	l.pairWeights, l.cannotCost = sparseMatrix{}, sparseMatrix{}
	g.finest, g.contracted, g.group, g.pairCosts = &l, &l, nil, nil
	return &g
}

// contractMustLinks makes one node of all nodes that must be together.
func (f *graphProblem) contractMustLinks(ctx context.Context, workers int) (err error) {
	if f.contracted == nil {
		f.contracted, err = f.finest.contractGroups(context.WithoutCancel(ctx), workers, f.group, f.groupCount)
	}
	return err
}

// spreadLabels writes the labels of the contracted nodes to all nodes.
func (f *graphProblem) spreadLabels(label []int32, out []int) {
	for i := range out {
		if f.group == nil {
			out[i] = int(label[i])
		} else {
			out[i] = int(label[f.group[i]])
		}
	}
}

var inf = math.Inf(1)

// keepsGroups reports whether labels keep every group together.
func (f *graphProblem) keepsGroups(labels []int) bool {
	if f.group == nil {
		return true
	}
	first := make(map[int32]int, len(labels))
	for i, g := range f.group {
		if c, ok := first[g]; ok && c != labels[i] {
			return false
		}
		first[g] = labels[i]
	}
	return true
}

// groupLabels returns labels of the contracted nodes from labels of all nodes: a
// group joins the cluster to which the edges of its nodes are heaviest.
func (f *graphProblem) groupLabels(label []int32) []int32 {
	if f.group == nil {
		return label
	}
	out, r := make([]int32, f.contracted.numNodes()), newNodeLinks(f.k)
	groups := contraction.NewGroups(f.group, f.contracted.numNodes())
	for g := range out {
		nodes := groups.Node[groups.Start[g]:groups.Start[g+1]]
		out[g] = label[nodes[0]]
		if len(nodes) == 1 {
			continue
		}
		for _, i := range nodes {
			to, w := f.finest.affinity.neighbours(i)
			for q, j := range to {
				r.addLink(label[j], w[q])
			}
		}
		for _, c := range r.clusters {
			if r.sum[c] > r.sum[out[g]] || r.sum[c] == r.sum[out[g]] && c < out[g] {
				out[g] = c
			}
		}
		r.reset()
	}
	return out
}

// objectiveTerms computes the terms of J from the labels of all nodes: the cut, or
// minus the association, and what the constraints add.
func (f *graphProblem) objectiveTerms(ctx context.Context, workers int, label []int) (cluster.Terms, error) {
	k := f.k
	sums := make([]float64, 3*k+1) // of each cluster: mass, z'Bz, z'Wz; then the cost of violated cannot-links
	err := blocks.Each(ctx, workers, len(label), func(lo, hi int) []float64 {
		part := make([]float64, 3*k+1)
		for i := int32(lo); i < int32(hi); i++ {
			c := label[i]
			part[c] += f.finest.alpha[i]
			part[k+c] += f.finest.selfWeight[i] + withinCluster(&f.finest.affinity, i, label)
			if part[2*k+c] += withinCluster(&f.finest.pairWeights, i, label); f.pairCosts != nil {
				part[2*k+c] -= f.pairCosts[i]
			}
			part[3*k] += withinCluster(&f.finest.cannotCost, i, label) / 2
		}
		return part
	}, func(_, _ int, part []float64) {
		for q, y := range part {
			sums[q] += y
		}
	})
	cut, pairs := objectiveConstant(f.objective, k), sums[3*k]
	for c := range k {
		cut -= quotient(sums[k+c], sums[c])
		pairs -= quotient(sums[2*k+c], sums[c])
	}
	return f.makeTerms(cut, pairs), err
}

func (f *graphProblem) makeTerms(cut, pairs float64) cluster.Terms {
	t := cluster.Terms{{Name: graphTermName(f.objective), Value: cut}}
	if f.finest.pairWeights.Start != nil || f.finest.cannotCost.Start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: pairs})
	}
	return t
}

// withinCluster adds up the entries of row i in its own cluster.
func withinCluster(g *sparseMatrix, i int32, label []int) (s float64) {
	to, w := g.neighbours(i)
	for q, j := range to {
		if j != i && label[j] == label[i] {
			s += w[q]
		}
	}
	return s
}
