package report

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

func TestCurveChart(t *testing.T) {
	nan := math.NaN()
	table := &experiment.Table{Measure: "ari", Vary: "pairs", Methods: []string{"plain", "a <b>", "never"}, X: []float64{0, 100},
		Cells: [][]experiment.Cell{
			{{Score: experiment.Mean{N: 5, Mean: 0.5, SE: 0.1}}, {Score: experiment.Mean{N: 5, Mean: 0.6, SE: 0.1}}},
			{{Score: experiment.Mean{N: 1, Mean: 0.7, SE: nan}}, {Score: experiment.Mean{N: 0, Mean: nan, SE: nan}, Failed: 5}},
			{{Score: experiment.Mean{Mean: nan, SE: nan}}, {Score: experiment.Mean{Mean: nan, SE: nan}}},
		}}
	got := CurveChart(table).Inline()
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"plain at pairs 100: 0.600 ± 0.100", "a &lt;b&gt; at pairs 0: 0.700"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once", want)
		}
	}
	for _, not := range []string{"NaN", "Inf", "never at", "b&gt; at pairs 100", "<b>"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is drawn", not)
		}
	}
	for _, empty := range []*experiment.Table{{}, {X: []float64{5}, Methods: []string{"m"}, Cells: [][]experiment.Cell{{{}}}}} {
		if got := CurveChart(empty).Inline(); strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
			t.Errorf("a table of nothing: %s", got)
		}
	}
}
