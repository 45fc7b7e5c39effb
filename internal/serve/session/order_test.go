package session

import (
	"context"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// The same answers in the same order give the same clusters, however often somebody clustered meanwhile, and what is
// taken back leaves no trace. One answer is wrong, so that there is something to doubt.
func TestClustersDependOnTheAnswersAlone(t *testing.T) {
	t.Parallel()
	truth, _ := loadIris(t).Classes()
	ctx, table, set := context.Background(), irisTable(t), Settings{K: 3}
	o := door.Options{Workers: 1, NoSuspects: true}
	often := begin(t)
	q, err := often.Questions(ctx, table, active.Auto, door.Options{K: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	var last Event
	spread := false
	for n := range 27 { // 25 and 30 are looks: at 27 what was decided before counts
		next, ok, err := q.Next(ctx)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		a, _ := table.Row(next.A)
		b, _ := table.Row(next.B)
		say := active.Different
		if (truth[a] == truth[b]) != (n == 22) {
			say = active.Same
		}
		if _, _, err := q.Reply(next, say, "test", ""); err != nil {
			t.Fatal(err)
		}
		if _, last, err = often.Fit(ctx, table, set, o); err != nil {
			t.Fatal(err)
		}
		spread = spread || last.Spread
	}
	if !spread {
		t.Error("labels never spread: the test tries nothing")
	}
	once := begin(t)
	for _, e := range often.InForce() {
		if e.Op == OpFit {
			continue
		}
		if _, err := once.Append(Event{Op: e.Op, A: e.A, B: e.B, By: e.By, Asked: e.Asked}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		_, e, err := once.Fit(ctx, table, set, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.LabelsSHA256 != last.LabelsSHA256 || e.Spread != last.Spread {
			t.Fatalf("clustered once: %s (spread %v); after every answer: %s (spread %v)", e.LabelsSHA256, e.Spread, last.LabelsSHA256, last.Spread)
		}
		// Three more answers, clustered and taken back.
		for range 3 {
			if _, err := once.Append(Event{Op: OpMust, A: "1", B: "101", By: "test"}); err != nil {
				t.Fatal(err)
			}
			if _, _, err := once.Fit(ctx, table, set, o); err != nil {
				t.Fatal(err)
			}
			if _, err := once.Undo(0); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func loadIris(t *testing.T) *example.Set {
	t.Helper()
	s, err := example.Load("iris")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
