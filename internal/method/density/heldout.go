package density

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// A linkUse says how links count in the choice of clusters.
type linkUse struct {
	weight float64 // of a violated link
	obeyed bool    // all hold
}

// chooseLinkUse says how links count where nobody did: links that are held out choose among obeying all, letting them decide among the
// branches of the tree, and ignoring them. Where there are too few to judge by, all hold, which changes the
// least, unless they contradict each other: then they decide among the branches.
//
// Links are held out by their points, so that none follows from those that are used: each point is in one of a few folds, and the links of
// the points of a fold are judged by clusters that were chosen by the links without any of them. What counts is their agreement
// with the clusters beyond chance.
func (r *run) chooseLinkUse() (use linkUse, judged bool) {
	obey := linkUse{weight: 1, obeyed: true}
	if given := len(r.must) + len(r.cannot); given < leastJudged {
		if hold := r.consistent(); len(hold.Must)+len(hold.Cannot) < given {
			return linkUse{weight: 1}, false
		}
		return obey, false
	}
	candidates := []linkUse{obey, {weight: 1}, {weight: 0}}
	points := linkedPoints(r.must, r.cannot)
	scores := make([]heldOut, len(candidates))
	must, cannot := r.must, r.cannot
	defer func() { r.must, r.cannot = must, cannot }()
	for fold := range linkFolds {
		out := func(i int) bool {
			at, _ := slices.BinarySearch(points, i)
			return at%linkFolds == fold
		}
		var testMust, testCannot []constraint.Pair
		r.must, testMust = divide(must, out)
		r.cannot, testCannot = divide(cannot, out)
		for c, use := range candidates {
			if labels, ok := r.labelsBy(use); ok {
				scores[c].add(labels, testMust, testCannot)
			}
		}
	}
	best := 0
	for c := range candidates {
		if scores[c].agreement() > scores[best].agreement()+1e-12 {
			best = c
		}
	}
	return candidates[best], true
}

const (
	linkFolds   = 5
	leastJudged = 20 // links
)

// linkedPoints returns the points of links, ascending.
func linkedPoints(lists ...[]constraint.Pair) (points []int) {
	for _, list := range lists {
		for _, q := range list {
			points = append(points, q.I, q.J)
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// divide returns the links with no end that is out, and the others.
func divide(links []constraint.Pair, out func(i int) bool) (used, held []constraint.Pair) {
	for _, q := range links {
		if out(q.I) || out(q.J) {
			held = append(held, q)
		} else {
			used = append(used, q)
		}
	}
	return used, held
}

// labelsBy returns the clusters with links used so; false where there are none.
func (r *run) labelsBy(use linkUse) ([]int, bool) {
	was := r.use
	defer func() { r.use = was }()
	r.use = use
	if r.obeys() {
		if x := r.extractHard(); x != nil {
			return x.labels, true
		}
		return nil, false
	}
	x, err := r.extract(use.weight, true)
	if err != nil {
		return nil, false
	}
	return x.labels, true
}

// heldOut counts links by whether they hold.
type heldOut struct{ must, mustHeld, cannot, cannotHeld float64 }

func (h *heldOut) add(labels []int, must, cannot []constraint.Pair) {
	for _, q := range must {
		h.must += q.W
		if areTogether(labels[q.I], labels[q.J]) {
			h.mustHeld += q.W
		}
	}
	for _, q := range cannot {
		h.cannot += q.W
		if !areTogether(labels[q.I], labels[q.J]) {
			h.cannotHeld += q.W
		}
	}
}

// agreement returns Cohen's kappa between what the links say and the clusters, which over all pairs of points is the
// adjusted Rand index (Warrens 2008, "On the equivalence of Cohen's kappa and the Hubert-Arabie adjusted Rand index"); where there
// are links of one kind only, the share that holds; below all others where nothing was judged.
func (h *heldOut) agreement() float64 {
	together, apart := h.mustHeld+h.cannot-h.cannotHeld, h.must-h.mustHeld+h.cannotHeld
	switch {
	case h.must > 0 && h.cannot > 0:
		cross := float64(h.mustHeld*h.cannotHeld) - float64((h.must-h.mustHeld)*(h.cannot-h.cannotHeld))
		return 2 * cross / (float64(h.must*apart) + float64(together*h.cannot))
	case h.must > 0:
		return h.mustHeld / h.must
	case h.cannot > 0:
		return h.cannotHeld / h.cannot
	}
	return math.Inf(-1)
}
