package main

import (
	"errors"
	"fmt"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/prepare"
)

// A checkedView is what there is to say of a view before it is used.
type checkedView struct {
	File    string `json:"file"`
	Kind    string `json:"kind"` // graph, rows or documents
	N       int    `json:"n"`
	Edges   int    `json:"edges,omitempty"`
	Missing int    `json:"missing"` // rows of DATA that it lacks
	Unknown int    `json:"unknown"` // ids that DATA lacks
}

func (v checkedView) String() string {
	switch v.Kind {
	case "graph":
		return fmt.Sprintf("%s, a graph of %s and %s", v.File, count(v.N, "node"), count(v.Edges, "edge"))
	case "documents":
		return fmt.Sprintf("%s, %s", v.File, count(v.N, "document"))
	}
	return fmt.Sprintf("%s, %s", v.File, count(v.N, "row"))
}

// checkAll looks at all views and writes down what it finds.
func (j *viewer) checkAll(card *checkCard) error {
	for _, path := range j.views.files {
		v, bad, err := j.check(path)
		if err != nil {
			return err
		}
		if card.Views = append(card.Views, v); bad != nil {
			card.Problems = append(card.Problems, *bad)
		}
	}
	return nil
}

// check looks whether a file can be a view: what is wrong with its ids is a fault,
// what keeps it from being read an error.
func (j *viewer) check(path string) (v checkedView, bad *fault, err error) {
	ds, err := j.open(path)
	if err != nil {
		return v, nil, err
	}
	v = checkedView{File: path, Kind: "rows", N: ds.Len()}
	var rows []int
	switch {
	case ds.Graph != nil:
		v.Kind, v.Edges = "graph", ds.Graph.Edges()
	case ds.Docs != nil:
		v.Kind = "documents"
	case j.in.prep.Missing == prepare.Drop:
		_, ready, err := prepare.Fit(ds, prepare.Options{Missing: prepare.Drop, Workers: j.in.prep.Workers})
		if err != nil {
			return v, nil, ofView(err)
		}
		rows = ready.Rows
	}
	m, err := j.match(ds, rows)
	v.Missing, v.Unknown = m.lonely, m.strange
	var told *dataio.Error
	if errors.As(err, &told) {
		return v, &fault{Kind: viewFault, File: path, Message: told.Msg + "; " + renderHint(told.Hint)}, nil
	}
	return v, nil, err
}

// viewFault is the kind of a problem with the ids of a view.
const viewFault = "view"
