package confidence

import (
	"slices"

	"github.com/inklinghq/inkling/cluster"
)

// A Source says where confidences come from.
type Source string

// The sources.
const (
	FromLabels  Source = "labels"  // the posterior given the labels, calibrated on held-out labels
	FromMargins Source = "margins" // margins, calibrated on labels
	Heuristic   Source = "heuristic"
	Membership  Source = "membership" // how dense it is around the row, of the densest place of its cluster
)

// Rows holds the confidence of every row.
type Rows struct {
	Source     Source
	Confidence []float64 // the probability of a row's own cluster, from 1/k to 1
	Second     []int     // the next best cluster; −1 where there is none
	Margin     []float64 // by how much the objective rises if the row moves there; NaN where that is unknown
}

// Options of Estimate.
type Options struct {
	Seed    uint64
	Workers int
	// Class is the class that each cluster is named after, −1 for none; nil where
	// there are no labels.
	Class []int
}

func newRows(n int) *Rows {
	return &Rows{Source: Heuristic, Confidence: make([]float64, n), Second: make([]int, n), Margin: make([]float64, n)}
}

// hasClasses reports whether labels of at least two classes name clusters.
func hasClasses(p *cluster.Problem, o Options) bool {
	return p.Constraints.Classes() > 1 && slices.ContainsFunc(o.Class, func(c int) bool { return c >= 0 })
}
