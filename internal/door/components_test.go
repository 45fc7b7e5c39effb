package door_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// The components of a graph are in the notes and in the result, and options decide about
// them.
func TestComponentsOfAGraph(t *testing.T) {
	g, err := data.NewGraph(7, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}, {U: 4, V: 5, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := door.FromGraph(g, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	for how, rows := range map[string]int{"": 6, "as-is": 7, "largest": 4, "each": 7} {
		o := door.Options{K: 2, Method: "graph-cut"}
		if how != "" {
			o.Components = door.WholeGraph
		}
		switch how {
		case "largest":
			o.Components = door.LargestComponent
		case "each":
			o.Components = door.EachComponent
		}
		r, err := door.Cluster(context.Background(), table, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Components; c == nil || c.Count != 3 || c.Isolated != 1 || c.Largest != 4 {
			t.Errorf("%s: the components are %+v", how, c)
		}
		if dropped := map[string]int{"largest": 3}[how]; r.N != rows || r.Dropped != dropped {
			t.Errorf("%s: %d rows, %d dropped", how, r.N, r.Dropped)
		}
		if how == "each" && !slices.Equal(r.Clusters[2:], []string{"component-2", "isolated"}) {
			t.Errorf("the clusters are %q", r.Clusters)
		}
		if !slices.ContainsFunc(r.Notes, func(n door.Note) bool { return strings.Contains(string(n.Text), "3 components, 1 isolated node") }) {
			t.Errorf("%s: the notes are %v", how, r.Notes)
		}
	}
}
