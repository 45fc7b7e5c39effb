package layout_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/present/layout"
)

// Clusters do not overlap, nodes lie within theirs, and every node has a place.
func TestGraph(t *testing.T) {
	const k, each = 6, 40
	var edges []data.Edge
	labels := make([]int, k*each)
	for i := range labels {
		labels[i] = i / each
		edges = append(edges, data.Edge{U: i, V: i/each*each + (i*7+3)%each, W: 1}, data.Edge{U: i, V: i/each*each + (i*11+5)%each, W: 1})
		if i%8 == 0 {
			edges = append(edges, data.Edge{U: i, V: (i + each) % (k * each), W: 1})
		}
	}
	edges = slices.DeleteFunc(edges, func(e data.Edge) bool { return e.U == e.V })
	g, err := data.NewGraph(len(labels), edges)
	if err != nil {
		t.Fatal(err)
	}
	m, err := layout.Graph(context.Background(), g, labels, k)
	if err != nil {
		t.Fatal(err)
	}
	var cx, cy, r [k]float64
	for i, h := range labels {
		cx[h] += m.X[i] / each
		cy[h] += m.Y[i] / each
	}
	for i, h := range labels {
		r[h] = math.Max(r[h], math.Hypot(m.X[i]-cx[h], m.Y[i]-cy[h]))
	}
	for h := range k {
		if !(r[h] > 1 && r[h] < 12) {
			t.Errorf("cluster %d has radius %v", h, r[h])
		}
		for g := range h {
			if d := math.Hypot(cx[h]-cx[g], cy[h]-cy[g]); d < 0.9*(r[h]+r[g]) {
				t.Errorf("clusters %d and %d overlap: %v apart with radii %v and %v", g, h, d, r[g], r[h])
			}
		}
	}
	again, err := layout.Graph(context.Background(), g, labels, k)
	if err != nil || !slices.Equal(again.X, m.X) || !slices.Equal(again.Y, m.Y) {
		t.Errorf("a second layout differs: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := layout.Graph(ctx, g, labels, k); err == nil {
		t.Error("a layout does not stop with its context")
	}
	empty, err := data.NewGraph(5, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := layout.Graph(context.Background(), empty, make([]int, 5), 1); m != nil || err != nil {
		t.Errorf("a graph without edges: %v, %v", m, err)
	}
}

// Rows on a line keep their distances; the second axis shows nothing.
func TestPCAByHand(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{0, 0, 3, 4, 6, 8, 9, 12}} // 5 apart along (0.6, 0.8)
	p, err := layout.PCA(context.Background(), x, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-7.5, -2.5, 2.5, 7.5} {
		if math.Abs(p.X[i]-want) > 1e-9 || math.Abs(p.Y[i]) > 1e-9 {
			t.Errorf("row %d is at %v, %v", i, p.X[i], p.Y[i])
		}
	}
	if math.Abs(p.Share-1) > 1e-12 {
		t.Errorf("the plane shows %v of the variance", p.Share)
	}
}

// Axes that show almost the same are told apart: of ±(1, 0) and ±(0, 0.995) the first
// shows the former. With 99 more features that do not vary it is the same.
func TestPCAOfAlmostEqualAxes(t *testing.T) {
	for _, d := range []int{2, 101} {
		x := &data.Dense{Cols: d, V: make([]float64, 4*d)}
		x.V[0], x.V[d], x.V[2*d+1], x.V[3*d+1] = 1, -1, 0.995, -0.995
		p, err := layout.PCA(context.Background(), x, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [][2]float64{{1, 0}, {-1, 0}, {0, 0.995}, {0, -0.995}} {
			if math.Abs(p.X[i]-want[0]) > 1e-6 || math.Abs(p.Y[i]-want[1]) > 1e-6 {
				t.Errorf("d = %d: row %d is at %v, %v, not at %v", d, i, p.X[i], p.Y[i], want)
			}
		}
	}
}

// The picture is the same on any number of workers, the axes are at right
// angles, and the first shows at least as much as the second.
func TestPCAProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(0, 60).Draw(t, "n"), rapid.OneOf(rapid.IntRange(1, 5), rapid.Just(65)).Draw(t, "d")
		x := &data.Dense{Cols: d, V: rapid.SliceOfN(rapid.Float64Range(-10, 10), n*d, n*d).Draw(t, "v")}
		one, err := layout.PCA(context.Background(), x, 1)
		if err != nil {
			t.Fatal(err)
		}
		seven, _ := layout.PCA(context.Background(), x, 7)
		var xx, yy, sx, sy float64
		for i := range n {
			if one.X[i] != seven.X[i] || one.Y[i] != seven.Y[i] {
				t.Fatal("the picture depends on the workers")
			}
			xx, yy, sx, sy = xx+one.X[i]*one.X[i], yy+one.Y[i]*one.Y[i], sx+one.X[i], sy+one.Y[i]
		}
		if math.Abs(sx) > 1e-6 || math.Abs(sy) > 1e-6 {
			t.Fatalf("the picture is not centred: %v, %v", sx, sy)
		}
		if yy > xx*(1+1e-6)+1e-9 { // axes of equal variance need not be in order
			t.Fatalf("the second axis shows %v, the first %v", yy, xx)
		}
	})
}

func TestPCAStopsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := layout.PCA(ctx, &data.Dense{Cols: 1, V: []float64{1, 2}}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The longer side fills the square, the other keeps its proportion, and a point without a
// place has none.
func TestUnit(t *testing.T) {
	m := &layout.Projection{X: []float64{10, 30, 20, math.NaN()}, Y: []float64{5, 5, 15, 5}}
	x, y := m.Unit()
	if !slices.Equal(x[:3], []float32{-1, 1, 0}) || !slices.Equal(y[:3], []float32{-0.5, -0.5, 0.5}) {
		t.Errorf("got %v, %v", x, y)
	}
	if x[3] == x[3] || y[3] == y[3] {
		t.Errorf("a point without a place is at %v, %v", x[3], y[3])
	}
	same := &layout.Projection{X: []float64{2, 2}, Y: []float64{1, 1}}
	if x, y := same.Unit(); x[0] != 0 || y[1] != 0 {
		t.Errorf("equal points are at %v, %v", x, y)
	}
}
