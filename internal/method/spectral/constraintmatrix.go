package spectral

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// constraintMatrix is the constraint matrix Q over the nodes of a graph, Q_ij above 0
// where i and j should be together and below 0 where they should be apart:
//
//	Q = P + Σ_{g,h} C_gh e_g e_hᵀ
//
// P are pairs, sparse; e_g are groups of nodes, with weights, of which all are
// tied to all. So what labels and closed constraints say of all pairs takes
// memory for the points only.
//
// As an operator it is Q̄ = D^{-1/2} Q D^{-1/2}.
type constraintMatrix struct {
	pairs          *data.Graph
	groups         []group
	couplings      []coupling // C, each of g ≤ h once
	invSqrtDegree  []float64  // 1/√degree
	support        []int32    // the nodes that Q says something of, ascending
	maxEigenvalues int        // how many eigenvalues of a large piece are wanted; 0: as many as usual

	couplingsOf map[int32][]int // the ties of each piece, by its first node
}

type group struct {
	node []int32
	w    []float64
}

type coupling struct {
	g, h int
	w    float64
}

func (g *group) addNode(node int, w float64) {
	g.node, g.w = append(g.node, int32(node)), append(g.w, w)
}

// findSupport returns the nodes that Q has entries for.
func (d *constraintMatrix) findSupport() (where []int32) {
	touched := make([]bool, d.pairs.Len())
	for _, g := range d.groups {
		for _, i := range g.node {
			touched[i] = true
		}
	}
	for i := range touched {
		_, w := d.pairs.Neighbours(i)
		for _, y := range w {
			touched[i] = touched[i] || y != 0
		}
		if touched[i] {
			where = append(where, int32(i))
		}
	}
	return where
}

// entryCount returns the number of entries of Q that are not 0, an entry of
// both parts counting twice.
func (d *constraintMatrix) entryCount() float64 {
	count := float64(len(d.pairs.To))
	for _, t := range d.couplings {
		c := float64(len(d.groups[t.g].node)) * float64(len(d.groups[t.h].node))
		if t.g != t.h {
			c *= 2
		}
		count += c
	}
	return count
}

// Dim returns the number of nodes.
func (d *constraintMatrix) Dim() int { return len(d.invSqrtDegree) }

// Apply sets dst to Q̄x.
func (d *constraintMatrix) Apply(dst, x []float64) {
	clear(dst)
	d.addBlock(dst, x, 1)
}

// addBlock adds Q̄x to dst for p vectors.
func (d *constraintMatrix) addBlock(dst, x []float64, p int) {
	for _, i := range d.support {
		to, w := d.pairs.Neighbours(int(i))
		for q, j := range to {
			f := float64(w[q]*d.invSqrtDegree[j]) * d.invSqrtDegree[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * x[int(j)*p+c])
			}
		}
	}
	in, out := make([]float64, len(d.groups)*p), make([]float64, len(d.groups)*p)
	for g, m := range d.groups {
		for q, i := range m.node {
			f := m.w[q] * d.invSqrtDegree[i]
			for c := range p {
				in[g*p+c] += float64(f * x[int(i)*p+c])
			}
		}
	}
	for _, t := range d.couplings {
		for c := range p {
			out[t.g*p+c] += float64(t.w * in[t.h*p+c])
			if t.g != t.h {
				out[t.h*p+c] += float64(t.w * in[t.g*p+c])
			}
		}
	}
	for g, m := range d.groups {
		for q, i := range m.node {
			f := m.w[q] * d.invSqrtDegree[i]
			for c := range p {
				dst[int(i)*p+c] += float64(f * out[g*p+c])
			}
		}
	}
}

// groupsOfNodes returns the groups that each node is in, as ties of group g by weight.
func (d *constraintMatrix) groupsOfNodes() map[int32][]coupling {
	if len(d.groups) == 0 {
		return nil
	}
	out := map[int32][]coupling{}
	for g, m := range d.groups {
		for q, i := range m.node {
			out[i] = append(out[i], coupling{g: g, w: m.w[q]})
		}
	}
	return out
}
