package affinity

import (
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/support/enum"
)

// Weights say how a graph is made of neighbours.
type Weights struct {
	// Kind is the formula for the weight of an edge of length δ between i and j:
	//
	//	binary       1
	//	rbf          exp(−δ² / (2ρ²)), where ρ is the Width
	//	self-tuning  exp(−δ² / (σ_i σ_j)), where σ_i is the distance of i to its
	//	             Local-th neighbour (Zelnik-Manor and Perona 2004)
	//
	// "" is self-tuning. A weight below 1e-12 is raised to 1e-12: edges of
	// weight 0 would leave points without edges, whose degree 0 cannot be
	// divided by.
	Kind  WeightKind `json:"kind" help:"how edges are weighted"`
	Width float64    `json:"width,omitempty" help:"width of the rbf weights"`
	// Local is 7 if 0, and at most the number of neighbours.
	Local int `json:"local,omitempty" help:"which neighbour gives the local scale"`
	// Mutual keeps only edges whose ends are neighbours of each other. Points
	// may then be left without edges.
	Mutual bool `json:"mutual,omitempty" help:"keep only edges that both ends name"`
	// Join adds edges until the graph is connected.
	Join bool `json:"join,omitempty" help:"join the components of the graph"`
}

// A WeightKind names the formula of Weights.
type WeightKind string

// The kinds of weights.
const (
	BinaryWeights     WeightKind = "binary"
	RBFWeights        WeightKind = "rbf"
	SelfTuningWeights WeightKind = "self-tuning"
)

// Values returns the names of all kinds of weights.
func (WeightKind) Values() []string {
	return []string{string(BinaryWeights), string(RBFWeights), string(SelfTuningWeights)}
}

// minEdgeWeight is the weight of an edge that would have less.
const minEdgeWeight = 1e-12

// Check refuses invalid weights.
func (w Weights) Check() error {
	if w.Kind != "" {
		if err := enum.Check("weights", w.Kind); err != nil {
			return err
		}
	}
	if w.Kind == RBFWeights && !(w.Width >= MinWidth && w.Width <= MaxWidth) {
		return fmt.Errorf("the width of rbf weights must be from %v to %v, got %v", MinWidth, MaxWidth, w.Width)
	}
	if w.Local < 0 {
		return fmt.Errorf("local must be at least 0 (0 stands for the 7th neighbour), got %d", w.Local)
	}
	return nil
}

// weightFunc returns the function that computes the weight of an edge from its
// ends and its squared length.
func (nb *Neighbours) weightFunc(w Weights) func(i, j int32, dist2 float64) float64 {
	switch w.Kind {
	case BinaryWeights:
		return func(_, _ int32, _ float64) float64 { return 1 }
	case RBFWeights:
		s := -1 / (2 * w.Width * w.Width)
		return func(_, _ int32, dist2 float64) float64 { return max(minEdgeWeight, exp(dist2*s)) }
	}
	scale := nb.localScales(w.Local)
	return func(i, j int32, dist2 float64) float64 {
		if dist2 == 0 {
			return 1
		}
		// Divide one by one: the product of two scales may underflow.
		return max(minEdgeWeight, exp(-(dist2 / max(scale[i], scale[j]) / min(scale[i], scale[j]))))
	}
}

// localScales returns the local scale of each point, all positive. Where it would
// be 0, because that many rows are equal, it is the distance to the nearest
// neighbour that differs; without one, the median of the other scales.
func (nb *Neighbours) localScales(local int) []float64 {
	if local == 0 {
		local = 7
	}
	local = min(local, nb.K)
	scale, positive := make([]float64, nb.N), make([]float64, 0, nb.N)
	for i := range scale {
		_, dist := nb.NeighboursOf(i)
		for p := max(local-1, 0); p < nb.K && scale[i] == 0; p++ {
			scale[i] = math.Sqrt(dist[p])
		}
		if scale[i] > 0 {
			positive = append(positive, scale[i])
		}
	}
	slices.Sort(positive)
	typical := 1.0
	if len(positive) > 0 {
		typical = positive[len(positive)/2]
	}
	for i := range scale {
		if scale[i] == 0 {
			scale[i] = typical
		}
	}
	return scale
}
