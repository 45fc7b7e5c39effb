package active

import (
	"cmp"
	"slices"
)

// neighbourhoods are groups of points of the pool that are known to belong together, each
// apart from all others: what the papers call neighbourhoods or a skeleton.
type neighbourhoods struct {
	*asking
	groups [][]int
	of     []int // by point of the pool: its group, -1: none yet, -2: nobody could say
}

func newNeighbourhoods(s *asking) *neighbourhoods {
	b := &neighbourhoods{asking: s, of: make([]int, s.pool.Len())}
	for a := range b.of {
		b.of[a] = -1
	}
	return b
}

// isOpen reports whether point a has not been placed.
func (b *neighbourhoods) isOpen(a int) bool { return b.of[a] == -1 }

// placed returns the points that are in a group.
func (b *neighbourhoods) placed() (points []int) {
	for a, h := range b.of {
		if h >= 0 {
			points = append(points, a)
		}
	}
	return points
}

// place asks about point a and one member of each group, in the order of the shares, the
// largest first, until it knows where a belongs. A point apart from all groups begins a
// new one. With k groups the last one needs no question.
func (b *neighbourhoods) place(a int, share []float64, why string) (more bool) {
	order := make([]int, len(b.groups))
	for h := range order {
		order[h] = h
	}
	slices.SortStableFunc(order, func(g, h int) int { return cmp.Compare(share[h], share[g]) })
	unsure := false
	for at, h := range order {
		if b.k > 0 && len(b.groups) >= b.k && at == len(order)-1 && !unsure {
			b.join(a, h)
			return true
		}
		is, more := b.ask(a, b.representative(a, h), why)
		switch {
		case !more:
			return false
		case is == Together:
			b.join(a, h)
			return true
		case is == Unknown:
			unsure = true
		}
	}
	if unsure {
		b.of[a] = -2
		return true
	}
	b.groups = append(b.groups, nil)
	b.join(a, len(b.groups)-1)
	return true
}

func (b *neighbourhoods) join(a, h int) {
	b.groups[h] = append(b.groups[h], a)
	b.of[a] = h
}

// representative returns the member of group h that is most similar to point a: such a
// pair is the easiest to judge. Members that follow from k alone are taken last.
func (b *neighbourhoods) representative(a, h int) int {
	best, most := b.groups[h][0], -2.0
	for _, m := range b.groups[h] {
		if b.answers.Relation(b.pool.Points[m], b.pool.Points[b.groups[h][0]]) != Together {
			continue
		}
		if y := b.pool.similarity(a, m); y > most {
			best, most = m, y
		}
	}
	return best
}

// similarities returns the mean similarity of point a to each group.
func (b *neighbourhoods) similarities(a int) []float64 {
	out := make([]float64, len(b.groups))
	for h, members := range b.groups {
		for _, m := range members {
			out[h] += b.pool.similarity(a, m)
		}
		out[h] /= float64(len(members))
	}
	return out
}
