// Package explain says why a row is in its cluster, why two rows are together or
// apart, and what a cluster is: which features make up the distances, in the units of the data, which
// constraints force it, and what would have to change.
//
// The share of a feature in a squared distance (x−c)ᵀA(x−c) is (x−c)_f (A(x−c))_f
// divided by the whole; with a full metric it may be negative. For cosine distances
// it is the share in the similarity, x_f c_f. Other divergences are described by
// Euclidean distances, and Note says so.
package explain

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/present/report"
)

// A Case is a clustering of rows by a model.
type Case struct {
	Model       cluster.Model
	X           data.Rows // as they were prepared
	Labels      []int
	Names       []string // of the clusters
	Recipe      *prepare.Recipe
	Calibration *confidence.Calibration
	Known       *constraint.Set // may be nil
	ID          func(row int) string
	Described   *report.Clustering // what clusters are described by; for Cluster alone
	Workers     int
}

// How many features, rows and changes are listed.
const (
	featuresShown = 8
	rowsShown     = 5
	changesShown  = 3
)

// A Feature is one column of a row, with what it has to do with its cluster. Numbers
// are in the units of the data.
type Feature struct {
	Name       string  `json:"name"`
	Value      float64 `json:"value"`      // of the row
	Own        float64 `json:"own"`        // of the centre of its cluster
	Next       float64 `json:"next"`       // of the centre of the next best
	OwnShare   float64 `json:"own_share"`  // of the distance to its cluster
	NextShare  float64 `json:"next_share"` // of the distance to the next best
	Difference float64 `json:"difference"` // its share in the difference of the two, which decides
}

// A Labelled row is near the row in question.
type Labelled struct {
	ID       string  `json:"id"`
	Label    string  `json:"label"`
	Cluster  string  `json:"cluster"`
	Distance float64 `json:"distance"` // Euclidean, between the prepared rows
}

// A Change of one feature would move the row to the next best cluster.
type Change struct {
	Feature string  `json:"feature"`
	From    float64 `json:"from"`
	To      float64 `json:"to"`
}

// A Row explains why a row is in its cluster.
type Row struct {
	ID         string     `json:"id"`
	Cluster    string     `json:"cluster"` // "" where it is noise
	Confidence float64    `json:"confidence"`
	Second     string     `json:"second"`          // "" where there is no other cluster; of noise, the cluster that it would join first
	Cost       float64    `json:"cost"`            // of the row in its cluster
	SecondCost *float64   `json:"second_cost"`     // in the next best
	Label      string     `json:"label"`           // that was given for it, "" for none
	Features   []Feature  `json:"features"`        // those that decide most first
	Labelled   []Labelled `json:"labelled"`        // the nearest labelled rows
	Changes    []Change   `json:"changes"`         // of one feature each, the smallest first
	Entry      *Entry     `json:"entry,omitempty"` // of noise: how far it is from the cluster that it would join first
	Note       string     `json:"note,omitempty"`
}

// centres are models with a centre for each cluster.
type centres interface{ At(h int) []float64 }

// reaching are models whose clusters are branches of a tree: they say at which distance a point would join each.
type reaching interface {
	Reach(v data.Vec) []float64
	Entry(v data.Vec, h int) []float64     // the row of a cluster at which it would
	JoinedBy(h int, share float64) float64 // the distance at which a share of the rows of a cluster has joined
}

// reachCosts are these distances as costs.
type reachCosts struct{ reaching }

func (c reachCosts) PointCost(v data.Vec, h int) float64 { return c.Reach(v)[h] }

// nearestOther returns the cluster other than own that is reached first, -1 where there is none.
func nearestOther(reach []float64, own int) int {
	best := -1
	for h, y := range reach {
		if h != own && (best < 0 || y < reach[best]) {
			best = h
		}
	}
	return best
}

