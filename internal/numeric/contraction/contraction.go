// Package contraction makes smaller graphs of graphs: groups of nodes become one
// node, and the weights of the edges between two groups add up. Multilevel methods
// work on such graphs.
package contraction

import (
	"context"
	"slices"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Groups are the nodes of a graph in groups 0 to Count()−1.
type Groups struct {
	Of    []int32 // the group of each node; −1: none
	Start []int   // the nodes of group a are Node[Start[a]:Start[a+1]]
	Node  []int32 // ascending in each group; nodes without a group come last
}

// NewGroups lists the nodes by their groups, which are below count.
func NewGroups(of []int32, count int) *Groups {
	start := make([]int, count+2)
	place := func(a int32) int {
		if a < 0 {
			return count
		}
		return int(a)
	}
	for _, a := range of {
		start[place(a)+1]++
	}
	for a := range count + 1 {
		start[a+1] += start[a]
	}
	node := make([]int32, len(of))
	next := slices.Clone(start[:count+1])
	for i, a := range of {
		node[next[place(a)]] = int32(i)
		next[place(a)]++
	}
	return &Groups{Of: of, Start: start[:count+1], Node: node}
}

// Count returns the number of groups.
func (s *Groups) Count() int { return len(s.Start) - 1 }

// Contract returns the graph of the groups. Edges to nodes without a group vanish,
// as do edges inside a group, whose weights are added to inside by group unless it is
// nil: an edge twice, as it stands in two rows, and loops not at all. The rows of the
// result are in the order in which neighbours are met, not ascending. It has the same
// bits on any number of workers. When ctx ends the graph is not complete.
//
// A block of groups writes its rows to where they would begin if no two entries
// coincided, and is moved up to the end of the block before it afterwards.
func (s *Groups) Contract(ctx context.Context, workers int, g *data.Graph, inside []float64) (*data.Graph, error) {
	count := s.Count()
	first := s.rowOffsets(g)
	most := first[len(first)-1]
	out := &data.Graph{Start: make([]int, count+1), To: make([]int32, most), W: make([]float64, most)}
	pool := sync.Pool{New: func() any { return new(rowIndex) }}
	err := blocks.Each(ctx, workers, count, func(lo, hi int) (size int) {
		index := pool.Get().(*rowIndex)
		defer pool.Put(index)
		clear(index.slots)
		from, till := first[lo/blocks.Len], first[lo/blocks.Len+1]
		to, w := out.To[from:till], out.W[from:till]
		for a := lo; a < hi; a++ {
			var within float64
			if size, within = s.appendRow(g, int32(a), to, w, size, index); inside != nil {
				inside[a] += within
			}
			out.Start[a+1] = size
		}
		return size
	}, func(lo, hi, size int) {
		base, at := out.Start[lo], first[lo/blocks.Len]
		copy(out.To[base:], out.To[at:at+size])
		copy(out.W[base:], out.W[at:at+size])
		for a := lo; a < hi; a++ {
			out.Start[a+1] += base
		}
	})
	if size := out.Start[count]; size < most*3/4 {
		out.To, out.W = slices.Clone(out.To[:size]), slices.Clone(out.W[:size])
	} else {
		out.To, out.W = out.To[:size], out.W[:size]
	}
	return out, err
}

// rowOffsets returns where the rows of each block of groups begin, with space for
// every entry, and where the last of them end.
func (s *Groups) rowOffsets(g *data.Graph) []int {
	count := s.Count()
	first := []int{0}
	for lo := 0; lo < count; lo += blocks.Len {
		size := 0
		for _, i := range s.Node[s.Start[lo]:s.Start[min(lo+blocks.Len, count)]] {
			size += g.Start[i+1] - g.Start[i]
		}
		first = append(first, first[len(first)-1]+size)
	}
	return first
}

// appendRow writes the row of group a to place begin of sumTo and sums, which have
// space for every entry, and returns where it ends and the weights inside the group.
func (s *Groups) appendRow(g *data.Graph, a int32, sumTo []int32, sums []float64, begin int, index *rowIndex) (end int, within float64) {
	nodes := s.Node[s.Start[a]:s.Start[a+1]]
	entries := 0
	for _, i := range nodes {
		entries += g.Start[i+1] - g.Start[i]
	}
	slots := index.slotsFor(min(entries, s.Count()))
	mask := uint32(len(slots) - 1)
	end = begin
	for _, i := range nodes {
		to, w := g.Neighbours(int(i))
		for p, j := range to {
			b := s.Of[j]
			if b == a {
				if i != j {
					within += w[p]
				}
				continue
			}
			if b < 0 {
				continue
			}
			for h := uint32(b) * 2654435769 >> 7 & mask; ; h = (h + 1) & mask {
				q := int(slots[h]) - 1
				if q < begin { // free
					sumTo[end], sums[end] = b, w[p]
					end++
					slots[h] = int32(end)
					break
				}
				if sumTo[q] == b {
					sums[q] += w[p]
					break
				}
			}
		}
	}
	return end, within
}
