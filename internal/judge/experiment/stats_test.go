package experiment

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

func TestMeanByHand(t *testing.T) {
	// 1 2 3 6: mean 3, squares 4+1+0+9 = 14, variance 14/3, error √(14/3/4).
	m := meanOf([]float64{1, 2, 3, 6})
	if m.N != 4 || m.Mean != 3 || !near(m.SE, math.Sqrt(14.0/12), 1e-15) {
		t.Errorf("got %+v", m)
	}
	if m := meanOf([]float64{5}); m.Mean != 5 || !math.IsNaN(m.SE) {
		t.Errorf("one number: %+v", m)
	}
	if m := meanOf(nil); m.N != 0 || !math.IsNaN(m.Mean) {
		t.Errorf("no number: %+v", m)
	}
}

func TestCompareByHand(t *testing.T) {
	// Differences 1 2 3 6: t = 3/√(7/6) = 2.7775. With 3 degrees of freedom
	// P(|T|>t) = 1 − (2/π)(u/(1+u²) + atan u), u = t/√3.
	c := compare([]float64{2, 4, 6, 9}, []float64{1, 2, 3, 3}, 3)
	tail := func(t float64) float64 {
		u := t / math.Sqrt(3)
		return 1 - 2/math.Pi*(u/(1+u*u)+math.Atan(u))
	}
	want := 3 / math.Sqrt(7.0/6)
	if !near(c.T, want, 1e-12) || !near(c.P, tail(want), 1e-12) || c.Better != 4 || c.Worse+c.Equal != 0 {
		t.Errorf("got %+v, want t %v, p %v", c, want, tail(want))
	}
	// Corrected for 3 folds: variance 14/3·(1/4 + 1/2) in place of 14/3·1/4.
	wider := 3 / math.Sqrt(14.0/3*(1.0/4+1.0/2))
	if !near(c.Corrected, tail(wider), 1e-12) {
		t.Errorf("corrected %v, want %v", c.Corrected, tail(wider))
	}
	if !near(c.Sign, 2.0/16, 1e-12) { // four heads of four, or four tails
		t.Errorf("sign test %v, want 0.125", c.Sign)
	}
}

func TestCompareEdges(t *testing.T) {
	equal := compare([]float64{0.5, 0.7}, []float64{0.5, 0.7 + 1e-16}, 2)
	if equal.T != 0 || equal.P != 1 || equal.Corrected != 1 || equal.Equal != 2 || equal.Sign != 1 || equal.Difference.SE != 0 {
		t.Errorf("equal scores: %+v", equal)
	}
	steady := compare([]float64{0.5, 0.7, 0.9}, []float64{0.4, 0.6, 0.8}, 2)
	if !math.IsInf(steady.T, 1) || steady.P != 0 || steady.Better != 3 {
		t.Errorf("the same difference every time: %+v", steady)
	}
	for _, few := range []Comparison{compare(nil, nil, 2), compare([]float64{1}, []float64{0}, 2)} {
		if !math.IsNaN(few.T) || !math.IsNaN(few.P) {
			t.Errorf("too few: %+v", few)
		}
	}
}

func TestStudentTail(t *testing.T) {
	// Critical values from printed tables of Student's t, two-sided.
	for _, row := range []struct{ t, df, p float64 }{
		{1, 1, 0.5}, {12.7062, 1, 0.05}, {2.2281, 10, 0.05}, {3.1693, 10, 0.01}, {2.0096, 49, 0.05}, {1.9647, 499, 0.05}, {0, 7, 1},
	} {
		if got := studentTail(row.t, row.df); !near(got, row.p, 1e-4) {
			t.Errorf("t = %v with %v degrees of freedom: %v, want %v", row.t, row.df, got, row.p)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x, df := rapid.Float64Range(0, 50).Draw(t, "t"), float64(rapid.IntRange(1, 2000).Draw(t, "df"))
		p, more := studentTail(x, df), studentTail(x*1.01+0.01, df)
		if !(p >= 0 && p <= 1+1e-12 && more <= p+1e-12) {
			t.Fatalf("p %v, and %v further out", p, more)
		}
		if df == 2 { // has a closed form
			if want := 1 - x/math.Sqrt(2+x*x); !near(p, want, 1e-10) {
				t.Fatalf("p %v, want %v", p, want)
			}
		}
	})
}

func TestSignTest(t *testing.T) {
	for _, row := range []struct {
		heads, tails int
		p            float64
	}{{0, 0, 1}, {5, 0, 2.0 / 32}, {1, 5, 2 * 7.0 / 64}, {3, 3, 1}, {2, 8, 2 * 56.0 / 1024}} {
		if got := signTest(row.heads, row.tails); !near(got, row.p, 1e-12) {
			t.Errorf("%d and %d: %v, want %v", row.heads, row.tails, got, row.p)
		}
	}
}
