package spectral

import "github.com/inklinghq/inkling/constraint"

// addClosure makes groups of what follows from the knowledge. Points that must be
// together are a group, and groups are tied by -1 where they must be apart. For
// two clusters, apart of apart is together: all that hangs together in that way
// is one group with signs, unless a ring of an odd number of groups forbids it.
func (d *constraintMatrix) addClosure(f *nodeGraph, c *constraint.Closure, k int) {
	apart := separatedComponents(c)
	var sign []float64
	if k == 2 {
		sign = d.twoColour(c, apart)
	}
	at := map[int]int{} // the group of a component, or of the first of its piece
	for q := range c.Components() {
		if c.Size(q) == 1 && len(apart[q]) == 0 && c.Class(q) < 0 {
			continue
		}
		g := group{}
		for _, i := range c.Members(q) {
			if node := f.nodeOf[i]; node >= 0 {
				g.addNode(node, 1)
			}
		}
		if len(g.node) > 0 {
			at[q] = len(d.groups)
			d.groups = append(d.groups, g)
		}
	}
	if sign != nil {
		d.mergeBySign(c, apart, sign, at)
		return
	}
	for q := range c.Components() {
		g, ok := at[q]
		if !ok {
			continue
		}
		d.couplings = append(d.couplings, coupling{g, g, 1})
		for _, r := range apart[q] {
			if h, ok := at[int(r)]; ok && g < h {
				d.couplings = append(d.couplings, coupling{g, h, -1})
			}
		}
	}
}

// separatedComponents returns for each component those it must be apart from, by
// cannot-links or by classes.
func separatedComponents(c *constraint.Closure) [][]int32 {
	out := make([][]int32, c.Components())
	classed := c.Labelled()
	for q := range out {
		out[q] = c.CannotLinked(q)
		if c.Class(q) < 0 {
			continue
		}
		seen := map[int32]bool{}
		for _, r := range out[q] {
			seen[r] = true
		}
		out[q] = append([]int32(nil), out[q]...)
		for _, r := range classed {
			if int(r) != q && !seen[r] {
				out[q] = append(out[q], r)
			}
		}
	}
	return out
}

// twoColour gives every component a side, +1 or -1, opposite to those it is apart
// from; nil if that cannot be.
func (d *constraintMatrix) twoColour(c *constraint.Closure, apart [][]int32) []float64 {
	sign := make([]float64, c.Components())
	for first := range sign {
		if sign[first] != 0 {
			continue
		}
		sign[first] = 1
		for queue := []int32{int32(first)}; len(queue) > 0; queue = queue[1:] {
			q := queue[0]
			for _, r := range apart[q] {
				if sign[r] == 0 {
					sign[r] = -sign[q]
					queue = append(queue, r)
				} else if sign[r] == sign[q] {
					return nil
				}
			}
		}
	}
	return sign
}

// mergeBySign makes one group of all components that are tied by signs.
func (d *constraintMatrix) mergeBySign(c *constraint.Closure, apart [][]int32, sign []float64, at map[int]int) {
	old := d.groups
	d.groups = nil
	done := make([]bool, c.Components())
	for first := range done {
		if done[first] {
			continue
		}
		done[first] = true
		g := group{}
		for queue := []int32{int32(first)}; len(queue) > 0; queue = queue[1:] {
			q := queue[0]
			if h, ok := at[int(q)]; ok {
				for _, i := range old[h].node {
					g.addNode(int(i), sign[q])
				}
			}
			for _, r := range apart[q] {
				if !done[r] {
					done[r] = true
					queue = append(queue, r)
				}
			}
		}
		if len(g.node) > 0 {
			d.couplings = append(d.couplings, coupling{len(d.groups), len(d.groups), 1})
			d.groups = append(d.groups, g)
		}
	}
}
