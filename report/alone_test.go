package report_test

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/report"
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
		if err := xml.Unmarshal([]byte(c.SVG), new(struct{})); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if strings.Contains(c.SVG, "var(") || !regexp.MustCompile(`^<svg xmlns="[^"]+" width="\d+(\.\d)?" height="\d+(\.\d)?" `).MatchString(c.SVG) {
			t.Errorf("%s does not stand alone: %.200s", c.Name, c.SVG)
		}
		if at := strings.Index(c.SVG, "<rect"); at < 0 || !strings.Contains(c.SVG[at:at+90], `fill="#fff"`) {
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
