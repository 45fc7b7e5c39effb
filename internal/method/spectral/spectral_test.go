package spectral

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"pgregory.net/rapid"
)

var background = context.Background()

func TestSpectralKeepsTheContract(t *testing.T) { cuttest.Contract(t, NewSpectral()) }

// The cut of the six nodes at their bridge: each side has volume 7 and loses 1.
func TestSixNodesWithoutKnowledge(t *testing.T) {
	g, _, err := example.SixNodes()
	if err != nil {
		t.Fatal(err)
	}
	r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 2}, NewSpectral())
	if want := []int{0, 0, 0, 1, 1, 1}; !slices.Equal(r.Labels, want) {
		t.Errorf("labels %v, want %v", r.Labels, want)
	}
	if got := r.Objective.Sum(); math.Abs(got-2.0/7) > 1e-12 {
		t.Errorf("objective %v, want 2/7", got)
	}
}

func TestSpectralFindsMoonsAndCircles(t *testing.T) {
	moons, truth := cuttest.Crescents(t, 1000, 0.06, 1)
	if got := cuttest.Agree(truth, cuttest.Fit(t, &cluster.Problem{X: moons, K: 2}, NewSpectral()).Labels); got < 0.995 {
		t.Errorf("two moons: %v right", got)
	}
	circles, truth, err := example.TwoCircles(1000, 0.05, cuttest.Rand(2))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Affinity{SelfTuning, RBF} {
		a := NewSpectral()
		a.Affinity = kind
		if got := cuttest.Agree(truth, cuttest.Fit(t, &cluster.Problem{X: circles, K: 2}, a).Labels); got < 0.995 {
			t.Errorf("two circles, %s: %v right", kind, got)
		}
	}
}

func TestSpectralFindsBlocks(t *testing.T) {
	g, truth, err := example.PlantedPartition(2000, 5, 20, 4, cuttest.Rand(3))
	if err != nil {
		t.Fatal(err)
	}
	r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 5}, NewSpectral())
	wrong := 0
	for i := range truth[1:] {
		if (truth[i] == truth[i+1]) != (r.Labels[i] == r.Labels[i+1]) {
			wrong++
		}
	}
	if wrong > 20 {
		t.Errorf("%d neighbours of 2000 are judged wrongly", wrong)
	}
}

// Components are clusters where there are enough of them, and the smallest
// join the smallest.
func TestComponentsAreCutForNothing(t *testing.T) {
	var edges []data.Edge
	at := 0
	for _, size := range []int{5, 2, 4, 3} {
		for i := range size {
			for j := range i {
				edges = append(edges, data.Edge{U: at + i, V: at + j, W: 1})
			}
		}
		at += size
	}
	g, err := data.NewGraph(at+1, edges) // and one node without edges
	if err != nil {
		t.Fatal(err)
	}
	r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 3}, NewSpectral())
	// Volumes are 20, 2, 12 and 6: the second joins the last.
	want := []int{0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 1, 1, 1}
	if !slices.Equal(r.Labels[:at], want) || r.Objective.Sum() != 0 {
		t.Errorf("labels %v at %v, want %v at 0", r.Labels, r.Objective, want)
	}
	if r.Labels[at] != 0 {
		t.Errorf("the lone node is in cluster %d, the largest is 0", r.Labels[at])
	}
}

// On small graphs of two clear halves no cut is better than the one found.
func TestSpectralAgainstEveryCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := cuttest.Rand(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(4, 10).Draw(t, "n")
		var edges []data.Edge
		for i := range n {
			for j := range i {
				w := 1 + r.Float64()/10
				if i%2 != j%2 {
					w /= 50
				}
				edges = append(edges, data.Edge{U: i, V: j, W: w})
			}
		}
		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		p := &cluster.Problem{Graph: g, K: 2}
		got, err := cluster.Fit(background, p, NewSpectral(), cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		f, labels := NewNodeGraph(g, nil), make([]int, n)
		for mask := 1; mask < 1<<(n-1); mask++ {
			for i := range labels {
				labels[i] = mask >> i & 1
			}
			if cut, _ := NCut(f, labels, 2); cut < got.Objective.Sum()-1e-12 {
				t.Fatalf("%v costs %v, found %v at %v", labels, cut, got.Labels, got.Objective)
			}
		}
	})
}

// A sweep finds the best of all splits by a threshold.
func TestSweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := cuttest.Rand(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(2, 15).Draw(t, "n")
		var edges []data.Edge
		u := make([]float64, n)
		for i := range n {
			u[i] = r.NormFloat64()
			edges = append(edges, data.Edge{U: i, V: (i + 1) % n, W: r.Float64() + 0.1}, data.Edge{U: i, V: r.IntN(n), W: r.Float64()})
		}
		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		f := NewNodeGraph(g, nil)
		got, _ := NCut(f, SweepNcut(g, u), 2)
		for _, threshold := range u {
			labels := make([]int, n)
			for i := range u {
				if u[i] > threshold {
					labels[i] = 1
				}
			}
			if cut, empty := NCut(f, labels, 2); empty == 0 && cut < got-1e-12 {
				t.Fatalf("the sweep cuts %v, a threshold at %v only %v", got, threshold, cut)
			}
		}
	})
}

// A point of weight 2 is as good as two points without an edge between them.
func TestWeightsStandForCopies(t *testing.T) {
	r := cuttest.Rand(8)
	n, weight := 30, make([]float64, 30)
	var edges, copied []data.Edge
	first := make([]int, n)
	at := 0
	for i := range n {
		weight[i] = float64(1 + r.IntN(2))
		first[i] = at
		at += int(weight[i])
	}
	for i := range n {
		for j := range i {
			w := r.Float64()
			edges = append(edges, data.Edge{U: i, V: j, W: w})
			for a := range int(weight[i]) {
				for b := range int(weight[j]) {
					copied = append(copied, data.Edge{U: first[i] + a, V: first[j] + b, W: w})
				}
			}
		}
	}
	g, _ := data.NewGraph(n, edges)
	h, err := data.NewGraph(at, copied)
	if err != nil {
		t.Fatal(err)
	}
	labels, copies := make([]int, n), make([]int, at)
	for i := range n {
		labels[i] = r.IntN(3)
		for a := range int(weight[i]) {
			copies[first[i]+a] = labels[i]
		}
	}
	one, _ := NCut(NewNodeGraph(g, weight), labels, 3)
	two, _ := NCut(NewNodeGraph(h, nil), copies, 3)
	if math.Abs(one-two) > 1e-12 {
		t.Errorf("the cut costs %v with weights and %v with copies", one, two)
	}
}
