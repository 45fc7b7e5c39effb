package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/inklinghq/inkling/cluster/constraint"
)

var errNoContext = errors.New("the context is nil; use context.Background() for one that never ends")

// checkFit refuses what Fit cannot start with.
func checkFit(ctx context.Context, p *Problem, a Algorithm, s Settings) error {
	if ctx == nil {
		return errNoContext
	}
	if err := s.check(); err != nil {
		return err
	}
	return Check(p, a)
}

// Check refuses what Fit would refuse before it begins: an invalid problem,
// an algorithm whose parameters are wrong in themselves or for p, and a problem
// that the algorithm does not take.
func Check(p *Problem, a Algorithm) error {
	v := reflect.ValueOf(a)
	none := a == nil || v.Kind() == reflect.Pointer && v.IsNil()
	checked := p
	if p != nil && p.K == 0 && !none && a.Capabilities().FindsK {
		some := *p
		some.K, checked = 1, &some
	}
	if err := checked.Check(); err != nil {
		return err
	}
	if none {
		return &ParameterError{fmt.Errorf("the algorithm is nil")}
	}
	capabilities := a.Capabilities()
	if err := capabilities.checkInput(p); err != nil {
		return err
	}
	if len(p.Views) > 0 && !capabilities.UsesKind(Views) {
		return Problemf("view", "this method does not use views")
	}
	return checkParameters(p, a)
}

// checkParameters calls a.Check and returns a ProblemError or a ParameterError.
func checkParameters(p *Problem, a Algorithm) error {
	err := a.Check(p)
	if err == nil {
		return nil
	}
	var bad *ProblemError
	if err = asProblemError(err); errors.As(err, &bad) {
		return err
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && v.Elem().IsZero() {
		name := v.Type().Elem().Name()
		err = fmt.Errorf("%w; this is the zero %[2]s; New%[2]s returns one with the default parameters", err, name)
	}
	return &ParameterError{err}
}

// asProblemError wraps an error about constraints in a ProblemError; other
// errors are returned as they are.
func asProblemError(err error) error {
	var bad *ProblemError
	var conflict *constraint.ConflictError
	var entry *constraint.EntryError
	if !errors.As(err, &bad) && (errors.As(err, &conflict) || errors.As(err, &entry)) {
		return &ProblemError{Field: "constraints", Err: err}
	}
	return err
}

// findExtremeValue looks for the reason why an objective is not finite: of all
// numbers of p other than 0, the one farthest from 1 by its logarithm. The
// logarithm of a value of a row counts twice, since the value is squared; values
// of at most 1 are ignored.
func findExtremeValue(p *Problem) (field, what string) {
	field, what = "x", "are the values very large?"
	farthest := 0.0
	consider := func(name string, power, y float64, format string, at ...any) {
		if y == 0 {
			return
		}
		if l := power * math.Abs(math.Log(math.Abs(y))); l > farthest {
			farthest, field, what = l, name, fmt.Sprintf(format, at...)+fmt.Sprintf(" is %g, which may be the reason", y)
		}
	}
	if p.X != nil {
		buf := make([]float64, p.X.Dim())
		for i := range p.X.Len() {
			v := p.X.Row(i, buf)
			for q, y := range v.Val {
				if math.Abs(y) > 1 {
					consider("x", 2, y, "row %d, column %d", i, v.Feature(q))
				}
			}
		}
	}
	for i, w := range p.Weight {
		consider("weight", 1, w, "the weight of point %d", i)
	}
	if p.Graph != nil {
		for i := range p.Graph.Len() {
			to, w := p.Graph.Neighbours(i)
			for q, y := range w {
				consider("graph", 1, y, "the weight of the edge %d-%d", i, to[q])
			}
		}
	}
	if s := p.Constraints; s != nil {
		for _, c := range s.Must {
			consider("constraints", 1, c.W, "the weight of the must-link %d, %d", c.I, c.J)
		}
		for _, c := range s.Cannot {
			consider("constraints", 1, c.W, "the weight of the cannot-link %d, %d", c.I, c.J)
		}
		for _, l := range s.Labels {
			consider("constraints", 1, l.W, "the weight of the label of point %d", l.I)
		}
	}
	return field, what
}
