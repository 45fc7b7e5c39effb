package prepare

import (
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// scattered has four components: a path of three nodes, an edge, and two isolated nodes,
// one of them with an edge to itself.
func scattered(t *testing.T) *data.Graph {
	t.Helper()
	g, err := data.NewGraph(7, []data.Edge{{U: 0, V: 4, W: 1}, {U: 1, V: 3, W: 2}, {U: 3, V: 6, W: 5}, {U: 5, V: 5, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestComponentsByHand(t *testing.T) {
	p := FindParts(scattered(t))
	if p.Count != 4 || p.Isolated != 2 || p.Largest != 3 || p.LargestShare != 3.0/7 {
		t.Fatalf("got %+v", p)
	}
	if got := p.LargestNodes(); !slices.Equal(got, []int{1, 3, 6}) {
		t.Errorf("the largest component is %v", got)
	}
	if got, want := string(p.Note(WholeGraph, false)), "4 components, 2 isolated nodes; the largest has 3 of 7 nodes (42.9 %)"; got != want {
		t.Errorf("it is said %q, want %q", got, want)
	}
	g, err := Induced(scattered(t), p.LargestNodes())
	if err != nil || g.Len() != 3 || g.Edges() != 2 || g.Degree(1) != 7 {
		t.Errorf("the graph of the largest component: %v nodes, %v", g, err)
	}
	all, names := p.Extend([]int{0, 1, 1}, 2)
	if want := []int{2, 0, 3, 1, 2, 3, 1}; !slices.Equal(all, want) || !slices.Equal(names, []string{"component-2", "isolated"}) {
		t.Errorf("extended to %v with %v, want %v", all, names, want)
	}
}

func TestSeparatesOnly(t *testing.T) {
	p := FindParts(scattered(t))
	for _, c := range []struct {
		labels []int
		want   bool
	}{{[]int{0, 1, 0, 1, 0, 2, 1}, true}, {[]int{0, 0, 0, 0, 0, 0, 0}, true}, {[]int{0, 1, 0, 1, 0, 2, 0}, false}} {
		if got := p.SeparatesOnly(c.labels); got != c.want {
			t.Errorf("%v: %v", c.labels, got)
		}
		if said := strings.Join(p.Sentences(c.labels), " "); strings.Contains(said, "only separate") != c.want {
			t.Errorf("%v: %s", c.labels, said)
		}
	}
	one, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if p := FindParts(one); p.SeparatesOnly([]int{0, 0}) || p.Sentences([]int{0, 0}) != nil || p.Note("", false) != "the graph is connected" {
		t.Errorf("a connected graph: %+v", p)
	}
	if p := FindParts(&data.Graph{}); p.Count != 0 || p.Largest != 0 {
		t.Errorf("an empty graph: %+v", p)
	}
	alone, err := data.NewGraph(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all, names := FindParts(alone).Extend([]int{0}, 1); !slices.Equal(all, []int{0, 1, 1}) || !slices.Equal(names, []string{"isolated"}) {
		t.Errorf("isolated nodes alone: %v, %v", all, names)
	}
}
