package constraint

import (
	"cmp"
	"slices"
)

// Dropped names pieces of a Set by their places in its lists, rising.
type Dropped struct {
	Must, Cannot, Labels []int
}

// Len returns how many pieces there are.
func (d *Dropped) Len() int { return len(d.Must) + len(d.Cannot) + len(d.Labels) }

// Repair returns pieces of s, as few as it finds, without which the others do
// not contradict each other; none where s does not contradict itself or fails
// Check for n points. Weights count: a pair of weight 2 is as hard to drop as
// two pairs. Beliefs and soft seeds contradict nothing and stay.
//
// To drop the least is to divide the points so that the pieces that disagree
// weigh least, which is correlation clustering (Bansal, Blum and Chawla 2004)
// and hard. We begin with points alone, and again with what is left when the
// links by which most contradictions go are cut; join the two groups that most
// speaks for, move points one by one, and join again, as long as that helps;
// take the better of the two, and give back what need not have gone. Where
// mistakes are few they are, but for one or two, what is dropped; that nothing
// less would do is not promised. The cost is O(m log m) for m pieces, some times.
func Repair(n int, s *Set) *Dropped {
	if s == nil || s.Check(n) != nil {
		return &Dropped{}
	}
	if _, err := Close(n, s); err == nil {
		return &Dropped{}
	}
	r := newRepairer(n, s)
	newGroups(r).divide()
	r.dropWithin()
	r.giveBack()
	return r.dropped()
}

// A link is what joins two nodes of a web: the pieces that say the same, and
// what they weigh together.
type link struct {
	a, b   int32
	w      float64
	pieces []int32 // as in web
	cut    bool
}

// A repairer holds a web whose links can be cut, and the cannot-links that
// stand in the way.
type repairer struct {
	n     int
	s     *Set
	links []link
	class []int  // class of node n+c, as in web
	gone  []bool // cannot-links that are dropped
}

func newRepairer(n int, s *Set) *repairer {
	r := &repairer{n: n, s: s, gone: make([]bool, len(s.Cannot))}
	g := newWeb(n, s, readLabels(n, s.Labels))
	r.class = g.class
	at := map[uint64]int32{}
	for v := range int32(g.nodes()) {
		for e := g.off[v]; e < g.off[v+1]; e++ {
			to := g.to[e]
			if to < v {
				continue
			}
			key := pairKey(int(v), int(to))
			l, ok := at[key]
			if !ok {
				l = int32(len(r.links))
				at[key] = l
				r.links = append(r.links, link{a: v, b: to})
			}
			r.links[l].pieces = append(r.links[l].pieces, g.piece[e])
			r.links[l].w += r.weight(g.piece[e])
		}
	}
	return r
}

func (r *repairer) nodes() int { return r.n + len(r.class) }

func (r *repairer) weight(piece int32) float64 {
	if piece < 0 {
		return r.s.Labels[^piece].W
	}
	return r.s.Must[piece].W
}

// joined returns the components of what is not cut.
func (r *repairer) joined() forest {
	f := newForest(r.nodes())
	for _, l := range r.links {
		if !l.cut {
			f.union(l.a, l.b)
		}
	}
	return f
}

// dropWithin drops the cannot-links whose points are still joined.
func (r *repairer) dropWithin() {
	f := r.joined()
	for at, p := range r.s.Cannot {
		r.gone[at] = f.find(int32(p.I)) == f.find(int32(p.J))
	}
}

// giveBack joins again what was cut and need not be, the heaviest first.
func (r *repairer) giveBack() {
	most := 1 + (1<<28)/(len(r.s.Cannot)+1) // tries, each of them a pass over the cannot-links
	var cut []*link
	for e := range r.links {
		if r.links[e].cut {
			cut = append(cut, &r.links[e])
		}
	}
	slices.SortStableFunc(cut, func(a, b *link) int { return cmp.Compare(b.w, a.w) })
	f := r.joined()
	class := make([]int32, r.nodes()) // the class node of each root, or 0
	for v := int32(r.n); int(v) < r.nodes(); v++ {
		class[f.find(v)] = v
	}
	for _, l := range cut[:min(len(cut), most)] {
		a, b := f.find(l.a), f.find(l.b)
		if a != b && (class[a] != 0 && class[b] != 0 || r.apart(f, a, b)) {
			continue
		}
		l.cut = false
		one := max(class[a], class[b])
		if f.union(a, b) {
			class[f.find(a)] = one
		}
	}
}

// apart says whether a cannot-link that stays holds two components apart.
func (r *repairer) apart(f forest, a, b int32) bool {
	for at, p := range r.s.Cannot {
		if i, j := f.find(int32(p.I)), f.find(int32(p.J)); !r.gone[at] && (i == a && j == b || i == b && j == a) {
			return true
		}
	}
	return false
}

func (r *repairer) dropped() *Dropped {
	d := &Dropped{}
	for at, gone := range r.gone {
		if gone {
			d.Cannot = append(d.Cannot, at)
		}
	}
	for _, l := range r.links {
		for _, piece := range l.pieces {
			switch {
			case !l.cut:
			case piece < 0:
				d.Labels = append(d.Labels, int(^piece))
			default:
				d.Must = append(d.Must, int(piece))
			}
		}
	}
	slices.Sort(d.Must)
	slices.Sort(d.Labels)
	return d
}
