package workspace

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/session"
)

// opened is a workspace on 90 rows in three blobs, and what tells when a fit has ended.
func opened(t *testing.T) (*Workspace, func()) {
	t.Helper()
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(7, 7))
	text := "id,x,y\n"
	for i := range 90 {
		text += fmt.Sprintf("r%d,%.3f,%.3f\n", i, 8*float64(i%3)+rng.NormFloat64(), 5*float64(i%3%2)+rng.NormFloat64())
	}
	path := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, source := context.Background(), door.Source{ID: "id"}
	table, err := door.Open(ctx, path, source)
	if err != nil {
		t.Fatal(err)
	}
	h, err := session.NewHeader(ctx, path, source, table, door.Options{K: 3})
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
		limit := time.After(time.Minute)
		for {
			if w.Latest() != nil && w.Running() == nil && !w.behind() && w.asking.ready() != nil {
				return
			}
			select {
			case <-changed:
			case <-limit:
				t.Fatal("no fit ended within a minute")
			}
		}
	}
	settled()
	return w, settled
}

// exported returns the cluster of each row as clusters.csv has it.
func exported(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	_, write, err := w.Export("clusters.csv", nil)
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
	out := map[string]string{}
	for _, line := range lines[1:] {
		out[line[0]] = line[1]
	}
	return out
}

// After any sequence of renames, mergers, splits, answers and undos, names are unique, the export
// is what is shown, and indexes and names stay where no row has moved.
func TestNamesStayWithTheirClusters(t *testing.T) {
	w, settled := opened(t)
	ctx, rng := context.Background(), rand.New(rand.NewPCG(8, 8))
	shown := func() (names map[int]string, of []int16) {
		s := w.State()
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
		did := rng.IntN(5)
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
				_, err = w.AnswerQuestion(ctx, AnswerRequest{A: ask.Question.A.Point, B: ask.Question.B.Point, Say: "same"})
			}
		case 4:
			_, err = w.Undo()
			renamed = err == nil // what is undone may be a name
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
		written := exported(t, w)
		for row, h := range is {
			if got := written[w.table.ID(row)]; got != names[int(h)] {
				t.Fatalf("step %d, %d: %s is exported as %q and shown as %q", step, did, w.table.ID(row), got, names[int(h)])
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
