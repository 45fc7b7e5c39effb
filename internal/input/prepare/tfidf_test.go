package prepare_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

func words(text string) (out []string) {
	prepare.Words(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"The Cat, the CAT; the-cat_cat!":   "the|cat|the|cat|the|cat|cat",
		"don't DON’T 'quoted' rock'n'roll": "don't|don't|quoted|rock'n'roll",
		"dogs' o''clock 5'6 a'1 l'été":     "dogs|o|clock|5|6|a|1|l'été",
		"x86 3.14 h2o":                     "x86|3|14|h2o",
		"Ärger über Straße ÉCOLE":          "ärger|über|straße|école",
		"cafe\u0301s \u0301alone":          "cafe\u0301s|alone",
		"co\u00ADoperate":                  "cooperate",
		"ПРИВЕТ мир":                       "привет|мир",
		"日本へ行く カタカナ":                       "日|本|へ|行|く|カタカナ",
		"a\xffb \xc3":                      "a|b",
		"it'":                              "it",
	} {
		if got := strings.Join(words(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "don't stop", "Ünïcode’s 日本 x\u00ADy", "a'\xff'b", "İI ǅ ΑΣ Ⅷ½", "\u0301'\u0301a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := words(text)
		for _, w := range found {
			if w == "" || !utf8.ValidString(w) {
				t.Fatalf("word %q", w)
			}
			if again := words(w); len(again) != 1 || again[0] != w {
				t.Fatalf("word %q of %q is cut into %q", w, text, again)
			}
			for _, r := range w {
				if r != '\'' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
					t.Fatalf("word %q has %q", w, r)
				}
			}
		}
		// Between separators, words do not touch each other.
		if twice := words(text + " " + text); !slices.Equal(twice, slices.Concat(found, found)) {
			t.Fatalf("%q: %q twice is %q", text, found, twice)
		}
	})
}

func docs(d ...string) *dataio.Dataset { return &dataio.Dataset{Name: "docs.csv", Docs: d} }

func TestTFIDFByHand(t *testing.T) {
	// n = 3. sun: df 2, idf ln(4/3)+1; moon and star: df 1, idf ln 2 + 1.
	r, p := fit(t, docs("Sun, sun and moon", "the sun", "star!"), prepare.Options{})
	if !slices.Equal(r.Text.Vocabulary, []string{"moon", "star", "sun"}) || !slices.Equal(r.Columns, r.Text.Vocabulary) {
		t.Fatalf("vocabulary %q, columns %q", r.Text.Vocabulary, r.Columns)
	}
	one, two := math.Log(2)+1, math.Log(4.0/3)+1
	near(t, "idf", r.Text.IDF, []float64{one, one, two})
	length := math.Hypot(one, 2*two)
	near(t, "rows", values(p.X), []float64{one / length, 0, 2 * two / length, 0, 0, 1, 0, 1, 0})
	if _, ok := p.X.(*data.Sparse); !ok {
		t.Errorf("%T, want *data.Sparse", p.X)
	}

	q, err := r.Apply(docs("a comet", "", "MOON moon"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(values(q.X), []float64{0, 0, 0, 0, 0, 0, 1, 0, 0}) {
		t.Errorf("new documents: %v", values(q.X))
	}
	if len(q.Notes) != 1 || !strings.Contains(string(q.Notes[0]), "2 of 3") {
		t.Errorf("notes %q", q.Notes)
	}
	_, err = r.Apply(table([]string{"moon", "star", "sun"}, 1, 2, 3))
	wantError(t, err, "{text}")
}

func TestVocabulary(t *testing.T) {
	ds := docs("the apple pie", "the apple tart", "the plum pie", "the apple")
	for _, tc := range []struct {
		opt  prepare.Options
		want string
	}{
		{prepare.Options{}, "apple pie plum tart"},
		{prepare.Options{StopWords: "none"}, "apple pie plum tart the"},
		{prepare.Options{StopWords: "Apple, TART"}, "pie plum the"},
		{prepare.Options{MinDF: 2}, "apple pie"},
		{prepare.Options{StopWords: "none", MaxDF: 0.75}, "apple pie plum tart"},
		{prepare.Options{MaxDF: 0.5}, "pie plum tart"},
		{prepare.Options{MaxFeatures: 2}, "apple pie"},
		{prepare.Options{MaxFeatures: 3}, "apple pie plum"},
	} {
		r, _ := fit(t, ds, tc.opt)
		if got := strings.Join(r.Text.Vocabulary, " "); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.opt, got, tc.want)
		}
	}
	_, _, err := prepare.Fit(ds, prepare.Options{MinDF: 5})
	wantError(t, err, "docs.csv", "no word is left", "widen")
	_, _, err = prepare.Fit(docs("the", "and"), prepare.Options{})
	wantError(t, err, "stop-words=none")
	_, _, err = prepare.Fit(docs("", "!"), prepare.Options{})
	wantError(t, err, "empty")
}

func TestTextRecipeIsPlainData(t *testing.T) {
	ds := docs("sun moon", "sun star", "comet")
	r, p := fit(t, ds, prepare.Options{Scale: prepare.MinMax})
	q, err := throughJSON(t, r).Apply(ds)
	if err != nil || !slices.Equal(values(q.X), values(p.X)) {
		t.Errorf("%v, %v", q, err)
	}
}

func TestStopWordsAreWords(t *testing.T) {
	list := prepare.English()
	for _, w := range list {
		if got := words(w); len(got) != 1 || got[0] != w {
			t.Errorf("stop word %q is read as %q", w, got)
		}
	}
	if slices.Sort(list); len(slices.Compact(list)) != len(prepare.English()) {
		t.Error("a stop word stands twice in the list")
	}
}

// By hand: of the pairs only "flat tyre" stands in two documents without a stop word
// between or in it; later documents have it too.
func TestPairsOfWords(t *testing.T) {
	ds := &dataio.Dataset{Docs: []string{"A flat tyre", "flat tyre of the car", "the car of the flat", "tyre flat"}}
	r, p, err := prepare.Fit(ds, prepare.Options{NGrams: 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"car", "flat", "flat tyre", "tyre"}; !slices.Equal(r.Columns, want) {
		t.Fatalf("the terms are %q, want %q", r.Columns, want)
	}
	if got := p.X.Row(3, nil).Idx; len(got) != 2 {
		t.Errorf("tyre flat has the terms %v", got)
	}
	later, err := r.Apply(&dataio.Dataset{Docs: []string{"Flat, tyre?"}})
	if err != nil || len(later.X.Row(0, nil).Idx) != 3 {
		t.Errorf("a later document: %v, %v", later, err)
	}
	if _, _, err := prepare.Fit(ds, prepare.Options{NGrams: 3}); err == nil {
		t.Error("terms of three words are taken")
	}
	one, _, err := prepare.Fit(ds, prepare.Options{})
	if err != nil || slices.Contains(one.Columns, "flat tyre") {
		t.Errorf("without pairs: %v, %v", one, err)
	}
}

// The frequent words that are left out are named, most frequent first.
func TestFrequentWordsAreNamed(t *testing.T) {
	docs := []string{"order book red", "order book blue", "order pen green", "order pen book"}
	_, r, err := prepare.Fit(&dataio.Dataset{Docs: docs}, prepare.Options{StopWords: "none", Frequent: 2})
	if err != nil {
		t.Fatal(err)
	}
	if said := fmt.Sprint(r.Notes); !strings.Contains(said, "the 2 most frequent of the other words left out (order, book, …)") {
		t.Errorf("said %s", said)
	}
}
