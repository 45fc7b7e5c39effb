package confidence

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/method/spectral"
)

var background = context.Background()

func TestReliabilityByHand(t *testing.T) {
	r := NewReliability([]float64{0.95, 0.95, 0.85, 0.25}, []bool{true, false, true, false})
	// |1.9−1|/4 + |0.85−1|/4 + |0.25−0|/4; the two rows of equal confidence are taken together.
	if want := (0.9 + 0.15 + 0.25) / 4; math.Abs(r.CalibrationError-want) > 1e-12 {
		t.Errorf("calibration error %v, wanted %v", r.CalibrationError, want)
	}
	if want := (2*0.5 + 1.0/3 + 0.5) / 4; math.Abs(r.RiskCoverage-want) > 1e-12 {
		t.Errorf("risk-coverage area %v, wanted %v", r.RiskCoverage, want)
	}
	if r.Wrong != 0.5 || r.Bins[9].Rows != 2 || r.Bins[9].Right != 0.5 {
		t.Errorf("%+v", r)
	}
	if empty := NewReliability(nil, nil); empty.RiskCoverage != 0 || empty.CalibrationError != 0 {
		t.Errorf("%+v", empty)
	}
}

// measure clusters a built-in set with about 40 labels, a share of them wrong, and
// compares confidences, and those by margins alone, with the truth.
func measure(t *testing.T, set string, alg cluster.Algorithm, wrong float64, seed uint64) (all, margins Reliability) {
	t.Helper()
	s, err := example.Load(set)
	if err != nil {
		t.Fatal(err)
	}
	truth, names := s.Classes()
	rng := rand.New(rand.NewPCG(seed, 1))
	labels, err := constraint.LabelFraction(truth, 40/float64(len(truth)), rng)
	if err != nil {
		t.Fatal(err)
	}
	if labels, err = constraint.FlipLabels(labels, wrong, len(names), rng); err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: s.X, K: s.K, Constraints: labels}
	r, err := cluster.Fit(background, p, alg, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Class: score.NameClusters(r.Labels, p.K, labels)}
	rows, _, err := Estimate(background, p, r, o)
	if err != nil {
		t.Fatal(err)
	}
	byMargin, _, err := byMargins(background, p, r, o)
	if err != nil {
		t.Fatal(err)
	}
	right := make([]bool, len(truth))
	for i, h := range r.Labels {
		right[i] = o.Class[h] == truth[i]
	}
	return NewReliability(rows.Confidence, right), NewReliability(byMargin.Confidence, right)
}

// With 40 labels the expected calibration error is at most 0.12 on average, and confidences
// rank rows better than margins do. With -v it prints the reliability table of the
// guide.
func TestConfidencesAreReliable(t *testing.T) {
	sets := []string{"iris", "blobs", "two-moons"}
	for _, wrong := range []float64{0, 0.15} {
		var error, area, areaByMargins float64
		var bins [10]Bin
		for _, set := range sets {
			for seed := range uint64(3) {
				for _, alg := range []cluster.Algorithm{centroid.NewSeeded(), hmrf.NewPC()} {
					all, margins := measure(t, set, alg, wrong, seed)
					share := 1 / float64(6*len(sets))
					error, area, areaByMargins = error+share*all.CalibrationError, area+share*all.RiskCoverage, areaByMargins+share*margins.RiskCoverage
					for b, bin := range all.Bins {
						bins[b].Rows += bin.Rows
						bins[b].Confidence += bin.Confidence * float64(bin.Rows)
						bins[b].Right += bin.Right * float64(bin.Rows)
					}
				}
			}
		}
		t.Logf("%.0f %% of the labels wrong: calibration error %.3f, area under the risk-coverage curve %.3f, by margins %.3f", 100*wrong, error, area, areaByMargins)
		for b, bin := range bins {
			if bin.Rows > 0 {
				t.Logf("| %.1f to %.1f | %d | %.2f | %.2f |", float64(b)/10, float64(b+1)/10, bin.Rows, bin.Confidence/float64(bin.Rows), bin.Right/float64(bin.Rows))
			}
		}
		if error > 0.12+0.4*wrong || area >= areaByMargins {
			t.Errorf("with %.0f %% wrong: calibration error %.3f, risk-coverage %.3f, by margins %.3f", 100*wrong, error, area, areaByMargins)
		}
	}
}

