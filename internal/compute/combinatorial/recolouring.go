package combinatorial

// banned stands for more clashes than a vertex has neighbours.
const banned = 1 << 28

// A Recolouring is a colouring of a graph in which neighbours may still share a
// colour, kept up to date while vertices change colour. Colour h of vertex v
// clashes with as many neighbours as have it.
type Recolouring struct {
	k        int
	adj      [][]int32
	colour   []int32
	clashes  []int32 // [v*k+h]: neighbours of v with colour h, plus banned
	clashing []int32 // vertices with a neighbour of their colour
	position []int32 // of each vertex in clashing, -1 for none
	edges    int     // edges whose ends share a colour

	Stop func() bool // if not nil, ends TabuSearch as an exhausted budget does once it returns true
}

// NewRecolouring starts with no vertex coloured. adj is kept and not changed.
func NewRecolouring(adj [][]int32, k int) *Recolouring {
	r := &Recolouring{k: k, adj: adj, colour: make([]int32, len(adj)), clashes: make([]int32, len(adj)*k), position: make([]int32, len(adj))}
	for v := range adj {
		r.colour[v], r.position[v] = -1, -1
	}
	return r
}

// Ban forbids colour h to v. Call it before any vertex is coloured.
func (r *Recolouring) Ban(v, h int32) { r.clashes[int(v)*r.k+int(h)] = banned }

// Colours returns the colour of each vertex, -1 for none yet. It must not be
// changed.
func (r *Recolouring) Colours() []int32 { return r.colour }

// Clashes returns for each colour how many neighbours of v have it, a large
// number where it is banned. It must not be changed.
func (r *Recolouring) Clashes(v int32) []int32 { return r.clashes[int(v)*r.k : (int(v)+1)*r.k] }

// ClashingEdges returns the number of edges whose ends share a colour; 0 once
// the colouring is proper.
func (r *Recolouring) ClashingEdges() int { return r.edges }

// Recolour gives v the colour h.
func (r *Recolouring) Recolour(v, h int32) {
	old := r.colour[v]
	r.colour[v] = h
	row := r.Clashes(v)
	if old >= 0 {
		r.edges -= int(row[old])
	}
	r.edges += int(row[h])
	for _, u := range r.adj[v] {
		if old >= 0 {
			r.clashes[int(u)*r.k+int(old)]--
		}
		r.clashes[int(u)*r.k+int(h)]++
		r.updateClashing(u)
	}
	r.updateClashing(v)
}

// updateClashing enters v in the list of clashing vertices or removes it.
func (r *Recolouring) updateClashing(v int32) {
	clashes := r.colour[v] >= 0 && r.Clashes(v)[r.colour[v]] > 0
	switch p := r.position[v]; {
	case clashes && p < 0:
		r.position[v] = int32(len(r.clashing))
		r.clashing = append(r.clashing, v)
	case !clashes && p >= 0:
		last := r.clashing[len(r.clashing)-1]
		r.clashing[p], r.position[last] = last, p
		r.clashing = r.clashing[:len(r.clashing)-1]
		r.position[v] = -1
	}
}
