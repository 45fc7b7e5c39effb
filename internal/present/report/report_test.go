package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// full returns a page with every part, whose names try to break out.
func full(n, k int) *report.Page {
	r := rand.New(rand.NewPCG(1, 2))
	p := &report.Page{Title: "a <b> & c", Verdict: []string{"one", "two </p><script>"}, Facts: []report.Fact{{Name: "seed", Value: "1"}},
		Command: `inkling cluster "x" <y>`, Maps: []*report.Projection{{Name: "principal <components>", Share: 0.5}}, Figures: []report.Figure{{Value: "<1>", Name: "<rows>", Bad: true}},
		Constraints: []report.Satisfied{{Kind: "must-links", Satisfied: 1, Given: 2}}, Violations: []report.Violation{{Constraint: "<i>", Cost: "+1"}}, MoreViolations: 3,
		Trace: []float64{9, 4, 1}, Silhouette: &report.Silhouettes{Mean: 0.3, Sampled: true, Values: make([][]float64, k)},
		Compared: []*report.Comparison{{Title: "<labels>", Table: &report.Crosstab{Rows: []string{"<r>"}, Columns: []string{"&c"}, N: [][]int{{4}}},
			Agreement: []report.Agreement{{Over: "<all>", N: 4, ARI: 1}}, Moved: []report.Move{{ID: "<7>", Class: "<r>", Cluster: "&c"}}, MovedAll: 2}},
		Weights: &report.Weights{Note: "<n>", Features: []string{"a<", "b"}, Clusters: []string{""}, Learned: [][]float64{{0.7, 0.3}}, Plain: []float64{0.5, 0.5},
			Directions: []report.Direction{{Description: "more <a", Times: 2}}},
		Borderline: []report.Borderline{{ID: "<7>", Own: "a", Next: "b", Silhouette: -0.1}}}
	for h := range k {
		p.Clusters = append(p.Clusters, report.Cluster{Name: "<script>alert(1)</script>", Terms: []string{"</div>"}, Columns: []string{"<c>"},
			Traits: []report.Trait{{Name: "<f>", Here: "<1>", All: "<2>", Effect: 1.5}}, Profile: []report.Trait{{Name: "<p>", Here: "1", All: "2", Effect: -9}},
			Links:   &report.Connections{Inside: 3, Out: 1, Conductance: 0.25, Central: []report.Node{{ID: "<n>", Weight: "3"}}},
			Typical: []report.Example{{ID: "&", Cells: []string{"<7>"}}}, Borderline: []report.Example{{ID: "<7>", Text: []report.Span{{Text: "<s>"}, {Text: "<m>", Marked: true}}, Next: "<r>", Sure: "50 %"}}})
		p.Silhouette.Values[h] = []float64{0.5, -0.5, 0.1}
	}
	for range n {
		h := r.IntN(k)
		p.Labels = append(p.Labels, h)
		p.Clusters[h].Size++
		p.Maps[0].X, p.Maps[0].Y = append(p.Maps[0].X, r.NormFloat64()), append(p.Maps[0].Y, r.NormFloat64())
	}
	p.Links = []report.Link{{A: 0, B: 1, Kind: "must", Satisfied: true}, {A: 2, B: 3, Kind: "cannot"}}
	return p
}

func written(t *testing.T, p *report.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever things are called, it stays text.
func TestNamesStayText(t *testing.T) {
	page := written(t, full(30, 3))
	if strings.Contains(page, "<script") || strings.Contains(page, "<r>") || strings.Contains(page, "<7>") {
		t.Error("a name became markup")
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("a name is missing")
	}
}

func TestPageNeedsNoNetwork(t *testing.T) {
	page := strings.ReplaceAll(written(t, full(30, 3)), `xmlns="http://www.w3.org/2000/svg"`, "")
	if m := regexp.MustCompile(`(https?:)?//[a-z]`).FindString(page); m != "" {
		t.Errorf("the page speaks of %s", m)
	}
}

func TestPageOfManyRowsIsSmall(t *testing.T) {
	page := written(t, full(120_000, 8))
	if len(page) > 3_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	if !strings.Contains(page, "One in 3 rows of each cluster is drawn.") {
		t.Error("it is not said that rows were left out")
	}
	if n := strings.Count(page, "h0"); n < 35_000 || n > 50_000 {
		t.Errorf("%d rows are drawn", n)
	}
}

// Clusters beyond the palette have a colour on the page, too.
func TestEveryClusterHasAColour(t *testing.T) {
	if page := written(t, full(30, 12)); strings.Contains(page, "ZgotmplZ") || !strings.Contains(page, "background:hsl(") {
		t.Error("the template refused a colour")
	}
}

// An empty page has no empty parts.
func TestWhatIsNotThereIsLeftOut(t *testing.T) {
	page := written(t, &report.Page{Title: "t", Labels: []int{0}, Clusters: []report.Cluster{{Name: "a", Size: 1}}})
	for _, part := range []string{"The rows", "Constraints", "silhouettes", "The objective", "learned distance", "between two", "Compared"} {
		if strings.Contains(page, part) {
			t.Errorf("there is a part %q", part)
		}
	}
}

func TestChartsAreXML(t *testing.T) {
	p := full(30, 12)
	for name, drawn := range map[string]*picture.Picture{
		"map": report.MapChart(p, 0), "sizes": report.SizeChart(p.Clusters), "trace": report.TraceChart(p.Trace),
		"one point": report.TraceChart([]float64{5}), "silhouettes": report.SilhouetteChart(p.Silhouette, p.Clusters),
		"crosstab": report.CrosstabChart(p.Compared[0].Table), "weights": report.WeightChart(p.Weights),
		"a steep trace": report.TraceChart([]float64{1e6, 10, 1}), "an even one": report.TraceChart([]float64{2, 2}),
	} {
		chart := drawn.Inline()
		d := xml.NewDecoder(strings.NewReader(chart))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if strings.Contains(chart, "NaN") || strings.Contains(chart, "Inf") {
			t.Errorf("%s has a place that is no number", name)
		}
	}
}
