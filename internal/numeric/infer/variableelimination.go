package infer

import (
	"container/heap"
	"slices"
)

// A variableElimination solves a core exactly by eliminating one variable after
// the other: for all labels of its neighbours it computes what the variable costs
// at best, which becomes a cost that depends on all of them (Bertelè and Brioschi
// 1972). The variable with the fewest neighbours comes first. The work grows with
// k to the power of the number of neighbours, which is small where cycles are few.
type variableElimination struct {
	*core
	order  []int32
	scopes [][]int32 // the neighbours of each variable when it is eliminated
	place  []int32   // of each variable in order

	tables [][]tableCost // by variable: costs in which it is the first to be eliminated
	best   [][]int32     // by variable: its best label for all labels of its scope
}

// A tableCost is a cost that depends on the labels of several variables.
type tableCost struct {
	scope []int32
	costs []float64 // at Σ label(scope[t])·k^t
}

// maxElimination is the number of operations that an elimination may take: a
// fraction of a second.
const maxElimination = 1 << 26

// solveByElimination labels a core if that takes no more than about a thousand
// operations per link and label; message passing takes hundreds.
func solveByElimination(p *core) (y []int32, ok bool) {
	s := &variableElimination{core: p}
	if !s.findOrder(min(maxElimination, 1<<16+1000*len(p.links)*p.k)) {
		return nil, false
	}
	s.place = make([]int32, p.n)
	for t, v := range s.order {
		s.place[v] = int32(t)
	}
	s.tables, s.best = make([][]tableCost, p.n), make([][]int32, p.n)
	for t, v := range s.order {
		s.eliminate(v, s.scopes[t])
	}
	y = make([]int32, p.n)
	for t := len(s.order) - 1; t >= 0; t-- {
		at, power := 0, 1
		for _, j := range s.scopes[t] {
			at += int(y[j]) * power
			power *= p.k
		}
		y[s.order[t]] = s.best[s.order[t]][at]
	}
	return y, true
}

// findOrder finds the order of elimination and reports whether the work is within
// the budget.
func (s *variableElimination) findOrder(budget int) bool {
	neighbours := make([][]int32, s.n)
	queue := make(degreeQueue, s.n)
	for i := range int32(s.n) {
		for _, h := range s.graph.linksOf(i) {
			neighbours[i] = append(neighbours[i], h.other)
		}
		queue[i] = degreeEntry{int32(len(neighbours[i])), i}
	}
	heap.Init(&queue)
	done := make([]bool, s.n)
	for len(s.order) < s.n {
		e := heap.Pop(&queue).(degreeEntry)
		if done[e.v] || int(e.degree) != len(neighbours[e.v]) { // an old entry
			continue
		}
		scope := neighbours[e.v]
		work := s.k
		for range scope {
			if work *= s.k; work > budget {
				return false
			}
		}
		budget -= work
		done[e.v] = true
		s.order, s.scopes = append(s.order, e.v), append(s.scopes, scope)
		for _, j := range scope {
			list := slices.DeleteFunc(neighbours[j], func(i int32) bool { return i == e.v })
			for _, i := range scope {
				if i != j && !slices.Contains(list, i) {
					list = append(list, i)
				}
			}
			neighbours[j] = list
			heap.Push(&queue, degreeEntry{int32(len(list)), j})
		}
	}
	return true
}

// eliminate computes the best label of v and what it costs, for all labels of its
// scope.
func (s *variableElimination) eliminate(v int32, scope []int32) {
	size := 1
	for range scope {
		size *= s.k
	}
	type part struct {
		costs   []float64
		strides []int // of the variables of scope
		own     int   // the stride of v
	}
	parts := make([]part, len(s.tables[v]))
	for t, c := range s.tables[v] {
		parts[t] = part{costs: c.costs, strides: make([]int, len(scope))}
		stride := 1
		for _, i := range c.scope {
			if i == v {
				parts[t].own = stride
			} else {
				parts[t].strides[slices.Index(scope, i)] = stride
			}
			stride *= s.k
		}
	}
	links := make([]int32, len(scope)) // of v to the variables of scope, -1: none
	for t := range links {
		links[t] = -1
	}
	for _, h := range s.graph.linksOf(v) {
		if s.place[h.other] > s.place[v] {
			links[slices.Index(scope, h.other)] = h.link
		}
	}
	costs, best := make([]float64, size), make([]int32, size)
	labels, row := make([]int32, len(scope)), make([]float64, s.k)
	for at := range costs {
		copy(row, labelRow(s.unary, v, s.k))
		for _, q := range parts {
			from := 0
			for t, a := range labels {
				from += int(a) * q.strides[t]
			}
			for a := range row {
				row[a] += q.costs[from+a*q.own]
			}
		}
		for t, l := range links {
			if l >= 0 {
				row[labels[t]] += linkCostAt(s.linkCost, s.costWidth, l, labels[t])
			}
		}
		best[at] = cheapestLabel(row)
		costs[at] = row[best[at]]
		for t := range labels { // the next labels
			if labels[t]++; int(labels[t]) < s.k {
				break
			}
			labels[t] = 0
		}
	}
	s.best[v], s.tables[v] = best, nil
	if len(scope) > 0 {
		first := slices.MinFunc(scope, func(i, j int32) int { return int(s.place[i] - s.place[j]) })
		s.tables[first] = append(s.tables[first], tableCost{scope, costs})
	}
}

// A degreeEntry is a variable with the number of its neighbours when it was
// queued.
type degreeEntry struct{ degree, v int32 }

// A degreeQueue yields the variable with the fewest neighbours, the lowest on
// ties.
type degreeQueue []degreeEntry

func (q degreeQueue) Len() int { return len(q) }

func (q degreeQueue) Less(a, b int) bool {
	return q[a].degree < q[b].degree || q[a].degree == q[b].degree && q[a].v < q[b].v
}

func (q degreeQueue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }

// Push adds an entry.
func (q *degreeQueue) Push(e any) { *q = append(*q, e.(degreeEntry)) }

// Pop removes the last entry.
func (q *degreeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
