package workspace

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
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
	w, settled := openedIn(t, t.TempDir(), text, source, o)
	t.Cleanup(func() { w.Close() })
	return w, settled
}

// fataler is what a test and one case of a property have in common.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// openedIn is openedOn in a folder; what is there of a session goes on.
func openedIn(t fataler, dir, text string, source door.Source, o door.Options) (*Workspace, func()) {
	t.Helper()
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
	if errors.Is(err, fs.ErrExist) {
		s, err = session.Open(filepath.Join(dir, "s.jsonl"))
	}
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
				s := w.State(context.Background())
				t.Fatalf("no fit ended within ten minutes: running %v, behind %v, suspects ready %v, error %v", w.Running() != nil, w.behind(), s.Suspects.Ready, s.Error)
			}
		}
	}
	settled()
	return w, settled
}

// exported returns the cluster of each row as an exported CSV file has it.
func exported(t fataler, w *Workspace, file string) map[string]string {
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

// Answers that refute the clusters move rows that nobody asked about; that is announced, and whoever
// keeps the old clusters has them again, but for the rows of answers.
func TestBigChangeIsRefused(t *testing.T) {
	t.Parallel()
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

// A state that is read while people change things has a change and the fit that follows it, or that one is under way: never
// a change that no fit is about to follow.
func TestStateIsOfOneMoment(t *testing.T) {
	t.Parallel()
	w, settled := opened(t, 3, func(i int, rng *rand.Rand) (x, y float64) {
		return float64(10*(i%3)) + rng.NormFloat64(), rng.NormFloat64()
	})
	settled()
	stop, odd := make(chan struct{}), make(chan string, 1)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if s := w.State(context.Background()); s.Running == nil && s.Fit.Constraints != s.Totals.Labels {
					select {
					case odd <- fmt.Sprintf("%d labels, a fit that knows %d, and none under way", s.Totals.Labels, s.Fit.Constraints):
					default:
					}
				}
			}
		})
	}
	for i := range 60 {
		if _, err := w.Label(context.Background(), LabelRequest{Points: []int{i}, Label: "known"}); err != nil {
			t.Fatal(err)
		}
		if i%6 == 5 {
			for w.Running() != nil {
				time.Sleep(time.Millisecond)
			}
		}
	}
	close(stop)
	readers.Wait()
	select {
	case what := <-odd:
		t.Error(what)
	default:
	}
}
