package pairgraph

// Counts count the members of large components by cluster, in every layer. A
// large component is one of many points that must be together: its s points have
// s²/2 entailed pairs, the counts take k numbers.
type Counts struct {
	graph  *Graph
	k      int
	layers []layerCounts
}

// layerCounts are the counts of one layer.
type layerCounts struct {
	*componentLayer
	k        int
	count    []int32 // of large block c in cluster h, at c·k+h
	labelled []int32 // members of large block c that have a label
}

func NewCounts(f *Graph, k int) *Counts {
	c := &Counts{graph: f, k: k}
	for _, y := range f.layers {
		c.layers = append(c.layers, layerCounts{y, k, make([]int32, len(y.blocks)*k), make([]int32, len(y.blocks))})
	}
	return c
}

// Recount counts the labels again.
func (c *Counts) Recount(labels []int32) {
	for _, y := range c.layers {
		clear(y.count)
		clear(y.labelled)
		for at, b := range y.blocks {
			y.eachLabel(int(b), labels, func(h int32) {
				if h >= 0 {
					y.count[at*c.k+int(h)]++
					y.labelled[at]++
				}
			})
		}
	}
}

func (y *layerCounts) countsOf(at int32) []int32 { return y.count[int(at)*y.k : (int(at)+1)*y.k] }

// ApplyMove records that point i has moved from one cluster to another; -1 is no
// cluster. It reports whether i is in a large component or cannot be with one, so
// that the points to be visited always are dirty.
func (c *Counts) ApplyMove(i int, from, to int32) bool {
	if c.graph.largeComponent == nil || !c.graph.meetsLargeComponent(c.graph.Closed.Component(i)) {
		return false
	}
	for t := range c.layers {
		y := &c.layers[t]
		at := y.largeBlock(y.blockOf(i))
		if at < 0 {
			continue
		}
		if from >= 0 {
			y.countsOf(at)[from]--
			y.labelled[at]--
		}
		if to >= 0 {
			y.countsOf(at)[to]++
			y.labelled[at]++
		}
	}
	return true
}

// SatisfiedAt reports whether point i would violate no pair with or within large
// components in cluster h. The first layer has all these pairs.
func (c *Counts) SatisfiedAt(i int, h int32, labels []int32) bool {
	f := c.graph
	if f.largeComponent == nil {
		return true
	}
	all, q := &c.layers[0], f.Closed.Component(i)
	own := f.largeComponent[q]
	if own >= 0 {
		others, there := all.labelled[own], all.countsOf(own)[h]
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
	for _, b := range f.Closed.CannotLinked(q) {
		if at := f.largeComponent[b]; at >= 0 {
			if all.countsOf(at)[h] > 0 {
				return false
			}
		} else if own >= 0 {
			for _, j := range f.Closed.Members(int(b)) {
				if labels[j] == h {
					return false
				}
			}
		}
	}
	return true
}

// AddPenalties adds to pen what point i pays in each cluster for its pairs with
// and within large components, w for a pair of weight 1; the return value is paid in
// every cluster.
func (c *Counts) AddPenalties(i int, labels []int32, w float64, pen []float64) (everywhere float64) {
	f := c.graph
	if f.largeComponent == nil || !f.meetsLargeComponent(f.Closed.Component(i)) {
		return 0
	}
	own := f.largeComponentOf(f.Closed.Component(i)) >= 0
	for t := range c.layers {
		y := &c.layers[t]
		v, b := y.weight*w, y.blockOf(i)
		add := func(b int, v float64) (labelled int32) {
			if at := y.largeBlock(b); at >= 0 {
				for h, n := range y.countsOf(at) {
					pen[h] += v * float64(n)
				}
				return y.labelled[at]
			}
			y.eachLabel(b, labels, func(h int32) {
				if h >= 0 {
					pen[h] += v
					labelled++
				}
			})
			return labelled
		}
		if own {
			others := add(b, -v)
			if g := labels[i]; g >= 0 { // not with itself
				pen[g] += v
				others--
			}
			everywhere += v * float64(others)
		}
		for _, other := range y.closed.CannotLinked(b) {
			if own || t > 0 || y.largeBlock(int(other)) >= 0 {
				add(int(other), v)
			}
		}
	}
	return everywhere
}

// ViolatedWeight returns what the entailed pairs with or within large components
// weigh that the labels violate.
func (c *Counts) ViolatedWeight(labels []int32) (must, cannot float64) {
	own := make([]int32, c.k)
	for t := range c.layers {
		y := &c.layers[t]
		isOfLarge := func(b int) bool {
			i := y.closed.Members(b)[0]
			if y.points != nil {
				i = y.points[i]
			}
			return c.graph.largeComponent[c.graph.Closed.Component(int(i))] >= 0
		}
		apart, together := 0.0, 0.0 // pairs: must-links, counted twice, and cannot-links
		for b := range y.closed.Components() {
			if !isOfLarge(b) {
				continue
			}
			y.eachLabel(b, labels, func(h int32) { own[h]++ })
			y.eachLabel(b, labels, func(h int32) { apart += float64(y.closed.Size(b) - int(own[h])) })
			for _, other := range y.closed.CannotLinked(b) {
				switch at := y.largeBlock(int(other)); {
				case int(other) < b && isOfLarge(int(other)): // counted there
				case at >= 0:
					for h, n := range y.countsOf(at) {
						together += float64(n) * float64(own[h])
					}
				default:
					y.eachLabel(int(other), labels, func(h int32) { together += float64(own[h]) })
				}
			}
			y.eachLabel(b, labels, func(h int32) { own[h] = 0 })
		}
		must += apart / 2 * y.weight
		cannot += together * y.weight
	}
	return must, cannot
}
