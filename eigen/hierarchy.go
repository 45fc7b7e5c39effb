package eigen

import "github.com/inklinghq/inkling/data"

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

	room rooms // to work in
}

// coarsest is the size below which a level is solved directly.
const coarsest = 160

// passes is how often nodes are paired between two levels.
const passes = 2

// newHierarchy coarsens the graph until it is small. It returns the levels,
// the finest first, and the number that each node has on the finest.
func newHierarchy(workers int, g *data.Graph, extra, mass []float64) (levels []*level, rank []int32) {
	type stage struct {
		g           *data.Graph
		extra, mass []float64
		group       []int32
		count       int
	}
	stages := []*stage{{g: g, extra: extra, mass: mass}}
	for {
		s := stages[len(stages)-1]
		if s.g.Len() <= coarsest {
			break
		}
		next := s.g
		for pass := range passes {
			group, count := match(next)
			if count == 0 {
				break // no edges left
			}
			next = contract(workers, next, group, count)
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
			break
		}
		stages = append(stages, &stage{g: next, extra: sums(s.extra, s.group, s.count), mass: sums(s.mass, s.group, s.count)})
	}
	levels = make([]*level, len(stages))
	for at := len(stages) - 1; at >= 0; at-- {
		s := stages[at]
		l := &level{}
		node := make([]int32, s.g.Len())
		if s.group == nil {
			for i := range node {
				node[i] = int32(i)
			}
		} else {
			for i, a := range s.group {
				if a >= 0 {
					s.group[i] = rank[a]
				}
			}
			l.first, node = membersOf(s.group, s.count)
		}
		rank = make([]int32, len(node))
		for r, i := range node {
			rank[i] = int32(r)
		}
		l.g, l.low, l.in = renumber(workers, s.g, rank, node)
		l.extra, l.mass = pickOf(s.extra, node), pickOf(s.mass, node)
		l.finish()
		levels[at] = l
	}
	return levels, rank
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
