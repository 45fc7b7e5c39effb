package experiment

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawCurve draws rows' truth, some of it unknown, folds and a seed.
func drawCurve(t *rapid.T) *Curve {
	c := &Curve{Folds: rapid.IntRange(2, 6).Draw(t, "folds")}
	c.Settings.Seed = rapid.Uint64().Draw(t, "seed")
	c.Truth = rapid.SliceOfN(rapid.IntRange(-1, 3), 4*c.Folds, 80).Draw(t, "truth")
	return c
}

func TestFoldsAreEvenAndStratified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		foldOf := c.Deal(rapid.IntRange(0, 3).Draw(t, "repeat"))
		for class := -1; class <= 3; class++ { // -1: all classes together
			size := make([]int, c.Folds)
			for i, f := range foldOf {
				if (f < 0) != (c.Truth[i] < 0) {
					t.Fatalf("row %d of class %d is in fold %d", i, c.Truth[i], f)
				}
				if f >= 0 && (class < 0 || c.Truth[i] == class) {
					size[f]++
				}
			}
			if slices.Max(size)-slices.Min(size) > 1 {
				t.Fatalf("class %d is divided as %v", class, size)
			}
		}
	})
}

// What is known is of training rows alone, true but for the noise asked for,
// and does not depend on the truth of the test rows.
func TestConstraintsAreOfTheTrainingPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		repeat, fold := rapid.IntRange(0, 3).Draw(t, "repeat"), rapid.IntRange(0, c.Folds-1).Draw(t, "fold")
		a := Amount{rapid.IntRange(0, 30).Draw(t, "pairs"), rapid.Float64Range(0, 1).Draw(t, "seeds"), rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "noise")}
		if _, classes := countTruth(c.Truth); classes < 2 {
			a.Noise = 0
		}
		set, err := c.Known(repeat, fold, a)
		if err != nil {
			t.Fatal(err)
		}
		foldOf, wrong := c.Deal(repeat), 0
		see := func(i int) int {
			if foldOf[i] < 0 || foldOf[i] == fold {
				t.Fatalf("row %d of fold %d is known in fold %d", i, foldOf[i], fold)
			}
			return c.Truth[i]
		}
		for _, p := range set.Must {
			if see(p.I) != see(p.J) {
				wrong++
			}
		}
		for _, p := range set.Cannot {
			if see(p.I) == see(p.J) {
				wrong++
			}
		}
		for _, l := range set.Labels {
			if see(l.I) != l.Class {
				wrong++
			}
		}
		if given := len(set.Must) + len(set.Cannot) + len(set.Labels); a.Noise == 0 && wrong > 0 || !near(float64(wrong), a.Noise*float64(given), 1) {
			t.Fatalf("%d of %d constraints are wrong, noise %v", wrong, given, a.Noise)
		}
	})
}

// The streams of different purposes, folds and amounts differ; amounts that
// stand beside in a curve change nothing.
func TestStreamsAreTheirOwn(t *testing.T) {
	seen := map[uint64]string{}
	for _, purpose := range []string{Pairs, Seeds, Noise, "folds", "start"} {
		for seed := range uint64(3) {
			for a := range 4 {
				for b := range 4 {
					first := stream(seed, purpose, float64(a), float64(b)).Uint64()
					if was := seen[first]; was != "" {
						t.Fatalf("%s: two streams begin alike, the other for %s", purpose, was)
					}
					seen[first] = purpose
				}
			}
		}
	}
	c := &Curve{Folds: 2, Truth: []int{0, 0, 0, 0, 1, 1, 1, 1}}
	one, _ := c.Known(0, 1, Amount{Pairs: 3})
	c.Amounts, c.Repeats = []Amount{{Pairs: 1}, {Pairs: 3}}, 7
	if two, _ := c.Known(0, 1, Amount{Pairs: 3}); !reflect.DeepEqual(one, two) {
		t.Errorf("%v, then %v", one, two)
	}
}
