package door

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/internal/present/explain"
)

// A RowExplanation says why a row is in its cluster, a PairExplanation why two rows are
// together or apart, a ClusterExplanation what a cluster is. String writes them for people.
type (
	RowExplanation     = explain.Row
	PairExplanation    = explain.Pair
	ClusterExplanation = explain.Cluster
)

// ExplainRow says why the row of t with this id is where the model places it: which
// columns decide between its cluster and the next best, which labelled rows are near, and what
// would have to change. The constraints c, which may be nil, are those of the fit.
func (m *Model) ExplainRow(ctx context.Context, t *Table, c *Constraints, id string) (*RowExplanation, error) {
	x, rows, err := m.explained(ctx, t, c, id)
	if err != nil {
		return nil, err
	}
	return x.Row(rows[0]), nil
}

// ExplainPair says why the rows of t with these ids are together or apart: the chain of
// must-links and labels between them if there is one, and what their distance is made
// of.
func (m *Model) ExplainPair(ctx context.Context, t *Table, c *Constraints, a, b string) (*PairExplanation, error) {
	x, rows, err := m.explained(ctx, t, c, a, b)
	if err != nil {
		return nil, err
	}
	return x.Pair(rows[0], rows[1]), nil
}

// ExplainCluster says what this cluster of the rows of t is, and which constraints concern it.
func (m *Model) ExplainCluster(ctx context.Context, t *Table, c *Constraints, name string) (*ClusterExplanation, error) {
	x, _, err := m.explained(ctx, t, c)
	if err != nil {
		return nil, err
	}
	g, err := x.Cluster(name)
	if err != nil {
		err = &OptionError{Option: "cluster", Msg: err.Error(), Err: err}
	}
	return g, err
}

// explained places the rows of t and finds those with the given ids; without ids, rows that are noise are left out.
func (m *Model) explained(ctx context.Context, t *Table, c *Constraints, ids ...string) (*explain.Case, []int, error) {
	a, _, err := m.place(ctx, t, c, 0, len(ids) > 0)
	if err != nil {
		return nil, nil, err
	}
	at := make(map[string]int, len(a.fitted.Labels))
	for i := range a.fitted.Labels {
		at[a.known.name(i)] = i
	}
	var rows []int
	for _, id := range ids {
		i, ok := at[id]
		if !ok {
			bad := &InputError{File: t.Name(), Msg: fmt.Sprintf("there is no row %q", id), Hint: NewConstraints(t).idsAre(id)}
			if i, there := t.Row(id); there && a.unplaced[i] != "" {
				bad.Msg, bad.Hint = fmt.Sprintf("row %q has no cluster: %s", id, a.unplaced[i]), ""
			} else if there {
				bad.Msg, bad.Hint = fmt.Sprintf("row %q was dropped for missing values", id), ""
			}
			return nil, nil, bad
		}
		rows = append(rows, i)
	}
	x := &explain.Case{Model: m.fit.Model, X: a.p.X, Labels: a.fitted.Labels, Names: a.names, Recipe: m.fit.Recipe, Calibration: m.fit.Confidence,
		Known: a.known.set, ID: a.known.name}
	if len(ids) == 0 {
		x.Described = a.clustering(&Result{fit: m.fit})
	}
	return x, rows, nil
}
