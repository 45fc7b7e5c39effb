package inkling

import (
	"context"
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/internal/format"
	"github.com/inklinghq/inkling/prepare"
)

// A ViewSummary describes a view before it is used.
type ViewSummary struct {
	File    string `json:"file"`
	Kind    string `json:"kind"` // graph, rows or documents
	N       int    `json:"n"`
	Edges   int    `json:"edges,omitempty"`
	Missing int    `json:"missing"` // rows of the table that it lacks
	Unknown int    `json:"unknown"` // ids that the table lacks
}

func (v ViewSummary) String() string {
	switch v.Kind {
	case "graph":
		return fmt.Sprintf("%s, a graph of %s and %s", v.File, format.Count(v.N, "node"), format.Count(v.Edges, "edge"))
	case "documents":
		return fmt.Sprintf("%s, %s", v.File, format.Count(v.N, "document"))
	}
	return fmt.Sprintf("%s, %s", v.File, format.Count(v.N, "row"))
}

// viewFault is the kind of a fault: the ids of a view are wrong.

// addViews checks the ids of the views.
func (r *ConstraintReport) addViews(ctx context.Context, t *Table, b *bound, n int, o Options) error {
	v := &viewReader{t: t, name: b.name, n: n, prep: prepare.Options{Missing: t.prepareMissing(), Workers: o.Workers}, notes: &notes{tell: o.Notify}}
	for _, s := range o.Views {
		report, fault, err := v.check(ctx, s)
		if err != nil {
			return err
		}
		if r.Views = append(r.Views, report); fault != nil {
			r.Problems = append(r.Problems, *fault)
		}
	}
	return nil
}

// check says whether a file can be a view: wrong ids are a fault, a file that
// cannot be read is an error.
func (v *viewReader) check(ctx context.Context, s ViewSource) (out ViewSummary, fault *Fault, err error) {
	ds, err := v.open(ctx, s)
	if err != nil {
		return out, nil, err
	}
	out = ViewSummary{File: s.Path, Kind: "rows", N: ds.Len()}
	var rows []int
	switch {
	case ds.Graph != nil:
		out.Kind, out.Edges = "graph", ds.Graph.Edges()
	case ds.Docs != nil:
		out.Kind = "documents"
	case v.prep.Missing == prepare.Drop:
		_, ready, err := prepare.Fit(ds, prepare.Options{Missing: prepare.Drop, Workers: v.prep.Workers})
		if err != nil {
			return out, nil, viewError(err)
		}
		rows = ready.Rows
	}
	m, err := v.match(ds, rows)
	out.Missing, out.Unknown = m.lacking, m.unknown
	var bad *InputError
	if errors.As(err, &bad) {
		return out, &Fault{Kind: FaultView, File: s.Path, Message: bad.Msg, Hint: bad.Hint}, nil
	}
	return out, nil, err
}
