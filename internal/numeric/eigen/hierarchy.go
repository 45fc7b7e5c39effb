package eigen

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/contraction"
)

// A level is a graph Laplacian plus a diagonal, and how its nodes are grouped
// into those of the next coarser level. Nodes are numbered so that groups
// stand together, and groups of groups too: what is near in the graph is near
// in memory.
type level struct {
	g       *data.Graph // without loops
	low, in []int       // where the parts of a row end; see renumber
	extra   []float64   // added to the Laplacian's diagonal
	mass    []float64   // the matrix that Laplacian eigenvalues are relative to
	diag    []float64   // degrees plus extra
	inv     []float64   // 1/diag, 0 where diag is 0
	first   []int       // members of coarse node a are first[a] to first[a+1]

	space workspace // to work in
}

// coarsest is the size below which a level is solved directly.
const coarsest = 160

// passes is how often nodes are paired between two levels.
const passes = 2

// A stage is a level before its nodes have their numbers.
type stage struct {
	g     *data.Graph
	group []int32 // of each node, nil on the coarsest
	count int     // of groups
}

// coarsened groups the nodes of g, and the groups, until few are left. The
// graph of the last stage is small, or has no edges, unless ctx ended.
func coarsened(ctx context.Context, workers int, g *data.Graph) []*stage {
	stages := []*stage{{g: g}}
	for {
		s := stages[len(stages)-1]
		if s.g.Len() <= coarsest || ctx.Err() != nil {
			return stages
		}
		next := s.g
		for pass := range passes {
			group, count := matchHeavyEdges(next)
			if count == 0 {
				break // no edges left
			}
			if next = contract(ctx, workers, next, group, count); ctx.Err() != nil {
				return stages
			}
			if pass == 0 {
				s.group, s.count = group, count
				continue
			}
			for i, a := range s.group {
				if a >= 0 {
					s.group[i] = group[a]
				}
			}
			s.count = count
		}
		if s.group == nil {
			return stages
		}
		stages = append(stages, &stage{g: next})
	}
}

// place numbers the nodes of s so that groups stand together, in the order
// rank of the groups, in which group is given then. It returns the nodes by
// their numbers and, for groups, where their members begin.
func (s *stage) place(rank []int32) (first []int, node []int32) {
	if s.group == nil {
		node = make([]int32, s.g.Len())
		for i := range node {
			node[i] = int32(i)
		}
		return nil, node
	}
	for i, a := range s.group {
		if a >= 0 {
			s.group[i] = rank[a]
		}
	}
	groups := contraction.NewGroups(s.group, s.count)
	return groups.Start, groups.Node
}

// ranks returns the inverse permutation: the rank of each node.
func ranks(node []int32) []int32 {
	rank := make([]int32, len(node))
	for r, i := range node {
		rank[i] = int32(r)
	}
	return rank
}

// Order lists the nodes of g so that nodes connected by heavy edges are close in
// the list, and so are groups of such nodes. Passes over a graph in this order
// wait far less for memory. When ctx ends it returns nil.
func Order(ctx context.Context, workers int, g *data.Graph) (node []int32) {
	stages := coarsened(ctx, workers, g)
	var rank []int32
	for at := len(stages) - 1; at >= 0; at-- {
		if ctx.Err() != nil {
			return nil
		}
		_, node = stages[at].place(rank)
		rank = ranks(node)
	}
	return node
}

// newHierarchy coarsens the graph until it is small. It returns the levels,
// the finest first, and the number that each node has on the finest; nil when ctx ends.
func newHierarchy(ctx context.Context, workers int, g *data.Graph, mass []float64) (levels []*level, rank []int32) {
	stages := coarsened(ctx, workers, g)
	levels = make([]*level, len(stages))
	for at := len(stages) - 1; at >= 0; at-- {
		if ctx.Err() != nil {
			return nil, nil
		}
		l, s := &level{}, stages[at]
		var node []int32
		l.first, node = s.place(rank)
		rank = ranks(node)
		l.g, l.low, l.in = renumber(ctx, workers, s.g, rank, node)
		s.g = nil
		levels[at] = l
	}
	levels[0].mass = pickOf(mass, ranks(rank))
	for at, l := range levels[1:] {
		l.mass = levels[at].summed(levels[at].mass)
	}
	return levels, rank
}

// summed adds up x over the groups of l.
func (l *level) summed(x []float64) []float64 {
	out := make([]float64, len(l.first)-1)
	for a := range out {
		for _, y := range x[l.first[a]:l.first[a+1]] {
			out[a] += y
		}
	}
	return out
}

// setDiagonals sets what is added to the diagonal on every level, given on the finest.
func setDiagonals(levels []*level, extra []float64) {
	for at, l := range levels {
		if at > 0 {
			extra = levels[at-1].summed(extra)
		}
		l.extra = extra
		l.finish()
	}
}

func pickOf(x []float64, node []int32) []float64 {
	out := make([]float64, len(node))
	for at, i := range node {
		out[at] = x[i]
	}
	return out
}

func (l *level) finish() {
	n := l.g.Len()
	l.diag, l.inv = make([]float64, n), make([]float64, n)
	for i := range n {
		l.diag[i] = l.g.Degree(i) + l.extra[i]
		if l.diag[i] > 0 {
			l.inv[i] = 1 / l.diag[i]
		}
	}
}

// workspace is what a level needs to work on some number of vectors; it serves
// fewer too.
type workspace struct {
	size          int
	x, b, r, old  []float64
	c, v, d, w, s []float64 // of the two steps of the K-cycle
}
