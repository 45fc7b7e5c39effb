package hmrf

// componentCounts count the members of large components by cluster. A large
// component is one of many points that must be together: its s points have s²/2
// entailed pairs, the counts take k numbers.
type componentCounts struct {
	graph    *constraintGraph
	k        int
	count    []int32 // of component c in cluster h, at c·k+h
	labelled []int32 // members of component c that have a label
}

func newComponentCounts(f *constraintGraph, k int) *componentCounts {
	return &componentCounts{graph: f, k: k, count: make([]int32, len(f.largeComponents)*k), labelled: make([]int32, len(f.largeComponents))}
}

// recount counts the labels again.
func (c *componentCounts) recount(labels []int32) {
	clear(c.count)
	clear(c.labelled)
	for at, q := range c.graph.largeComponents {
		for _, i := range c.graph.closed.Members(int(q)) {
			if h := labels[i]; h >= 0 {
				c.count[at*c.k+int(h)]++
				c.labelled[at]++
			}
		}
	}
}

func (c *componentCounts) countsOf(at int32) []int32 { return c.count[int(at)*c.k : (int(at)+1)*c.k] }

// applyMove records that point i has moved from one cluster to another; -1 is no
// cluster. It reports whether i is in a large component or cannot be with one, so
// that the points to be visited always are dirty.
func (c *componentCounts) applyMove(i int, from, to int32) bool {
	if c.graph.largeComponent == nil {
		return false
	}
	q := c.graph.closed.Component(i)
	if at := c.graph.largeComponent[q]; at >= 0 {
		if from >= 0 {
			c.countsOf(at)[from]--
			c.labelled[at]--
		}
		if to >= 0 {
			c.countsOf(at)[to]++
			c.labelled[at]++
		}
	}
	return c.graph.meetsLargeComponent(q)
}

// satisfiedAt reports whether point i would violate no pair with or within large
// components in cluster h.
func (c *componentCounts) satisfiedAt(i int, h int32, labels []int32) bool {
	f := c.graph
	if f.largeComponent == nil {
		return true
	}
	q := f.closed.Component(i)
	own := f.largeComponent[q]
	if own >= 0 {
		others, there := c.labelled[own], c.countsOf(own)[h]
		if g := labels[i]; g >= 0 {
			others--
			if g == h {
				there--
			}
		}
		if there != others {
			return false
		}
	}
	for _, b := range f.closed.CannotLinked(q) {
		if at := f.largeComponent[b]; at >= 0 {
			if c.countsOf(at)[h] > 0 {
				return false
			}
		} else if own >= 0 {
			for _, j := range f.closed.Members(int(b)) {
				if labels[j] == h {
					return false
				}
			}
		}
	}
	return true
}

// addPenalties adds to pen what point i pays in each cluster for its pairs with
// and within large components, v for each pair; the return value is paid in every
// cluster.
func (c *componentCounts) addPenalties(i int, labels []int32, v float64, pen []float64) (everywhere float64) {
	f := c.graph
	if f.largeComponent == nil {
		return 0
	}
	q := f.closed.Component(i)
	own := f.largeComponent[q]
	if own >= 0 {
		for h, n := range c.countsOf(own) {
			pen[h] -= v * float64(n)
		}
		others := c.labelled[own]
		if g := labels[i]; g >= 0 { // not with itself
			pen[g] += v
			others--
		}
		everywhere = v * float64(others)
	}
	for _, b := range f.closed.CannotLinked(q) {
		if at := f.largeComponent[b]; at >= 0 {
			for h, n := range c.countsOf(at) {
				pen[h] += v * float64(n)
			}
		} else if own >= 0 {
			for _, j := range f.closed.Members(int(b)) {
				if g := labels[j]; g >= 0 {
					pen[g] += v
				}
			}
		}
	}
	return everywhere
}

// countViolated returns how many entailed pairs with or within large components
// the labels violate.
func (c *componentCounts) countViolated(labels []int32) (must, cannot float64) {
	f := c.graph
	for at, q := range f.largeComponents {
		size, twice := f.closed.Size(int(q)), 0.0
		own := c.countsOf(int32(at))
		for _, n := range own {
			twice += float64(n) * float64(size-int(n))
		}
		must += twice / 2
		for _, b := range f.closed.CannotLinked(int(q)) {
			other := f.largeComponent[b]
			switch {
			case other < 0:
				for _, j := range f.closed.Members(int(b)) {
					cannot += float64(own[labels[j]])
				}
			case other > int32(at):
				for h, n := range c.countsOf(other) {
					cannot += float64(n) * float64(own[h])
				}
			}
		}
	}
	return must, cannot
}
