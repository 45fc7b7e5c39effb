package metric

import (
	"fmt"
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

// A Form is a shape, for all clusters together or for each cluster separately.
type Form struct {
	Shape      Shape
	PerCluster bool
}

// A FormName is the name of a Form: the parameter by which it is chosen.
type FormName string

// The names of the forms.
const (
	FormNone               FormName = "none"
	FormDiagonal           FormName = "diagonal"
	FormFull               FormName = "full"
	FormPerClusterDiagonal FormName = "per-cluster-diagonal"
	FormPerClusterFull     FormName = "per-cluster-full"
)

var forms = []struct {
	name FormName
	form Form
}{
	{FormNone, Form{}},
	{FormDiagonal, Form{Shape: Diagonal}},
	{FormFull, Form{Shape: Full}},
	{FormPerClusterDiagonal, Form{Shape: Diagonal, PerCluster: true}},
	{FormPerClusterFull, Form{Shape: Full, PerCluster: true}},
}

// Values returns the names of all forms.
func (FormName) Values() (names []string) {
	for _, f := range forms {
		names = append(names, string(f.name))
	}
	return names
}

// Form returns the form of that name, and an error if there is none.
func (n FormName) Form() (Form, error) {
	for _, f := range forms {
		if f.name == n {
			return f.form, nil
		}
	}
	return Form{}, fmt.Errorf("metric must be one of %s, got %q", strings.Join(n.Values(), ", "), string(n))
}

// String returns the name of f.
func (f Form) String() string {
	for _, g := range forms {
		if g.form == f {
			return string(g.name)
		}
	}
	return string(FormNone) // an identity for each cluster is the identity
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
