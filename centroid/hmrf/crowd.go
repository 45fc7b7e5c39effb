package hmrf

// A crowd is a component of many points that must be together: what its
// members do is counted by cluster, so that a point meets all of them at once.
// The entailed pairs of a crowd of s points number s²/2; this costs k numbers.
type crowds struct {
	f     *field
	k     int
	count []int32 // of crowd c in cluster h, at c·k+h
	seen  []int32 // members of crowd c that have a label
}

func newCrowds(f *field, k int) *crowds {
	return &crowds{f: f, k: k, count: make([]int32, len(f.crowds)*k), seen: make([]int32, len(f.crowds))}
}

// read counts the labels anew.
func (c *crowds) read(labels []int32) {
	clear(c.count)
	clear(c.seen)
	for at, q := range c.f.crowds {
		for _, i := range c.f.closed.Members(int(q)) {
			if h := labels[i]; h >= 0 {
				c.count[at*c.k+int(h)]++
				c.seen[at]++
			}
		}
	}
}

func (c *crowds) of(at int32) []int32 { return c.count[int(at)*c.k : (int(at)+1)*c.k] }

// move tells that point i has gone from one cluster to another, or none. It
// reports whether i is in a crowd or apart from one, so that loud points have
// news.
func (c *crowds) move(i int, from, to int32) bool {
	if c.f.crowd == nil {
		return false
	}
	q := c.f.closed.Component(i)
	if at := c.f.crowd[q]; at >= 0 {
		if from >= 0 {
			c.of(at)[from]--
			c.seen[at]--
		}
		if to >= 0 {
			c.of(at)[to]++
			c.seen[at]++
		}
	}
	return c.f.meetsCrowd(q)
}

// content reports whether point i would violate nothing with or within crowds in
// cluster h. Of a crowd that keeps together no pair need be looked at.
func (c *crowds) content(i int, h int32, labels []int32) bool {
	f := c.f
	if f.crowd == nil {
		return true
	}
	q := f.closed.Component(i)
	own := f.crowd[q]
	if own >= 0 {
		others, there := c.seen[own], c.of(own)[h]
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
		if at := f.crowd[b]; at >= 0 {
			if c.of(at)[h] > 0 {
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

// price adds what point i, which has label own or none, pays for its pairs with
// and within crowds in each cluster, v for each; the return value is paid in
// every cluster.
func (c *crowds) price(i int, labels []int32, v float64, pen []float64) (everywhere float64) {
	f := c.f
	if f.crowd == nil {
		return 0
	}
	q := f.closed.Component(i)
	own := f.crowd[q]
	if own >= 0 {
		for h, n := range c.of(own) {
			pen[h] -= v * float64(n)
		}
		others := c.seen[own]
		if g := labels[i]; g >= 0 { // not with itself
			pen[g] += v
			others--
		}
		everywhere = v * float64(others)
	}
	for _, b := range f.closed.CannotLinked(q) {
		if at := f.crowd[b]; at >= 0 {
			for h, n := range c.of(at) {
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

// violated returns how many entailed pairs with or within crowds the labels
// violate.
func (c *crowds) violated(labels []int32) (must, cannot float64) {
	f := c.f
	for at, q := range f.crowds {
		size, twice := f.closed.Size(int(q)), 0.0
		own := c.of(int32(at))
		for _, n := range own {
			twice += float64(n) * float64(size-int(n))
		}
		must += twice / 2
		for _, b := range f.closed.CannotLinked(int(q)) {
			other := f.crowd[b]
			switch {
			case other < 0:
				for _, j := range f.closed.Members(int(b)) {
					cannot += float64(own[labels[j]])
				}
			case other > int32(at):
				for h, n := range c.of(other) {
					cannot += float64(n) * float64(own[h])
				}
			}
		}
	}
	return must, cannot
}
