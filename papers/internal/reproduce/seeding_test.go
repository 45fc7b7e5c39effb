package reproduce

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// toyGroups are the names of six groups, among them those of Same-3 and
// Different-3.
var toyGroups = slices.Sorted(slices.Values(slices.Concat(same3, different3)))

// toyFolder writes a 20news folder of small groups, each with words of its own,
// shared and rare ones, and returns the folder that it is in.
func toyFolder(t testing.TB, each int) string {
	dir := t.TempDir()
	rng := stream(1, 0, 0)
	var entries, labels strings.Builder
	n, row := 0, 0
	words := 10*len(toyGroups) + 43 // own ones, 40 rare ones and 3 that are in half the messages
	for h, g := range toyGroups {
		for range each {
			row++
			fmt.Fprintln(&labels, g)
			for w := range words {
				chance := 0.08
				switch at := w - 10*len(toyGroups); {
				case w/10 == h:
					chance = 0.5
				case at >= 40:
					chance = 0.5
				case at >= 0:
					chance = 0.02
				}
				if rng.Float64() < chance {
					fmt.Fprintf(&entries, "%d %d %d\n", row, w+1, 1+rng.IntN(3))
					n++
				}
			}
		}
	}
	head := fmt.Sprintf("%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", row, words, n)
	zipped(t, filepath.Join(dir, "20news", "data.mtx.gz"), head+entries.String())
	zipped(t, filepath.Join(dir, "20news", "labels.txt.gz"), labels.String())
	return dir
}

func zipped(t testing.TB, name, text string) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close(), os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// toy returns the messages of a toy folder that are of Same-3, weighed.
func toy(t testing.TB, each int) *messages {
	m, err := (&Lab{Data: toyFolder(t, each)}).newsgroups()
	if err != nil {
		t.Fatal(err)
	}
	if m, err = m.choose(same3, each, nil); err != nil {
		t.Fatal(err)
	}
	return m
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
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	if want := []float64{a / l, b / l, 1}; x.Cols != 2 || !slices.EqualFunc(x.Val, want, near) {
		t.Errorf("%d columns, values %v, want 2 and %v", x.Cols, x.Val, want)
	}
	if want := []int{0, 2, 3, 3}; !slices.Equal(x.Start, want) {
		t.Errorf("rows start at %v, want %v", x.Start, want)
	}
}

