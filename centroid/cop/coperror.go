package cop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/constraint"
)

// Infeasible is the error for knowledge that K clusters cannot honour, with
// the proof in Verdict; or, where its answer is Unknown, for which no way to
// honour it was found within the effort allowed.
type InfeasibleError struct {
	K       int
	Verdict constraint.Verdict
	// Points stands for the components of the proof, one point of each, in the
	// order of Verdict.Proof.
	Points []int
}

func newInfeasible(k int, closed *constraint.Closure) *InfeasibleError {
	e := &InfeasibleError{K: k, Verdict: closed.Feasible(k)}
	for _, q := range e.Verdict.Proof() {
		e.Points = append(e.Points, int(closed.Members(q)[0]))
	}
	return e
}

func (e *InfeasibleError) Error() string {
	return e.Describe(func(i int) string { return "point " + strconv.Itoa(i) })
}

// Infeasible returns true: see cluster.Infeasible.
func (e *InfeasibleError) Infeasible() bool { return true }

// Describe is Error with points called by name, for example their ids.
func (e *InfeasibleError) Describe(name func(int) string) string {
	var b strings.Builder
	if e.Verdict.Answer == constraint.No {
		fmt.Fprintf(&b, "what is known cannot be honoured with %d clusters: %s", e.K, e.Verdict.Why)
	} else {
		fmt.Fprintf(&b, "no way to honour what is known with %d clusters was found: %s; more clusters or fewer cannot-links would help",
			e.K, e.Verdict.Why)
	}
	if len(e.Points) > 0 {
		b.WriteString(": " + enumerate(e.Points, name))
	}
	return b.String()
}

// Stuck is the failure of the greedy assignment of COP-KMeans: Point has no
// cluster left. That need not mean that the knowledge cannot be honoured.
type StuckError struct {
	Point int
	// Blocks[h] is a point already in cluster h that Point cannot be with.
	Blocks []int
	// ByLabel[h] says that the two have labels of different classes, otherwise
	// a cannot-link keeps them, or points that they must be with, apart.
	ByLabel []bool
}

func (e *StuckError) Error() string {
	return e.Describe(func(i int) string { return "point " + strconv.Itoa(i) })
}

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
		why = append(why, "by cannot-links from "+enumerate(links, name))
	}
	if len(labels) > 0 {
		why = append(why, "by labels from "+enumerate(labels, name))
	}
	return fmt.Sprintf("the greedy assignment is stuck: every cluster is closed to %s, kept apart %s; assignment search does not get stuck",
		name(e.Point), strings.Join(why, " and "))
}

// enumerate names the points, the first ten of them.
func enumerate(points []int, name func(int) string) string {
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
