package door

import (
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/effect"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// A Row is one row of a result.
type Row struct {
	ID           string
	Cluster      string // "" where the row has none
	ClusterIndex int    // of the cluster, from 0, as in Result.Clusters; -1 where the row has none
}

// An assignment is where rows are, with everything that it was made of: of a fit,
// or of a saved model.
type assignment struct {
	t        *Table
	workers  int
	known    *bound
	columns  []string         // of the features; nil where they have no names
	p, on    *cluster.Problem // on is that which was fitted where doubtful constraints were left out, else nil
	fitted   *cluster.Result
	sure     *confidence.Once // nil: computed again for everybody who asks
	names    []string
	saved    *saved.Fit  // the model that placed the rows; nil where they were fitted
	empty    string      // why clusters are empty, where that is known
	rowsLeft []int       // of the table; nil: all
	unplaced noPlace     // rows of the table that are not among them and have no cluster
	outlier  []float64   // by row of the table: how far outside of all clusters; nil: not known
	whole    *assignment // with the rows that the fit left as noise; nil: none
}

// What was minimised, and what constraints and views changed.
type (
	Objective     = effect.Objective
	Unconstrained = effect.Unconstrained
	ViewEffect    = effect.ViewEffect
	ViewScore     = effect.ViewScore
)

// places returns the rows of the table that are in the result, ascending, each with its place
// among the rows that have a cluster, -1 where it has none.
func (a *assignment) places() iter.Seq2[int, int] {
	return func(yield func(row, at int) bool) {
		if len(a.unplaced) == 0 {
			for at := range a.fitted.Labels {
				if i := a.tableRow(at); !yield(i, at) {
					return
				}
			}
			return
		}
		next, at := slices.Sorted(maps.Keys(a.unplaced)), 0
		for at < len(a.fitted.Labels) || len(next) > 0 {
			if at < len(a.fitted.Labels) && (len(next) == 0 || a.tableRow(at) < next[0]) {
				if !yield(a.tableRow(at), at) {
					return
				}
				at++
				continue
			}
			if !yield(next[0], noClusters) {
				return
			}
			next = next[1:]
		}
	}
}

// tableRow returns the row of the table that has a place among those with a cluster.
func (a *assignment) tableRow(at int) int {
	if a.rowsLeft != nil {
		return a.rowsLeft[at]
	}
	return at
}

// labels returns the number of the cluster of each row of the result, -1 where it has none.
func (a *assignment) labels() []int {
	if len(a.unplaced) == 0 {
		return slices.Clone(a.fitted.Labels)
	}
	out := make([]int, 0, len(a.fitted.Labels)+len(a.unplaced))
	for _, at := range a.places() {
		h := noClusters
		if at >= 0 {
			h = a.fitted.Labels[at]
		}
		out = append(out, h)
	}
	return out
}

func (a *assignment) rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i, at := range a.places() {
			row := Row{ID: a.t.ID(i), ClusterIndex: noClusters}
			if at >= 0 {
				row.ClusterIndex = a.fitted.Labels[at]
				row.Cluster = a.names[row.ClusterIndex]
			}
			if !yield(row) {
				return
			}
		}
	}
}

// docs returns the texts of the rows that have a cluster; nil where they are not texts.
func (a *assignment) docs() []string {
	if a.t.ds.Docs == nil || a.rowsLeft == nil {
		return a.t.ds.Docs
	}
	out := make([]string, len(a.rowsLeft))
	for at, i := range a.rowsLeft {
		out[at] = a.t.ds.Docs[i]
	}
	return out
}

func (a *assignment) writeCSV(w io.Writer) error {
	if len(a.unplaced) == 0 {
		return dataio.WriteAssignment(w, a.known.name, a.fitted.Labels, a.names)
	}
	var rows []int
	for i := range a.places() {
		rows = append(rows, i)
	}
	return dataio.WriteAssignment(w, func(i int) string { return a.t.ID(rows[i]) }, a.labels(), a.names)
}
