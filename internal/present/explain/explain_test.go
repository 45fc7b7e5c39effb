package explain

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

func newCase(t *testing.T, alg cluster.Algorithm) *Case {
	t.Helper()
	s, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	known, err := s.Constraints(1)
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: s.X, K: 3, Constraints: known}
	r, err := cluster.Fit(context.Background(), p, alg, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	return &Case{Model: r.Model, X: s.X, Labels: r.Labels, Names: []string{"a", "b", "c"}, Known: known, ID: strconv.Itoa,
		Recipe: &prepare.Recipe{Columns: s.Columns, Dim: 4, Scale: prepare.Standard, Shift: []float64{1, 2, 3, 4}, Factor: []float64{2, 3, 4, 5}}}
}

// Shares add up, values are in the units of the data, and each change moves the row
// to where the next centre is as near as the own.
func TestRowsAreExplained(t *testing.T) {
	full := hmrf.NewHMRF()
	full.Complexity = hmrf.NoComplexity
	diagonal := hmrf.NewMPC()
	diagonal.Metric, diagonal.Complexity = metric.FormDiagonal, hmrf.NoComplexity
	for _, alg := range []cluster.Algorithm{centroid.NewKMeans(), diagonal, full} {
		c := newCase(t, alg)
		coster := c.Model.(cluster.PointCoster)
		for i := range c.X.Len() {
			if c.Labels[i] != place(c, data.Copy(c.X, i)) {
				continue // a constraint put it elsewhere
			}
			r := c.Row(i)
			own, next, decides := 0.0, 0.0, 0.0
			for _, f := range r.Features {
				own, next, decides = own+f.OwnShare, next+f.NextShare, decides+f.Difference
				at := slices.Index(c.Recipe.Columns, f.Name)
				if want := data.Copy(c.X, i)[at]*c.Recipe.Factor[at] + c.Recipe.Shift[at]; math.Abs(f.Value-want) > 1e-9 {
					t.Fatalf("%T: %s is %v, wanted %v", alg, f.Name, f.Value, want)
				}
			}
			if math.Abs(own-1) > 1e-9 || math.Abs(next-1) > 1e-9 || math.Abs(decides-1) > 1e-9 {
				t.Fatalf("%T, row %d: shares add up to %v, %v and %v", alg, i, own, next, decides)
			}
			if len(r.Changes) == 0 {
				t.Fatalf("%T, row %d: no change would move it", alg, i)
			}
			for _, change := range r.Changes {
				v, f := data.Copy(c.X, i), slices.Index(c.Recipe.Columns, change.Feature)
				v[f] = (change.To - c.Recipe.Shift[f]) / c.Recipe.Factor[f]
				a, b := coster.PointCost(data.Vec{Val: v}, c.Labels[i]), coster.PointCost(data.Vec{Val: v}, slices.Index(c.Names, r.Second))
				if math.Abs(a-b) > 1e-6*(1+math.Abs(a)) {
					t.Fatalf("%T, row %d with %s %v costs %v here and %v there", alg, i, change.Feature, change.To, a, b)
				}
			}
		}
	}
}

func place(c *Case, v []float64) int {
	label := []int{0}
	c.Model.Place(&data.Dense{Cols: len(v), V: v}, 0, 1, label)
	return label[0]
}

// The chain is the shortest through must-links and labels of one class.
func TestPairsAreExplained(t *testing.T) {
	c := newCase(t, centroid.NewKMeans())
	c.Known = &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 1}, {I: 2, J: 100, W: 1}, {I: 100, J: 3, W: 1}},
		Cannot: []constraint.Pair{{I: 60, J: 0, W: 1}},
		Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 3, Class: 0, W: 1}, {I: 60, Class: 1, W: 1}},
		Names:  []string{"red", "blue"},
	}
	for _, want := range []struct {
		i, j   int
		chain  string
		cannot bool
	}{{0, 2, "0 1 2", false}, {1, 3, "1 0 label red 3", false}, {0, 60, "", true}, {5, 5, "5", false}} {
		p := c.Pair(want.i, want.j)
		if got := strings.Join(p.Chain, " "); got != want.chain || p.Cannot != want.cannot {
			t.Errorf("%d and %d: chain %q, cannot-link %v", want.i, want.j, got, p.Cannot)
		}
		text := p.String()
		if want.chain != "" && !strings.Contains(text, "put them together: "+strings.Join(p.Chain, " = ")) {
			t.Error(text)
		}
	}
	p := c.Pair(0, 100)
	sum := 0.0
	for _, f := range p.Features {
		sum += f.Share
	}
	d := math.Sqrt(data.Dist2(c.X.Row(0, nil), data.Copy(c.X, 100), 0))
	if math.Abs(sum-1) > 1e-9 || math.Abs(p.Distance-d) > 1e-9 {
		t.Errorf("shares add up to %v, distance %v, wanted %v", sum, p.Distance, d)
	}
	if r := c.Row(60); r.Label != "blue" || len(r.Labelled) != 2 || r.Labelled[0].Distance > r.Labelled[1].Distance {
		t.Errorf("%+v", r)
	}
}
