package door_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// choosing opens a built-in table with its constraints.
func choosing(t *testing.T, name string, s door.Source) (*door.Table, *door.Constraints) {
	t.Helper()
	x := open(t, "example:"+name, s)
	stem, _, _ := strings.Cut(name, ".")
	c, err := door.ReadConstraints(ctx, x, door.ConstraintFiles{Links: []string{"example:" + stem + "-links.csv"}})
	if err != nil {
		t.Fatal(err)
	}
	return x, c
}

// Choose returns the table that Cluster puts into its result.
func TestChooseIsWhatClusterDoes(t *testing.T) {
	t.Parallel()
	x, c := choosing(t, "iris.csv", door.Source{})
	for _, method := range []string{"", "auto"} {
		found, err := door.Choose(ctx, x, c, door.Options{K: 3, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		stages := map[string]int{}
		r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: method, Progress: func(p door.Progress) { stages[p.Stage]++ }})
		if err != nil {
			t.Fatal(err)
		}
		if r.Chosen.Claimed == nil || r.Chosen.Delivered == nil || r.Chosen.Delivered.Mean < r.Chosen.Claimed.Mean-.05 {
			t.Errorf("claimed %+v, delivered %+v", r.Chosen.Claimed, r.Chosen.Delivered)
		}
		found.Delivered, found.Moved, found.Doubted = r.Chosen.Delivered, r.Chosen.Moved, r.Chosen.Doubted // known after the fit
		a, _ := json.Marshal(found)
		b, _ := json.Marshal(r.Chosen)
		if !bytes.Equal(a, b) || r.Method != found.Method || len(found.Trials) < 6 || found.Why == "" || stages[door.StageChoosing] < len(found.Trials) {
			t.Errorf("Choose %s\nCluster %s by %s after %v", a, b, r.Method, stages)
		}
	}
	r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Method: "kmeans"})
	if err != nil || r.Chosen != nil {
		t.Errorf("a method that was asked for was chosen: %+v, %v", r.Chosen, err)
	}
	var option *door.OptionError
	if _, err := door.Choose(ctx, x, c, door.Options{K: 3, Method: "kmeans"}); !errors.As(err, &option) {
		t.Errorf("there is a choice where a method is given: %v", err)
	}
}

// The scaling that was chosen is saved with the model.
func TestChosenScaleIsSaved(t *testing.T) {
	x, c := choosing(t, "wine.csv", door.Source{})
	r, err := door.Cluster(ctx, x, c, door.Options{K: 3, NeedModel: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Chosen.Scale != "standard" {
		t.Fatalf("chose %s", r.Chosen.Candidate)
	}
	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		t.Fatal(err)
	}
	m, err := door.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(ctx, x, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Sizes, r.Sizes) {
		t.Errorf("sizes %v, predicted %v", r.Sizes, p.Sizes)
	}
}

// Where a fit without constraints is chosen, the rows of constraints move, and nothing is ignored.
func TestConstraintsOfAnUnconstrainedChoiceAreHonoured(t *testing.T) {
	x, c := choosing(t, "wine.csv", door.Source{})
	r, err := door.Cluster(ctx, x, c, door.Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r.Chosen.Constrained || len(r.Ignored) != 0 || r.Must.Given != 14 || r.Cannot.Given != 16 || r.Violated() != r.Chosen.Doubted {
		t.Errorf("%s: ignored %v, %d must-links, %d cannot-links, %d violated, %d doubted", r.Chosen.Candidate, r.Ignored, r.Must.Given, r.Cannot.Given, r.Violated(), r.Chosen.Doubted)
	}
}

func TestChooseK(t *testing.T) {
	t.Parallel()
	x, c := choosing(t, "wine.csv", door.Source{})
	for _, o := range []door.Options{{KMin: 2, KMax: 6}, {KMin: 2, KMax: 6, Method: "pc-kmeans"}} {
		r, err := door.Cluster(ctx, x, c, o)
		if err != nil || r.K != 3 {
			t.Errorf("%+v: %v", r, err)
		}
	}
	var option *door.OptionError
	graph := open(t, "example:graph.edges", door.Source{})
	if r, err := door.Cluster(ctx, graph, nil, door.Options{KMin: 2, KMax: door.AutoKMax}); err != nil || r.K != 4 || r.Chosen == nil || r.Chosen.Clusters.By != "description length" {
		t.Errorf("a graph without constraints: %+v, %v", r, err)
	}
	for name, o := range map[string]door.Options{"reversed": {KMin: 4, KMax: 3}, "too many": {KMin: 500, KMax: 600}} {
		if _, err := door.Cluster(ctx, graph, nil, o); !errors.As(err, &option) || option.Option != "k" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A choice without time takes the reference and leaves half of the time to its fit.
func TestChoiceWithoutTime(t *testing.T) {
	x, c := choosing(t, "iris.csv", door.Source{})
	r, err := door.Cluster(ctx, x, c, door.Options{K: 3, Timeout: 2 * time.Millisecond})
	var late *door.TimeLimitError
	if err != nil && !errors.As(err, &late) {
		t.Fatal(err)
	}
	if err == nil && r.Chosen == nil {
		t.Error("nothing was chosen")
	}
}

// Graphs and texts have candidates of their own, views need a method for them.
func TestChooseForOtherData(t *testing.T) {
	x, c := choosing(t, "graph.edges", door.Source{})
	found, err := door.Choose(ctx, x, c, door.Options{K: 4})
	if err != nil || found.Trials[0].Method != "graph-cut" || found.Trials[0].Constrained {
		t.Errorf("%+v, %v", found, err)
	}
	x, c = choosing(t, "text.csv", door.Source{Text: "text"})
	found, err = door.Choose(ctx, x, c, door.Options{K: 3})
	if err != nil || found.Trials[0].Parameters["distortion"] != "cosine" {
		t.Errorf("%+v, %v", found, err)
	}
	x = open(t, "example:wine.csv", door.Source{})
	found, err = door.Choose(ctx, x, nil, door.Options{K: 3, Views: []door.ViewSource{{Path: "example:wine.csv"}}})
	if err != nil || found.Method != "csp" {
		t.Errorf("%+v, %v", found, err)
	}
}

// With 8 of 60 labels wrong the choice leaves out the doubtful ones, says so, and still
// checks all; told to use them as they are, it does.
func TestChoiceLeavesOutDoubtfulLabels(t *testing.T) {
	t.Parallel()
	x := open(t, "example:iris.csv", door.Source{})
	labels, err := door.ReadConstraints(ctx, x, door.ConstraintFiles{Labels: []string{"example:iris-mislabelled.csv"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, robust := range []suspect.Rule{"", suspect.RuleNone} {
		r, err := door.Cluster(ctx, x, labels, door.Options{Robust: robust})
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(r.Notes, func(n door.Note) bool { return strings.Contains(fmt.Sprint(n), "as doubtful") })
		dropped := false
		for _, c := range r.Chosen.Trials {
			dropped = dropped || c.Robust == suspect.RuleDrop
		}
		if r.Labels.Given != 60 {
			t.Errorf("robust %q: %d labels were checked, want 60", robust, r.Labels.Given)
		}
		if dropped != (robust == "") || said != (r.Chosen.Robust == suspect.RuleDrop) || said != (robust == "") {
			t.Errorf("robust %q: candidates without doubtful labels: %v, chosen: %v, said so: %v", robust, dropped, r.Chosen.Candidate, said)
		}
		if robust == "" && len(r.Misplaced) < 5 {
			t.Errorf("only %d labels are violated", len(r.Misplaced))
		}
	}
}
