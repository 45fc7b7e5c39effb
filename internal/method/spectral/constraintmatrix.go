package spectral

import "github.com/inklinghq/inkling/cluster/data"

// ConstraintMatrix is the constraint matrix Q over the nodes of a graph, Q_ij above 0
// where i and j should be together and below 0 where they should be apart:
//
//	Q = P + Σ_{g,h} C_gh e_g e_hᵀ
//
// P are pairs, sparse; e_g are groups of nodes, with weights, of which all are
// tied to all. So what labels and closed constraints say of all pairs takes
// memory for the points only.
//
// As an operator it is Q̄ = D^{-1/2} Q D^{-1/2}.
type ConstraintMatrix struct {
	Pairs          *data.Graph
	Groups         []Group
	Couplings      []Coupling // C, each of g ≤ h once
	InvSqrtDegree  []float64  // 1/√degree
	Support        []int32    // the nodes that Q says something of, ascending
	MaxEigenvalues int        // how many eigenvalues of a large piece are wanted; 0: as many as usual

	couplingsOf map[int32][]int // the ties of each piece, by its first node
}

type Group struct {
	Node []int32
	W    []float64
}

type Coupling struct {
	G, H int
	W    float64
}

func (g *Group) AddNode(node int, w float64) {
	g.Node, g.W = append(g.Node, int32(node)), append(g.W, w)
}

// FindSupport returns the nodes that Q has entries for.
func (d *ConstraintMatrix) FindSupport() (where []int32) {
	touched := make([]bool, d.Pairs.Len())
	for _, g := range d.Groups {
		for _, i := range g.Node {
			touched[i] = true
		}
	}
	for i := range touched {
		_, w := d.Pairs.Neighbours(i)
		for _, y := range w {
			touched[i] = touched[i] || y != 0
		}
		if touched[i] {
			where = append(where, int32(i))
		}
	}
	return where
}

// EntryCount returns the number of entries of Q that are not 0, an entry of
// both parts counting twice.
func (d *ConstraintMatrix) EntryCount() float64 {
	count := float64(len(d.Pairs.To))
	for _, t := range d.Couplings {
		c := float64(len(d.Groups[t.G].Node)) * float64(len(d.Groups[t.H].Node))
		if t.G != t.H {
			c *= 2
		}
		count += c
	}
	return count
}

// Dim returns the number of nodes.
func (d *ConstraintMatrix) Dim() int { return len(d.InvSqrtDegree) }

// Apply sets dst to Q̄x.
func (d *ConstraintMatrix) Apply(dst, x []float64) {
	clear(dst)
	d.AddBlock(dst, x, 1)
}

// AddBlock adds Q̄x to dst for p vectors.
func (d *ConstraintMatrix) AddBlock(dst, x []float64, p int) {
	for _, i := range d.Support {
		to, w := d.Pairs.Neighbours(int(i))
		for q, j := range to {
			f := float64(w[q]*d.InvSqrtDegree[j]) * d.InvSqrtDegree[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * x[int(j)*p+c])
			}
		}
	}
	in, out := make([]float64, len(d.Groups)*p), make([]float64, len(d.Groups)*p)
	for g, m := range d.Groups {
		for q, i := range m.Node {
			f := m.W[q] * d.InvSqrtDegree[i]
			for c := range p {
				in[g*p+c] += float64(f * x[int(i)*p+c])
			}
		}
	}
	for _, t := range d.Couplings {
		for c := range p {
			out[t.G*p+c] += float64(t.W * in[t.H*p+c])
			if t.G != t.H {
				out[t.H*p+c] += float64(t.W * in[t.G*p+c])
			}
		}
	}
	for g, m := range d.Groups {
		for q, i := range m.Node {
			f := m.W[q] * d.InvSqrtDegree[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * out[g*p+c])
			}
		}
	}
}

// GroupsOfNodes returns the groups that each node is in, as ties of group g by weight.
func (d *ConstraintMatrix) GroupsOfNodes() map[int32][]Coupling {
	if len(d.Groups) == 0 {
		return nil
	}
	out := map[int32][]Coupling{}
	for g, m := range d.Groups {
		for q, i := range m.Node {
			out[i] = append(out[i], Coupling{G: g, W: m.W[q]})
		}
	}
	return out
}

