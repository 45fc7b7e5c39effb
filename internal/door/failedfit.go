package door

import (
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// failure says why a fit failed, in terms of what was given: constraints that
// cannot be satisfied, with rows by their ids, or values that are out of range.
func (j *job) failure(err error) error {
	if bad := j.infeasible(err); bad != nil {
		return bad
	}
	if bad := j.outOfRange(err); bad != nil {
		return bad
	}
	var problem *cluster.ProblemError
	var parameter *cluster.ParameterError
	switch {
	case errors.As(err, &problem) && (problem.Field == "k" || problem.Field == "graph"):
		return &OptionError{Option: problem.Field, Msg: err.Error(), Hint: Hint(problem.Advice()), Err: err}
	case errors.As(err, &problem):
		return &InputError{File: j.t.Name(), Msg: err.Error(), Hint: Hint(problem.Advice()), Err: err}
	case errors.As(err, &parameter):
		return &OptionError{Msg: err.Error(), Err: err}
	}
	return err
}

// infeasible returns a *ConstraintError where a method says that it cannot
// satisfy the constraints.
func (j *job) infeasible(err error) error {
	var conflict *constraint.ConflictError
	var infeasible cluster.Infeasible
	switch {
	case errors.As(err, &infeasible) && infeasible.Infeasible():
		return &ConstraintError{Msg: infeasible.Describe(j.known.name), Hint: hint.Of(infeasible), Err: err}
	case errors.As(err, &conflict):
		return &ConstraintError{Msg: "the constraints contradict each other: " + j.known.proof(conflict), Err: err}
	}
	return nil
}

// tooLarge is where squares overflow, or soon would.
const tooLarge = 1e150

// outOfRange returns an *InputError for the first value that is why a
// fit failed, nil where there is none.
func (j *job) outOfRange(err error) error {
	if j.p.X == nil {
		return nil
	}
	var outside *metric.DomainError
	if errors.As(err, &outside) {
		return j.outsideDomain(outside)
	}
	for i, scratch := 0, make([]float64, j.p.X.Dim()); i < j.p.X.Len(); i++ {
		row := j.p.X.Row(i, scratch)
		for _, v := range row.Val {
			if math.Abs(v) > tooLarge {
				return &InputError{File: j.t.Name(), Msg: fmt.Sprintf("row %s has the value %g, too large to square", j.known.name(i), v),
					Hint: "use {scale=standard}, or divide the column by a power of ten", Err: err}
			}
		}
	}
	return nil
}

// outsideDomain names the row and the column of a number that the distortion
// does not take.
func (j *job) outsideDomain(e *metric.DomainError) error {
	bad := &InputError{File: j.t.Name(), Err: e, Hint: "leave out the row, or use {distortion=euclidean}"}
	where, got := fmt.Sprintf("the sum of row %s", j.known.name(e.Row)), fmt.Sprint(e.Value)
	if e.Col >= 0 {
		column := fmt.Sprint(e.Col)
		if e.Col < len(j.recipe.Columns) {
			column = fmt.Sprintf("%q", j.recipe.Columns[e.Col])
		}
		where = fmt.Sprintf("row %s, column %s", j.known.name(e.Row), column)
		bad.Hint = "leave out the column with {drop}, or use {distortion=euclidean}"
		if s := j.recipe.Scale; s == "standard" || s == "minmax" {
			got += fmt.Sprintf(" after %s scaling", s)
			bad.Hint = "leave out {scale}, or use {distortion=euclidean}"
		}
	}
	bad.Msg = fmt.Sprintf("%s must be %s for the %s distortion, got %s", where, e.Least, e.Divergence, got)
	return bad
}
