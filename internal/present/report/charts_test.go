package report_test

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/present/report"
)

// Every chart is a file of its own: a size, white paper first, and no colour
// that only the page knows.
func TestChartsStandAlone(t *testing.T) {
	p := full(30, 3)
	p.Maps = append(p.Maps, p.Maps[0])
	p.Compared = append(p.Compared, p.Compared[0])
	var names []string
	for _, c := range p.Charts() {
		names = append(names, c.Name)
		var b strings.Builder
		if err := c.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		svg := b.String()
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if strings.Contains(svg, "var(") || !regexp.MustCompile(`^<svg xmlns="[^"]+" width="\d+(\.\d)?" height="\d+(\.\d)?" `).MatchString(svg) {
			t.Errorf("%s does not stand alone: %.200s", c.Name, svg)
		}
		if at := strings.Index(svg, "<rect"); at < 0 || !strings.Contains(svg[at:at+90], `fill="#fff"`) {
			t.Errorf("%s has no paper", c.Name)
		}
	}
	if got := strings.Join(names, " "); got != "map map-2 sizes silhouettes table table-2 trace weights" {
		t.Errorf("the charts are %s", got)
	}
	if got := (&report.Page{}).Charts(); len(got) != 1 { // sizes, of nothing
		t.Errorf("an empty page has %d charts", len(got))
	}
}

// All charts can be painted, whatever the names are, and nothing is lost.
func TestAllChartsBecomePNG(t *testing.T) {
	p := full(200, 25) // more clusters than the palette has colours
	p.Clusters[0].Name = "漢字 \u0301\u202e\U0001f600"
	for _, c := range p.Charts() {
		if testing.Short() && c.Name != "sizes" && c.Name != "table" {
			continue // millions of pixels under the race detector
		}
		if b := dark(t, c); b.Dx() < 200 || b.Dy() < 30 {
			t.Errorf("%s has something in %v only", c.Name, b)
		}
	}
}

// dark returns the box around all pixels of a chart that are not light, looking
// at every fourth.
func dark(t *testing.T, c report.Chart) (box image.Rectangle) {
	t.Helper()
	var b bytes.Buffer
	if err := c.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds()
	x0, y0, x1, y1 := size.Max.X, size.Max.Y, 0, 0
	for y := 0; y < size.Dy(); y += 4 {
		for x := 0; x < size.Dx(); x += 4 {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xc000 {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}
	return image.Rect(x0, y0, max(x0, x1), max(y0, y1))
}
