package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/data"
	"pgregory.net/rapid"
)

// newsgroups returns the whole collection, or skips where it is not there.
func newsgroups(t testing.TB) *corpus {
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "20news")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("20 Newsgroups is not there (INKLING_DATA names the folder of 20news): ", err)
	}
	counts, err := readCounts(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := counts.part("full", 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// toy is a corpus of three groups, each with words of its own and shared ones.
func toy(t testing.TB, each int) *corpus {
	c := &corpus{Groups: []string{"a", "b", "c"}}
	start, idx, val := []int{0}, []int32{}, []float64{}
	rng := stream(1, 0, 0)
	for h := range 3 {
		for range each {
			for w := range int32(30) {
				if own := int(w)/10 == h; rng.Float64() < 0.1 || own && rng.Float64() < 0.4 {
					idx, val = append(idx, w), append(val, 1)
				}
			}
			start = append(start, len(idx))
			c.Class = append(c.Class, h)
		}
	}
	var err error
	if c.X, err = data.NewSparse(30, start, idx, val); err != nil {
		t.Fatal(err)
	}
	if c, err = c.choose("toy", c.Groups, each, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTFIDF(t *testing.T) {
	// words 0 (in both kept rows), 1 (in none) and 2 (in one)
	counts, err := data.NewSparse(3, []int{0, 2, 3, 4, 4}, []int32{0, 2, 1, 0}, []float64{5, 3, 7, 2})
	if err != nil {
		t.Fatal(err)
	}
	x, err := tfidf(counts, []int{0, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	a, b := 5*math.Log(3.0/2), 3*math.Log(3.0)
	l := math.Hypot(a, b)
	if want := []float64{a / l, b / l, 1}; x.Cols != 2 || !near(x.Val, want) {
		t.Errorf("%d columns, values %v, want 2 and %v", x.Cols, x.Val, want)
	}
	if want := []int{0, 2, 3, 3}; !slices.Equal(x.Start, want) {
		t.Errorf("rows start at %v, want %v", x.Start, want)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func TestFoldsAreStratified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 200).Draw(t, "class")
		folds := rapid.IntRange(2, 10).Draw(t, "folds")
		fold := deal(class, folds, stream(rapid.Uint64().Draw(t, "seed"), foldStream, 0))
		for h := range 5 {
			size, all := make([]int, folds), 0
			for i, f := range fold {
				if class[i] == h {
					size[f]++
					all++
				}
			}
			for f, n := range size {
				if n != all/folds && n != all/folds+1 {
					t.Fatalf("class %d of %d: %d in fold %d of %d", h, all, n, f, folds)
				}
			}
		}
	})
}

func TestSeedsAreOfTheTrainingPartAndPaired(t *testing.T) {
	c := toy(t, 40)
	fold := deal(c.Class, 4, stream(1, foldStream, 0))
	drawn := func(s setting) map[int]int {
		known, err := c.seeds(s, fold, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		out := map[int]int{}
		for _, l := range known.Labels {
			if fold[l.I] == 2 {
				t.Fatalf("%+v: seed %d is of the test part", s, l.I)
			}
			out[l.I] = l.Class
		}
		return out
	}
	some, all := drawn(setting{Method: seeded, Seeds: 0.2}), drawn(setting{Method: seeded, Seeds: 1})
	if len(some) != 18 || len(all) != 90 {
		t.Errorf("%d and %d seeds, want 18 and 90", len(some), len(all))
	}
	for i, h := range some {
		if h != c.Class[i] || all[i] != h {
			t.Errorf("seed %d is of class %d, truly %d, with more seeds %d", i, h, c.Class[i], all[i])
		}
	}
	if got := drawn(setting{Method: constrained, Seeds: 0.2}); !reflect.DeepEqual(got, some) {
		t.Error("the two methods have different seeds")
	}
	wrong := 0
	for i, h := range drawn(setting{Method: seeded, Seeds: 0.2, Noise: 0.5}) {
		if h != c.Class[i] {
			wrong++
		}
	}
	if wrong != 9 {
		t.Errorf("%d wrong seeds of 18, want 9", wrong)
	}
	classes := map[int]bool{}
	for _, h := range drawn(setting{Method: seeded, Seeds: 0.2, Unseeded: 2}) {
		classes[h] = true
	}
	if len(classes) != 1 {
		t.Errorf("%d classes have seeds, want 1", len(classes))
	}
}

func TestSettingsThatAreOneRun(t *testing.T) {
	all := settings(curves(20, false), 20)
	seen := map[setting]bool{}
	for _, s := range all {
		if s != s.plain(20) || seen[s] {
			t.Errorf("%+v is there twice", s)
		}
		seen[s] = true
	}
	// Random, then two methods of 6 fractions, 7 more noises, 5 more unseeded
	if len(all) != 1+2*(6+7+5) {
		t.Errorf("%d settings, want 37", len(all))
	}
}

func TestClaimsAreOfSettingsThatAreRun(t *testing.T) {
	for _, quick := range []bool{false, true} {
		run := settings(curves(20, quick), 20)
		for _, c := range claims(curves(20, quick)) {
			if !slices.Contains(run, c.A.plain(20)) || !slices.Contains(run, c.B.plain(20)) {
				t.Errorf("quick %v: %v is of a setting that is not run", quick, c)
			}
		}
	}
}

func TestStudyDoesNotDependOnWorkers(t *testing.T) {
	var tables []string
	for _, workers := range []int{1, 4} {
		s := newStudy(toy(t, 30), 5, 3, false)
		var log bytes.Buffer
		if err := runAll(context.Background(), []*study{s}, 3, workers, &meter{w: &log}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(log.String(), "left") {
			t.Errorf("no progress was told: %q", log.String())
		}
		var out bytes.Buffer
		s.print(&out)
		s.judge(&out)
		tables = append(tables, out.String())
	}
	if tables[0] != tables[1] {
		t.Errorf("with one worker\n%s\nwith four\n%s", tables[0], tables[1])
	}
	if strings.Contains(tables[0], "–") || strings.Contains(tables[0], "NaN") {
		t.Errorf("the tables have gaps:\n%s", tables[0])
	}
}

func TestInterruptedStudyStillPrints(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := newStudy(toy(t, 30), 5, 3, false)
	err := runAll(ctx, []*study{s}, 3, 2, &meter{w: &bytes.Buffer{}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	var out bytes.Buffer
	s.print(&out)
	s.judge(&out)
	if !strings.Contains(out.String(), "not tested") {
		t.Errorf("no verdict says that nothing was tested:\n%s", out.String())
	}
}

// Quantiles of Student's t from any table: two-sided 0.05 and 0.01.
func TestStudentTail(t *testing.T) {
	for _, c := range []struct{ t, df, p float64 }{
		{0, 9, 1}, {12.7062, 1, 0.05}, {4.3027, 2, 0.05}, {2.2622, 9, 0.05}, {3.2498, 9, 0.01}, {2.0452, 29, 0.05},
	} {
		if p := studentTail(c.t, c.df); math.Abs(p-c.p) > 1e-5 {
			t.Errorf("t = %v, df = %v: %v, want %v", c.t, c.df, p, c.p)
		}
	}
}

func TestMeanOf(t *testing.T) {
	m := meanOf([]float64{1, 2, 3, 4})
	if want := math.Sqrt(5.0 / 3 / 4); m.Mean != 2.5 || math.Abs(m.SE-want) > 1e-15 {
		t.Errorf("%v ± %v, want 2.5 ± %v", m.Mean, m.SE, want)
	}
}

func TestVerdicts(t *testing.T) {
	more, least := claim{}, claim{OrEqual: true}
	for _, c := range []struct {
		claim claim
		d     []float64
		want  string
	}{
		{more, []float64{1, 1.1, 0.9}, "holds"},
		{more, []float64{-1, -1.1, -0.9}, "FAILS"},
		{more, []float64{1, -1.1, 0.9}, "undecided"},
		{more, []float64{0, 0, 0}, "undecided"},
		{least, []float64{0, 0, 0}, "holds"},
		{least, []float64{1, -1.1, -0.9}, "undecided"},
		{least, []float64{-1, -1.1, -0.9}, "FAILS"},
		{more, []float64{1}, "not tested"},
	} {
		if got := c.claim.verdict(meanOf(c.d)); got != c.want {
			t.Errorf("or equal %v, differences %v: %s, want %s", c.claim.OrEqual, c.d, got, c.want)
		}
	}
}

func TestMissingFolderSaysWhatToDo(t *testing.T) {
	_, err := readCounts(filepath.Join(t.TempDir(), "none"), 1)
	if err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("error %v, want one that names -data", err)
	}
}
