package cluster

import (
	"fmt"
	"slices"
	"strings"
)

// An Input is a form in which the points of a problem can be given.
type Input string

// The forms of input.
const (
	InputRows   Input = "rows"
	InputGraph  Input = "graph"
	InputKernel Input = "kernel"
)

// A Kind is a kind of constraint.
type Kind string

// The kinds of constraints.
const (
	Labels      Kind = "labels"
	SoftSeeds   Kind = "soft-seeds" // rows with weighted labels of several classes
	MustLinks   Kind = "must-links"
	CannotLinks Kind = "cannot-links"
	Beliefs     Kind = "beliefs"
	Views       Kind = "views" // other graphs or tables of the same points
)

// Capabilities say what an algorithm takes and what it uses, as its parameters
// are set. Fit refuses a problem whose form the algorithm does not take, and views
// that it does not use; constraints of other kinds that it does not use
// are listed in Result.Ignored.
type Capabilities struct {
	Inputs []Input
	Uses   []Kind
	Hard   bool // constraints of the kinds in Uses are never violated
	// LearnsMetric says that distances are learned, so that features may have
	// different scales.
	LearnsMetric bool
	// FindsK says that K may be 0: the algorithm finds the number of clusters. Where K is
	// given there are exactly so many, or the error is a ProblemError about k.
	FindsK bool
	// LeavesNoise says that points may stay without a cluster: their label is -1, and
	// Model.Place may write it too.
	LeavesNoise bool
	// Else says which parameters make the algorithm take other forms; "" if
	// none do.
	Else string
}

// Takes reports whether the algorithm takes points in this form.
func (c Capabilities) Takes(in Input) bool { return slices.Contains(c.Inputs, in) }

// UsesKind reports whether the algorithm uses constraints of this kind.
func (c Capabilities) UsesKind(kind Kind) bool { return slices.Contains(c.Uses, kind) }

// Inputs returns the forms in which the points of p are given.
func (p *Problem) Inputs() (in []Input) {
	if p.X != nil {
		in = append(in, InputRows)
	}
	if p.Graph != nil {
		in = append(in, InputGraph)
	}
	if p.Kernel != nil {
		in = append(in, InputKernel)
	}
	return in
}

// Given returns the kinds of constraints that p has.
func (p *Problem) Given() (kinds []Kind) {
	add := func(kind Kind, n int) {
		if n > 0 {
			kinds = append(kinds, kind)
		}
	}
	if s := p.Constraints; s != nil {
		add(Labels, len(s.Labels))
		add(SoftSeeds, len(s.SoftSeeds()))
		add(MustLinks, len(s.Must))
		add(CannotLinks, len(s.Cannot))
		add(Beliefs, len(s.Beliefs))
	}
	add(Views, len(p.Views))
	return kinds
}

// Ignored returns the kinds of constraints of p that an algorithm with these
// capabilities does not use.
func (c Capabilities) Ignored(p *Problem) (kinds []Kind) {
	for _, kind := range p.Given() {
		if !c.UsesKind(kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// checkInput refuses a problem whose form the algorithm does not take.
func (c Capabilities) checkInput(p *Problem) error {
	given := p.Inputs()
	if slices.ContainsFunc(given, c.Takes) {
		return nil
	}
	field, names := "x", make([]string, len(c.Inputs))
	for i, in := range c.Inputs {
		if names[i] = inputNames[in]; in == InputGraph {
			field = "graph"
		}
	}
	err := fmt.Errorf("this method takes %s, not %s", strings.Join(names, " or "), inputNames[given[0]])
	return &ProblemError{Field: field, Err: err, Hint: c.Else}
}

var inputNames = map[Input]string{InputRows: "rows of numbers", InputGraph: "a graph", InputKernel: "a kernel matrix"}
