package report

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/confidence"
)

// customers are eight rows in two clusters: the fit saw scaled numbers, the table has
// euros, a flag and a missing cell.
func customers() *Clustering {
	table := &data.Dense{Cols: 2, V: []float64{1000, 0, 1200, 0, 1100, 0, 1300, 1, 5000, 1, 5200, 1, math.NaN(), 1, 5400, 0}}
	scaled := &data.Dense{Cols: 2, V: []float64{-1, -1, -0.9, -1, -0.95, -1, -0.85, 1, 1, 1, 1.1, 1, 1.05, 1, 1.2, -1}}
	return &Clustering{Method: "kmeans", Point: "row", Problem: &cluster.Problem{X: scaled, K: 2}, Labels: []int{0, 0, 0, 0, 1, 1, 1, 1}, Names: []string{"small", "large"},
		Columns: []string{"spent", "member"}, Values: table, ID: func(i int) string { return string(rune('a' + i)) }, Workers: 1,
		Profile: []Column{{Name: "city", Texts: []string{"Bonn", "Bonn", "Bonn", "", "Ulm", "Ulm", "Ulm", "Bonn"}},
			{Name: "age", Numbers: []float64{20, 30, math.NaN(), 40, 50, 60, 70, 60}}},
		Sure: &confidence.Rows{Confidence: []float64{1, 1, 0.7, 0.6, 1, 1, 1, 0.99}, Second: []int{1, 1, 1, 1, 0, 0, 0, 0}, Margin: make([]float64, 8)}}
}

// Cards are in the units of the table, not in those of the fit. By hand: the mean of
// small is 1150, that of all 2886, the missing cell takes it too, so that of large is 4621; one of
// four members in small, four of eight in all.
func TestCardsInRealUnits(t *testing.T) {
	p, _, err := NewPage(context.Background(), customers())
	if err != nil {
		t.Fatal(err)
	}
	small, large := p.Clusters[0], p.Clusters[1]
	if len(small.Traits) != 2 || small.Traits[0] != (Trait{"spent", "1,150", "2,886", "4,621", small.Traits[0].Effect}) || !(small.Traits[0].Effect < -0.8) {
		t.Errorf("small has %+v", small.Traits)
	}
	if small.Traits[1].Here != "25 %" || small.Traits[1].All != "50 %" {
		t.Errorf("members in small: %+v", small.Traits[1])
	}
	if want := []string{"spent", "member", "city", "age"}; !slices.Equal(small.Columns, want) {
		t.Errorf("the columns are %q, want %q", small.Columns, want)
	}
	// Of the seven known cities four are Bonn; all three of small are.
	if at := slices.IndexFunc(small.Profile, func(t Trait) bool { return t.Name == "city: Bonn" }); at < 0 || small.Profile[at].Here != "100 %" || small.Profile[at].All != "57 %" {
		t.Errorf("the profile of small is %+v", small.Profile)
	}
	if at := slices.IndexFunc(large.Profile, func(t Trait) bool { return t.Name == "age" }); at < 0 || large.Profile[at].Here != "60" {
		t.Errorf("the profile of large is %+v", large.Profile)
	}
	if len(small.Borderline) != 2 || small.Borderline[0].ID != "d" || small.Borderline[0].Next != "large" || small.Borderline[0].Sure != "60 %" || small.Clear {
		t.Errorf("borderline in small: %+v", small.Borderline)
	}
	if !slices.Equal(small.Borderline[0].Cells, []string{"1,300", "1", "", "40"}) {
		t.Errorf("the cells of d are %q", small.Borderline[0].Cells)
	}
	if len(large.Borderline) != 0 || !large.Clear || len(large.Typical) != 3 {
		t.Errorf("large: %+v", large)
	}
	for _, e := range large.Typical {
		if e.ID == "g" && e.Cells[0] != "" {
			t.Errorf("a missing cell is shown as %q", e.Cells[0])
		}
	}
}

