package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// still is a workspace on a file with one fit, in which nothing happens by itself.
func still(t *testing.T, text string, source door.Source, o door.Options) *Workspace {
	t.Helper()
	ps, _, rec := ground(t, text, source, o)
	w := assemble(Options{Session: rec.session, Table: ps.table, Workers: 1})
	t.Cleanup(w.jobs.close)
	w.places.place()
	w.fits.fitOnce("test")
	w.jobs.work.Wait()
	if w.fits.failed != nil {
		t.Fatal(w.fits.failed)
	}
	return w
}

// stillEight is one on eight rows in two clusters: a to d and e to h, without labels.
func stillEight(t *testing.T) *Workspace {
	w := still(t, eightRows, door.Source{ID: "id", Drop: []string{"kind"}}, door.Options{K: 2, Method: "kmeans", Scale: prepare.None})
	f := w.Latest()
	for row, h := range f.label {
		if h != f.label[row/4*4] || f.label[0] == f.label[7] {
			t.Fatalf("the clusters are %v", f.label)
		}
	}
	return w
}

// at returns the points of rows, whose ids are letters.
func at(w *Workspace, ids string) (out []int) {
	for _, id := range strings.Split(ids, "") {
		out = append(out, w.points.pointOf(id))
	}
	return out
}

// clusterAt returns the name of the cluster of a row as it is shown.
func clusterAt(w *Workspace, id string) string {
	return w.view.names.pointName(w.points.pointOf(id)).Cluster
}

// saidOf returns the constraints in force, in words.
func saidOf(w *Workspace) (out []string) {
	for _, e := range w.record.session.InForce() {
		switch e.Op {
		case session.OpFit, session.OpRename, session.OpMark:
		default:
			out = append(out, e.String())
		}
	}
	slices.Sort(out)
	return out
}

