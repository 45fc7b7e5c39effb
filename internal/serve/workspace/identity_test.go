package workspace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/longtest"
	"pgregory.net/rapid"
)

// A shown clustering is what a page shows of it.
type shown struct {
	names map[int]string // by index
	size  map[string]int
	of    []int16 // the index of each row
}

func shownBy(w *Workspace) shown {
	s := shown{map[int]string{}, map[string]int{}, w.Latest().label}
	for _, c := range w.State(context.Background()).Fit.Clusters {
		s.names[c.Index], s.size[c.Name] = c.Name, c.Size
	}
	return s
}

// check fails where names are not unique, or an export, the report or the table of rows says otherwise.
func (s shown) check(t fataler, w *Workspace, after string) {
	t.Helper()
	if len(s.size) != len(s.names) || s.size[""] > 0 {
		t.Fatalf("%s: names %v are not unique", after, s.names)
	}
	for _, file := range []string{"clusters.csv", "rows.csv"} {
		clusters, distinct := exported(t, w, file), map[string]bool{}
		for row, h := range s.of {
			got := clusters[w.points.table.ID(row)]
			if got != s.names[int(h)] {
				t.Fatalf("%s: %s has %s as %q, shown is %q", after, file, w.points.table.ID(row), got, s.names[int(h)])
			}
			distinct[got] = true
		}
		if len(distinct) != len(s.names) {
			t.Fatalf("%s: %s has %d names for %d clusters", after, file, len(distinct), len(s.names))
		}
	}
	p, err := w.reported(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Clusters {
		if size, ok := s.size[c.Name]; c.Size > 0 && (!ok || size != c.Size) {
			t.Fatalf("%s: the report has %q with %d rows, shown are %v", after, c.Name, c.Size, s.size)
		}
	}
}

// Acts of a person, all of which may be refused. naming are those that give names, or take a name back.
var (
	acts   = []string{"rename", "merge", "split", "answer", "undo", "redo", "remove", "label", "link", "accept", "keep"}
	naming = []string{"rename", "undo", "redo", "label", "accept"}
)

// act does something, and says what.
func act(t *rapid.T, w *Workspace) (did string, named bool) {
	ctx, s := context.Background(), shownBy(w)
	list := slices.Sorted(maps.Values(s.names))
	did = rapid.SampledFrom(acts).Draw(t, "act")
	pick := func(what string) string { return rapid.SampledFrom(list).Draw(t, what) }
	point := func(what string) int { return rapid.IntRange(0, w.Len()-1).Draw(t, what) }
	var err error
	switch did {
	case "rename":
		_, err = w.Rename(ctx, RenameRequest{Cluster: pick("cluster"), Name: rapid.SampledFrom([]string{"group 0", "group 1", "1", "7", list[0]}).Draw(t, "name")})
	case "merge":
		if len(list) > 2 {
			_, err = w.Merge(ctx, MergeRequest{Clusters: []string{pick("one"), pick("other")}, Force: true})
		}
	case "split":
		if len(list) < 5 {
			_, err = w.Split(ctx, SplitRequest{Points: rapid.SliceOfNDistinct(rapid.IntRange(0, w.Len()-1), 2, 5, rapid.ID).Draw(t, "points"), Force: true})
		}
	case "answer":
		ask := w.Question(ctx)
		for ask.Preparing {
			ask = w.Question(ctx)
		}
		if ask.Question != nil {
			say := rapid.SampledFrom([]string{"same", "different", "unsure", "skip"}).Draw(t, "answer")
			_, err = w.AnswerQuestion(ctx, AnswerRequest{A: ask.Question.A.Point, B: ask.Question.B.Point, Say: say})
		}
	case "undo":
		_, err = w.Undo(ctx)
	case "redo":
		_, err = w.Redo(ctx)
	case "remove":
		_, err = w.Remove(ctx, RemoveRequest{Point: point("point"), Force: true})
	case "label":
		name := rapid.SampledFrom([]string{"red", "blue", list[0]}).Draw(t, "label")
		_, err = w.Label(ctx, LabelRequest{Points: []int{point("point")}, Label: name, Force: true})
	case "link":
		_, err = w.Link(ctx, LinkRequest{A: point("one"), B: point("other"), Kind: rapid.SampledFrom([]string{"must", "cannot"}).Draw(t, "kind"), Force: true})
	case "accept":
		_, err = w.Accept(ctx, AcceptRequest{Points: []int{point("point"), point("point")}, Force: true})
	case "keep":
		_, err = w.Keep(ctx, KeepRequest{})
	}
	return fmt.Sprintf("%s (%v)", did, err), err == nil && slices.Contains(naming, did)
}

// blobsOf45 are rows around three places.
func blobsOf45() string {
	text, rng := "id,x,y\n", rand.New(rand.NewPCG(7, 7))
	for i := range 45 {
		x, y := threeBlobs(i, rng)
		text += fmt.Sprintf("r%d,%.3f,%.3f\n", i, x, y)
	}
	return text
}

// A class of whose rows as many are in one cluster as in another is not called by turns.
func TestClassesOfTwoClustersStay(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w, settled := openedIn(t, t.TempDir(), blobsOf45(), door.Source{ID: "id"}, door.Options{K: 3, Scale: prepare.None})
	defer func() { w.Close() }()
	do := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		settled()
	}
	do(w.Link(ctx, LinkRequest{A: 25, B: 43, Kind: "must", Force: true}))
	do(w.Accept(ctx, AcceptRequest{Points: []int{36, 43}, Force: true}))
	do(w.Split(ctx, SplitRequest{Points: []int{6, 4, 3, 33}, Force: true}))
	do(w.Label(ctx, LabelRequest{Points: []int{0}, Label: "blue", Force: true}))
	q := w.Question(ctx)
	for q.Preparing {
		q = w.Question(ctx)
	}
	do(w.AnswerQuestion(ctx, AnswerRequest{A: q.Question.A.Point, B: q.Question.B.Point, Say: "different"}))
	do(w.Label(ctx, LabelRequest{Points: []int{32}, Label: "blue", Force: true}))
	before := shownBy(w)
	do(w.Link(ctx, LinkRequest{A: 1, B: 8, Kind: "cannot", Force: true}))
	now := shownBy(w)
	now.check(t, w, "linked")
	if !slices.Equal(before.of, now.of) {
		t.Fatal("the link moved rows: this test needs one that moves none")
	}
	if !maps.Equal(before.names, now.names) {
		t.Errorf("no row moved, but names %v became %v", before.names, now.names)
	}
}

