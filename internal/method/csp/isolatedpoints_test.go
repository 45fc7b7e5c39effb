package csp

import (
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// Every method says how many nodes have no edges, of a graph that is given and of one
// that a narrow kernel makes of rows; nothing where all have some.
func TestIsolatedPointsAreReported(t *testing.T) {
	var edges []data.Edge
	for _, at := range []int{0, 5} {
		for i := range 5 {
			for j := range i {
				edges = append(edges, data.Edge{U: at + i, V: at + j, W: 1})
			}
		}
	}
	edges = append(edges, data.Edge{U: 0, V: 5, W: 0.1})
	known := &constraint.Set{Cannot: []constraint.Pair{{I: 1, J: 6, W: 1}}}
	for _, isolated := range []int{0, 2} {
		g, err := data.NewGraph(10+isolated, edges)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*cluster.Problem{{Graph: g, K: 2}, {Graph: g, K: 2, Constraints: known}} {
			for _, a := range []cluster.Algorithm{spectral.NewSpectral(), spectral.NewSpectralLearning(), NewCSP(), NewFastGE()} {
				checkIsolatedNotes(t, cuttest.Fit(t, p, a), isolated)
			}
		}
	}
	x := &data.Dense{Cols: 1}
	for i := range 20 {
		x.V = append(x.V, float64(i%10)/10+float64(i/10))
	}
	x.V = append(x.V, 1e3, 2e3)
	a := spectral.NewSpectral()
	a.Affinity, a.Width, a.KNN = spectral.RBF, 0.1, 3
	r := cuttest.Fit(t, &cluster.Problem{X: x, K: 2}, a)
	if r.Learned != nil {
		checkIsolatedNotes(t, r, r.Learned.(*spectral.IsolatedPoints).LeftOut)
	}
}

func checkIsolatedNotes(t *testing.T, r *cluster.Result, isolated int) {
	t.Helper()
	var notes []string
	if n, ok := r.Learned.(interface{ Notes() []string }); ok {
		notes = n.Notes()
	}
	switch {
	case isolated == 0 && len(notes) > 0:
		t.Errorf("%T says %q", r.Learned, notes)
	case isolated > 0 && (len(notes) != 1 || !strings.HasPrefix(notes[0], "2 nodes without edges")):
		t.Errorf("%T says %q of %d nodes without edges", r.Learned, notes, isolated)
	}
}
