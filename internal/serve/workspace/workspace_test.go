package workspace

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// opened is a workspace on 90 rows, at the places that draw gives them, and what waits until a fit has
// ended.
func opened(t *testing.T, k int, draw func(i int, rng *rand.Rand) (x, y float64)) (*Workspace, func()) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	text := "id,x,y\n"
	for i := range 90 {
		x, y := draw(i, rng)
		text += fmt.Sprintf("r%d,%.3f,%.3f\n", i, x, y)
	}
	return openedOn(t, text, door.Source{ID: "id"}, door.Options{K: k, Scale: prepare.None})
}

// openedOn is a workspace on a CSV file, and what waits until a fit has ended.
func openedOn(t *testing.T, text string, source door.Source, o door.Options) (*Workspace, func()) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	table, err := door.Open(ctx, path, source)
	if err != nil {
		t.Fatal(err)
	}
	h, err := session.NewHeader(ctx, path, source, table, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Create(filepath.Join(dir, "s.jsonl"), h)
	if err != nil {
		t.Fatal(err)
	}
	changed := make(chan string, 1000)
	w := New(Options{Session: s, Table: table, Workers: 1, Changed: func(what string) {
		select {
		case changed <- what:
		default:
		}
	}})
	t.Cleanup(func() { w.Close() })
	settled := func() {
		t.Helper()
		limit := time.After(10 * time.Minute)
		for {
			if f := w.Latest(); f != nil && w.Running() == nil && !w.behind() && f.detailed.Load() && w.State(context.Background()).Suspects.Ready && w.record.asker() != nil {
				return
			}
			select {
			case <-changed:
			case <-limit:
				t.Fatal("no fit ended within ten minutes")
			}
		}
	}
	settled()
	return w, settled
}

