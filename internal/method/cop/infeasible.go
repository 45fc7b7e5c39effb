package cop

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// InfeasibleError is the error for constraints that K clusters cannot satisfy, with
// the proof in Verdict. If the answer of Verdict is Unknown, no labelling that
// satisfies them was found within the effort allowed.
type InfeasibleError struct {
	K       int
	Verdict constraint.Verdict
	// Points stands for the components of the proof, one point of each, in the
	// order of Verdict.Proof.
	Points []int
}

var (
	_ cluster.Infeasible = (*InfeasibleError)(nil)
	_ cluster.Infeasible = (*StuckError)(nil)
)

func newInfeasibleError(ctx context.Context, k int, closed *constraint.Closure) *InfeasibleError {
	_, verdict := closed.Colour(ctx, k)
	e := &InfeasibleError{K: k, Verdict: verdict}
	for _, q := range e.Verdict.Proof() {
		e.Points = append(e.Points, int(closed.Members(q)[0]))
	}
	return e
}

func (e *InfeasibleError) Error() string { return e.Describe(pointName) }

// Infeasible returns true: see cluster.Infeasible.
func (e *InfeasibleError) Infeasible() bool { return true }

// Describe is Error with points called by name, for example their ids.
func (e *InfeasibleError) Describe(name func(int) string) string {
	var b strings.Builder
	if e.Verdict.Answer == constraint.No {
		fmt.Fprintf(&b, "the constraints cannot be satisfied with %d clusters: %s", e.K, e.Verdict.Why)
	} else {
		fmt.Fprintf(&b, "no labelling that satisfies the constraints with %d clusters was found: %s", e.K, e.Verdict.Why)
	}
	if len(e.Points) > 0 {
		b.WriteString(": " + listNames(e.Points, name))
	}
	return b.String()
}

// Advice says what can be done.
func (e *InfeasibleError) Advice() hint.Hint {
	return "use a larger {k}, or remove cannot-links"
}

// StuckError is the failure of the paper's greedy assignment: no cluster is left for
// Point. The constraints may be satisfiable nevertheless.
type StuckError struct {
	Point int
	// Blocks[h] is a point already in cluster h that Point cannot be with.
	Blocks []int
	// ByLabel[h] says that the two have labels of different classes. Otherwise
	// there is a cannot-link between them or points must-linked with them.
	ByLabel []bool
}

func (e *StuckError) Error() string { return e.Describe(pointName) }

// Infeasible returns true: see cluster.Infeasible.
func (e *StuckError) Infeasible() bool { return true }

// Describe is Error with points called by name, for example their ids.
func (e *StuckError) Describe(name func(int) string) string {
	var links, labels []int
	for h, i := range e.Blocks {
		if e.ByLabel[h] {
			labels = append(labels, i)
		} else {
			links = append(links, i)
		}
	}
	var why []string
	if len(links) > 0 {
		why = append(why, "cannot-links to "+listNames(links, name))
	}
	if len(labels) > 0 {
		why = append(why, "labels that differ from those of "+listNames(labels, name))
	}
	return fmt.Sprintf("the greedy assignment failed: no cluster is left for %s because of %s", name(e.Point), strings.Join(why, " and "))
}

// Advice says what can be done.
func (e *StuckError) Advice() hint.Hint {
	return "use {assignment=search}, which fails only if it finds no assignment without violations"
}

func pointName(i int) string { return "point " + strconv.Itoa(i) }

// listNames lists the names of the points, the first ten of them.
func listNames(points []int, name func(int) string) string {
	const most = 10
	var names []string
	for _, i := range points[:min(most, len(points))] {
		names = append(names, name(i))
	}
	s := strings.Join(names, ", ")
	if more := len(points) - most; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
