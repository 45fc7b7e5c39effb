// Package metric holds distances that are learned while points are clustered:
// squared Euclidean distances under positive definite matrices A (Basu, Bilenko
// and Mooney 2003; Bilenko and Basu 2004), the prices of violated constraints
// that go with them, and divergences with learned weights.
//
// A Learned is one matrix for all clusters or one for each. A Scatter is what it
// is estimated from: weighted sums of (x−y)(x−y)'. Estimate turns the one into
// the other. Prices says what a violated constraint costs under a Learned, and
// what it adds to the Scatter: the same prices serve assignment, metric step
// and objective, so that these cannot disagree.
//
// In comments n is the number of points, d of features, k of clusters; x, y are
// points, μ_h is a centre, A_h a metric, S_h a scatter, N_h the weight of the
// points of cluster h and N that of all. A cluster h of a metric that all
// clusters share is any number: every method takes the label of a cluster.
package metric

import (
	"fmt"
	"slices"
	"strings"
)

// A Shape says which matrices are allowed.
type Shape int

// The shapes. None is the identity, which is never learned.
const (
	None Shape = iota
	Diagonal
	Full
)

// A Form is a shape, for all clusters together or for each apart.
type Form struct {
	Shape      Shape
	PerCluster bool
}

var forms = []struct {
	name string
	form Form
}{
	{"none", Form{}},
	{"diagonal", Form{Shape: Diagonal}},
	{"full", Form{Shape: Full}},
	{"per-cluster-diagonal", Form{Shape: Diagonal, PerCluster: true}},
	{"per-cluster-full", Form{Shape: Full, PerCluster: true}},
}

// Forms returns the names that ParseForm knows.
func Forms() (names []string) {
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// ParseForm returns the form of that name.
func ParseForm(name string) (Form, error) {
	i := slices.Index(Forms(), name)
	if i < 0 {
		return Form{}, fmt.Errorf("form %q, it must be one of %s", name, strings.Join(Forms(), ", "))
	}
	return forms[i].form, nil
}

// String returns the name of f.
func (f Form) String() string {
	for _, g := range forms {
		if g.form == f {
			return g.name
		}
	}
	return "none" // an identity for each cluster is the identity
}

// Metrics returns how many matrices f has for k clusters.
func (f Form) Metrics(k int) int {
	if f.PerCluster && f.Shape != None {
		return k
	}
	return 1
}

// block returns how many numbers one matrix of d features takes.
func (f Form) block(d int) int {
	switch f.Shape {
	case Diagonal:
		return d
	case Full:
		return d * d
	}
	return 0
}
