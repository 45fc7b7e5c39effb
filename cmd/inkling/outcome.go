package main

import (
	"encoding/json"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/saved"
)

// An outcome is a clustering and all that it was made of: what there is to sum
// up and to draw, whether a fit has just made it or a saved model did.
type outcome struct {
	method     string
	parameters json.RawMessage
	seed       uint64
	workers    int

	ds     *dataio.Dataset
	recipe *prepare.Recipe // nil for graphs and kernels
	know   *knowledge
	p      *cluster.Problem
	r      *cluster.Result
	names  []string // of the clusters
	twin   *twin
	fit    *saved.Fit // the model that placed the rows; nil where they were fitted
}

// points says what is clustered.
func (o *outcome) points() string {
	if o.p.Graph != nil {
		return "node"
	}
	return "row"
}

// columns returns the names of the features.
func (o *outcome) columns() []string {
	if o.recipe != nil && o.recipe.Columns != nil {
		return o.recipe.Columns
	}
	names := make([]string, o.p.X.Dim())
	for f := range names {
		names[f] = "feature " + strconv.Itoa(f)
	}
	return names
}