// Row explains row i.
func (c *Case) Row(i int) *Row {
	own := c.Labels[i]
	if own < 0 {
		return c.noise(i)
	}
	placed := c.Calibration.Predict(c.Model, data.Subset(c.X, []int{i}), []int{own}, c.Workers)
	r := c.newRow(i)
	r.Confidence = placed.Confidence[0]
	v := data.Copy(c.X, i)
	coster, ok := c.Model.(cluster.PointCoster)
	next := placed.Second[0]
	reach, tree := c.Model.(reaching)
	if tree {
		coster, ok, next = reachCosts{reach}, true, nearestOther(reach.Reach(data.Vec{Val: v}), own)
	}
	if ok {
		r.Cost = coster.PointCost(data.Vec{Val: v}, own)
	}
	if next < 0 {
		return r
	}
	r.Second = c.Names[next]
	if ok {
		cost := coster.PointCost(data.Vec{Val: v}, next)
		r.SecondCost = &cost
	}
	at, ok := c.Model.(centres)
	if !ok {
		r.Note = "the model has no centres, so there are no shares of features"
		if coster != nil {
			r.Note = "the model has no centres: a feature counts by what changes if it takes the mean of the next best cluster"
			if tree {
				r.Note = "costs are the distances at which the row would join the clusters; a feature counts by what changes if it takes the mean of the next best cluster"
			}
			c.addEffects(r, v, own, next, coster)
		}
		return r
	}
	r.Note = c.note()
	c.addFeatures(r, v, at.At(own), at.At(next), own, next)
	return r
}

// newRow returns what is known of row i without the model.
func (c *Case) newRow(i int) *Row {
	r := &Row{ID: c.ID(i), Cluster: c.name(c.Labels[i]), Features: []Feature{}, Labelled: c.nearestLabelled(i), Changes: []Change{}}
	if c.Known != nil {
		for _, l := range c.Known.Labels {
			if l.I == i {
				r.Label = c.Known.Name(l.Class)
			}
		}
	}
	return r
}

// name returns that of cluster h, "" for noise.
func (c *Case) name(h int) string {
	if h < 0 {
		return ""
	}
	return c.Names[h]
}

// addEffects says for each feature how much less the row's own cluster is preferred to the next
// best if the feature takes the mean of that one.
func (c *Case) addEffects(r *Row, v []float64, own, next int, model cluster.PointCoster) {
	prefer := func(v []float64) float64 {
		return model.PointCost(data.Vec{Val: v}, next) - model.PointCost(data.Vec{Val: v}, own)
	}
	ownMean, nextMean := c.meanOf(own), c.meanOf(next)
	whole, changed := prefer(v), slices.Clone(v)
	for f := range v {
		changed[f] = nextMean[f]
		r.Features = append(r.Features, Feature{Name: c.Recipe.Name(f), Value: c.unscaled(f, v[f]), Own: c.unscaled(f, ownMean[f]), Next: c.unscaled(f, nextMean[f]),
			Difference: share(whole-prefer(changed), whole)})
		changed[f] = v[f]
	}
	slices.SortStableFunc(r.Features, func(a, b Feature) int { return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)) })
	r.Features = r.Features[:min(len(r.Features), featuresShown)]
}

// meanOf returns the mean of the rows of cluster h.
func (c *Case) meanOf(h int) []float64 {
	mean, buf, count := make([]float64, c.X.Dim()), make([]float64, c.X.Dim()), 0.0
	for i, g := range c.Labels {
		if g == h {
			data.Add(mean, c.X.Row(i, buf), 1)
			count++
		}
	}
	for f := range mean {
		mean[f] /= max(count, 1)
	}
	return mean
}

// note says where distances are not those of the model.
func (c *Case) note() string {
	if m, ok := c.Model.(cluster.DistanceModel); ok && m.Distance() != cluster.EuclideanDistance && m.Distance() != cluster.CosineDistance {
		return "shares are of Euclidean distances, while the method uses the " + m.Distance() + " distortion"
	}
	return ""
}

func (c *Case) isCosine() bool {
	m, ok := c.Model.(cluster.DistanceModel)
	return ok && m.Distance() == cluster.CosineDistance
}

