package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/inklinghq/inkling/constraint"
)

var errNoContext = errors.New("the context is nil, context.Background() never ends")

// check refuses what Fit cannot begin with.
func check(ctx context.Context, p *Problem, a Algorithm, s Settings) error {
	if ctx == nil {
		return errNoContext
	}
	if err := s.check(); err != nil {
		return err
	}
	return Check(p, a)
}

// checkParameters asks the algorithm, and says whose fault it is.
func checkParameters(p *Problem, a Algorithm) error {
	err := a.Check(p)
	if err == nil {
		return nil
	}
	var bad *ProblemError
	if err = blame(err); errors.As(err, &bad) {
		return err
	}
	if bag := reflect.ValueOf(a); bag.Kind() == reflect.Pointer && bag.Elem().IsZero() {
		name := bag.Type().Elem().Name()
		err = fmt.Errorf("%w; this is the zero %s, a function whose name begins with New makes one with the usual parameters", err, name)
	}
	return &ParameterError{err}
}

// blame makes a ProblemError of what an algorithm found to be wrong with the
// knowledge; other errors are as they were.
func blame(err error) error {
	var bad *ProblemError
	var conflict *constraint.ConflictError
	var entry *constraint.EntryError
	if !errors.As(err, &bad) && (errors.As(err, &conflict) || errors.As(err, &entry)) {
		return &ProblemError{Field: "constraints", Err: err}
	}
	return err
}

// extreme looks for the reason why an objective is not finite: of all numbers
// of p that are not 0 the one farthest from 1, by their logarithms. A value of
// a row counts twice, since it is squared, and not where it is small.
func extreme(p *Problem) (field, what string) {
	field, what = "x", "are the values very large?"
	far := 0.0
	ask := func(name string, times, y float64, format string, at ...any) {
		if y == 0 {
			return
		}
		if l := times * math.Abs(math.Log(math.Abs(y))); l > far {
			far, field, what = l, name, fmt.Sprintf(format, at...)+fmt.Sprintf(" is %g, which may be the reason", y)
		}
	}
	if p.X != nil {
		buf := make([]float64, p.X.Dim())
		for i := range p.X.Len() {
			v := p.X.Row(i, buf)
			for q, y := range v.Val {
				if math.Abs(y) > 1 {
					ask("x", 2, y, "row %d, column %d", i, v.Feature(q))
				}
			}
		}
	}
	for i, w := range p.Weight {
		ask("weight", 1, w, "the weight of point %d", i)
	}
	if p.Graph != nil {
		for i := range p.Graph.Len() {
			to, w := p.Graph.Neighbours(i)
			for q, y := range w {
				ask("graph", 1, y, "the weight of the edge %d-%d", i, to[q])
			}
		}
	}
	if s := p.Constraints; s != nil {
		for _, c := range s.Must {
			ask("constraints", 1, c.W, "the weight of the must-link %d, %d", c.I, c.J)
		}
		for _, c := range s.Cannot {
			ask("constraints", 1, c.W, "the weight of the cannot-link %d, %d", c.I, c.J)
		}
		for _, l := range s.Labels {
			ask("constraints", 1, l.W, "the weight of the label of point %d", l.I)
		}
	}
	return field, what
}
