package dedupe

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

const (
	exactNodes  = 10 // of a connected part that is solved exactly
	moveRounds  = 20
	leastGain   = 1e-9
	manyInParts = 64 // parts that one task solves
)

// A partProblem is a connected part of a graph, with nodes of its own numbers.
type partProblem struct {
	g     *graph
	nodes []int32   // in the graph
	start []int32   // of the edges of each node
	to    []int32   // their other ends
	sum   []float64 // their weights
	pairs []int32
	apart [][]int32 // nodes that each node must be apart from
}

// correlate clusters the nodes of g and returns the cluster of each.
func correlate(ctx context.Context, g *graph, workers int, done func(part float64)) ([]int32, error) {
	n := len(g.size)
	parts, local := g.connectedParts()
	problems := g.problems(parts, local)
	cluster := make([]int32, n)
	tasks := (len(problems) + manyInParts - 1) / manyInParts
	err := blocks.Tasks(ctx, workers, tasks, func(t int) {
		for _, p := range problems[t*manyInParts : min(len(problems), (t+1)*manyInParts)] {
			for i, c := range p.solve(ctx) {
				cluster[p.nodes[i]] = p.nodes[c]
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for u := range n {
		if parts[u] < 0 {
			cluster[u] = int32(u)
		}
	}
	done(1)
	return cluster, nil
}

// connectedParts returns the part of each node, −1 for nodes without an edge that gains
// anything, and its number in the part.
func (g *graph) connectedParts() (part, local []int32) {
	trees := newForest(len(g.size))
	for _, e := range g.edges {
		if gain(e.sum, e.pairs, g.size[e.a], g.size[e.b]) > 0 && !g.apart(e.a, e.b) {
			trees.join(e.a, e.b)
		}
	}
	count := make([]int32, len(trees))
	local = make([]int32, len(trees))
	for u := range trees {
		r := trees.find(int32(u))
		local[u] = count[r]
		count[r]++
	}
	part = make([]int32, len(trees))
	number := int32(0)
	for u := range trees {
		switch r := trees.find(int32(u)); {
		case count[r] == 1:
			part[u] = -1
		case int(r) == u:
			part[u] = number
			number++
		default:
			part[u] = part[r]
		}
	}
	return part, local
}

// problems cuts the graph into its parts.
func (g *graph) problems(part, local []int32) []*partProblem {
	var out []*partProblem
	for u, q := range part {
		if q < 0 {
			continue
		}
		if int(q) == len(out) {
			out = append(out, &partProblem{g: g})
		}
		out[q].nodes = append(out[q].nodes, int32(u))
	}
	for _, p := range out {
		p.start = make([]int32, len(p.nodes)+1)
	}
	inside := func(e edge) bool { return part[e.a] >= 0 && part[e.a] == part[e.b] }
	for _, e := range g.edges {
		if inside(e) {
			p := out[part[e.a]]
			p.start[local[e.a]+1]++
			p.start[local[e.b]+1]++
		}
	}
	for _, p := range out {
		for i := range p.nodes {
			p.start[i+1] += p.start[i]
		}
		m := p.start[len(p.nodes)]
		p.to, p.sum, p.pairs = make([]int32, m), make([]float64, m), make([]int32, m)
	}
	next := make([]int32, len(part)) // entries filled of each node
	put := func(p *partProblem, u, i, j int32, e edge) {
		at := p.start[i] + next[u]
		next[u]++
		p.to[at], p.sum[at], p.pairs[at] = j, e.sum, e.pairs
	}
	for _, e := range g.edges {
		if inside(e) {
			p := out[part[e.a]]
			put(p, e.a, local[e.a], local[e.b], e)
			put(p, e.b, local[e.b], local[e.a], e)
		}
	}
	for _, p := range out {
		p.findApart()
	}
	return out
}

// findApart lists for each node those of the part that it must be apart from.
func (p *partProblem) findApart() {
	p.apart = make([][]int32, len(p.nodes))
	byPart := map[int32]int32{}
	var classes []int32
	for i, u := range p.nodes {
		if q := p.g.part[u]; q != noConstraints {
			byPart[q] = int32(i)
			if p.g.known.Class(int(q)) >= 0 {
				classes = append(classes, int32(i))
			}
		}
	}
	for i, u := range p.nodes {
		q := p.g.part[u]
		if q == noConstraints {
			continue
		}
		for _, r := range p.g.known.CannotLinked(int(q)) {
			if j, ok := byPart[r]; ok {
				p.apart[i] = append(p.apart[i], j)
			}
		}
		if p.g.known.Class(int(q)) >= 0 {
			for _, j := range classes {
				if int(j) != i {
					p.apart[i] = append(p.apart[i], j)
				}
			}
		}
		p.apart[i] = sortedSet(p.apart[i])
	}
}

func (p *partProblem) size(i int32) int32 { return p.g.size[p.nodes[i]] }

// solve returns the cluster of each node: exactly in small parts, else by search.
func (p *partProblem) solve(ctx context.Context) []int32 {
	if len(p.nodes) <= exactNodes {
		return p.solveExactly()
	}
	return p.search(ctx)
}

// search merges greedily, then moves nodes and merges clusters as long as that helps.
func (p *partProblem) search(ctx context.Context) []int32 {
	cluster := make([]int32, len(p.nodes))
	for i := range cluster {
		cluster[i] = int32(i)
	}
	p.mergeClusters(ctx, cluster)
	for range moveRounds {
		if ctx.Err() != nil || !p.moveNodes(cluster) || !p.mergeClusters(ctx, cluster) {
			break
		}
	}
	return cluster
}

// solveExactly tries all sets of nodes that can be a cluster, by dynamic programming:
// the best division of a set is its best cluster with the lowest node, and the best division
// of the rest.
func (p *partProblem) solveExactly() []int32 {
	n := len(p.nodes)
	var pairGain [exactNodes][exactNodes]float64
	for i := range n {
		for j := range i {
			pairGain[i][j] = gain(0, 0, p.size(int32(i)), p.size(int32(j)))
		}
	}
	for i := range n {
		for at := p.start[i]; at < p.start[i+1]; at++ {
			if j := p.to[at]; int(j) < i {
				pairGain[i][j] = gain(p.sum[at], p.pairs[at], p.size(int32(i)), p.size(j))
			}
		}
		for _, j := range p.apart[i] {
			if int(j) < i {
				pairGain[i][j] = math.Inf(-1)
			}
		}
	}
	all := 1 << n
	inside, best, choice := make([]float64, all), make([]float64, all), make([]int32, all)
	for s := 1; s < all; s++ {
		high := highest(s)
		rest := s &^ (1 << high)
		inside[s] = inside[rest]
		for j := range high {
			if rest>>j&1 == 1 {
				inside[s] += pairGain[high][j]
			}
		}
	}
	for s := 1; s < all; s++ {
		low := s & -s
		rest := s &^ low
		best[s] = math.Inf(-1)
		for sub := rest; ; sub = (sub - 1) & rest {
			if v := inside[sub|low] + best[rest&^sub]; v > best[s] {
				best[s], choice[s] = v, int32(sub|low)
			}
			if sub == 0 {
				break
			}
		}
	}
	cluster := make([]int32, n)
	for s := all - 1; s > 0; s &^= int(choice[s]) {
		first := int32(-1)
		for i := range n {
			if choice[s]>>i&1 == 1 {
				if first < 0 {
					first = int32(i)
				}
				cluster[i] = first
			}
		}
	}
	return cluster
}

func highest(s int) (h int) {
	for s >>= 1; s > 0; s >>= 1 {
		h++
	}
	return h
}

// A tie is what two clusters have between them.
type tie struct {
	sum   float64
	pairs int32
	apart bool
}

// A mergeOffer is two clusters that could be merged, and what that gains.
type mergeOffer struct {
	gain             float64
	a, b             int32
	mergesA, mergesB int32 // of the clusters when the offer was made: one that has grown makes new ones
}

// offers are a heap, the one that gains most first.
type offers []mergeOffer

func (h offers) Len() int { return len(h) }
func (h offers) Less(i, j int) bool {
	if h[i].gain != h[j].gain {
		return h[i].gain > h[j].gain
	}
	return h[i].a < h[j].a || h[i].a == h[j].a && h[i].b < h[j].b
}
func (h offers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *offers) Push(x any)   { *h = append(*h, x.(mergeOffer)) }
func (h *offers) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// mergeClusters merges the two clusters that gain most until no two gain anything. It
// reports whether any were merged. A cluster is called by one of its nodes.
func (p *partProblem) mergeClusters(ctx context.Context, cluster []int32) (changed bool) {
	n := len(p.nodes)
	size := make([]int32, n)
	for i, c := range cluster {
		size[c] += p.size(int32(i))
	}
	ties := make([]map[int32]tie, n)
	for i := range n {
		a := cluster[i]
		if ties[a] == nil {
			ties[a] = map[int32]tie{}
		}
		for at := p.start[i]; at < p.start[i+1]; at++ {
			if b := cluster[p.to[at]]; b != a {
				t := ties[a][b]
				t.sum += p.sum[at]
				t.pairs += p.pairs[at]
				ties[a][b] = t
			}
		}
		for _, j := range p.apart[i] {
			t := ties[a][cluster[j]]
			t.apart = true
			ties[a][cluster[j]] = t
		}
	}
	merges := make([]int32, n) // how often each cluster was merged
	var queue offers
	offer := func(a, b int32) (mergeOffer, bool) {
		t := ties[a][b]
		a, b = min(a, b), max(a, b)
		o := mergeOffer{gain: gain(t.sum, t.pairs, size[a], size[b]), a: a, b: b, mergesA: merges[a], mergesB: merges[b]}
		return o, !t.apart && o.gain > leastGain
	}
	for a := range int32(n) {
		for _, b := range sortedKeys(ties[a]) {
			if o, ok := offer(a, b); ok && a < b {
				queue = append(queue, o)
			}
		}
	}
	heap.Init(&queue)
	into := make([]int32, n)
	for c := range into {
		into[c] = int32(c)
	}
	for step := 0; queue.Len() > 0 && (step%1024 != 0 || ctx.Err() == nil); step++ {
		o := heap.Pop(&queue).(mergeOffer)
		if into[o.a] != o.a || into[o.b] != o.b || merges[o.a] != o.mergesA || merges[o.b] != o.mergesB {
			continue
		}
		changed = true
		keep, gone := o.a, o.b
		if len(ties[gone]) > len(ties[keep]) {
			keep, gone = gone, keep
		}
		into[gone] = keep
		size[keep] += size[gone]
		merges[keep]++
		delete(ties[keep], gone)
		delete(ties[gone], keep)
		for b, t := range ties[gone] {
			k := ties[keep][b]
			k.sum += t.sum
			k.pairs += t.pairs
			k.apart = k.apart || t.apart
			ties[keep][b] = k
			delete(ties[b], gone)
			ties[b][keep] = k
		}
		ties[gone] = nil
		for b := range ties[keep] { // in any order: what is popped depends on the offers alone
			if o, ok := offer(keep, b); ok {
				heap.Push(&queue, o)
			}
		}
	}
	for i, c := range cluster {
		for into[c] != c {
			c = into[c]
		}
		cluster[i] = c
	}
	return changed
}

func sortedKeys(m map[int32]tie) []int32 {
	keys := make([]int32, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// moveNodes moves each node to where it gains most, perhaps to a cluster of its own, until
// no move gains anything. It reports whether any node moved.
func (p *partProblem) moveNodes(cluster []int32) (changed bool) {
	n := len(p.nodes)
	size, count := make([]int32, n), make([]int32, n)
	for i, c := range cluster {
		size[c] += p.size(int32(i))
		count[c]++
	}
	var free []int32
	for c := range int32(n) {
		if count[c] == 0 {
			free = append(free, c)
		}
	}
	sum, pairs, blocked := make([]float64, n), make([]int32, n), make([]bool, n)
	var touched []int32
	for range moveRounds {
		moved := false
		for i := range int32(n) {
			own := cluster[i]
			touched = append(touched[:0], own)
			for at := p.start[i]; at < p.start[i+1]; at++ {
				c := cluster[p.to[at]]
				sum[c] += p.sum[at]
				pairs[c] += p.pairs[at]
				touched = append(touched, c)
			}
			for _, j := range p.apart[i] {
				blocked[cluster[j]] = true
			}
			stay := gain(sum[own], pairs[own], p.size(i), size[own]-p.size(i))
			best, to := max(stay, 0)+leastGain, own
			if stay < -leastGain && count[own] > 1 {
				best, to = leastGain, -1
			}
			for _, c := range touched[1:] {
				if c == own || blocked[c] {
					continue
				}
				if w := gain(sum[c], pairs[c], p.size(i), size[c]); w > best || w == best && to >= 0 && to != own && c < to {
					best, to = w, c
				}
			}
			for _, c := range touched {
				sum[c], pairs[c] = 0, 0
			}
			for _, j := range p.apart[i] {
				blocked[cluster[j]] = false
			}
			if to == own {
				continue
			}
			if to < 0 {
				to = free[len(free)-1]
				free = free[:len(free)-1]
			}
			moved, changed = true, true
			size[own] -= p.size(i)
			if count[own]--; count[own] == 0 {
				free = append(free, own)
			}
			size[to] += p.size(i)
			count[to]++
			cluster[i] = to
		}
		if !moved {
			break
		}
	}
	return changed
}
