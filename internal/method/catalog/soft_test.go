package catalog

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// A method declares soft seeds exactly where the result depends on their classes:
// the same rows with other classes give another result.
func TestSoftSeedsAreUsedWhereDeclared(t *testing.T) {
	x, g := line(24)
	for _, m := range Methods() {
		p := &cluster.Problem{X: x, K: 3}
		if !m.Takes("rows") {
			p.X, p.Graph = nil, g
		}
		uses := false
		for draw := range uint64(8) {
			rng := rand.New(rand.NewPCG(draw, 1))
			uses = uses || !reflect.DeepEqual(fit(t, m, p, softSeeds(rng)), fit(t, m, p, softSeeds(rng)))
		}
		if says := slices.Contains(m.Uses(), cluster.SoftSeeds); says != uses {
			t.Errorf("%s: declares %v, uses them %v", m.Name, says, uses)
		}
	}
}

// softSeeds returns links, a label of each class, and two weighted classes,
// drawn at random, for each of a few rows.
func softSeeds(rng *rand.Rand) *constraint.Set {
	s := &constraint.Set{
		Must: []constraint.Pair{{I: 3, J: 20, W: 1}}, Cannot: []constraint.Pair{{I: 2, J: 3, W: 1}},
		Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 12, Class: 1, W: 1}, {I: 23, Class: 2, W: 1}},
	}
	for _, i := range []int{1, 6, 9, 14, 17} {
		c := rng.IntN(3)
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: c, W: 0.9}, constraint.Label{I: i, Class: (c + 1) % 3, W: 0.1})
	}
	return s
}

type fitted struct {
	labels    []int
	objective cluster.Terms
}

func fit(t *testing.T, m Method, p *cluster.Problem, known *constraint.Set) fitted {
	t.Helper()
	p.Constraints = known
	set := cluster.Default()
	set.Restarts = 1
	r, err := cluster.Fit(context.Background(), p, m.New(), set)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return fitted{r.Labels, r.Objective}
}

// line returns n points in loose groups of eight on a line, as rows and as a
// graph of neighbours.
func line(n int) (data.Rows, *data.Graph) {
	x := &data.Dense{Cols: 1, V: make([]float64, n)}
	var edges []data.Edge
	for i := range x.V {
		x.V[i] = float64(i) + 3*float64(i/8) + float64(i*i%7)/10
		for j := max(0, i-3); j < i; j++ {
			edges = append(edges, data.Edge{U: j, V: i, W: 1 / (x.V[i] - x.V[j])})
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	return x, g
}