// Columns of several kinds: dates are written as dates, categories as shares, and every
// column is shown once.
func TestCardsOfMixedColumns(t *testing.T) {
	c := customers()
	c.Profile = nil
	c.Fields = []Column{{Name: "since", Numbers: []float64{0, 1, 2, 1, 19000, 19001, 19002, 19001}, Dates: true},
		{Name: "plan", Texts: []string{"free", "free", "free", "free", "paid", "paid", "team", "team"}},
		{Name: "name", Texts: []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
		{Name: "same", Numbers: []float64{1, 1, 1, 1, 1, 1, 1, 1}}}
	p, _, err := NewPage(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	small, large := p.Clusters[0], p.Clusters[1]
	if !slices.Equal(small.Columns, []string{"since", "plan"}) && !slices.Equal(small.Columns, []string{"plan", "since"}) {
		t.Errorf("the columns are %q", small.Columns)
	}
	if at := slices.IndexFunc(small.Traits, func(t Trait) bool { return t.Name == "since" }); at < 0 || small.Traits[at].Here != "1970-01-02" || small.Traits[at].All != "1996-01-06" {
		t.Errorf("small has %+v", small.Traits)
	}
	if at := slices.IndexFunc(large.Traits, func(t Trait) bool { return t.Name == "plan: paid" }); at < 0 || large.Traits[at].Here != "50 %" || large.Traits[at].All != "25 %" {
		t.Errorf("large has %+v", large.Traits)
	}
	if e := large.Typical[0]; !slices.Contains(e.Cells, "paid") && !slices.Contains(e.Cells, "team") {
		t.Errorf("a typical row is %+v", e)
	}
}

func TestQuantity(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 13.7449: "13.74", 999.96: "1000", 1234.5: "1,235", -43210: "−43,210", 0.000123456: "0.0001235", 1e20: "1e+20"} {
		if got := quantity(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

// A cluster that has the name of a class is compared with that class, even where it holds
// more rows of another; clusters that are only numbered are matched by their rows.
func TestNamedClustersKeepTheirClasses(t *testing.T) {
	c := &Clustering{Point: "row", Labels: []int{0, 0, 0, 1, 1, 1, 1}, Names: []string{"ape", "bee"}, ID: func(i int) string { return string(rune('a' + i)) },
		Problem: &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, 7)}, K: 2, Constraints: &constraint.Set{Names: []string{"ape", "bee"}, Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 3, Class: 1, W: 1}}}}}
	truth := []int{0, 1, 1, 1, 0, 0, 0}
	found := c.compare(truth, []string{"ape", "bee"})
	if found.MovedAll != 5 {
		t.Errorf("%d rows lie elsewhere: %v", found.MovedAll, found.Moved)
	}
	for _, m := range found.Moved {
		if m.Class == m.Cluster {
			t.Errorf("%s is listed as elsewhere in its own class %s", m.ID, m.Class)
		}
	}
	c.Names, c.Problem.Constraints = []string{"0", "1"}, nil
	if found := c.compare(truth, []string{"0", "1"}); found.MovedAll != 2 {
		t.Errorf("clusters without names: %d rows lie elsewhere, matched by their rows 2", found.MovedAll)
	}
}