// exported returns the cluster of each row as an exported CSV file has it.
func exported(t *testing.T, w *Workspace, file string) map[string]string {
	t.Helper()
	_, write, err := w.Export(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := write(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out, at := map[string]string{}, slices.Index(lines[0], "cluster")
	for _, line := range lines[1:] {
		out[line[0]] = line[at]
	}
	return out
}

// After any sequence of renames, mergers, splits, answers and undos, names are unique, the export
// is what is shown, and indexes and names stay where no row has moved.
func TestNamesStayWithTheirClusters(t *testing.T) {
	w, settled := opened(t, 3, threeBlobs)
	ctx, rng := context.Background(), rand.New(rand.NewPCG(8, 8))
	shown := func() (names map[int]string, of []int16) {
		s := w.State(context.Background())
		names = map[int]string{}
		for _, c := range s.Fit.Clusters {
			names[c.Index] = c.Name
		}
		return names, w.Latest().label
	}
	for step := range 25 {
		before, was := shown()
		list := make([]string, 0, len(before))
		for h := range w.Latest().names {
			if name, ok := before[h]; ok {
				list = append(list, name)
			}
		}
		did := rng.IntN(7)
		var err error
		renamed := false
		switch did {
		case 0:
			_, err = w.Rename(ctx, RenameRequest{Cluster: list[rng.IntN(len(list))], Name: fmt.Sprint("group ", rng.IntN(4))})
			renamed = err == nil
		case 1:
			if len(list) > 2 {
				_, err = w.Merge(ctx, MergeRequest{Clusters: list[:2], Force: true})
			}
		case 2:
			if len(list) < 5 {
				_, err = w.Split(ctx, SplitRequest{Points: rng.Perm(90)[:5], Force: true})
			}
		case 3:
			if ask := w.Question(ctx); ask.Question != nil {
				_, err = w.AnswerQuestion(ctx, AnswerRequest{A: ask.Question.A.Point, B: ask.Question.B.Point, Say: []string{"same", "different"}[rng.IntN(2)]})
			}
		case 4:
			_, err = w.Undo(ctx)
			renamed = err == nil // what is undone may be a name
		case 5:
			_, err = w.Redo(ctx)
			renamed = err == nil
		case 6:
			_, err = w.Remove(ctx, RemoveRequest{Point: rng.IntN(90), Force: true})
		}
		settled()
		names, is := shown()
		seen := map[string]bool{}
		for _, name := range names {
			if seen[name] || name == "" {
				t.Fatalf("step %d, %d (%v): names %v are not unique", step, did, err, names)
			}
			seen[name] = true
		}
		moved := false
		for i := range is {
			moved = moved || is[i] >= 0 && was[i] >= 0 && is[i] != was[i]
		}
		if same := fmt.Sprint(was) == fmt.Sprint(is); same && !renamed && fmt.Sprint(before) != fmt.Sprint(names) {
			t.Fatalf("step %d, %d: no row moved, but names %v became %v", step, did, before, names)
		}
		written := exported(t, w, "clusters.csv")
		for _, file := range []string{"clusters.csv", "rows.csv"} {
			clusters := exported(t, w, file)
			for row, h := range is {
				if got := clusters[w.points.table.ID(row)]; got != names[int(h)] {
					t.Fatalf("step %d, %d: %s has %s as %q, shown is %q", step, did, file, w.points.table.ID(row), got, names[int(h)])
				}
			}
		}
		p, err := w.reported(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Clusters {
			if h := slices.IndexFunc(w.State(ctx).Fit.Clusters, func(one ClusterSummary) bool { return one.Name == c.Name && one.Size == c.Size }); h < 0 && c.Size > 0 {
				t.Fatalf("step %d, %d: the report has %q with %d rows, shown are %v", step, did, c.Name, c.Size, names)
			}
		}
		if distinct := map[string]bool{}; moved {
			for _, name := range written {
				distinct[name] = true
			}
			if len(distinct) != len(names) {
				t.Fatalf("step %d: %d names exported for %d clusters", step, len(distinct), len(names))
			}
		}
	}
}

// Answers that refute the clusters move rows that nobody asked about; that is announced, and whoever
// keeps the old clusters has them again, but for the rows of answers.
func TestBigChangeIsRefused(t *testing.T) {
	w, settled := opened(t, 2, func(i int, rng *rand.Rand) (x, y float64) { // two long blobs, which k-means cuts across
		return 20 * rng.NormFloat64(), 6*float64(i%2) + 0.5*rng.NormFloat64()
	})
	ctx, first := context.Background(), w.Latest()
	for n := 0; !w.Latest().Result.Answered.Spread; n++ {
		ask := w.Question(ctx)
		for ask.Preparing {
			ask = w.Question(ctx)
		}
		if n == 60 || ask.Question == nil {
			t.Fatalf("answers never spread: %+v", w.Latest().Result.Answered)
		}
		a, b := ask.Question.A, ask.Question.B
		say := "different"
		if w.points.order[a.Point]%2 == w.points.order[b.Point]%2 {
			say = "same"
		}
		if _, err := w.AnswerQuestion(ctx, AnswerRequest{A: a.Point, B: b.Point, Say: say}); err != nil {
			t.Fatal(err)
		}
		settled()
	}
	if s := w.State(context.Background()).Fit; s.Before == 0 || s.Others == 0 || s.Why == "" {
		t.Errorf("a change of %d rows is not announced: before %d, others %d, %q", s.Moved, s.Before, s.Others, s.Why)
	}
	if _, err := w.Keep(ctx, KeepRequest{}); err != nil {
		t.Fatal(err)
	}
	settled()
	f := w.Latest()
	if f.Result.Answered.Spread || w.State(context.Background()).Fit.Before != 0 {
		t.Error("the change is still there")
	}
	for i, h := range f.label {
		if h != first.label[i] && f.marks[i]&flagMarked == 0 {
			t.Errorf("row %d moved, nobody asked about it", i)
		}
	}
	if _, err := w.Keep(ctx, KeepRequest{}); err == nil {
		t.Error("there is nothing to keep any more")
	}
}