// WithEntries returns Q with more entries; the groups are shared. Few eigenvalues are
// computed: those of a graph are dense near the largest.
func (d *ConstraintMatrix) WithEntries(more []data.Edge, few int) (*ConstraintMatrix, error) {
	out := *d
	var err error
	if out.Pairs, err = data.NewGraph(d.Pairs.Len(), append(EdgesOf(d.Pairs), more...)); err != nil {
		return nil, err
	}
	out.Support = out.FindSupport()
	out.MaxEigenvalues = few
	return &out, nil
}

// ConnectedParts returns the sets of nodes that Q ties together, each rising.
func (d *ConstraintMatrix) ConnectedParts() [][]int32 {
	root := make(map[int32]int32, len(d.Support))
	find := func(i int32) int32 {
		for {
			r, ok := root[i]
			if !ok || r == i {
				return i
			}
			if up, ok := root[r]; ok {
				root[i] = up
			}
			i = r
		}
	}
	join := func(i, j int32) {
		if a, b := find(i), find(j); a != b {
			root[max(a, b)] = min(a, b)
		}
	}
	for _, i := range d.Support {
		to, w := d.Pairs.Neighbours(int(i))
		for q, j := range to {
			if w[q] != 0 {
				join(i, j)
			}
		}
	}
	for _, g := range d.Groups {
		for _, i := range g.Node {
			join(g.Node[0], i)
		}
	}
	for _, t := range d.Couplings {
		join(d.Groups[t.G].Node[0], d.Groups[t.H].Node[0])
	}
	at := map[int32]int{}
	var out [][]int32
	for _, i := range d.Support {
		r := find(i)
		p, ok := at[r]
		if !ok {
			p = len(out)
			at[r] = p
			out = append(out, nil)
		}
		out[p] = append(out[p], i)
	}
	d.indexCouplings(out)
	return out
}

// indexCouplings notes which groups and ties belong to which piece, by its first node.
func (d *ConstraintMatrix) indexCouplings(pieces [][]int32) {
	of := make(map[int32]int32, len(d.Support))
	for _, p := range pieces {
		for _, i := range p {
			of[i] = p[0]
		}
	}
	d.couplingsOf = map[int32][]int{}
	for t, y := range d.Couplings {
		first := of[d.Groups[y.G].Node[0]]
		d.couplingsOf[first] = append(d.couplingsOf[first], t)
	}
}

// RestrictTo is Q over one piece.
func (d *ConstraintMatrix) RestrictTo(piece []int32) (*ConstraintMatrix, error) {
	local := make(map[int32]int, len(piece))
	out := &ConstraintMatrix{InvSqrtDegree: make([]float64, len(piece))}
	for q, i := range piece {
		local[i] = q
		out.InvSqrtDegree[q] = d.InvSqrtDegree[i]
		out.Support = append(out.Support, int32(q))
	}
	var edges []data.Edge
	for _, i := range piece {
		to, w := d.Pairs.Neighbours(int(i))
		for q, j := range to {
			if j >= i && w[q] != 0 {
				edges = append(edges, data.Edge{U: local[i], V: local[j], W: w[q]})
			}
		}
	}
	var err error
	if out.Pairs, err = data.NewGraph(len(piece), edges); err != nil {
		return nil, err
	}
	moved := map[int]int{}
	take := func(g int) int {
		at, ok := moved[g]
		if !ok {
			at = len(out.Groups)
			moved[g] = at
			var m Group
			for q, i := range d.Groups[g].Node {
				m.AddNode(local[i], d.Groups[g].W[q])
			}
			out.Groups = append(out.Groups, m)
		}
		return at
	}
	for _, t := range d.couplingsOf[piece[0]] {
		y := d.Couplings[t]
		out.Couplings = append(out.Couplings, Coupling{take(y.G), take(y.H), y.W})
	}
	return out, nil
}
