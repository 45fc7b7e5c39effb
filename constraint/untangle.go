package constraint

// doubts counts for each link that is not cut how many proofs of
// contradictions go by it. Links are keyed by their nodes.
func (r *repairer) doubts() map[uint64]float64 {
	const proofs = 200
	left := &Set{Cannot: r.s.Cannot}
	node := func(class int) int { return r.n + class }
	for _, l := range r.links {
		switch {
		case l.cut:
		case int(l.b) < r.n:
			left.Must = append(left.Must, Pair{int(l.a), int(l.b), 1})
		default:
			left.Labels = append(left.Labels, Label{int(l.a), int(l.b) - r.n, 1})
		}
	}
	doubt := map[uint64]float64{}
	label := func(at int) {
		if at >= 0 {
			l := left.Labels[at]
			doubt[pairKey(l.I, node(l.Class))]++
		}
	}
	for _, c := range Conflicts(r.n, left, proofs) {
		label(c.Ends[0].Label)
		label(c.Ends[1].Label)
		for _, s := range c.Chain {
			if s.Must >= 0 {
				doubt[pairKey(s.From, s.To)]++
				continue
			}
			label(s.Labels[0])
			label(s.Labels[1])
		}
	}
	return doubt
}

// untangle cuts the link by which most proofs go for what it weighs, then looks
// for proofs again, until none settles more than one contradiction; and returns
// the components that are left, in which each has one class at the most.
func (r *repairer) untangle() forest {
	const work = 1 << 21
	for range min(len(r.links), 1+work/(r.nodes()+len(r.links)+len(r.s.Cannot))) {
		doubt := r.doubts()
		best, most := -1, 1.0
		for e, l := range r.links {
			if x := doubt[pairKey(int(l.a), int(l.b))] / l.w; !l.cut && x > most {
				best, most = e, x
			}
		}
		if best < 0 {
			break
		}
		r.links[best].cut = true
	}
	r.dropMinorities()
	return r.joined()
}

// dropMinorities leaves each set of must-linked points the labels of one
// class, that of the greatest weight, the lower one of two.
func (r *repairer) dropMinorities() {
	f := newForest(r.n)
	for _, l := range r.links {
		if !l.cut && int(l.b) < r.n {
			f.union(l.a, l.b)
		}
	}
	type share struct{ root, class int32 }
	weight := map[share]float64{}
	best := map[int32]int32{}
	labels := func(visit func(l *link, at share)) {
		for e := range r.links {
			if l := &r.links[e]; !l.cut && int(l.b) >= r.n { // a class is above all points
				visit(l, share{f.find(l.a), l.b})
			}
		}
	}
	labels(func(l *link, at share) { weight[at] += l.w })
	labels(func(_ *link, at share) {
		now, ok := best[at.root]
		if w, most := weight[at], weight[share{at.root, now}]; !ok || w > most || w == most && at.class < now {
			best[at.root] = at.class
		}
	})
	labels(func(l *link, at share) { l.cut = best[at.root] != at.class })
}
