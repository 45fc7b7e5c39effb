package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/eigen"
	"github.com/inklinghq/inkling/metric"
)

// How much is told of a learned metric.
const (
	weightsShown    = 16  // features
	directionsShown = 3   // of a full metric
	directionParts  = 4   // features that a direction is told by
	fullFeatures    = 400 // beyond, directions are not looked for
)

// Weights tell what a learned distance makes of the features. A number of a
// matrix says little by itself, as it depends on the units of its feature. So
// they are told as shares: of the squared distance that two rows taken at
// random are apart, how much comes from each feature?
type Weights struct {
	Note     string
	Features []string // the most important first; nil where all count alike
	Clusters []string // who measures so; one empty name where all do
	Learned  [][]float64
	// Plain are the shares without learning, where they can be compared.
	Plain      []float64
	More       int // features that are not shown
	Directions []Direction
}

// A Direction is a way in which rows can differ, and how much a full metric
// makes of it, as a multiple of what it makes of directions on average.
type Direction struct {
	Cluster, Words string
	Times          float64
}

// NewWeights tells m. spread holds the standard deviations of the features;
// nil where distances are not made of squares, and weights are compared as they
// are. clusters are the names of the clusters.
func NewWeights(ctx context.Context, m *metric.Learned, spread []float64, features, clusters []string) (*Weights, error) {
	w := &Weights{Clusters: []string{""}}
	if m.Form().PerCluster {
		w.Clusters = clusters
	}
	for h := range m.Metrics() {
		w.Learned = append(w.Learned, shares(m.Weights(h), spread))
	}
	if spread != nil {
		w.Plain = shares(metric.Identity(metric.Form{}, 1, m.Dim()).Weights(0), spread)
	}
	if flat(m) {
		w.Note = "All features count as they stand: what is known gave no reason to weigh them otherwise."
		return w, nil
	}
	w.Note = w.said(features)
	if m.Form().Shape == metric.Full && spread != nil && m.Dim() <= fullFeatures {
		if err := w.direct(ctx, m, spread, features); err != nil {
			return nil, err
		}
	}
	w.choose(features)
	return w, nil
}

// shares returns w·s² for each feature, as a share of all.
func shares(w, s []float64) []float64 {
	sum := 0.0
	for f := range w {
		if s != nil {
			w[f] *= s[f] * s[f]
		}
		sum += w[f]
	}
	for f := range w {
		if sum > 0 {
			w[f] /= sum
		}
	}
	return w
}

// flat reports whether m is a multiple of the Euclidean distance.
func flat(m *metric.Learned) bool {
	for h := range m.Metrics() {
		w := m.Weights(h)
		for f := range w {
			if math.Abs(w[f]-w[0]) > 1e-9*w[0] {
				return false
			}
		}
		if m.Form().Shape != metric.Full {
			continue
		}
		for at, x := range m.Matrix(h) {
			if at%(m.Dim()+1) != 0 && math.Abs(x) > 1e-9*w[0] {
				return false
			}
		}
	}
	return true
}

// said names the features that gained and lost most.
func (w *Weights) said(features []string) string {
	if w.Plain == nil || len(w.Learned) > 1 {
		return ""
	}
	up, down := 0, 0
	gain := func(f int) float64 { return w.Learned[0][f] - w.Plain[f] }
	for f := range features {
		if gain(f) > gain(up) {
			up = f
		}
		if gain(f) < gain(down) {
			down = f
		}
	}
	if gain(up) < 0.01 {
		return "Features count much as they would without learning."
	}
	return fmt.Sprintf("With it, %s makes up %s of the distance instead of %s, and %s %s instead of %s.",
		features[up], share(w.Learned[0][up]), share(w.Plain[up]), features[down], share(w.Learned[0][down]), share(w.Plain[down]))
}

