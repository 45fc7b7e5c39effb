package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A field is a problem on a graph made ready: the finest level, with W.
type graphProblem struct {
	objective  string
	k          int
	finest     *level  // all nodes by themselves
	group      []int32 // the node of root that each belongs to; nil: its own
	groupCount int
	contracted *level // must-links contracted, or fine; nil before join
}

// newField reads graph and knowledge. With contracted must-links cannot-links
// are firm, else all pairs are soft.
func newGraphProblem(ctx context.Context, e *cluster.Env, p *cluster.Problem, objective string, contracted bool, weigh string) (*graphProblem, error) {
	weight, err := parseWeight(weigh)
	if err != nil {
		return nil, err
	}
	g, n := p.Graph, p.Len()
	f := &graphProblem{objective: objective, k: p.K, finest: &level{
		affinity: csr{g.Start, g.To, g.W}, alpha: make([]float64, n), selfWeight: make([]float64, n),
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
	if !contracted {
		f.finest.pairWeights = newMatrix(n, softEdges(n, p.K, p.Constraints, weight))
		return f, nil
	}
	closed, err := constraint.Close(n, p.Constraints)
	if err != nil {
		return nil, err
	}
	price := weight
	if price == 0 {
		f.finest.cannotFirm, price = true, 1
		if mass := sumAll(f.finest.alpha); mass > 0 && sum > 0 {
			price = 2 * sum / mass // more than a move can gain by it: 2, for the normalized cut
		}
	}
	f.finest.cannotCost = newMatrix(n, cannotEdges(p.Constraints, closed, price))
	if p.Constraints != nil {
		f.finest.pairWeights = newMatrix(n, softEdges(n, p.K, &constraint.Set{Beliefs: p.Constraints.Beliefs}, 0))
	}
	if closed.Components() < n {
		f.group = make([]int32, n)
		for i := range f.group {
			f.group[i] = int32(closed.Component(i))
		}
		f.contracted = nil // made by join, when it is wanted: it is as large as the graph
		f.groupCount = closed.Components()
	}
	return f, nil
}

// join contracts what must be together.
func (f *graphProblem) contractMustLinks(ctx context.Context, workers int) (err error) {
	if f.contracted == nil {
		f.contracted, err = f.finest.contractGroups(context.WithoutCancel(ctx), workers, f.group, f.groupCount)
	}
	return err
}

// spread writes the labels of root to all nodes.
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

// whole says whether labels keep every group together.
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

// gather returns labels of root: of a group that of the cluster which its nodes
// have most links with, given the labels of all nodes.
func (f *graphProblem) groupLabels(label []int32) []int32 {
	if f.group == nil {
		return label
	}
	out, r := make([]int32, f.contracted.numNodes()), newNodeLinks(f.k)
	start, members := groupMembers(f.group, f.contracted.numNodes())
	for g := range out {
		nodes := members[start[g]:start[g+1]]
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

// price computes the terms of J from the labels of all nodes: the cut, or the
// association with its sign turned, and what W adds.
func (f *graphProblem) objectiveTerms(ctx context.Context, workers int, label []int) (cluster.Terms, error) {
	k := f.k
	sums := make([]float64, 3*k+1) // of each cluster: mass, z'Bz, z'Wz; and what is paid
	err := blocks.Each(ctx, workers, len(label), func(lo, hi int) []float64 {
		part := make([]float64, 3*k+1)
		for i := int32(lo); i < int32(hi); i++ {
			c := label[i]
			part[c] += f.finest.alpha[i]
			part[k+c] += f.finest.selfWeight[i] + withinCluster(&f.finest.affinity, i, label)
			part[2*k+c] += withinCluster(&f.finest.pairWeights, i, label)
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
	if f.finest.pairWeights.start != nil || f.finest.cannotCost.start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: pairs})
	}
	return t
}

// within adds up the entries of row i in its own cluster.
func withinCluster(g *csr, i int32, label []int) (s float64) {
	to, w := g.neighbours(i)
	for q, j := range to {
		if j != i && label[j] == label[i] {
			s += w[q]
		}
	}
	return s
}