// withoutDeadline hides from rapid that t could have a deadline, for which nobody may ask where the clock stands still.
type withoutDeadline struct{ *testing.T }

// After any sequence of acts names are unique, the exports and the report are what is shown, indexes and names
// stay where no row has moved, and whoever opens the session again sees the same, or a name in place of a number.
func TestNamesStayWithTheirClusters(t *testing.T) {
	t.Parallel()
	text := blobsOf45()
	synctest.Test(t, func(t *testing.T) { // nobody waits for what follows a change a moment later
		rapid.Check(withoutDeadline{t}, func(t *rapid.T) {
			dir, err := os.MkdirTemp("", "inkling-names-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			open := func() (*Workspace, func()) {
				return openedIn(t, dir, text, door.Source{ID: "id"}, door.Options{K: 3, Scale: prepare.None})
			}
			w, settled := open()
			defer func() { w.Close() }()
			before := shownBy(w)
			before.check(t, w, "at first")
			for range rapid.IntRange(1, longtest.Size(4, 6, 12)).Draw(t, "acts") {
				did, named := act(t, w)
				settled()
				now := shownBy(w)
				now.check(t, w, did)
				if !named && slices.Equal(before.of, now.of) && !maps.Equal(before.names, now.names) {
					t.Fatalf("%s: no row moved, but names %v became %v", did, before.names, now.names)
				}
				before = now
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w, _ = open()
			now := shownBy(w)
			now.check(t, w, "opened again")
			for row, h := range now.of {
				if was := before.names[int(before.of[row])]; now.names[int(h)] != was && !isNumber.MatchString(was) { // a number gives way to a name
					t.Fatalf("opened again, row %d is in %q and was in %q", row, now.names[int(h)], was)
				}
			}
		})
	})
}
