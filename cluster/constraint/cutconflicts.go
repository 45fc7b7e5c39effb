package constraint

// conflictCounts counts for each link that is not cut how many proofs of
// contradictions use it. Links are keyed by their nodes.
func (r *repairGraph) conflictCounts() map[uint64]float64 {
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
	conflicts := map[uint64]float64{}
	label := func(at int) {
		if at >= 0 {
			l := left.Labels[at]
			conflicts[pairKey(l.I, node(l.Class))]++
		}
	}
	for _, c := range Conflicts(r.n, left, proofs) {
		label(c.Ends[0].Label)
		label(c.Ends[1].Label)
		for _, s := range c.Chain {
			if s.Must >= 0 {
				conflicts[pairKey(s.From, s.To)]++
				continue
			}
			label(s.Labels[0])
			label(s.Labels[1])
		}
	}
	return conflicts
}

// cutConflicting cuts the link that most proofs use per weight, then looks for
// proofs again, until no link settles more than one contradiction; and returns
// the components that are left, each with at most one class.
func (r *repairGraph) cutConflicting() unionFind {
	const work = 1 << 21
	for range min(len(r.links), 1+work/(r.nodes()+len(r.links)+len(r.s.Cannot))) {
		conflicts := r.conflictCounts()
		best, most := -1, 1.0
		for e, l := range r.links {
			if x := conflicts[pairKey(int(l.a), int(l.b))] / l.w; !l.cut && x > most {
				best, most = e, x
			}
		}
		if best < 0 {
			break
		}
		r.links[best].cut = true
	}
	r.cutMinorityLabels()
	return r.components()
}

// cutMinorityLabels leaves each set of must-linked points the labels of one
// class, that of the greatest weight, the lower one of two.
func (r *repairGraph) cutMinorityLabels() {
	f := newUnionFind(r.n)
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
