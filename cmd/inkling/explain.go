package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/hint"
	"github.com/inklinghq/inkling/metric"
	"github.com/inklinghq/inkling/prepare"
)

// named tells an error about points by their ids. One that says that what is
// known cannot be honoured leaves by its own code.
func (j *clusterJob) named(err error) error {
	var infeasible cluster.Infeasible
	if errors.As(err, &infeasible) && infeasible.Infeasible() {
		return &exitError{code: exitConflict, err: hint.Wrap(errors.New(infeasible.Describe(j.know.name)), hint.Of(infeasible))}
	}
	return err
}

// tooLarge is where squares overflow, or soon would.
const tooLarge = 1e150

// explain returns what is wrong with the data where that is why a fit failed.
func (j *clusterJob) explain(err error) error {
	if j.p.X == nil {
		return err
	}
	var outside *metric.DomainError
	if errors.As(err, &outside) {
		return j.outside(outside)
	}
	for i, scratch := 0, make([]float64, j.p.X.Dim()); i < j.p.X.Len(); i++ {
		row := j.p.X.Row(i, scratch)
		for _, v := range row.Val {
			if math.Abs(v) > tooLarge {
				return &dataio.Error{File: j.ds.Name, Msg: fmt.Sprintf("row %s has the value %g, too large to square", j.know.name(i), v),
					Hint: "use {scale=standard}, or divide the column by a power of ten", Err: err}
			}
		}
	}
	for _, list := range []struct {
		name  string
		pairs []constraint.Pair
	}{{"must", j.know.set.Must}, {"cannot", j.know.set.Cannot}} {
		for at, pair := range list.pairs {
			if pair.W > tooLarge {
				where := j.know.places[list.name][at]
				return &dataio.Error{File: where.file, Line: where.line, Msg: fmt.Sprintf("the weight %g is too large to reckon with", pair.W),
					Hint: "divide all weights by a power of ten", Err: err}
			}
		}
	}
	return err
}

// outside names the row and the column of a number that the distortion does
// not take.
func (j *clusterJob) outside(e *metric.DomainError) error {
	where, advice := fmt.Sprintf("row %s adds up to %v", j.know.name(e.Row), e.Value), hint.Hint("leave out the row, or use {distortion=euclidean}")
	if e.Col >= 0 {
		column := fmt.Sprint(e.Col)
		if e.Col < len(j.recipe.Columns) {
			column = fmt.Sprintf("%q", j.recipe.Columns[e.Col])
		}
		where = fmt.Sprintf("row %s, column %s is %v", j.know.name(e.Row), column, e.Value)
		advice = "leave out the column ({drop}), or use {distortion=euclidean}"
		if s := j.in.prep.Scale; s != "" && s != prepare.None && s != prepare.L2 {
			where += " after --scale " + string(s)
			advice = "leave out {scale}, or use {distortion=euclidean}"
		}
	}
	return &dataio.Error{File: j.ds.Name, Msg: fmt.Sprintf("%s, for --distortion %s it must be %s", where, e.Divergence, e.Least), Hint: advice, Err: e}
}
