package kernel

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/blocks"
)

// A field is a problem on a graph made ready: the finest level, with W.
type field struct {
	objective string
	k         int
	fine      *level  // all nodes by themselves
	group     []int32 // the node of root that each belongs to; nil: its own
	groups    int
	root      *level // must-links contracted, or fine; nil before join
}

// newField reads graph and knowledge. With contracted must-links cannot-links
// are firm, else all pairs are soft.
func newField(ctx context.Context, e *cluster.Env, p *cluster.Problem, objective string, contracted bool, weigh string) (*field, error) {
	weight, err := parseWeight(weigh)
	if err != nil {
		return nil, err
	}
	g, n := p.Graph, p.Len()
	f := &field{objective: objective, k: p.K, fine: &level{
		a: csr{g.Start, g.To, g.W}, alpha: make([]float64, n), self: make([]float64, n),
	}}
	sum := 0.0
	for i := range n {
		f.fine.alpha[i] = p.W(i)
		degree := 0.0
		to, w := g.Neighbours(i)
		for q, j := range to {
			degree += w[q]
			sum += math.Abs(w[q])
			if int(j) == i {
				f.fine.self[i] += w[q]
			}
		}
		switch objective {
		case NormalizedCut:
			f.fine.alpha[i] *= degree
		case RatioCut:
			f.fine.self[i] -= degree
		}
	}
	f.root = f.fine
	if !contracted {
		f.fine.links = matrix(n, soft(n, p.K, p.Constraints, weight))
		return f, nil
	}
	closed, err := constraint.Close(n, p.Constraints)
	if err != nil {
		return nil, err
	}
	price := weight
	if price == 0 {
		f.fine.firm, price = true, 1
		if mass := total(f.fine.alpha); mass > 0 && sum > 0 {
			price = 2 * sum / mass // more than a move can gain by it: 2, for the normalized cut
		}
	}
	f.fine.apart = matrix(n, apart(p.Constraints, closed, price))
	if p.Constraints != nil {
		f.fine.links = matrix(n, soft(n, p.K, &constraint.Set{Beliefs: p.Constraints.Beliefs}, 0))
	}
	if closed.Components() < n {
		f.group = make([]int32, n)
		for i := range f.group {
			f.group[i] = int32(closed.Of(i))
		}
		f.root = nil // made by join, when it is wanted: it is as large as the graph
		f.groups = closed.Components()
	}
	return f, nil
}

// join contracts what must be together.
func (f *field) join(ctx context.Context, workers int) (err error) {
	if f.root == nil {
		f.root, err = f.fine.contract(context.WithoutCancel(ctx), workers, f.group, f.groups)
	}
	return err
}

// spread writes the labels of root to all nodes.
func (f *field) spread(label []int32, out []int) {
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
func (f *field) whole(labels []int) bool {
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
func (f *field) gather(label []int32) []int32 {
	if f.group == nil {
		return label
	}
	out, r := make([]int32, f.root.len()), newReach(f.k)
	start, members := membersOf(f.group, f.root.len())
	for g := range out {
		nodes := members[start[g]:start[g+1]]
		out[g] = label[nodes[0]]
		if len(nodes) == 1 {
			continue
		}
		for _, i := range nodes {
			to, w := f.fine.a.row(i)
			for q, j := range to {
				r.add(label[j], w[q])
			}
		}
		for _, c := range r.seen {
			if r.sum[c] > r.sum[out[g]] || r.sum[c] == r.sum[out[g]] && c < out[g] {
				out[g] = c
			}
		}
		r.clear()
	}
	return out
}

// price computes the terms of J from the labels of all nodes: the cut, or the
// association with its sign turned, and what W adds.
func (f *field) price(ctx context.Context, workers int, label []int) (cluster.Terms, error) {
	k := f.k
	sums := make([]float64, 3*k+1) // of each cluster: mass, z'Bz, z'Wz; and what is paid
	err := blocks.Each(ctx, workers, len(label), func(lo, hi int) []float64 {
		part := make([]float64, 3*k+1)
		for i := int32(lo); i < int32(hi); i++ {
			c := label[i]
			part[c] += f.fine.alpha[i]
			part[k+c] += f.fine.self[i] + within(&f.fine.a, i, label)
			part[2*k+c] += within(&f.fine.links, i, label)
			part[3*k] += within(&f.fine.apart, i, label) / 2
		}
		return part
	}, func(_, _ int, part []float64) {
		for q, y := range part {
			sums[q] += y
		}
	})
	cut, pairs := constant(f.objective, k), sums[3*k]
	for c := range k {
		cut -= quotient(sums[k+c], sums[c])
		pairs -= quotient(sums[2*k+c], sums[c])
	}
	return f.terms(cut, pairs), err
}

func (f *field) terms(cut, pairs float64) cluster.Terms {
	t := cluster.Terms{{Name: termName(f.objective), Value: cut}}
	if f.fine.links.start != nil || f.fine.apart.start != nil {
		t = append(t, cluster.Term{Name: "constraints", Value: pairs})
	}
	return t
}

// termName names the part of J that is of the graph. An association is to be
// large: the term is its negative, and says so.
func termName(objective string) string {
	if objective == RatioAssociation {
		return "minus-ratio-association"
	}
	return objective
}

// within adds up the entries of row i in its own cluster.
func within(g *csr, i int32, label []int) (s float64) {
	to, w := g.row(i)
	for q, j := range to {
		if j != i && label[j] == label[i] {
			s += w[q]
		}
	}
	return s
}