func mustSay(t *testing.T, w *Workspace, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := saidOf(w); !slices.Equal(got, want) {
		t.Errorf("in force are\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// problem returns the kind of a refusal.
func problem(err error) string {
	var r *RequestError
	if errors.As(err, &r) {
		return r.Kind
	}
	return ""
}

// A change that contradicts what is in force is refused with a proof and repairs; forced, it is written.
func TestContradictionsAreProved(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	do := func(_ *Changed, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(w.Link(ctx, LinkRequest{Kind: "must", A: at(w, "a")[0], B: at(w, "b")[0]}))
	do(w.Link(ctx, LinkRequest{Kind: "must", A: at(w, "b")[0], B: at(w, "c")[0]}))
	wrong := LinkRequest{Kind: "cannot", A: at(w, "a")[0], B: at(w, "c")[0]}
	_, err := w.Link(ctx, wrong)
	var refused *RequestError
	if !errors.As(err, &refused) || refused.Kind != KindConflict {
		t.Fatalf("a contradiction is %v", err)
	}
	proof := refused.Body.(*Changed).Contradicts
	var steps []string
	for _, c := range proof.Chain {
		steps = append(steps, c.Text)
	}
	if want := []string{"a and c do not belong together", "a and b belong together", "b and c belong together"}; !slices.Equal(steps, want) || proof.Chain[0].Event != 0 || len(proof.Repairs) != 2 {
		t.Errorf("the proof is %q with %d repairs", steps, len(proof.Repairs))
	}
	mustSay(t, w, "a and b belong together", "b and c belong together")
	do(w.Forget(ctx, ForgetRequest{Events: proof.Repairs[1].Forget}))
	do(w.Link(ctx, wrong))
	mustSay(t, w, "a and b belong together", "a and c do not belong together")
	do(w.Undo(ctx))
	do(w.Undo(ctx))
	mustSay(t, w, "a and b belong together", "b and c belong together")
	wrong.Force = true
	do(w.Link(ctx, wrong))
	mustSay(t, w, "a and b belong together", "b and c belong together", "a and c do not belong together")
}

// What is wrong with a request is refused, and nothing is written.
func TestRefusedEdits(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	for name, c := range map[string]struct {
		do   func() (*Changed, error)
		kind string
	}{
		"no points":           {func() (*Changed, error) { return w.Label(ctx, LabelRequest{Label: "x"}) }, KindOption},
		"no label":            {func() (*Changed, error) { return w.Label(ctx, LabelRequest{Points: []int{0}}) }, KindOption},
		"no such point":       {func() (*Changed, error) { return w.Label(ctx, LabelRequest{Points: []int{8}, Label: "x"}) }, KindNotFound},
		"a point with itself": {func() (*Changed, error) { return w.Link(ctx, LinkRequest{Kind: "must", A: 1, B: 1}) }, KindOption},
		"a kind of link":      {func() (*Changed, error) { return w.Link(ctx, LinkRequest{Kind: "maybe", A: 1, B: 2}) }, KindOption},
		"three points":        {func() (*Changed, error) { return w.Links(ctx, LinksRequest{Kind: "must", Pairs: [][]int{{1, 2, 3}}}) }, KindInput},
		"one cluster":         {func() (*Changed, error) { return w.Merge(ctx, MergeRequest{Clusters: []string{"0"}}) }, KindOption},
		"no such cluster":     {func() (*Changed, error) { return w.Merge(ctx, MergeRequest{Clusters: []string{"0", "none"}}) }, KindNotFound},
		"nothing to split":    {func() (*Changed, error) { return w.Split(ctx, SplitRequest{}) }, KindOption},
		"no tree":             {func() (*Changed, error) { return w.Split(ctx, SplitRequest{Cluster: clusterAt(w, "a")}) }, KindOption},
		"a confidence":        {func() (*Changed, error) { return w.Accept(ctx, AcceptRequest{Points: []int{0}, Above: 2}) }, KindOption},
		"an empty name":       {func() (*Changed, error) { return w.Rename(ctx, RenameRequest{Cluster: clusterAt(w, "a")}) }, KindOption},
		"a name that is taken": {func() (*Changed, error) {
			return w.Rename(ctx, RenameRequest{Cluster: clusterAt(w, "a"), Name: clusterAt(w, "e")})
		}, KindConflict},
		"nothing to keep":   {func() (*Changed, error) { return w.Keep(ctx, KeepRequest{}) }, KindConflict},
		"nothing to forget": {func() (*Changed, error) { return w.Forget(ctx, ForgetRequest{}) }, KindOption},
		"no such event":     {func() (*Changed, error) { return w.Soften(ctx, SoftenRequest{Event: 99, Weight: 1}) }, KindNotFound},
		"nothing to undo":   {func() (*Changed, error) { return w.Redo(ctx) }, KindConflict},
		"no such fit":       {func() (*Changed, error) { return w.Return(ctx, ReturnRequest{Fit: 99}) }, KindNotFound},
	} {
		if _, err := c.do(); problem(err) != c.kind {
			t.Errorf("%s: %v is of kind %q, not %q", name, err, problem(err), c.kind)
		}
	}
	mustSay(t, w)
}

// Two clusters are merged by links between their surest rows; cannot-links between them speak against it.
func TestMerge(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	both := []string{clusterAt(w, "a"), clusterAt(w, "e")}
	if _, err := w.Link(ctx, LinkRequest{Kind: "cannot", A: at(w, "a")[0], B: at(w, "h")[0]}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Merge(ctx, MergeRequest{Clusters: both})
	if problem(err) != KindConflict || !strings.Contains(err.Error(), "kept apart by 1 cannot-link") {
		t.Errorf("a merger against a link: %v", err)
	}
	if _, err := w.Merge(ctx, MergeRequest{Clusters: both, Force: true}); err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, e := range w.record.linksInForce() {
		if e.By != byMerge {
			continue
		}
		if links++; e.Op != session.OpMust || (e.A < "e") == (e.B < "e") {
			t.Errorf("a merger says %s", e)
		}
	}
	if links != 4 { // of clusters of four rows
		t.Errorf("%d links merge two clusters of four rows", links)
	}
	w.fits.fitOnce("test")
	if f := w.Latest(); f.Result.K != 1 {
		t.Errorf("after the merger there are %d clusters", f.Result.K)
	}
}

// Where both clusters are classes, the second class becomes the first.
func TestMergeOfClasses(t *testing.T) {
	w := still(t, eightRows, door.Source{ID: "id", LabelColumn: "kind"}, door.Options{Method: "seeded-kmeans", Scale: prepare.None})
	did, err := w.Merge(context.Background(), MergeRequest{Clusters: []string{"red", "blue"}})
	if err != nil {
		t.Fatal(err)
	}
	if did.Did != `the label "blue" of 1 row became "red"` {
		t.Errorf("it says %q", did.Did)
	}
	if labels, _ := w.record.labels(); labels[6] != "red" {
		t.Errorf("the labels are %q", labels)
	}
}

// Points are split off by links among them and against a row of each cluster that they are from.
func TestSplitAndRemove(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	if _, err := w.Split(ctx, SplitRequest{Points: at(w, "ab")}); err != nil {
		t.Fatal(err)
	}
	links := w.record.linksInForce()
	if len(links) != 2 || links[0].String() != "a and b belong together" || links[1].Op != session.OpCannot || links[1].A != "a" || !strings.Contains("cd", links[1].B) {
		t.Errorf("the split says %v", links)
	}
	w.fits.fitOnce("test")
	if f := w.Latest(); f.Result.K != 3 { // k-means, which was asked for, uses no links
		t.Errorf("after the split there are %d clusters", f.Result.K)
	}
	if _, err := w.Label(ctx, LabelRequest{Points: at(w, "e"), Label: "north"}); err != nil {
		t.Fatal(err)
	}
	w.fits.fitOnce("test")
	if name := clusterAt(w, "e"); name != "north" {
		t.Fatalf("the cluster of a row that is labelled north is %q", name)
	}
	did, err := w.Remove(ctx, RemoveRequest{Point: at(w, "e")[0]})
	if err != nil || did.Did != `its label "north" is taken back too` {
		t.Errorf("a labelled row is removed: %+v, %v", did, err)
	}
	last := w.record.linksInForce()
	if e := last[len(last)-1]; e.Op != session.OpCannot || e.A != "e" || !strings.Contains("fgh", e.B) {
		t.Errorf("the removal says %s", e)
	}
}

func TestAcceptSoftenForget(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	if _, err := w.Rename(ctx, RenameRequest{Cluster: clusterAt(w, "a"), Name: "north"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Accept(ctx, AcceptRequest{Points: at(w, "ab")}); err != nil {
		t.Fatal(err)
	}
	mustSay(t, w, "a is north", "b is north")
	if _, err := w.Accept(ctx, AcceptRequest{Points: at(w, "ab")}); problem(err) != KindOption {
		t.Errorf("what is labelled so is accepted again: %v", err)
	}
	for _, e := range w.record.session.InForce() {
		if e.ID == "a" {
			if _, err := w.Soften(ctx, SoftenRequest{Event: e.N, Weight: 0.5}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := saidOf(w); !slices.Contains(got, "a is north (weight 0.5)") {
		t.Errorf("softened, it says %q", got)
	}
	if _, err := w.Forget(ctx, ForgetRequest{Points: at(w, "b")}); err != nil {
		t.Fatal(err)
	}
	if labels, _ := w.record.labels(); labels[0] != "north" || labels[1] != "" {
		t.Errorf("after forgetting the label of b the labels are %q", labels)
	}
}

// A fit with a name can be returned to: what was said since is taken back, and the next fit is as that one.
func TestReturnToAFit(t *testing.T) {
	w, ctx := stillEight(t), context.Background()
	first := w.Latest()
	if _, err := w.NameState(ctx, NameRequest{Name: " as it was "}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Split(ctx, SplitRequest{Points: at(w, "ab")}); err != nil {
		t.Fatal(err)
	}
	w.fits.fitOnce("test")
	second := w.Latest()
	if _, err := w.NameState(ctx, NameRequest{Name: "as it was"}); problem(err) != KindConflict {
		t.Errorf("two results have one name: %v", err)
	}
	if states := w.State(ctx).States; len(states) != 1 || states[0].Name != "as it was" || states[0].Fit != first.N || states[0].Shown {
		t.Errorf("the saved results are %+v", states)
	}
	if _, err := w.Return(ctx, ReturnRequest{Fit: first.N}); err != nil {
		t.Fatal(err)
	}
	mustSay(t, w)
	w.fits.fitOnce("test")
	third := w.Latest()
	if third == second || !slices.Equal(third.label, first.label) || !w.State(ctx).States[0].Shown {
		t.Errorf("returned to are %v, at first they were %v", third.label, first.label)
	}
}
