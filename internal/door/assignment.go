package door

import (
	"io"
	"iter"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/effect"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// A Row is one row of a result.
type Row struct {
	ID           string
	Cluster      string
	ClusterIndex int // of the cluster, from 0, as in Result.Clusters
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
	sure     *confidence.Once // nil: computed anew for everybody who asks
	names    []string
	saved    *saved.Fit // the model that placed the rows; nil where they were fitted
	empty    string     // why clusters are empty, where that is known
	rowsLeft []int      // of the table; nil: all
}

// What was minimised, and what constraints and views changed.
type (
	Objective     = effect.Objective
	Unconstrained = effect.Unconstrained
	ViewEffect    = effect.ViewEffect
	ViewScore     = effect.ViewScore
)

func (a *assignment) rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i, h := range a.fitted.Labels {
			if !yield(Row{ID: a.known.name(i), Cluster: a.names[h], ClusterIndex: h}) {
				return
			}
		}
	}
}

func (a *assignment) writeCSV(w io.Writer) error {
	return dataio.WriteAssignment(w, a.known.name, a.fitted.Labels, a.names)
}
