package density

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
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
// with the clusters beyond chance. Clusters change only where that is confirmed: a use of links must agree better than ignoring them by
// more than the standard error of the difference (the rule of Breiman, Friedman, Olshen and Stone 1984, section 3.4.3), and of those that do the best is taken.
// Where held-out links say nothing between obeying and ignoring, all hold. Where ctx ends, links are ignored.
func (r *run) chooseLinkUse(ctx context.Context, e *cluster.Env) (use linkUse, judged bool) {
	obey := linkUse{weight: 1, obeyed: true}
	if given := len(r.must) + len(r.cannot); given < leastJudged {
		if hold := r.consistent(); len(hold.Must)+len(hold.Cannot) < given {
			return linkUse{weight: 1}, false
		}
		return obey, false
	}
	const ignoring = 2
	candidates := []linkUse{obey, {weight: 1}, ignoring: {weight: 0}}
	scores := r.scoreHeldOut(ctx, e, candidates)
	if ctx.Err() != nil {
		return candidates[ignoring], false
	}
	best, most := ignoring, 0.0
	for c, s := range scores[:ignoring] {
		gain, deviation := s.gain(&scores[ignoring])
		switch {
		case gain > max(deviation, most)+1e-12:
			best, most = c, gain
		case c == 0 && math.Abs(gain) <= 1e-12:
			best = c
		}
	}
	return candidates[best], true
}

// scoreHeldOut counts how links agree with the clusters that are chosen without them.
func (r *run) scoreHeldOut(ctx context.Context, e *cluster.Env, candidates []linkUse) []linkScores {
	scores := make([]linkScores, len(candidates))
	for c := range scores {
		scores[c].of = make([]heldOut, len(r.must)+len(r.cannot))
	}
	points := linkedPoints(r.must, r.cannot)
	must, cannot := r.must, r.cannot
	defer func() { r.must, r.cannot = must, cannot }()
	for fold := range linkFolds {
		out := func(i int) bool {
			at, _ := slices.BinarySearch(points, i)
			return at%linkFolds == fold
		}
		r.must, r.cannot = without(must, out), without(cannot, out)
		for c, use := range candidates {
			if ctx.Err() != nil {
				return scores
			}
			e.Report(treeShare + (1-treeShare)*float64(fold*len(candidates)+c)/float64(linkFolds*len(candidates)))
			labels, ok := r.labelsBy(use)
			if !ok {
				scores[c].failed = true
				continue
			}
			for m, q := range must {
				if out(q.I) || out(q.J) {
					scores[c].of[m].addMust(labels, q)
				}
			}
			for m, q := range cannot {
				if out(q.I) || out(q.J) {
					scores[c].of[len(must)+m].addCannot(labels, q)
				}
			}
		}
	}
	return scores
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

// without returns the links with no end that is out.
func without(links []constraint.Pair, out func(i int) bool) (used []constraint.Pair) {
	for _, q := range links {
		if !out(q.I) && !out(q.J) {
			used = append(used, q)
		}
	}
	return used
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

// linkScores are how links agree with clusters that were chosen without them.
type linkScores struct {
	of     []heldOut // of each link
	failed bool      // there were no such clusters
}

// sum returns the counts of all links.
func (s *linkScores) sum() (all heldOut) {
	for _, h := range s.of {
		all = all.plus(h, 1)
	}
	return all
}

// gain returns by how much s agrees better than o, and the standard error of that, by leaving out one link at a
// time (the jackknife: Efron and Stein 1981). It is below 0 where s has failed.
func (s *linkScores) gain(o *linkScores) (gain, deviation float64) {
	switch {
	case s.failed:
		return math.Inf(-1), 0
	case o.failed:
		return math.Inf(1), 0
	}
	ours, theirs := s.sum(), o.sum()
	n := float64(len(s.of))
	left, mean := make([]float64, len(s.of)), 0.0
	for m := range left {
		left[m] = ours.plus(s.of[m], -1).agreement() - theirs.plus(o.of[m], -1).agreement()
		mean += left[m] / n
	}
	for _, y := range left {
		deviation += float64((y - mean) * (y - mean))
	}
	return ours.agreement() - theirs.agreement(), math.Sqrt((n - 1) / n * deviation)
}

// heldOut counts links by whether they hold. A link with an end in noise counts half: clusters that leave a row out
// say nothing about it, otherwise noise alone would satisfy cannot-links.
type heldOut struct{ must, mustHeld, cannot, cannotHeld float64 }

func (h *heldOut) addMust(labels []int, q constraint.Pair) {
	h.must += q.W
	switch a, b := labels[q.I], labels[q.J]; {
	case a < 0 || b < 0:
		h.mustHeld += q.W / 2
	case a == b:
		h.mustHeld += q.W
	}
}

func (h *heldOut) addCannot(labels []int, q constraint.Pair) {
	h.cannot += q.W
	switch a, b := labels[q.I], labels[q.J]; {
	case a < 0 || b < 0:
		h.cannotHeld += q.W / 2
	case a != b:
		h.cannotHeld += q.W
	}
}

// plus returns h with sign times o.
func (h heldOut) plus(o heldOut, sign float64) heldOut {
	return heldOut{h.must + float64(sign*o.must), h.mustHeld + float64(sign*o.mustHeld),
		h.cannot + float64(sign*o.cannot), h.cannotHeld + float64(sign*o.cannotHeld)}
}

// agreement returns Cohen's kappa between what the links say and the clusters, which over all pairs of points is the
// adjusted Rand index (Warrens 2008, "On the equivalence of Cohen's kappa and the Hubert-Arabie adjusted Rand index"); where there
// are links of one kind only, the share that holds; 0 where nothing was judged.
func (h heldOut) agreement() float64 {
	together, apart := h.mustHeld+h.cannot-h.cannotHeld, h.must-h.mustHeld+h.cannotHeld
	switch {
	case h.must > 0 && h.cannot > 0:
		cross := float64(h.mustHeld*h.cannotHeld) - float64((h.must-h.mustHeld)*(h.cannot-h.cannotHeld))
		if all := float64(h.must*apart) + float64(together*h.cannot); all > 0 {
			return 2 * cross / all
		}
		return 0
	case h.must > 0:
		return h.mustHeld / h.must
	case h.cannot > 0:
		return h.cannotHeld / h.cannot
	}
	return 0
}
