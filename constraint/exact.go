package constraint

// maxTable bounds the table of exact, vertices times colours.
const maxTable = 1 << 22

// exact colours g by branch and bound: always the vertex with fewest colours
// left, each of these in turn, and of the colours not used yet only one, for
// they are interchangeable. It returns a colouring, or nil; done says that
// everything was tried. Each step takes from budget.
func (g *core) exact(budget *int) (colour []int32, done bool) {
	if len(g.verts)*g.k > maxTable {
		return nil, false
	}
	b := &branch{core: g, budget: budget, uses: make([]int32, len(g.verts)*g.k)}
	b.colour = make([]int32, len(g.verts))
	b.left = make([]int32, len(g.verts))
	for v := range b.colour {
		b.colour[v] = -1
		b.left[v] = int32(g.k - len(g.ban[v]))
		for _, h := range g.ban[v] {
			b.uses[v*g.k+int(h)] = 1
		}
	}
	return b.run()
}

// A branch is the state of the search.
type branch struct {
	*core
	budget *int
	colour []int32
	left   []int32 // colours left for each vertex
	uses   []int32 // [v*k+h]: coloured neighbours, classes too, of v with colour h
	stack  []frame
}

// A frame is a vertex being tried: its colour now, and the number of colours
// in use before it.
type frame struct{ v, h, used int32 }

// run keeps its own stack, so that depth costs little.
func (b *branch) run() ([]int32, bool) {
	used := int32(len(b.ranks))
	for {
		v := b.pick()
		if v < 0 {
			return b.colour, true
		}
		b.stack = append(b.stack, frame{v, -1, used})
		for { // move on the top frame; drop frames with nothing left to try
			if *b.budget < 0 {
				return nil, false
			}
			top := &b.stack[len(b.stack)-1]
			if top.h >= 0 {
				b.clear(top.v, top.h)
			}
			h := b.next(top)
			if h >= 0 {
				top.h = h
				b.set(top.v, h)
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

// pick returns the uncoloured vertex with fewest colours left, of those the
// one with most neighbours; -1 if all are coloured.
func (b *branch) pick() int32 {
	*b.budget -= len(b.colour)
	best := int32(-1)
	for v := range int32(len(b.colour)) {
		if b.colour[v] >= 0 {
			continue
		}
		if best < 0 || b.left[v] < b.left[best] || b.left[v] == b.left[best] && len(b.adj[v]) > len(b.adj[best]) {
			best = v
		}
	}
	return best
}

// next returns the next colour to try for the frame, -1 if there is none.
func (b *branch) next(f *frame) int32 {
	if b.left[f.v] == 0 {
		return -1
	}
	for h := f.h + 1; h <= f.used && int(h) < b.k; h++ {
		if b.uses[int(f.v)*b.k+int(h)] == 0 {
			return h
		}
	}
	return -1
}

func (b *branch) set(v, h int32) {
	*b.budget -= len(b.adj[v])
	b.colour[v] = h
	for _, u := range b.adj[v] {
		at := int(u)*b.k + int(h)
		b.uses[at]++
		if b.uses[at] == 1 {
			b.left[u]--
		}
	}
}

func (b *branch) clear(v, h int32) {
	b.colour[v] = -1
	for _, u := range b.adj[v] {
		at := int(u)*b.k + int(h)
		b.uses[at]--
		if b.uses[at] == 0 {
			b.left[u]++
		}
	}
}
