package explain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/present/explain"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// Five rows in two clusters, counted by hand.
func TestClusterByHand(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{1, 0, 3, 1, 10, 1, 12, 1, 14, 1}}
	labels, names := []int{0, 0, 1, 1, 1}, []string{"low", "high"}
	c := &explain.Case{X: x, Labels: labels, Names: names,
		Known: &constraint.Set{
			Labels:  []constraint.Label{{I: 2, Class: 1, W: 1}, {I: 3, Class: 1, W: 1}, {I: 4, Class: 0, W: 1}},
			Names:   []string{"poor", "rich"},
			Must:    []constraint.Pair{{I: 2, J: 3, W: 1}, {I: 0, J: 4, W: 1}},
			Cannot:  []constraint.Pair{{I: 0, J: 2, W: 1}, {I: 3, J: 4, W: 1}, {I: 0, J: 1, W: 1}},
			Beliefs: []constraint.Pair{{I: 2, J: 4, W: 0.5}, {I: 1, J: 3, W: -0.5}},
		},
		Described: &report.Clustering{Problem: &cluster.Problem{X: x, K: 2}, Labels: labels, Names: names, Columns: []string{"spend", "member"}}}
	g, err := c.Cluster("high")
	if err != nil {
		t.Fatal(err)
	}
	if want := "high is 3 rows of 5 (60 %): spend 12 (others 2), member 100 % (others 50 %)"; g.Sentence != want {
		t.Errorf("got  %s\nwant %s", g.Sentence, want)
	}
	want := "your constraints: 3 labels in it (rich 2, poor 1); 2 must-links within it; 2 cannot-links to others (low 2); violated: 1 must-link to other clusters and 1 cannot-link within it"
	if !strings.Contains(g.String(), want+"\n") {
		t.Errorf("%s\nlacks %s", g, want)
	}
	c.Known = nil
	if g, err = c.Cluster("low"); err != nil || strings.Contains(g.String(), "constraints") {
		t.Errorf("without constraints: %v, %v", g, err)
	}
	_, err = c.Cluster("hihg")
	var unknown *explain.UnknownClusterError
	if !errors.As(err, &unknown) || hint.Of(err) != "did you mean high?" {
		t.Errorf("%v, %q", err, hint.Of(err))
	}
}

// All rows in one cluster differ from nothing.
func TestOnlyCluster(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{1, 2}}
	labels, names := []int{0, 0}, []string{"0"}
	c := &explain.Case{X: x, Labels: labels, Names: names,
		Described: &report.Clustering{Problem: &cluster.Problem{X: x, K: 1}, Labels: labels, Names: names}}
	if g, err := c.Cluster("0"); err != nil || g.Sentence != "0 is 2 rows of 2 (100 %), all there are" {
		t.Errorf("%v, %v", g, err)
	}
}