func share(x float64) string {
	switch p := 100 * x; {
	case p < 0.05:
		return "next to nothing"
	case p < 10:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// choose keeps the most important features.
func (w *Weights) choose(features []string) {
	most := make([]float64, len(features))
	order := make([]int, len(features))
	for f := range order {
		order[f] = f
		for _, l := range w.Learned {
			most[f] = max(most[f], l[f])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	w.More = max(0, len(order)-weightsShown)
	order = order[:len(order)-w.More]
	pick := func(x []float64) (out []float64) {
		for _, f := range order {
			out = append(out, x[f])
		}
		return out
	}
	for h := range w.Learned {
		w.Learned[h] = pick(w.Learned[h])
	}
	if w.Plain != nil {
		w.Plain = pick(w.Plain)
	}
	for _, f := range order {
		w.Features = append(w.Features, features[f])
	}
}

// direct finds the directions that full metrics make most of, features counted
// in standard deviations: the eigenvectors of S A S.
func (w *Weights) direct(ctx context.Context, m *metric.Learned, spread []float64, features []string) error {
	d := m.Dim()
	for h := range m.Metrics() {
		a, sum := &eigen.Dense{N: d, V: m.Matrix(h)}, 0.0
		for i := range d {
			for j := range d {
				a.V[i*d+j] *= spread[i] * spread[j]
			}
			sum += a.V[i*d+i]
		}
		if sum == 0 {
			continue
		}
		pairs, err := eigen.Symmetric(ctx, a, eigen.Options{K: min(directionsShown, d), End: eigen.High})
		if err != nil {
			return err
		}
		for at, v := range pairs.Vectors {
			if times := pairs.Values[at] * float64(d) / sum; times > 1 {
				w.Directions = append(w.Directions, Direction{Cluster: w.Clusters[h], Words: inWords(v, features), Times: times})
			}
		}
	}
	return nil
}

// inWords tells a direction by the features that are most of it.
func inWords(v []float64, features []string) string {
	order := make([]int, len(v))
	for f := range order {
		order[f] = f
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(v[b]), math.Abs(v[a])) })
	var parts []string
	for _, f := range order[:min(directionParts, len(order))] {
		if math.Abs(v[f]) < 0.2 {
			break
		}
		word := "more"
		if v[f] < 0 {
			word = "less"
		}
		parts = append(parts, word+" "+features[f])
	}
	return strings.Join(parts, ", ")
}

// WeightChart draws the shares of the features: bars beside those without
// learning, or where every cluster has its own a heat map of them.
func WeightChart(w *Weights) string {
	if w == nil || len(w.Features) == 0 {
		return ""
	}
	if len(w.Learned) > 1 {
		return w.heat()
	}
	const row, right, wide = 30.0, 64.0, 520.0
	left := nameRoom(w.Features)
	d := draw(wide, row*float64(len(w.Features))+4, "how much each feature counts in the learned distance")
	most := slices.Max(w.Learned[0])
	if w.Plain != nil {
		most = max(most, slices.Max(w.Plain))
	}
	s := scale{0, most, 0, wide - left - right}
	for f, name := range w.Features {
		y, x := row*float64(f), w.Learned[0][f]
		d.text(left-8, y+17, "end", "", clip(name, 20))
		d.rect(left, y+4, max(1, s.at(x)), 12, "var(--accent,#2f6fd0)", name+", learned: "+share(x))
		d.text(left+max(1, s.at(x))+6, y+14, "start", "", fmt.Sprintf("%.1f %%", 100*x))
		if w.Plain != nil {
			d.rect(left, y+18, max(1, s.at(w.Plain[f])), 6, "var(--pale,#b9c0c8)", name+", without learning: "+share(w.Plain[f]))
		}
	}
	return d.done()
}

func (w *Weights) heat() string {
	h := heat{title: "how much each feature counts as each cluster measures", rows: w.Features, columns: w.Clusters}
	for f := range w.Features {
		var shares []float64
		var words []string
		for _, l := range w.Learned {
			shares, words = append(shares, l[f]), append(words, fmt.Sprintf("%.0f %%", 100*l[f]))
		}
		h.share, h.word = append(h.share, shares), append(h.word, words)
	}
	return h.draw()
}