// Every method has confidences from 1/k to 1, without constraints the same in a prediction, a second cluster that is another one, and
// margins that are what a move costs.
func TestEveryMethodHasConfidences(t *testing.T) {
	s, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	known, err := s.Constraints(1)
	if err != nil {
		t.Fatal(err)
	}
	cut := kernel.NewGraphCut()
	cut.KNN = 10
	for _, alg := range []cluster.Algorithm{centroid.NewKMeans(), hmrf.NewMPC(), cut, spectral.NewSpectral(), kernel.NewKernelKMeans()} {
		for _, constraints := range []*constraint.Set{nil, known} {
			p := &cluster.Problem{X: s.X, K: 3, Constraints: constraints}
			r, err := cluster.Fit(background, p, alg, cluster.Default())
			if err != nil {
				t.Fatal(err)
			}
			var o Options
			if constraints != nil {
				o.Class = score.NameClusters(r.Labels, 3, constraints)
			}
			rows, calibration, err := Estimate(background, p, r, o)
			if err != nil {
				t.Fatalf("%T: %v", alg, err)
			}
			o.Workers = 3
			again, _, err := Estimate(background, p, r, o)
			if err != nil || !sameRows(rows, again) {
				t.Errorf("%T: other confidences with 3 workers, %v", alg, err)
			}
			prices := r.Prices(p)
			for i, c := range rows.Confidence {
				if !(c >= 1.0/3 && c <= 1) || rows.Second[i] == r.Labels[i] || rows.Second[i] >= 3 {
					t.Fatalf("%T: row %d has confidence %v and second %d", alg, i, c, rows.Second[i])
				}
				if cost, ok := prices.Move(i, max(rows.Second[i], 0)); ok && math.Abs(cost-rows.Margin[i]) > 1e-9*(1+math.Abs(cost)) {
					t.Fatalf("%T: the margin of row %d is %v, moving it costs %v", alg, i, rows.Margin[i], cost)
				}
			}
			if (constraints != nil) != (rows.Source == FromLabels) {
				t.Errorf("%T: confidences from %s", alg, rows.Source)
			}
			if calibration == nil {
				continue
			}
			if err := calibration.Check(); err != nil {
				t.Error(err)
			}
			placed := calibration.Predict(r.Model, s.X, r.Labels, 0)
			for i := range placed.Margin {
				if !(placed.Confidence[i] >= 1.0/3 && placed.Confidence[i] <= 1) {
					t.Fatalf("%T: row %d is placed with confidence %v", alg, i, placed.Confidence[i])
				}
				if constraints == nil && placed.Confidence[i] != rows.Confidence[i] {
					t.Fatalf("%T: row %d has confidence %v in the fit, %v in a prediction", alg, i, rows.Confidence[i], placed.Confidence[i])
				}
			}
		}
	}
}

func sameRows(a, b *Rows) bool {
	for i := range a.Margin {
		if a.Margin[i] != b.Margin[i] && !(math.IsNaN(a.Margin[i]) && math.IsNaN(b.Margin[i])) {
			return false
		}
	}
	return reflect.DeepEqual(a.Confidence, b.Confidence) && reflect.DeepEqual(a.Second, b.Second)
}

// Small and odd problems have confidences: one cluster, equal rows, one row, labels of
// one class.
func TestConfidencesOfOddProblems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		x := &data.Dense{Cols: 1}
		for range n {
			x.V = append(x.V, float64(rapid.IntRange(0, 2).Draw(t, "x")))
		}
		p := &cluster.Problem{X: x, K: rapid.IntRange(1, n).Draw(t, "k")}
		s := &constraint.Set{}
		for range rapid.IntRange(0, 4).Draw(t, "labels") {
			s.Labels = append(s.Labels, constraint.Label{I: rapid.IntRange(0, n-1).Draw(t, "i"), Class: rapid.IntRange(0, p.K-1).Draw(t, "class"), W: 1})
		}
		r, err := cluster.Fit(background, p, centroid.NewKMeans(), cluster.Default())
		if err != nil {
			t.Fatal(err)
		}
		var o Options
		if len(s.Labels) > 0 {
			p.Constraints, o.Class = s, score.NameClusters(r.Labels, p.K, s)
		}
		rows, _, err := Estimate(background, p, r, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range rows.Confidence {
			if !(c >= 1/float64(p.K) && c <= 1) || (p.K == 1) != (rows.Second[i] < 0) || p.K == 1 && c != 1 {
				t.Fatalf("confidence %v, second %d with k = %d", c, rows.Second[i], p.K)
			}
		}
		placed := (*Calibration)(nil).Predict(r.Model, x, r.Labels, 1)
		for i, c := range placed.Confidence {
			if !(c >= 1/float64(p.K) && c <= 1) {
				t.Fatalf("row %d is placed with confidence %v with k = %d", i, c, p.K)
			}
		}
	})
}

// Several who ask for the confidences of a result share them; what was cancelled is not kept.
func TestConfidencesAreComputedOnce(t *testing.T) {
	s, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	p := &cluster.Problem{X: s.X, K: 3}
	r, err := cluster.Fit(background, p, centroid.NewKMeans(), cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	var once Once
	_, _ = once.Estimate(ctx, p, r, Options{}) // cancelled, or so quick that it is right
	one, err := once.Estimate(background, p, r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := once.Estimate(background, p, r, Options{})
	if err != nil || one != two {
		t.Errorf("computed twice, %v", err)
	}
	plain, err := (*Once)(nil).Estimate(background, p, r, Options{})
	if err != nil || plain == one || !sameRows(plain, one) {
		t.Errorf("other confidences without sharing, %v", err)
	}
}
