package dedupe

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNormalise(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"  ":                       "",
		"N/A":                      "",
		"NULL":                     "",
		"-":                        "",
		"?":                        "",
		"Müller":                   "muller",
		"MUELLER":                  "muller",
		"Muller":                   "muller",
		"Ågot  Łoś-Ñandú":          "agot los nandu",
		"e\u0301tude":              "etude",
		"O'Neil, Séan":             "oneil sean",
		"Straße 12":                "strasse 12",
		"+49 (30) 123-4567":        "49301234567",
		"030/1234567":              "301234567",
		"0049 30 1234567":          "49301234567",
		"1985-03-12":               "1985 3 12",
		"12.03.1985":               "12 3 1985",
		"Anna.Lind+shop@Mail.test": "anna lind mail test",
		"anna.lind@mail.test":      "anna lind mail test",
		"007":                      "7",
		"000":                      "000",
		"Иван Петров":              "ivan petrov",
		"山田 太郎":                    "山田 太郎",
		"a\xffb":                   "ab",
		strings.Repeat("x", 100):   strings.Repeat("x", maxTokenRunes),
		strings.Repeat("x ", 100):  strings.TrimSpace(strings.Repeat("x ", maxTokens)),
	} {
		if got := Normalise(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What is normalised stays as it is, has no upper case, and is valid text.
func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"Müller", "+49 30 1234567", "1985-03-12", "a@b.c", "\xff\xfe", "İ ǅ ﬁ", "000 0", "ueue"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		n := normalise(in, text)
		joined := strings.Join(n.tokens, " ")
		if !utf8.ValidString(joined) || len(n.tokens) > maxTokens {
			t.Errorf("%q: %q", in, joined)
		}
		for _, tok := range n.tokens {
			if tok == "" || strings.ContainsAny(tok, " \t\n") {
				t.Errorf("%q: token %q", in, tok)
			}
		}
		if upper := Normalise(strings.ToUpper(in)); isASCII(in) && upper != joined {
			t.Errorf("%q: %q, in upper case %q", in, joined, upper)
		}
	})
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"anna", "anna", 0}, {"anna", "nana", 1}, {"schmidt", "schmitt", 1}, {"schmidt", "shcmid", 2},
		{"kitten", "sitting", 3}, {"münde", "munde", 1}, {"ca", "abc", 3},
	} {
		if got := editDistance([]rune(test.a), []rune(test.b), 10); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := editDistance([]rune(test.b), []rune(test.a), 10); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.b, test.a, got, test.want)
		}
	}
	long := []rune(strings.Repeat("ab", 500))
	if got := editDistance(long, []rune(strings.Repeat("cd", 500)), 1000); got < 100 {
		t.Errorf("long texts that have nothing in common: %d", got)
	}
}

// Words of bits give what the rows of the table give, whatever the runes, their number and the limit.
func TestEditDistanceInBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	draw := func(alphabet []rune, most int) []rune {
		text := make([]rune, 1+rng.IntN(most))
		for i := range text {
			text[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return text
	}
	for round := range 20000 {
		alphabet := [][]rune{[]rune("ab"), []rune("abcdefgh"), []rune("aéß日x"), []rune("éß日本")}[round%4]
		a, b := draw(alphabet, 1+round%64), draw(alphabet, 1+rng.IntN(64))
		if len(a) > len(b) {
			a, b = b, a
		}
		most := rng.IntN(len(b) + 2)
		if got, want := editDistanceInBits(a, b, most), editDistanceByRows(a, b, most); got != want {
			t.Fatalf("%q, %q, at most %d: %d, want %d", string(a), string(b), most, got, want)
		}
	}
}
