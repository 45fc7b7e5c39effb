package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// How much is shown of a learned metric.
const (
	weightsShown    = 16  // features
	directionsShown = 3   // of a full metric
	directionParts  = 4   // features that describe a direction
	fullFeatures    = 400 // beyond, no directions are computed
)

// Weights show how a learned distance weighs the features. An entry of a matrix
// says little by itself, as it depends on the units of its feature. So they are
// given as shares: how much of the squared distance between two random rows comes
// from each feature?
type Weights struct {
	Note     string
	Features []string // the most important first; nil where all have the same weight
	Clusters []string // the clusters with a metric of their own; one empty name where all share one
	Learned  [][]float64
	// Plain are the shares without learning, where they can be compared.
	Plain      []float64
	More       int // features that are not shown
	Directions []Direction
}

// A Direction is a way in which rows can differ, and how much it counts in a full
// metric, as a multiple of the average over all directions.
type Direction struct {
	Cluster, Description string
	Times                float64
}

// NewWeights describes m. spread holds the standard deviations of the features;
// nil where distances are not made of squares, and weights are compared as they
// are. clusters are the names of the clusters.
func NewWeights(ctx context.Context, m cluster.Metric, spread []float64, features, clusters []string) (*Weights, error) {
	w := &Weights{Clusters: []string{""}}
	if m.Metrics() > 1 {
		w.Clusters = clusters
	}
	for h := range m.Metrics() {
		w.Learned = append(w.Learned, weightShares(m.Weights(h), spread))
	}
	if spread != nil {
		w.Plain = weightShares(slices.Repeat([]float64{1}, len(w.Learned[0])), spread)
	}
	if isEuclidean(m) {
		w.Note = "All features have the same weight: the constraints gave no reason to change it."
		return w, nil
	}
	w.Note = w.describeChanges(features)
	if !m.Diagonal() && spread != nil && len(w.Learned[0]) <= fullFeatures {
		if err := w.addDirections(ctx, m, spread, features); err != nil {
			return nil, err
		}
	}
	w.keepLargest(features)
	return w, nil
}

// weightShares returns w·s² for each feature, as a share of all.
func weightShares(w, s []float64) []float64 {
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

// isEuclidean reports whether m is a multiple of the Euclidean distance.
func isEuclidean(m cluster.Metric) bool {
	for h := range m.Metrics() {
		w := m.Weights(h)
		for f := range w {
			if math.Abs(w[f]-w[0]) > 1e-9*w[0] {
				return false
			}
		}
		if m.Diagonal() {
			continue
		}
		for at, x := range m.Matrix(h) {
			if at%(len(w)+1) != 0 && math.Abs(x) > 1e-9*w[0] {
				return false
			}
		}
	}
	return true
}

// describeChanges names the features that gained and lost most.
func (w *Weights) describeChanges(features []string) string {
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
		return "The features count nearly as they would without learning."
	}
	return fmt.Sprintf("In the learned metric, %s makes up %s of the distance instead of %s, and %s %s instead of %s.",
		features[up], shareInWords(w.Learned[0][up]), shareInWords(w.Plain[up]), features[down], shareInWords(w.Learned[0][down]), shareInWords(w.Plain[down]))
}

// keepLargest keeps the most important features.
func (w *Weights) keepLargest(features []string) {
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

// addDirections finds the directions that count most in full metrics, features
// measured in standard deviations: the eigenvectors of S A S.
func (w *Weights) addDirections(ctx context.Context, m cluster.Metric, spread []float64, features []string) error {
	d := len(w.Learned[0])
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
				w.Directions = append(w.Directions, Direction{Cluster: w.Clusters[h], Description: describeDirection(v, features), Times: times})
			}
		}
	}
	return nil
}

// describeDirection names the largest features of a direction.
func describeDirection(v []float64, features []string) string {
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
		sign := "more"
		if v[f] < 0 {
			sign = "less"
		}
		parts = append(parts, sign+" "+features[f])
	}
	return strings.Join(parts, ", ")
}
