package workspace

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
)

var kinds = []string{"north", "core", "gold", "trial", "night"}

// shoppers are n rows of numbers and categories in five groups that overlap little. The first labelled rows
// have a label, of which the first wrong are wrong.
func shoppers(n, labelled, wrong int) (text string, truth []int) {
	rng := rand.New(rand.NewPCG(21, 21))
	centres := make([]float64, 5*6)
	for i := range centres {
		centres[i] = 2.5 * rng.NormFloat64()
	}
	var b strings.Builder
	b.WriteString("id,spend,visits,age,basket,returns,tenure,plan,segment\n")
	for i := range n {
		h := i % 5
		truth = append(truth, h)
		fmt.Fprintf(&b, "u%d", i)
		for c := range 6 {
			fmt.Fprintf(&b, ",%.2f", 20+centres[h*6+c]+rng.NormFloat64())
		}
		plan, label := []string{"basic", "pro", "team"}[(h+rng.IntN(5)/4)%3], ""
		if i < labelled {
			label = kinds[h]
			if i < wrong {
				label = kinds[(h+1+i%3)%5]
			}
		}
		fmt.Fprintf(&b, ",%s,%s\n", plan, label)
	}
	return b.String(), truth
}

// Labels of the data choose as inkling cluster does, however many rows there are, and those that are wrong
// are announced.
func TestLabelsOnOpening(t *testing.T) {
	t.Parallel()
	text, truth := shoppers(1_100, 40, 4)
	source := door.Source{ID: "id", LabelColumn: "segment"}
	w, _ := openedOn(t, text, source, door.Options{})
	ctx := context.Background()
	want, err := door.Cluster(ctx, w.points.table, nil, door.Options{NoSuspects: true})
	if err != nil {
		t.Fatal(err)
	}
	got := w.Latest()
	if ari, _ := score.ARI(want.Assignment(), got.Result.Assignment()); ari < 1 || got.Result.Method != want.Method {
		t.Errorf("the page has %s, inkling cluster %s; their clusters agree by %.3f", got.Result.Method, want.Method, ari)
	}
	if ari, _ := score.ARI(truth, got.Result.Assignment()); ari < 0.95 {
		t.Errorf("the clusters are right by %.3f", ari)
	}
	s := w.State(context.Background())
	if s.Suspects.Likely < 3 || s.Suspects.Likely > 6 {
		t.Errorf("%d of 40 labels look wrong, 4 are", s.Suspects.Likely)
	}
	list, err := w.Suspects()
	if err != nil || !list.Ready {
		t.Fatal(list, err)
	}
	for _, x := range list.Suspects[:3] {
		if row := int(w.points.order[x.Points[0]]); row >= 4 {
			t.Errorf("among the first suspects is row %d, whose label is right: %s", row, x.Text)
		}
	}
	details, _, err := want.Details(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sure := 0
	for row, d := range details {
		if c := got.confidence(row); c == nil || math.Abs(*c-d.Confidence) > 1e-3 {
			t.Fatalf("row %d has confidence %v on the page and %v by inkling cluster", row, c, d.Confidence)
		}
		if d.Confidence >= 0.8 && row >= 40 {
			sure++
		}
	}
	changed, err := w.Accept(ctx, AcceptRequest{Points: allPoints(w), Above: 0.8})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(changed.Events); n < sure || sure < 800 {
		t.Errorf("accepting rows above 80 %% accepted %d; %d without a label are above", n, sure)
	}
}

func allPoints(w *Workspace) (out []int) {
	for p := range w.points.order {
		out = append(out, p)
	}
	return out
}

// Groups that nobody named are called after what sets them apart, and all outputs have these names.
func TestProposedNames(t *testing.T) {
	t.Parallel()
	text, _ := shoppers(600, 0, 0)
	w, settled := openedOn(t, text, door.Source{ID: "id", LabelColumn: "segment"}, door.Options{K: 5})
	names := map[string]bool{}
	for _, c := range w.State(context.Background()).Fit.Clusters {
		if isNumber.MatchString(c.Name) || !strings.Contains(c.Name, "high ") && !strings.Contains(c.Name, "low ") && !strings.Contains(c.Name, "plan ") {
			t.Errorf("a group is called %q", c.Name)
		}
		names[c.Name] = true
	}
	written := map[string]bool{}
	for _, name := range exported(t, w, "clusters.csv") {
		written[name] = true
	}
	if fmt.Sprint(names) != fmt.Sprint(written) || len(names) != 5 {
		t.Errorf("shown are %v, exported %v", names, written)
	}
	ctx := context.Background()
	first := w.State(context.Background()).Fit.Clusters[0].Name
	if _, err := w.Rename(ctx, RenameRequest{Cluster: first, Name: "Mine"}); err != nil {
		t.Fatal(err)
	}
	ask := w.Question(ctx)
	if _, err := w.AnswerQuestion(ctx, AnswerRequest{A: ask.Question.A.Point, B: ask.Question.B.Point, Say: "different"}); err != nil {
		t.Fatal(err)
	}
	settled()
	var after []string
	for _, c := range w.State(context.Background()).Fit.Clusters {
		after = append(after, c.Name)
	}
	if !slices.Contains(after, "Mine") || slices.Contains(after, first) {
		t.Errorf("after a name and an answer the groups are called %q", after)
	}
	for _, name := range after {
		if name != "Mine" && !names[name] {
			t.Errorf("a group that hardly changed is now called %q", name)
		}
	}
}

// A preview is shown before the first fit and is no event.
func TestPreview(t *testing.T) {
	t.Parallel()
	text, truth := shoppers(700, 0, 0)
	w, _ := openedOn(t, text, door.Source{ID: "id", LabelColumn: "segment"}, door.Options{})
	f := w.kept.preview
	if f == nil || !f.isPreview || w.Latest() == f {
		t.Fatalf("the preview was %v", f)
	}
	if ari, _ := score.ARI(truth, f.Result.Assignment()); ari < 0.6 {
		t.Errorf("the preview is right by %.3f", ari)
	}
	if e := w.record.session.Events(); len(e) == 0 || e[0].N != w.kept.fits[0].N || w.kept.fits[0].moved != 0 {
		t.Errorf("the first event is %v, the first fit %d, which moved %d rows", e[0], w.kept.fits[0].N, w.kept.fits[0].moved)
	}
}
