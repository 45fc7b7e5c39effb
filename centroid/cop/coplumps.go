package cop

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// lumps are the points with everything that must be together drawn into one:
// lump q has the weight of its points and stands at their mean y_q. For lumps
// that are whole in one cluster
//
//	Σ_i w_i ‖x_i − μ_{l_i}‖² = Σ_q w_q ‖y_q − μ_{l_q}‖² + a constant,
//
// so that nothing is lost. Lumps are the components of the closure. It is read
// only, and shared by all searches of a run.
type lumps struct {
	x      data.Rows
	k, d   int
	closed *constraint.Closure
	weight []float64
	slot   []int32   // where in mean lump q stands, -1: it is a single row
	mean   []float64 // of lumps of several points
	fixed  []int32   // the cluster of a labelled lump, -1 for none
	apart  lists     // lumps without a label that q cannot be with
	ban    lists     // clusters that q cannot be in, for labelled lumps are there
	tied   []int32   // lumps without a label that are apart from something
	groups []int32   // free lumps of several points
	parts  []part    // what hangs together by apart, in the order of tied
}

// lists holds one list for each lump.
type lists struct{ start, all []int32 }

func (l lists) of(q int32) []int32 { return l.all[l.start[q]:l.start[q+1]] }

func newLumps(p *cluster.Problem, closed *constraint.Closure) *lumps {
	n := closed.Components()
	l := &lumps{x: p.X, k: p.K, d: p.X.Dim(), closed: closed, weight: make([]float64, n), slot: make([]int32, n), fixed: make([]int32, n)}
	buf := make([]float64, l.d)
	for q := range n {
		l.fixed[q] = int32(closed.Class(q))
		l.slot[q] = -1
		for _, i := range closed.Members(q) {
			l.weight[q] += p.W(int(i))
		}
		if closed.Size(q) > 1 {
			l.slot[q] = int32(len(l.mean) / l.d)
			l.mean = append(l.mean, meanOf(p, closed.Members(q), l.weight[q], buf)...)
		}
	}
	l.link()
	l.divide()
	return l
}

// meanOf returns the weighted mean of the points, the plain one where they
// weigh nothing.
func meanOf(p *cluster.Problem, members []int32, mass float64, buf []float64) []float64 {
	m := make([]float64, len(buf))
	for _, i := range members {
		w := 1 / float64(len(members))
		if mass > 0 {
			w = p.W(int(i)) / mass
		}
		data.Add(m, p.X.Row(int(i), buf), w)
	}
	return m
}

// link sorts who cannot be with whom into apart and ban.
func (l *lumps) link() {
	n := int32(len(l.weight))
	l.apart.start, l.ban.start = make([]int32, n+1), make([]int32, n+1)
	seen := make([]int32, l.k) // the last lump for which a cluster was banned, plus one
	for q := range n {
		if l.fixed[q] < 0 {
			for _, r := range l.closed.CannotLinked(int(q)) {
				switch h := l.fixed[r]; {
				case h < 0:
					l.apart.all = append(l.apart.all, r)
				case seen[h] != q+1:
					seen[h] = q + 1
					l.ban.all = append(l.ban.all, h)
				}
			}
		}
		l.apart.start[q+1], l.ban.start[q+1] = int32(len(l.apart.all)), int32(len(l.ban.all))
		if l.fixed[q] < 0 && len(l.apart.of(q))+len(l.ban.of(q)) > 0 {
			l.tied = append(l.tied, q)
		}
		if l.slot[q] >= 0 && l.free(q) {
			l.groups = append(l.groups, q)
		}
	}
}

// free reports whether q may be anywhere, whatever the others do.
func (l *lumps) free(q int32) bool {
	return l.fixed[q] < 0 && l.apart.start[q] == l.apart.start[q+1] && l.ban.start[q] == l.ban.start[q+1]
}

// at returns y_q, perhaps in buf.
func (l *lumps) at(q int32, buf []float64) data.Vec {
	if s := int(l.slot[q]); s >= 0 {
		return data.Vec{Val: l.mean[s*l.d : (s+1)*l.d]}
	}
	return l.x.Row(int(l.closed.Members(int(q))[0]), buf)
}

// A part is a connected piece of what is apart, and how it can be assigned to
// fixed centres.
type part struct {
	lumps []int32
	shape shape
}

type shape int

const (
	tangled shape = iota // by descent
	tree                 // exactly, by dynamic programming; a lump alone is one
	halves               // exactly, k = 2: one lump decides for all
	clique               // exactly, as an assignment problem
)

// divide finds the parts among the tied lumps.
func (l *lumps) divide() {
	seen := make([]bool, len(l.weight))
	for _, start := range l.tied {
		if seen[start] {
			continue
		}
		seen[start] = true
		verts, ends := []int32{start}, 0
		for at := 0; at < len(verts); at++ { // breadth first: neighbours stand after their parents
			for _, r := range l.apart.of(verts[at]) {
				ends++
				if !seen[r] {
					seen[r] = true
					verts = append(verts, r)
				}
			}
		}
		l.parts = append(l.parts, part{verts, shapeOf(len(verts), ends/2, l.k)})
	}
}

func shapeOf(verts, edges, k int) shape {
	switch {
	case edges == verts-1:
		return tree
	case k == 2:
		return halves
	case edges == verts*(verts-1)/2:
		return clique
	}
	return tangled
}
