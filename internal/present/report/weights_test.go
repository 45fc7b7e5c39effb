package report_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/present/report"
)

func weigh(t rapid.TB, form metric.Form, d int, a, spread []float64, features, clusters []string) *report.Weights {
	t.Helper()
	m, err := metric.New(form, d, a)
	if err != nil {
		t.Fatal(err)
	}
	w, err := report.NewWeights(context.Background(), m, spread, features, clusters)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Weights 1 and 3 of features that spread by 1 and 2: 1·1² and 3·2² of 13;
// without learning 1 and 4 of 5.
func TestWeightsByHand(t *testing.T) {
	w := weigh(t, metric.Form{Shape: metric.Diagonal}, 2, []float64{1, 3}, []float64{1, 2}, []string{"x", "y"}, []string{"a", "b"})
	if w.Features[0] != "y" || w.Features[1] != "x" || len(w.Clusters) != 1 {
		t.Fatalf("%+v", w)
	}
	for at, want := range [][2]float64{{12. / 13, 4. / 5}, {1. / 13, 1. / 5}} {
		if math.Abs(w.Learned[0][at]-want[0]) > 1e-12 || math.Abs(w.Plain[at]-want[1]) > 1e-12 {
			t.Errorf("%s counts %v, plainly %v; wanted %v", w.Features[at], w.Learned[0][at], w.Plain[at], want)
		}
	}
	if want := "In the learned metric, y makes up 92 % of the distance instead of 80 %, and x 7.7 % instead of 20 %."; w.Note != want {
		t.Errorf("it says %q", w.Note)
	}
}

// The matrix (2 1; 1 2) makes 3 of (1, 1)/√2 and 1 of (1, -1)/√2, on average 2.
func TestDirectionsByHand(t *testing.T) {
	w := weigh(t, metric.Form{Shape: metric.Full}, 2, []float64{2, 1, 1, 2}, []float64{1, 1}, []string{"x", "y"}, nil)
	if len(w.Directions) != 1 || w.Directions[0].Description != "more x, more y" || math.Abs(w.Directions[0].Times-1.5) > 1e-9 {
		t.Errorf("%+v", w.Directions)
	}
	w = weigh(t, metric.Form{Shape: metric.Full, PerCluster: true}, 2, []float64{2, -1, -1, 2, 1, 0, 0, 9}, []float64{1, 1}, []string{"x", "y"}, []string{"a", "b"})
	if len(w.Directions) != 2 || w.Directions[0].Cluster != "a" || w.Directions[0].Description != "more x, less y" || w.Directions[1].Description != "more y" {
		t.Errorf("%+v", w.Directions)
	}
}

// A round metric says so and draws nothing.
func TestRoundWeights(t *testing.T) {
	for _, form := range []metric.Form{{Shape: metric.Diagonal}, {Shape: metric.Full}} {
		a := []float64{5, 5}
		if form.Shape == metric.Full {
			a = []float64{5, 0, 0, 5}
		}
		w := weigh(t, form, 2, a, []float64{1, 2}, []string{"x", "y"}, nil)
		if w.Features != nil || !strings.Contains(w.Note, "the same weight") || report.WeightChart(w) != nil {
			t.Errorf("%v: %+v", form, w)
		}
	}
}

// Shares add up to 1, are the same in all units, and only the most important of
// many features are shown.
func TestWeightProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(2, 30).Draw(t, "d")
		a := rapid.SliceOfN(rapid.Float64Range(0.01, 100), d, d).Draw(t, "a")
		spread := rapid.SliceOfN(rapid.Float64Range(0.01, 100), d, d).Draw(t, "spread")
		names := make([]string, d)
		for f := range names {
			names[f] = string(rune('a' + f))
		}
		w := weigh(t, metric.Form{Shape: metric.Diagonal}, d, a, spread, names, nil)
		if len(w.Features) == 0 {
			return // all alike
		}
		if len(w.Features)+w.More != d {
			t.Fatalf("%d features are shown and %d are not, of %d", len(w.Features), w.More, d)
		}
		sum, last := 0.0, 2.0
		for _, s := range w.Learned[0] {
			if sum += s; s > last {
				t.Fatal("the features are not in order")
			}
			last = s
		}
		if sum > 1+1e-9 || w.More == 0 && sum < 1-1e-9 {
			t.Fatalf("the shares add up to %v", sum)
		}
		other, units := make([]float64, d), make([]float64, d)
		for f := range a { // the first feature in units a tenth as large
			other[f], units[f] = a[f], spread[f]
		}
		other[0], units[0] = a[0]/100, spread[0]*10
		v := weigh(t, metric.Form{Shape: metric.Diagonal}, d, other, units, names, nil)
		in := func(w *report.Weights) map[string]float64 {
			shown := w.Features
			if shown == nil { // in these units all weights are equal: listed in the order of the features
				shown = names
			}
			of := map[string]float64{}
			for at, name := range shown {
				of[name] = w.Learned[0][at]
			}
			return of
		}
		before, after := in(w), in(v)
		for name, s := range before {
			got, shown := after[name]
			if !shown && s < last+1e-9 { // by rounding, another took the last place
				continue
			}
			if math.Abs(got-s) > 1e-9 {
				t.Fatalf("the shares depend on units: %v and %v", before, after)
			}
		}
	})
}