func TestExcerptMarksTellingWords(t *testing.T) {
	show := func(text string, telling ...string) string {
		set := map[string]bool{}
		for _, w := range telling {
			set[w] = true
		}
		var b strings.Builder
		for _, s := range excerpt(text, set) {
			if s.Marked {
				b.WriteString("[" + s.Text + "]")
			} else {
				b.WriteString(s.Text)
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		text, want string
		telling    []string
	}{
		{"The Engine  won't\nstart.", "The [Engine] [won't] start.", []string{"engine", "won't"}},
		{"enginex engines", "enginex engines", []string{"engine"}},
		{"A flat tyre, flat!", "A [flat tyre], flat!", []string{"flat tyre"}},
		{"A flat tyre, flat!", "A [flat tyre], [flat]!", []string{"flat tyre", "flat"}},
		{"", "", nil},
		{"Grüße aus Köln'", "[Grüße] aus [Köln]'", []string{"grüße", "köln"}},
		{strings.Repeat("long ", 100), strings.TrimSuffix(strings.Repeat("long ", 53), " ") + " …", nil},
	} {
		if got := show(c.text, c.telling...); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
	if n := len([]rune(show(strings.Repeat("x", 5000)))); n > excerptLength+50 {
		t.Errorf("a text without blanks is shown with %d runes", n)
	}
}

// two triangles joined by one edge, a pair apart, and an isolated node.
func triangles(t *testing.T) *data.Graph {
	t.Helper()
	var edges []data.Edge
	for _, e := range [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 5}, {3, 5}, {6, 7}} {
		edges = append(edges, data.Edge{U: e[0], V: e[1], W: 1})
	}
	g, err := data.NewGraph(9, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// By hand: the first triangle has 3 edges inside and 1 out, so 1 of its volume 7, which is
// less than the 9 of the others; nodes 0, 1 and 2 have 2 edges inside. The pair and
// the isolated node have none out.
func TestGraphCards(t *testing.T) {
	c := &Clustering{Method: "graph-cut", Point: "node", Problem: &cluster.Problem{Graph: triangles(t), K: 3}, Labels: []int{0, 0, 0, 1, 1, 1, 2, 2, 2},
		Names: []string{"0", "1", "2"}, ID: func(i int) string { return string(rune('a' + i)) },
		Sure: &confidence.Rows{Confidence: []float64{0.5, 0.9, 0.9, 0.6, 0.9, 0.9, 0.5, 0.5, 0.5}, Second: []int{1, 1, 1, 0, 0, 0, 0, 0, 0}, Margin: make([]float64, 9)}}
	p, _, err := NewPage(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	first, last := p.Clusters[0], p.Clusters[2]
	if l := first.Links; l == nil || l.Inside != 3 || l.Out != 1 || math.Abs(l.Conductance-1.0/7) > 1e-15 || len(l.Central) != 3 || l.Central[0] != (Node{"a", "2"}) {
		t.Errorf("the first cluster: %+v", first.Links)
	}
	if l := last.Links; l.Inside != 1 || l.Out != 0 || l.Conductance != 0 || len(l.Central) != 2 {
		t.Errorf("the last cluster: %+v", last.Links)
	}
	// Only c and d have an edge to another cluster.
	if len(first.Borderline) != 1 || first.Borderline[0].ID != "c" || len(last.Borderline) != 0 {
		t.Errorf("borderline: %+v and %+v", first.Borderline, last.Borderline)
	}
	if len(p.Maps) != 1 || len(p.Maps[0].Names) == 0 {
		t.Fatal("no map with names")
	}
	chart := MapChart(p, 0).Inline()
	if n := strings.Count(chart, "h0"); n != 9 || strings.Contains(chart, "NaN") {
		t.Errorf("%d of 9 nodes are drawn", n)
	}
	if !strings.Contains(chart, ">a</text>") {
		t.Error("the most central node has no name")
	}
}

// Colours stay beyond the palette of ten: nothing on the page is refused.
func TestColoursOfManyClusters(t *testing.T) {
	p := &Page{}
	for h := range 30 {
		p.Clusters, p.Labels = append(p.Clusters, Cluster{Name: "c", Size: 1}), append(p.Labels, h)
	}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "ZgotmplZ") {
		t.Error("a value was refused by the template")
	}
	for h := range 30 {
		if !strings.Contains(b.String(), "background:"+Colour(h).CSS()) {
			t.Errorf("cluster %d has no colour %s", h, Colour(h).CSS())
		}
	}
}
