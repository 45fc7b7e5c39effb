package floors

import "math/bits"

// exactSize is the number of nodes up to which a strongly connected component is
// ordered exactly, by dynamic programming over its subsets.
const exactSize = 18

// feedbackOrder returns an order of n nodes in which few arcs run from a later
// node to an earlier one (a small feedback arc set). Between strongly connected
// components no arc does; a component of up to exactSize nodes is ordered
// optimally, a larger one by the heuristic of Eades, Lin and Smyth, improved by
// moving single nodes until no move helps.
func feedbackOrder(n int, arcs [][2]int) (order []int) {
	for _, members := range components(n, arcs) {
		index := make(map[int]int, len(members))
		for i, v := range members {
			index[v] = i
		}
		has := make([][]bool, len(members)) // has[u][v]: there is an arc from u to v
		for i := range has {
			has[i] = make([]bool, len(members))
		}
		for _, a := range arcs {
			u, inU := index[a[0]]
			v, inV := index[a[1]]
			if inU && inV && u != v {
				has[u][v] = true
			}
		}
		local := exactOrder
		if len(members) > exactSize {
			local = heuristicOrder
		}
		for _, i := range local(has) {
			order = append(order, members[i])
		}
	}
	return order
}

// components returns the strongly connected components, each before those that
// its arcs lead to (Tarjan's algorithm).
func components(n int, arcs [][2]int) (found [][]int) {
	next := make([][]int, n)
	for _, a := range arcs {
		next[a[0]] = append(next[a[0]], a[1])
	}
	visit, low, onStack := make([]int, n), make([]int, n), make([]bool, n)
	var stack []int
	count := 0
	var connect func(v int)
	connect = func(v int) {
		count++
		visit[v], low[v], onStack[v] = count, count, true
		stack = append(stack, v)
		for _, w := range next[v] {
			if visit[w] == 0 {
				connect(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], visit[w])
			}
		}
		if low[v] < visit[v] {
			return
		}
		at := len(stack) - 1
		for stack[at] != v {
			at--
		}
		members := append([]int(nil), stack[at:]...)
		stack = stack[:at]
		for _, w := range members {
			onStack[w] = false
		}
		found = append([][]int{members}, found...)
	}
	for v := range n {
		if visit[v] == 0 {
			connect(v)
		}
	}
	return found
}

// exactOrder returns an order of the nodes of has with the fewest arcs that run
// from a later node to an earlier one.
func exactOrder(has [][]bool) []int {
	n := len(has)
	into := make([]uint32, n) // into[v]: the nodes with an arc to v
	for u := range has {
		for v, arc := range has[u] {
			if arc {
				into[v] |= 1 << u
			}
		}
	}
	all := uint32(1)<<n - 1
	cost := make([]int32, all+1) // of the best order of a subset that comes first
	last := make([]int8, all+1)
	for set := uint32(1); set <= all && set != 0; set++ {
		best := int32(1 << 30)
		for rest := set; rest != 0; rest &= rest - 1 {
			v := bits.TrailingZeros32(rest)
			// v is the last of set: arcs to v from all that follow run back.
			c := cost[set&^(1<<v)] + int32(bits.OnesCount32(into[v]&^set))
			if c < best {
				best, last[set] = c, int8(v)
			}
		}
		cost[set] = best
	}
	order := make([]int, n)
	for set, at := all, n-1; at >= 0; at-- {
		order[at] = int(last[set])
		set &^= 1 << last[set]
	}
	return order
}

// heuristicOrder returns a good order of the nodes of has.
func heuristicOrder(has [][]bool) []int {
	n := len(has)
	var front, back []int
	left := make([]bool, n)
	for v := range left {
		left[v] = true
	}
	for range n {
		pick, best, isSink := -1, 0, false
		for v := range n {
			if !left[v] {
				continue
			}
			in, out := 0, 0
			for w := range n {
				if left[w] && has[v][w] {
					out++
				}
				if left[w] && has[w][v] {
					in++
				}
			}
			if out == 0 {
				pick, isSink = v, true
				break
			}
			if in == 0 {
				out += n
			}
			if pick < 0 || out-in > best {
				pick, best = v, out-in
			}
		}
		left[pick] = false
		if isSink {
			back = append(back, pick)
		} else {
			front = append(front, pick)
		}
	}
	for i := len(back) - 1; i >= 0; i-- {
		front = append(front, back[i])
	}
	for improve(front, has) {
	}
	return front
}

// improve moves single nodes of order to where fewer arcs run back, and reports
// whether it moved one.
func improve(order []int, has [][]bool) (moved bool) {
	for at := range order {
		v, best, to := order[at], 0, at
		gain := 0
		for j := at - 1; j >= 0; j-- { // v passes order[j], which then follows it
			gain += arc(has, v, order[j]) - arc(has, order[j], v)
			if gain > best {
				best, to = gain, j
			}
		}
		gain = 0
		for j := at + 1; j < len(order); j++ {
			gain += arc(has, order[j], v) - arc(has, v, order[j])
			if gain > best {
				best, to = gain, j
			}
		}
		if best == 0 {
			continue
		}
		moved = true
		if to < at {
			copy(order[to+1:at+1], order[to:at])
		} else {
			copy(order[at:to], order[at+1:to+1])
		}
		order[to] = v
	}
	return moved
}

func arc(has [][]bool, u, v int) int {
	if has[u][v] {
		return 1
	}
	return 0
}
