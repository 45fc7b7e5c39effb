package combinatorial

// maxTable bounds the table of ExactColouring, vertices times colours.
const maxTable = 1 << 22

// ExactColouring colours g by branch and bound: always the vertex with fewest
// colours left, each of these in turn, and of the unused interchangeable colours
// only one. It returns a colouring, or nil; done reports that everything was
// tried, so that nil with done proves that K colours are not enough. Each step
// is deducted from budget, and the search ends when budget is below 0.
func (g *Graph) ExactColouring(budget *int) (colour []int32, done bool) {
	if g.Len()*g.K > maxTable {
		return nil, false
	}
	b := &branching{Graph: g, budget: budget, uses: make([]int32, g.Len()*g.K)}
	b.colour = make([]int32, g.Len())
	b.left = make([]int32, g.Len())
	for v := range b.colour {
		b.colour[v] = -1
		b.left[v] = int32(g.K - len(g.Banned[v]))
		for _, h := range g.Banned[v] {
			b.uses[v*g.K+int(h)] = 1
		}
	}
	return b.search()
}

// branching is the state of a branch and bound search.
type branching struct {
	*Graph
	budget *int
	colour []int32
	left   []int32 // colours left for each vertex
	uses   []int32 // [v*k+h]: coloured neighbours of v with colour h, bans too
	stack  []branch
}

// A branch is a vertex being tried: its colour now, and the number of colours
// in use before it.
type branch struct{ v, h, used int32 }

// search keeps its own stack, so that depth costs little.
func (b *branching) search() ([]int32, bool) {
	used := int32(b.Fixed)
	for {
		v := b.nextVertex()
		if v < 0 {
			return b.colour, true
		}
		b.stack = append(b.stack, branch{v, -1, used})
		for { // move on the top branch; drop branches with nothing left to try
			if isSpent(b.budget, b.Stop) {
				return nil, false
			}
			top := &b.stack[len(b.stack)-1]
			if top.h >= 0 {
				b.clearColour(top.v, top.h)
			}
			h := b.nextColour(top)
			if h >= 0 {
				top.h = h
				b.setColour(top.v, h)
				used = max(top.used, h+1)
				break
			}
			b.stack = b.stack[:len(b.stack)-1]
			if len(b.stack) == 0 {
				return nil, true
			}
		}
	}
}

// nextVertex returns the uncoloured vertex with fewest colours left, among
// equals the one with most neighbours; -1 if all are coloured.
func (b *branching) nextVertex() int32 {
	*b.budget -= len(b.colour)
	best := int32(-1)
	for v := range int32(len(b.colour)) {
		if b.colour[v] >= 0 {
			continue
		}
		if best < 0 || b.left[v] < b.left[best] || b.left[v] == b.left[best] && len(b.Adj[v]) > len(b.Adj[best]) {
			best = v
		}
	}
	return best
}

// nextColour returns the next colour to try for the branch, -1 if none is left.
func (b *branching) nextColour(f *branch) int32 {
	if b.left[f.v] == 0 {
		return -1
	}
	for h := f.h + 1; h <= f.used && int(h) < b.K; h++ {
		if b.uses[int(f.v)*b.K+int(h)] == 0 {
			return h
		}
	}
	return -1
}

func (b *branching) setColour(v, h int32) {
	*b.budget -= len(b.Adj[v])
	b.colour[v] = h
	for _, u := range b.Adj[v] {
		at := int(u)*b.K + int(h)
		b.uses[at]++
		if b.uses[at] == 1 {
			b.left[u]--
		}
	}
}

func (b *branching) clearColour(v, h int32) {
	b.colour[v] = -1
	for _, u := range b.Adj[v] {
		at := int(u)*b.K + int(h)
		b.uses[at]--
		if b.uses[at] == 0 {
			b.left[u]++
		}
	}
}
