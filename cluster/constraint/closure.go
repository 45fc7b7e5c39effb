package constraint

import (
	"cmp"
	"slices"
)

// A Closure is what follows from a consistent Set of constraints. Points
// that must be together are one component; components are numbered by their
// lowest point. It is read-only and takes O(n + m) memory.
type Closure struct {
	component   []int32 // component of each point
	start       []int32 // members of c are members[start[c]:start[c+1]]
	members     []int32
	class       []int32 // class of each component, -1 for none
	classed     []int32 // components with a class, by class
	linkedStart []int32 // linked[linkedStart[c]:linkedStart[c+1]] are cannot-linked to c
	linked      []int32 // each list ascending, without repetition
}

// Close works out what follows from s about n points: all points of a class
// and all points joined by must-links are one component, and cannot-links hold
// between components. The labels of a soft seed (see Label) and all beliefs
// stay out. The error is that of Check, or a *ConflictError with the shortest proof
// where s contradicts itself.
func Close(n int, s *Set) (*Closure, error) {
	if err := s.Check(n); err != nil {
		return nil, err
	}
	if s == nil {
		s = &Set{}
	}
	k := readLabels(n, s.Labels)
	f := unite(n, s, k)
	c := numberComponents(f)
	if len(k.clashing) > 0 || !c.setClasses(k) || !c.setCannotLinked(s.Cannot) {
		return nil, Conflicts(n, s, 1)[0]
	}
	return c, nil
}

// unite joins the points that must-links and hard labels put together.
func unite(n int, s *Set, k pointLabels) unionFind {
	f := newUnionFind(n)
	for _, p := range s.Must {
		f.union(int32(p.I), int32(p.J))
	}
	first := map[int]int32{}
	for _, l := range s.Labels {
		if k.soft[l.I] {
			continue
		}
		if i, ok := first[l.Class]; ok {
			f.union(i, int32(l.I))
		} else {
			first[l.Class] = int32(l.I)
		}
	}
	return f
}

// numberComponents gives the sets of f their numbers and lists their members.
func numberComponents(f unionFind) *Closure {
	c := &Closure{component: make([]int32, len(f))}
	for i := range c.component {
		c.component[i] = -1
	}
	var sizes []int32
	for i := range f {
		r := f.find(int32(i))
		if c.component[r] < 0 { // the root carries the number until its own turn
			c.component[r] = int32(len(sizes))
			sizes = append(sizes, -f[r])
		}
		c.component[i] = c.component[r]
	}
	c.start = make([]int32, len(sizes)+1)
	for q, size := range sizes {
		c.start[q+1] = c.start[q] + size
	}
	c.members = make([]int32, len(f))
	next := sizes // reuse: how far each list is filled
	copy(next, c.start)
	for i, q := range c.component {
		c.members[next[q]] = int32(i)
		next[q]++
	}
	return c
}

// setClasses gives components their classes; false if one has two.
func (c *Closure) setClasses(k pointLabels) bool {
	c.class = make([]int32, c.Components())
	for q := range c.class {
		c.class[q] = -1
	}
	for i, x := range k.class {
		if x < 0 {
			continue
		}
		q := c.component[i]
		switch c.class[q] {
		case -1:
			c.class[q] = x
			c.classed = append(c.classed, q)
		case x:
		default:
			return false
		}
	}
	slices.SortFunc(c.classed, func(a, b int32) int { return cmp.Compare(c.class[a], c.class[b]) })
	return true
}

// setCannotLinked turns cannot-links into lists between components; false if one
// lies inside a component.
func (c *Closure) setCannotLinked(cannot []Pair) bool {
	c.linkedStart = make([]int32, c.Components()+1)
	keys := make([]uint64, 0, 2*len(cannot))
	for _, p := range cannot {
		a, b := uint64(c.component[p.I]), uint64(c.component[p.J])
		if a == b {
			return false
		}
		keys = append(keys, a<<32|b, b<<32|a)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	c.linked = make([]int32, len(keys))
	for p, key := range keys {
		c.linked[p] = int32(uint32(key))
		c.linkedStart[key>>32+1]++
	}
	for q := range c.Components() {
		c.linkedStart[q+1] += c.linkedStart[q]
	}
	return true
}

// Components returns the number of components; a point without constraints is
// one by itself.
func (c *Closure) Components() int { return len(c.start) - 1 }

// Component returns the component of point i.
func (c *Closure) Component(i int) int { return int(c.component[i]) }

// Members returns the points of component q, ascending. It must not be changed.
func (c *Closure) Members(q int) []int32 {
	return c.members[c.start[q]:c.start[q+1]:c.start[q+1]]
}

// Size returns the number of points of component q.
func (c *Closure) Size(q int) int { return int(c.start[q+1] - c.start[q]) }

// Class returns the class of component q, -1 if no hard label reaches it.
// Every class with a hard label is exactly one component.
func (c *Closure) Class(q int) int { return int(c.class[q]) }

// Labelled returns the components that have a class, in the order of their
// classes. It must not be changed.
func (c *Closure) Labelled() []int32 { return c.classed }

// CannotLinked returns the components that a given cannot-link keeps apart from q,
// ascending. Two components of different classes are kept apart too, but are listed
// only where a cannot-link says so as well. It must not be changed.
func (c *Closure) CannotLinked(q int) []int32 {
	return c.linked[c.linkedStart[q]:c.linkedStart[q+1]:c.linkedStart[q+1]]
}

// MustTogether reports whether points i and j must be together.
func (c *Closure) MustTogether(i, j int) bool { return c.component[i] == c.component[j] }

// MustApart reports whether points i and j cannot be together, because of a
// cannot-link between their components or because these have different
// classes. Its cost is logarithmic in the shorter list of cannot-links.
func (c *Closure) MustApart(i, j int) bool {
	return c.separate(c.component[i], c.component[j])
}

// separate reports whether components a and b are kept apart.
func (c *Closure) separate(a, b int32) bool {
	if a == b {
		return false
	}
	if c.class[a] >= 0 && c.class[b] >= 0 {
		return true // one component a class, so the classes differ
	}
	if len(c.CannotLinked(int(b))) < len(c.CannotLinked(int(a))) {
		a, b = b, a
	}
	_, ok := slices.BinarySearch(c.CannotLinked(int(a)), b)
	return ok
}

// Largest returns the component with most points, the lowest of them if there
// are several, and -1 where there are no points.
func (c *Closure) Largest() int {
	best := -1
	for q := range c.Components() {
		if best < 0 || c.Size(q) > c.Size(best) {
			best = q
		}
	}
	return best
}
