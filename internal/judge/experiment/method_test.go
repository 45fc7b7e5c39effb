package experiment

import (
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/method/catalog"
)

func TestParseMethods(t *testing.T) {
	all, err := ParseMethods(" kmeans:init=random , cop-kmeans,kmeans:init=k-means++:distortion=cosine")
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, want := range []string{"kmeans:init=random", "cop-kmeans", "kmeans:init=k-means++:distortion=cosine"} {
		if all[i].String() != want {
			t.Errorf("got %s, want %s", all[i], want)
		}
	}
	if !strings.Contains(all[0].full, ":init=random:") || all[0].Algorithm() == all[0].Algorithm() {
		t.Errorf("%s: not set, or one algorithm for all fits", all[0].full)
	}
	for text, want := range map[string]string{
		"":                           "must have a name",
		"kmeans,,kmeans":             "must have a name",
		"kmeens":                     `did you mean "kmeans"?`,
		"kmeans:init":                "must be PARAMETER=VALUE",
		"kmeans:":                    "must be PARAMETER=VALUE",
		"kmeans:innit=random":        `did you mean "init"?`,
		"kmeans:init=randon":         `did you mean "random"?`,
		"kmeans:=":                   "has no parameter",
		"kmeans:init=a:init=b":       "init must be",
		"kmeans:init=random:init=ab": "given twice",
		"kmeans,kmeans":              "kmeans is given twice",
		// two words for one method
		"kmeans,kmeans:distortion=euclidean": "kmeans:distortion=euclidean is given twice",
	} {
		if _, err := ParseMethods(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Every method of the catalogue can be asked for with each of its defaults, and
// is the same then.
func TestEveryMethodCanBeAskedFor(t *testing.T) {
	for _, m := range catalog.Methods() {
		plain, err := ParseMethods(m.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, p := range m.Parameters() {
			if strings.ContainsAny(p.Default, ",:") || p.Default == "" {
				continue
			}
			set, err := ParseMethods(m.Name + ":" + p.Name + "=" + p.Default)
			if err != nil || set[0].full != plain[0].full {
				t.Errorf("%s: %v: %v, want %v", p.Name, err, set, plain[0].full)
			}
		}
	}
}

func FuzzParseMethods(f *testing.F) {
	for _, s := range []string{"kmeans", "kmeans:init=random,cop-kmeans", "a:b=c", ",", ":::", "kmeans:init=random:x=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		all, err := ParseMethods(s)
		if err != nil {
			return
		}
		var words []string
		for _, m := range all {
			words = append(words, m.String())
			m.Algorithm()
		}
		again, err := ParseMethods(strings.Join(words, ","))
		if err != nil || len(again) != len(all) {
			t.Fatalf("%q became %q: %v", s, words, err)
		}
	})
}
