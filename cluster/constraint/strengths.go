package constraint

import (
	"cmp"
	"slices"
)

// Strengths says how strongly pairs of points are entailed. A chain of links is as
// strong as its weakest link, and a pair as strong as the strongest chain that
// entails it: of must-links for a pair that must be together, of must-links and one
// cannot-link for a pair that cannot be. So a doubtful statement never makes a
// strong one, and a link elsewhere changes nothing.
//
// It takes O(n + m) memory: must-links are united in descending order of weight,
// the smaller set under the larger, so that the weakest link of the strongest chain
// is found on the path between two points, which has O(log n) steps.
type Strengths struct {
	closed *Closure
	parent []int32   // -1 at a root; paths are never shortened
	weight []float64 // of the link to the parent
	start  []int32   // of each component among links
	links  []crossing
}

// A crossing is a cannot-link as seen from the component of its first point. Those of
// a component are ordered by the other component, then by weight, strongest first.
type crossing struct {
	i, j  int32
	other int32 // the component of j
	w     float64
}

// NewStrengths returns the strengths of what the must-links and cannot-links of s
// entail about n points; closed is the closure of these links.
func NewStrengths(n int, s *Set, closed *Closure) *Strengths {
	t := &Strengths{closed: closed, parent: make([]int32, n), weight: make([]float64, n)}
	size := make([]int32, n)
	for i := range t.parent {
		t.parent[i], size[i] = -1, 1
	}
	must := slices.SortedStableFunc(slices.Values(s.Must), func(a, b Pair) int { return cmp.Compare(b.W, a.W) })
	for _, p := range must {
		a, b := t.root(int32(p.I)), t.root(int32(p.J))
		if a == b {
			continue
		}
		if size[a] > size[b] {
			a, b = b, a
		}
		t.parent[a], t.weight[a] = b, p.W
		size[b] += size[a]
	}
	t.addCannot(s.Cannot)
	return t
}

func (t *Strengths) root(i int32) int32 {
	for t.parent[i] >= 0 {
		i = t.parent[i]
	}
	return i
}

// addCannot keeps the cannot-links that are not entailed as strongly by stronger ones.
func (t *Strengths) addCannot(cannot []Pair) {
	var list []crossing
	for _, p := range cannot {
		a, b := int32(t.closed.Component(p.I)), int32(t.closed.Component(p.J))
		list = append(list, crossing{int32(p.I), int32(p.J), b, p.W}, crossing{int32(p.J), int32(p.I), a, p.W})
	}
	own := func(x crossing) int { return t.closed.Component(int(x.i)) }
	slices.SortFunc(list, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.other, b.other), cmp.Compare(b.w, a.w), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	t.start = make([]int32, t.closed.Components()+1)
	first := 0 // of those between the same two components
	for _, x := range list {
		if n := len(t.links); n > 0 && (t.links[n-1].other != x.other || own(t.links[n-1]) != own(x)) {
			first = n
		}
		if t.strongest(t.links[first:], int(x.i), int(x.j)) >= x.w {
			continue
		}
		t.links = append(t.links, x)
		t.start[own(x)+1]++
	}
	for q := range t.closed.Components() {
		t.start[q+1] += t.start[q]
	}
}

// Must returns how strongly points i and j are entailed to be together: 0 if they are
// not.
func (t *Strengths) Must(i, j int) float64 {
	a, b, w := int32(i), int32(j), 0.0
	for a != b {
		switch { // up the link that was made first
		case t.parent[a] < 0 && t.parent[b] < 0:
			return 0
		case t.parent[b] < 0 || t.parent[a] >= 0 && t.weight[a] >= t.weight[b]:
			w, a = t.weight[a], t.parent[a]
		default:
			w, b = t.weight[b], t.parent[b]
		}
	}
	return w
}

// Cannot returns how strongly points i and j are entailed to be apart: 0 if they are
// not.
func (t *Strengths) Cannot(i, j int) float64 {
	a, b := t.closed.Component(i), int32(t.closed.Component(j))
	links := t.links[t.start[a]:t.start[a+1]]
	lo, _ := slices.BinarySearchFunc(links, b, func(x crossing, b int32) int { return cmp.Compare(x.other, b) })
	hi := lo
	for hi < len(links) && links[hi].other == b {
		hi++
	}
	return t.strongest(links[lo:hi], i, j)
}

// strongest returns the strength of the strongest chain from i to j through one of
// the links, which come in descending order of weight.
func (t *Strengths) strongest(links []crossing, i, j int) (most float64) {
	for _, x := range links {
		if x.w <= most {
			break
		}
		w := x.w
		if int(x.i) != i {
			w = min(w, t.Must(i, int(x.i)))
		}
		if int(x.j) != j {
			w = min(w, t.Must(int(x.j), j))
		}
		most = max(most, w)
	}
	return most
}

// Levels returns the different weights of the must-links and cannot-links of s,
// ascending. Where there are more than most it returns that many of them, evenly
// spaced by rank, the lowest among them.
func Levels(s *Set, most int) []float64 {
	var all []float64
	for _, list := range [][]Pair{s.Must, s.Cannot} {
		for _, p := range list {
			all = append(all, p.W)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= most {
		return all
	}
	out := make([]float64, most)
	for at := range out {
		out[at] = all[at*len(all)/most]
	}
	return out
}
