package spectral

import "github.com/inklinghq/inkling/constraint"

// close makes groups of what follows from the knowledge. Points that must be
// together are a group, and groups are tied by -1 where they must be apart. For
// two clusters, apart of apart is together: all that hangs together in that way
// is one group with signs, unless a ring of an odd number of groups forbids it.
func (d *demand) close(f *field, c *constraint.Closure, k int) {
	apart := neighbourhoods(c)
	var sign []float64
	if k == 2 {
		sign = d.halves(c, apart)
	}
	at := map[int]int{} // the group of a component, or of the first of its piece
	for q := range c.Components() {
		if c.Size(q) == 1 && len(apart[q]) == 0 && c.Class(q) < 0 {
			continue
		}
		g := group{}
		for _, i := range c.Members(q) {
			if node := f.node[i]; node >= 0 {
				g.put(node, 1)
			}
		}
		if len(g.node) > 0 {
			at[q] = len(d.groups)
			d.groups = append(d.groups, g)
		}
	}
	if sign != nil {
		d.merge(c, apart, sign, at)
		return
	}
	for q := range c.Components() {
		g, ok := at[q]
		if !ok {
			continue
		}
		d.ties = append(d.ties, tie{g, g, 1})
		for _, r := range apart[q] {
			if h, ok := at[int(r)]; ok && g < h {
				d.ties = append(d.ties, tie{g, h, -1})
			}
		}
	}
}

// neighbourhoods returns for each component those it must be apart from, by
// cannot-links or by classes.
func neighbourhoods(c *constraint.Closure) [][]int32 {
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

// halves gives every component a side, +1 or -1, opposite to those it is apart
// from; nil if that cannot be.
func (d *demand) halves(c *constraint.Closure, apart [][]int32) []float64 {
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

// merge makes one group of all components that are tied by signs.
func (d *demand) merge(c *constraint.Closure, apart [][]int32, sign []float64, at map[int]int) {
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
					g.put(int(i), sign[q])
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
			d.ties = append(d.ties, tie{len(d.groups), len(d.groups), 1})
			d.groups = append(d.groups, g)
		}
	}
}
