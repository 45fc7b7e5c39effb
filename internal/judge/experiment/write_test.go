package experiment

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

// tiny table: two methods, two amounts, scores by hand.
func small() *Table {
	c := &Curve{Problem: &cluster.Problem{}, Vary: Noise, Measure: "f", Folds: 2, Repeats: 1, Methods: make([]Method, 2),
		Amounts: []Amount{{Seeds: 0.5}, {Seeds: 0.5, Noise: 0.25}}}
	c.Methods[0].Name, c.Methods[1].Name = "plain", "better|best"
	fits := map[int]*Fit{}
	for at, f := range []float64{0.5, 0.25, 0.75, 0.25, 1, 0.5, 1, 0.5} { // by method, fold, amount
		fit := &Fit{}
		fit.Score.F = f
		if at == 7 {
			fit.Error = "no way"
		}
		method, fold, amount := at/4, at/2%2, at%2
		fits[(fold*2+amount)*2+method] = fit
	}
	return c.table(&plan{c: c, prints: make([]string, 2)}, fits)
}

const wantText = `f on the rows of the fold (a fraction of 0.5 of the training rows labelled): mean ± standard error over 1 repeat of 2 folds

noise           plain        better|best
    0   0.625 ± 0.125      1.000 ± 0.000
 0.25   0.250 ± 0.000   0.500 (1 failed)

Compared with plain, fit by fit

noise        method       difference     p   p corrected   better/equal/worse
    0   better|best   +0.375 ± 0.125   0.2          0.33                2/0/0
 0.25   better|best           +0.250     –             –                1/0/0
`

// At noise 0 the differences are 0.5 and 0.25: 0.375 ± 0.125, t = 3 and, with
// one degree of freedom, p = 1 − 2/π·atan 3 = 0.2048. Corrected for two folds
// t = 3/√(1+2) and p = 1 − 2/π·atan √3 = 1/3.
func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := small().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, wantText) || !strings.Contains(got, "Folds share most of their rows") {
		t.Errorf("got\n%s\nwant\n%s", got, wantText)
	}
}

func TestWriteMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := small().WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| noise | plain | better\\|best |\n|---:|---:|---:|\n| 0 | 0.625 ± 0.125 | 1.000 ± 0.000 |\n",
		"| 0.25 | better\\|best | +0.250 | – | – | 1/0/0 |\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%s\nwithout\n%s", b.String(), want)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	var b bytes.Buffer
	if err := small().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := `method,measure,pairs,seeds,noise,mean,se,n,failed,difference,difference_se,t,p,p_corrected,better,equal,worse,p_sign
plain,f,0,0.5,0,0.625,0.125,2,0,,,,,,,,,
plain,f,0,0.5,0.25,0.25,0,2,0,,,,,,,,,
better|best,f,0,0.5,0,1,0,2,0,0.375,0.125,3,0.204832`
	if got := b.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "\nbetter|best,f,0,0.5,0.25,0.5,,1,1,0.25,,,,,1,0,0,1\n") {
		t.Errorf("got\n%s\nwant\n%s…", got, want)
	}
}