func TestPruneAndDampen(t *testing.T) {
	// word 0 in three rows of four, 1 in one, 2 in two
	x, err := data.NewSparse(3, []int{0, 2, 3, 5, 6}, []int32{0, 1, 0, 0, 2, 2}, []float64{1, 1, 1, 1, 5, 7})
	if err != nil {
		t.Fatal(err)
	}
	m := (&messages{X: x}).prune(2, 0.5)
	if !slices.Equal(m.X.Idx, []int32{2, 2}) || !slices.Equal(m.X.Start, []int{0, 0, 0, 1, 2}) {
		t.Errorf("words %v, rows start at %v, want only word 2", m.X.Idx, m.X.Start)
	}
	if got, want := m.dampen().X.Val, []float64{1 + math.Log(5), 1 + math.Log(7)}; !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
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

// drawn returns the seeds of a setting in fold 2, none of which is of that fold.
func (st *seedStudy) drawn(t *testing.T, s seedSetting) map[int]int {
	known, err := st.seeds(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]int{}
	for _, l := range known.Labels {
		if st.fold[l.I] == 2 {
			t.Fatalf("%+v: seed %d is of the test part", s, l.I)
		}
		out[l.I] = l.Class
	}
	return out
}

func (st *seedStudy) wrong(seeds map[int]int) (n int) {
	for i, h := range seeds {
		if h != st.Class[i] {
			n++
		}
	}
	return n
}

func TestSeedsAreOfTheTrainingPartAndPaired(t *testing.T) {
	st := newSeedStudy(toy(t, 40), seedReading{}, 1)
	some, all := st.drawn(t, seedSetting{Method: seeded, Seeds: 0.25}), st.drawn(t, seedSetting{Method: seeded, Seeds: 1})
	if len(some) != 27 || len(all) != 108 {
		t.Errorf("%d and %d seeds, want 27 and 108", len(some), len(all))
	}
	for i, h := range some {
		if h != st.Class[i] || all[i] != h {
			t.Errorf("seed %d is of class %d, truly %d, with more seeds %d", i, h, st.Class[i], all[i])
		}
	}
	for _, m := range []string{constrained, cop} {
		if got := st.drawn(t, seedSetting{Method: m, Seeds: 0.25}); !reflect.DeepEqual(got, some) {
			t.Errorf("%s has other seeds than Seeded", m)
		}
	}
	if n := st.wrong(st.drawn(t, seedSetting{Method: seeded, Seeds: 0.25, Noise: 0.5})); n != 14 {
		t.Errorf("%d wrong seeds of 27, want 14", n)
	}
	classes := map[int]bool{}
	for _, h := range st.drawn(t, seedSetting{Method: seeded, Seeds: 0.25, Unseeded: 2}) {
		classes[h] = true
	}
	if len(classes) != 1 {
		t.Errorf("%d classes have seeds, want 1", len(classes))
	}
}

func TestReadingsDrawAsTheySay(t *testing.T) {
	m, noisy := toy(t, 40), seedSetting{Method: seeded, Seeds: 1, Noise: 0.5}
	blocks := newSeedStudy(m, seedReading{Blocks: true}, 1)
	seeds := blocks.drawn(t, noisy)
	if n := blocks.wrong(seeds); n != 54 {
		t.Errorf("blocks: %d wrong seeds of 108, want 54", n)
	}
	to := map[int]int{}
	for i, h := range seeds {
		c := m.Class[i]
		if was, ok := to[c]; h != c && ok && was != h {
			t.Errorf("blocks: wrong seeds of class %d are of %d and %d", c, was, h)
		} else if h != c {
			to[c] = h
		}
	}
	coins := newSeedStudy(m, seedReading{Coins: true}, 1)
	if n := coins.wrong(coins.drawn(t, noisy)); n < 38 || n > 70 { // six standard deviations
		t.Errorf("coins: %d wrong seeds of 108", n)
	}
	mixed := newSeedStudy(m, seedReading{Mixed: true}, 1)
	seeds = mixed.drawn(t, seedSetting{Method: seeded, Seeds: 0.5})
	if len(seeds) != 54 || mixed.wrong(seeds) != 0 {
		t.Errorf("mixed: %d seeds, %d wrong, want 54 and none", len(seeds), mixed.wrong(seeds))
	}
}

func TestSettingsThatAreOneRun(t *testing.T) {
	learning, noisy, incomplete := seedCurves(20, true)
	all := settings(20, learning, noisy, incomplete)
	seen := map[seedSetting]bool{}
	for _, s := range all {
		if s != s.plain(20) || seen[s] {
			t.Errorf("%+v is there twice", s)
		}
		seen[s] = true
	}
	// Random; COP without seeds; then three methods of 10 fractions, 9 more
	// noises, 5 more unseeded
	if want := 2 + 3*(10+9+5); len(all) != want {
		t.Errorf("%d settings, want %d", len(all), want)
	}
}

func seedingSheet(t *testing.T, id string, l *Lab) string {
	recipes, err := Select(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := recipes[0].Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, s, false)
}

// Any number of workers, and a log that was cut in the middle, give the same
// sheet, and the sheet has no gaps.
func TestSeedingSheets(t *testing.T) {
	dir := toyFolder(t, 20)
	for _, id := range []string{"seeding-20news", "seeding-small20", "seeding-same3", "seeding-different3", "seeding-noise"} {
		full := !testing.Short() || id == "seeding-same3"
		t.Run(id, func(t *testing.T) {
			var log bytes.Buffer
			one := seedingSheet(t, id, &Lab{Data: dir, Full: full, Seed: 3, Workers: 1, TrialLog: &log})
			lines := bytes.SplitAfter(log.Bytes(), []byte("\n"))
			trials, _, err := ReadTrials(bytes.NewReader(bytes.Join(lines[:len(lines)/2], nil)))
			if err != nil {
				t.Fatal(err)
			}
			four := seedingSheet(t, id, &Lab{Data: dir, Full: full, Seed: 3, Workers: 4, Trials: trials})
			if one != four {
				t.Errorf("from nothing with one worker\n%s\nfrom a log with four\n%s", one, four)
			}
			for _, bad := range []string{"–", "NaN", "failed)", "+Inf"} {
				if strings.Contains(one, bad) {
					t.Errorf("the sheet has %s:\n%s", bad, one)
				}
			}
			if !strings.Contains(one, "| **reproduced** |") && !strings.Contains(one, "| **partly** |") && !strings.Contains(one, "| **not** |") {
				t.Errorf("the sheet has no verdict:\n%s", one)
			}
		})
	}
}

// Whole messages are read where they are, and reported as missing elsewhere.
func TestReadingOfWholeMessages(t *testing.T) {
	dir := toyFolder(t, 12)
	lab := &Lab{Data: dir, Full: true, Seed: 1, Workers: 2}
	if s := seedingSheet(t, "seeding-noise", lab); !strings.Contains(s, "Not run, as there is no folder 20news/messages") {
		t.Error("a reading without its data is passed over in silence")
	}
	for h, g := range toyGroups {
		for i := range 12 {
			name := filepath.Join(dir, "20news", "messages", g, fmt.Sprint(i))
			text := "From: x\n\nnothing"
			if i < 8 { // words of 8 messages and more are kept, and of 15 % of them and less
				text = fmt.Sprintf("Subject: subject%d\n\nword%d", h, h)
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	m, err := lab.wholeMessages()
	if err != nil {
		t.Fatal(err)
	}
	if m.X.Len() != 72 || m.k() != 6 || m.X.Dim() != 12 {
		t.Errorf("%d messages of %d groups, %d words", m.X.Len(), m.k(), m.X.Dim())
	}
}

func TestSeedingInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	recipes, _ := Select("seeding-same3")
	if _, err := recipes[0].Run(ctx, &Lab{Data: toyFolder(t, 12), Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestSeedingWithoutData(t *testing.T) {
	recipes, _ := Select("seeding")
	for _, r := range recipes {
		_, err := r.Run(context.Background(), &Lab{Data: t.TempDir()})
		var missing *MissingError
		if !errors.As(err, &missing) || missing.Set != "20news" {
			t.Errorf("%s: error %v, want that 20news is missing", r.ID, err)
		}
	}
}

// A run that is stuck has no value, and its fold is left out of comparisons.
func TestStuckRunsAreFailures(t *testing.T) {
	s := seedSetting{Method: cop, Seeds: 0.1}
	b := &seedBook{seedStudy: &seedStudy{messages: &messages{Groups: same3}},
		of: map[seedSetting][]seedOutcome{s: {{MI: 1}, {Stuck: true}, {MI: 3}}}}
	v := b.values(s, testMI)
	if len(v) != 3 || v[0] != 1 || !math.IsNaN(v[1]) || v[2] != 3 {
		t.Fatalf("values %v, want 1, NaN, 3", v)
	}
	table, err := experiment.Tabulate("MI", "", []string{cop}, []float64{0}, [][][]float64{{v}})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Cells[0][0].String(); got != "2.000 ± 1.000 (1 failed)" {
		t.Errorf("the cell says %q", got)
	}
}
