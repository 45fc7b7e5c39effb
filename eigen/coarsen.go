package eigen

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// match pairs each node with the neighbour to which its edge is heaviest among
// those still free, in the order of the nodes; the first of them on ties. A
// node that finds nobody joins the pair of its heaviest edge, so that no node
// with an edge stays alone. Nodes without edges get −1: whatever they carry is
// settled by the smoother. It returns the group of each node and their number,
// groups being numbered by their first nodes.
func match(g *data.Graph) (group []int32, count int) {
	n := g.Len()
	group = make([]int32, n)
	for i := range group {
		group[i] = -1
	}
	for i := range n {
		if group[i] >= 0 {
			continue
		}
		to, w := g.Neighbours(i)
		best, free := -1, -1
		var bestW, freeW float64
		for p, j := range to {
			if int(j) == i || !(w[p] > 0) {
				continue
			}
			if w[p] > bestW {
				best, bestW = int(j), w[p]
			}
			if w[p] > freeW && group[j] < 0 {
				free, freeW = int(j), w[p]
			}
		}
		switch {
		case free >= 0:
			group[i], group[free] = int32(count), int32(count)
			count++
		case best >= 0:
			group[i] = group[best]
		}
	}
	return group, count
}

// membersOf lists the nodes by groups: those of group a are
// node[first[a]:first[a+1]], rising; nodes without a group come last.
func membersOf(group []int32, count int) (first []int, node []int32) {
	first = make([]int, count+2)
	at := func(a int32) int {
		if a < 0 {
			return count
		}
		return int(a)
	}
	for _, a := range group {
		first[at(a)+1]++
	}
	for a := range count + 1 {
		first[a+1] += first[a]
	}
	node = make([]int32, len(group))
	next := append([]int(nil), first[:count+1]...)
	for i, a := range group {
		node[next[at(a)]] = int32(i)
		next[at(a)]++
	}
	return first[:count+1], node
}

// contract returns the graph of the groups: weights between two groups add up,
// edges inside a group vanish.
func contract(workers int, g *data.Graph, group []int32, count int) *data.Graph {
	first, node := membersOf(group, count)
	const rows = 1024
	type part struct {
		to     []int32
		w      []float64
		length []int32
	}
	parts := make([]part, (count+rows-1)/rows)
	type marks struct{ row, at []int32 }
	pool := sync.Pool{New: func() any {
		m := &marks{make([]int32, count), make([]int32, count)}
		for i := range m.row {
			m.row[i] = -1
		}
		return m
	}}
	_ = blocks.Tasks(context.Background(), workers, len(parts), func(c int) {
		m := pool.Get().(*marks)
		defer pool.Put(m)
		var out part
		for a := c * rows; a < min(count, (c+1)*rows); a++ {
			begin := len(out.to)
			for _, i := range node[first[a]:first[a+1]] {
				to, w := g.Neighbours(int(i))
				for p, j := range to {
					b := group[j]
					if int(b) == a || b < 0 {
						continue
					}
					if m.row[b] == int32(a) {
						out.w[m.at[b]] += w[p]
						continue
					}
					m.row[b], m.at[b] = int32(a), int32(len(out.to))
					out.to, out.w = append(out.to, b), append(out.w, w[p])
				}
			}
			out.length = append(out.length, int32(len(out.to)-begin))
		}
		parts[c] = out
	})
	coarse := &data.Graph{Start: make([]int, 1, count+1)}
	total := 0
	for _, p := range parts {
		for _, l := range p.length {
			total += int(l)
			coarse.Start = append(coarse.Start, total)
		}
	}
	coarse.To, coarse.W = make([]int32, 0, total), make([]float64, 0, total)
	for _, p := range parts {
		coarse.To, coarse.W = append(coarse.To, p.to...), append(coarse.W, p.w...)
	}
	return coarse
}

// renumber returns g with node i called rank[i]; node lists the old nodes in
// the new order. Loops and edges of weight 0 are left out. Each row begins with
// the neighbours of lower number in the same block of rowChunk nodes, up to
// low, then those of higher number there, up to in, then all others: the
// smoother walks through them without looking.
func renumber(workers int, g *data.Graph, rank, node []int32) (out *data.Graph, low, in []int) {
	n := g.Len()
	out = &data.Graph{Start: make([]int, n+1)}
	low, in = make([]int, n), make([]int, n)
	for at, i := range node {
		to, w := g.Neighbours(int(i))
		size := 0
		for p, j := range to {
			if j != i && w[p] > 0 {
				size++
			}
		}
		out.Start[at+1] = out.Start[at] + size
	}
	out.To, out.W = make([]int32, out.Start[n]), make([]float64, out.Start[n])
	rowTasks(workers, n, func(lo, hi int) {
		for at := lo; at < hi; at++ {
			i := node[at]
			to, w := g.Neighbours(int(i))
			q := out.Start[at]
			put := func(from, till int) {
				for p, j := range to {
					if r := int(rank[j]); r >= from && r < till && w[p] > 0 {
						out.To[q], out.W[q] = int32(r), w[p]
						q++
					}
				}
			}
			put(lo, at)
			low[at] = q
			put(at+1, hi)
			in[at] = q
			put(0, lo)
			put(hi, n)
		}
	})
	return out, low, in
}
