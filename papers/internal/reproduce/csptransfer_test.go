package reproduce

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

// tales are stories of two plain classes in three tables of words.
func tales(n int) *stories {
	r := rand.New(rand.NewPCG(1, 2))
	s := &stories{k: 2}
	for range newspapers {
		x := &data.Dense{Cols: 6}
		for i := range n {
			row := make([]float64, 6)
			for range 12 {
				f := r.IntN(6)
				if r.IntN(4) > 0 {
					f = 3*(i%2) + r.IntN(3)
				}
				row[f]++
			}
			norm := 0.0
			for _, y := range row {
				norm += y * y
			}
			for f := range row {
				row[f] /= math.Sqrt(norm)
			}
			x.V = append(x.V, row...)
		}
		s.views = append(s.views, x)
	}
	for i := range n {
		s.truth = append(s.truth, i%2)
	}
	return s
}

func TestViewsTrial(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 30
	}
	s := tales(n)
	l := &Lab{Seed: 1}
	for kind := range viewKinds {
		if testing.Short() && viewKinds[kind].curve {
			continue // the same many times over
		}
		got, err := l.viewsTrial(context.Background(), s, kind)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := directions()
		if len(got.Plain) != 3 || len(got.Sum) != len(list) || len(got.Rules) != len(viewRules) || len(got.Both) != 3 {
			t.Fatalf("%s: %+v", viewKinds[kind].name, got)
		}
		for at, c := range got.Rules[0] {
			if !c.Feasible || c.ARI < 0.8 || c.Cut <= 0 || c.Relaxed < c.Least-1e-6 {
				t.Errorf("%s, direction %d: %+v", viewKinds[kind].name, at, c)
			}
		}
		sheet := &Sheet{}
		l.sheet = sheet
		if err := l.putViewTables("tales", []viewsTrial{got, got}); err != nil {
			t.Fatal(err)
		}
		if len(sheet.Claims) != 9 || len(sheet.Parts) < 4 {
			t.Errorf("%d claims, %d parts", len(sheet.Claims), len(sheet.Parts))
		}
	}
}

// To move stories makes the transfer of their classes more costly.
func TestDisruptionCosts(t *testing.T) {
	all, l := tales(80), &Lab{Seed: 1}
	whole, err := l.person(context.Background(), all, "test", 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	torn, err := l.person(context.Background(), all, "test", 0, 0, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if !whole.Feasible || !torn.Feasible || torn.Cost <= whole.Cost || torn.Cut-torn.Alone <= whole.Cut-whole.Alone {
		t.Errorf("whole %+v, torn %+v", whole, torn)
	}
}

func TestSummed(t *testing.T) {
	a, err := data.NewGraph(3, []data.Edge{{U: 0, V: 1, W: 4}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := data.NewGraph(3, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := summed(a, b) // volumes 8 and 4
	if err != nil {
		t.Fatal(err)
	}
	if to, w := g.Neighbours(1); len(to) != 2 || w[0] != 0.5+0.25 || w[1] != 0.25 {
		t.Errorf("%v %v", to, w)
	}
}
