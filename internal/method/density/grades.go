package density

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
)

// densest returns the largest density of each cluster: of the points that fall out of its node, or of its points where it is
// not a node.
func (r *run) densest() []float64 {
	t := r.condensed
	last := make([]float64, len(t.Parent)) // of the points of a node, and where it splits
	for i, v := range t.Node {
		last[v] = max(last[v], t.Lambda[i])
	}
	for v := 1; v < len(t.Parent); v++ {
		last[t.Parent[v]] = max(last[t.Parent[v]], t.Birth[v])
	}
	ofNode, ofPoints := make([]float64, r.now.clusters), make([]float64, r.now.clusters)
	for i, h := range r.labels {
		if h < 0 {
			continue
		}
		if v := r.now.selected[t.Node[i]]; v >= 0 {
			ofNode[h] = max(ofNode[h], last[v])
		}
		ofPoints[h] = max(ofPoints[h], t.Lambda[i])
	}
	for h, y := range ofNode {
		if y == 0 {
			ofNode[h] = ofPoints[h]
		}
	}
	return ofNode
}

// Memberships returns how strongly points belong to their clusters: the density at which they fall out, of the largest
// of the cluster, and 1 for labelled points.
func (r *run) Memberships() []float64 {
	out := make([]float64, len(r.labels))
	if r.stub {
		return out
	}
	densest := r.densest()
	for i, h := range r.labels {
		if h >= 0 {
			out[i] = membership(r.condensed.Lambda[i], densest[h])
		}
	}
	for _, l := range r.known {
		out[l.I] = 1
	}
	return out
}

// Outliers returns the outlier scores of GLOSH (Campello et al. 2015, definition 8), from 0 to 1: how much less dense it is around
// a point than at the densest place of the node that it falls out of.
func (r *run) Outliers() []float64 {
	out := make([]float64, len(r.labels))
	if r.stub {
		return out
	}
	t := r.condensed
	most := make([]float64, len(t.Parent)) // of all points below
	for i, v := range t.Node {
		most[v] = max(most[v], t.Lambda[i])
	}
	for v := len(t.Parent) - 1; v > 0; v-- {
		most[t.Parent[v]] = max(most[t.Parent[v]], most[v])
	}
	for i, v := range t.Node {
		if most[v] > 0 {
			out[i] = (most[v] - t.Lambda[i]) / most[v]
		}
	}
	return out
}

// Pricing: the mass of points and the links do not change.
func (r *run) Pricing() cluster.Pricing {
	s := &pricing{weight: r.use.weight, total: r.total, home: r.labels, links: map[int][]priced{}, fixed: map[int]bool{}}
	if !r.stub {
		s.credit = r.now.credit
	}
	add := func(list []constraint.Pair, together bool) {
		for _, q := range list {
			s.links[q.I] = append(s.links[q.I], priced{q.J, q.W, together})
			s.links[q.J] = append(s.links[q.J], priced{q.I, q.W, together})
		}
	}
	add(r.must, true)
	add(r.cannot, false)
	for _, l := range r.known {
		s.fixed[l.I] = true
	}
	return s
}

// pricing is what J knows of single points. A point has mass in its own cluster alone.
type pricing struct {
	weight, total float64
	home          []int
	credit        []float64
	links         map[int][]priced
	fixed         map[int]bool // labelled
}

type priced struct {
	to       int
	weight   float64
	together bool
}

// Prices returns the prices of labels.
func (s *pricing) Prices(_ *cluster.Problem, labels []int) cluster.PointPrices {
	return &prices{s, labels}
}

type prices struct {
	*pricing
	of []int
}

// MoveCost returns by how much J rises.
func (s *prices) MoveCost(i, to int) (cost float64) {
	if s.fixed[i] {
		return math.Inf(1)
	}
	if len(s.credit) > 0 {
		switch s.home[i] {
		case s.of[i]:
			cost += s.credit[i] / s.total
		case to:
			cost -= s.credit[i] / s.total
		}
	}
	for _, l := range s.links[i] {
		was, will := areTogether(s.of[i], s.of[l.to]) == l.together, areTogether(to, s.of[l.to]) == l.together
		switch {
		case was && !will:
			cost += float64(s.weight * l.weight)
		case will && !was:
			cost -= float64(s.weight * l.weight)
		}
	}
	return cost
}

// PairPenalty returns what a link adds to J.
func (s *prices) PairPenalty(kind cluster.Kind, q constraint.Pair) (float64, bool) {
	if together := areTogether(s.of[q.I], s.of[q.J]); kind == cluster.MustLinks && !together || kind == cluster.CannotLinks && together {
		return s.weight * q.W, true
	}
	return 0, true
}

// LabelPenalty: labels hold, except where they contradict each other, and have no term.
func (s *prices) LabelPenalty(constraint.Label) (float64, bool) { return 0, true }

// A Report says by which sizes the clusters were found. It is what Result.Learned holds.
type Report struct {
	MinClusterSize int     `json:"min_cluster_size"`
	MinPoints      int     `json:"min_points"`
	Weight         float64 `json:"weight"`
	Links          string  `json:"links,omitempty"` // how they count: LinksObeyed, LinksWeighed or LinksIgnored; "": no links were given
	Branches       int     `json:"branches"`        // leaves of the condensed tree
	Noise          int     `json:"noise"`

	Tree *hierarchy.Outline `json:"tree"` // the condensed tree, its small branches folded

	relaxed bool // links should hold exactly, but no K clusters satisfy all
	judged  bool // links that were held out said how links count
}

// How links count.
const (
	LinksObeyed  = "obeyed"  // all hold, except those that contradict others
	LinksWeighed = "weighed" // a violated link costs Weight
	LinksIgnored = "ignored" // Weight is 0
)

// linksWord says how links count.
func (r *run) linksWord() string {
	switch {
	case len(r.must)+len(r.cannot) == 0:
		return ""
	case r.obeys():
		return LinksObeyed
	case r.use.weight > 0:
		return LinksWeighed
	}
	return LinksIgnored
}

// Learned returns the report; nil where there was no time for a tree.
func (r *run) Learned() any {
	if r.stub {
		return nil
	}
	out := &Report{MinClusterSize: r.minSize, MinPoints: r.a.minPoints(r.p, r.minSize), Weight: r.use.weight, Branches: int(r.shape.leaves[0]), Links: r.linksWord(), relaxed: r.relaxed, judged: r.judged}
	for _, h := range r.labels {
		if h < 0 {
			out.Noise++
		}
	}
	out.Tree = r.Model().(*Model).CondensedTree()
	return out
}

// Notes says how links were used where that needs saying.
func (r *Report) Notes() (notes []string) {
	if r.relaxed {
		notes = append(notes, "no choice of {k} clusters satisfies all links; without {k} they can hold")
	}
	if r.judged && r.Links == LinksIgnored {
		notes = append(notes, "links are not used: those held out do not confirm that the others help ({weight=1} or {hard} uses them)")
	}
	return notes
}

// String describes the tree in one sentence.
func (r *Report) String() string {
	s := fmt.Sprintf("clusters of at least %d rows, densities by %d neighbours; the tree has %d branches", r.MinClusterSize, r.MinPoints, r.Branches)
	switch {
	case r.Links == LinksObeyed:
		s += "; clusters were split and merged until all links that agree with each other held"
	case r.Links == LinksWeighed && r.judged:
		s += "; links chose among the branches"
	}
	return s
}