// addFeatures compares the row with two centres, feature by feature.
func (c *Case) addFeatures(r *Row, v, own, next []float64, h, g int) {
	toOwn, toNext := c.contributions(v, own, h), c.contributions(v, next, g)
	sumOwn, sumNext := sum(toOwn), sum(toNext)
	decides := sumNext - sumOwn
	if c.isCosine() {
		decides = sumOwn - sumNext
	}
	for f := range v {
		d := toNext[f] - toOwn[f]
		if c.isCosine() {
			d = -d
		}
		r.Features = append(r.Features, Feature{Name: c.Recipe.OriginalName(f), Value: c.unscaled(f, v[f]), Own: c.unscaled(f, own[f]), Next: c.unscaled(f, next[f]),
			OwnShare: share(toOwn[f], sumOwn), NextShare: share(toNext[f], sumNext), Difference: share(d, decides)})
	}
	slices.SortStableFunc(r.Features, func(a, b Feature) int { return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)) })
	r.Features = r.Features[:min(len(r.Features), featuresShown)]
	if !c.isCosine() && c.Recipe.Text == nil && c.Recipe.Scale != prepare.L2 {
		c.addChanges(r, v, own, next, h, g, decides)
	}
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func sum(list []float64) (s float64) {
	for _, y := range list {
		s += y
	}
	return s
}

// contributions returns what each feature adds to the squared distance of v from a
// centre, or to the similarity for cosines.
func (c *Case) contributions(v, centre []float64, h int) []float64 {
	out := make([]float64, len(v))
	if c.isCosine() {
		for f := range v {
			out[f] = v[f] * centre[f]
		}
		return out
	}
	d := make([]float64, len(v))
	for f := range v {
		d[f] = v[f] - centre[f]
	}
	for f, y := range c.weighted(d, h) {
		out[f] = d[f] * y
	}
	return out
}

// weighted returns A d for the metric of cluster h, d where none was learned.
func (c *Case) weighted(d []float64, h int) []float64 {
	m := c.metric()
	if m == nil {
		return d
	}
	if m.Metrics() == 1 {
		h = 0
	}
	out := make([]float64, len(d))
	if m.Diagonal() {
		for f, w := range m.Weights(h) {
			out[f] = w * d[f]
		}
		return out
	}
	a := m.Matrix(h)
	for f := range d {
		for g, y := range d {
			out[f] += a[f*len(d)+g] * y
		}
	}
	return out
}

func (c *Case) metric() cluster.Metric {
	m, ok := c.Model.(cluster.MetricModel)
	if !ok || m.Distance() != cluster.EuclideanDistance {
		return nil
	}
	return m.LearnedMetric()
}

// unscaled returns a prepared value of a feature in the units of the data.
func (c *Case) unscaled(f int, y float64) float64 {
	return c.Recipe.Original(f, y)
}

// addChanges lists the smallest changes of one feature after which the next centre is
// as near as the own: under one metric the difference of the squared distances is
// linear in each feature, with slope 2 (A(next − own))_f.
func (c *Case) addChanges(r *Row, v, own, next []float64, h, g int, margin float64) {
	if m := c.metric(); m != nil && m.Metrics() > 1 {
		return
	}
	between := make([]float64, len(v))
	for f := range v {
		between[f] = next[f] - own[f]
	}
	slope := c.weighted(between, h)
	type step struct {
		Change
		size float64
	}
	var all []step
	for f := range v {
		by := margin / (2 * slope[f])
		if slope[f] == 0 || !data.Finite(by) || between[f] == 0 {
			continue
		}
		if to := c.unscaled(f, v[f]+by); !data.Finite(to) || !c.Recipe.CanBe(f, to) {
			continue
		}
		// The size is in units of how far the two centres are apart in the feature.
		all = append(all, step{Change{c.Recipe.OriginalName(f), c.unscaled(f, v[f]), c.unscaled(f, v[f]+by)}, math.Abs(by / between[f])})
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.size, b.size) })
	for _, s := range all[:min(len(all), changesShown)] {
		r.Changes = append(r.Changes, s.Change)
	}
}

// nearestLabelled returns the labelled rows that are nearest to row i.
func (c *Case) nearestLabelled(i int) []Labelled {
	out := []Labelled{}
	if c.Known == nil {
		return out
	}
	v, buf := data.Copy(c.X, i), make([]float64, c.X.Dim())
	norm := data.Norm2(v)
	for _, l := range c.Known.Labels {
		if l.I != i {
			out = append(out, Labelled{c.ID(l.I), c.Known.Name(l.Class), c.name(c.Labels[l.I]), math.Sqrt(data.Dist2(c.X.Row(l.I, buf), v, norm))})
		}
	}
	slices.SortStableFunc(out, func(a, b Labelled) int { return cmp.Compare(a.Distance, b.Distance) })
	return out[:min(len(out), rowsShown)]
}
