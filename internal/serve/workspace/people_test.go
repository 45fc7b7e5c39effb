package workspace

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

func threeBlobs(i int, rng *rand.Rand) (x, y float64) {
	return 8*float64(i%3) + rng.NormFloat64(), 5*float64(i%3%2) + rng.NormFloat64()
}

// asked returns the question of a person once there is one.
func asked(t *testing.T, w *Workspace, ctx context.Context) *AskedPair {
	t.Helper()
	ask := w.Question(ctx)
	for ask.Preparing {
		ask = w.Question(ctx)
	}
	if ask.Question == nil {
		t.Fatalf("there is no question: %s", ask.Done)
	}
	return ask.Question
}

func samePair(a, b *AskedPair) bool {
	return pairOf(a.A.ID, a.B.ID) == pairOf(b.A.ID, b.B.ID)
}

// A question stays with the person who has it until they have not been seen for a while.
func TestQuestionsAreLent(t *testing.T) {
	w, _ := opened(t, 3, threeBlobs)
	w.SetAuto(false)
	now := time.Now()
	w.questions.mu.Lock()
	w.questions.now = func() time.Time { return now }
	w.questions.seats = map[string]*seat{}
	w.questions.mu.Unlock()
	anna, bert := WithPerson(context.Background(), "anna"), WithPerson(context.Background(), "bert")
	first := asked(t, w, anna)
	second := asked(t, w, bert)
	if samePair(first, second) {
		t.Fatalf("%s and %s are asked about by two people", first.A.ID, first.B.ID)
	}
	if again := asked(t, w, anna); !samePair(again, first) {
		t.Error("the question changed while anna thinks")
	}
	now = now.Add(lease - time.Second)
	if again := asked(t, w, bert); !samePair(again, second) {
		t.Error("the question changed while bert thinks")
	}
	now = now.Add(2 * time.Second) // anna is gone, bert is not
	if _, err := w.AnswerQuestion(bert, AnswerRequest{A: second.A.Point, B: second.B.Point, Say: "skip"}); err != nil {
		t.Fatal(err)
	}
	if next := asked(t, w, bert); !samePair(next, first) {
		t.Errorf("bert is asked about %s and %s, not about what anna left: %s and %s", next.A.ID, next.B.ID, first.A.ID, first.B.ID)
	}
}

// Undo takes back what one did oneself, and what people without a name did who are gone.
func TestUndoIsOnesOwn(t *testing.T) {
	w, _ := opened(t, 3, threeBlobs)
	w.SetAuto(false)
	anna, bert := WithPerson(context.Background(), "anna"), WithPerson(context.Background(), "bert")
	link := func(ctx context.Context, a, b int) int {
		t.Helper()
		c, err := w.Link(ctx, LinkRequest{Kind: "must", A: a, B: b, Force: true})
		if err != nil {
			t.Fatal(err)
		}
		return c.Events[0]
	}
	first := link(anna, 0, 1)
	second := link(bert, 2, 3)
	third := link(WithPerson(context.Background(), unnamed+"gone"), 4, 5)
	inForce := func(n int) bool {
		for _, e := range w.record.session.InForce() {
			if e.N == n {
				return true
			}
		}
		return false
	}
	undo := func(ctx context.Context, want int) {
		t.Helper()
		if _, err := w.Undo(ctx); err != nil {
			t.Fatal(err)
		}
		if inForce(want) {
			t.Errorf("event %d is still in force", want)
		}
	}
	undo(anna, third)
	undo(anna, first)
	if _, err := w.Undo(anna); err == nil || !inForce(second) {
		t.Error("anna undid what bert did")
	}
	if _, err := w.Redo(bert); err == nil {
		t.Error("bert did again what anna undid")
	}
	undo(bert, second)
	if _, err := w.Redo(anna); err != nil || !inForce(first) {
		t.Error("anna cannot do again what she undid:", err)
	}
	if s := w.State(bert); s.Undo != nil || s.Redo == nil {
		t.Errorf("bert may undo %v and do again %v", s.Undo, s.Redo)
	}
	for _, e := range w.record.session.Events()[first-1:] {
		if e.Who == "" {
			t.Errorf("nobody knows who did %d: %s", e.N, e)
		}
	}
}

// What two people answer differently is a question to both, and counts when they agree.
func TestDisagreement(t *testing.T) {
	w, _ := opened(t, 3, threeBlobs)
	w.SetAuto(false)
	anna, bert, cora := WithPerson(context.Background(), "anna"), WithPerson(context.Background(), "bert"), WithPerson(context.Background(), "cora")
	say := func(ctx context.Context, word string) error {
		_, err := w.AnswerQuestion(ctx, AnswerRequest{A: 7, B: 20, Say: word})
		return err
	}
	decided := func() string {
		if e := w.record.answerTo(w.points.id(7), w.points.id(20)); e != nil {
			return string(e.Op)
		}
		return ""
	}
	if err := say(anna, "same"); err != nil {
		t.Fatal(err)
	}
	if err := say(anna, "different"); err == nil {
		t.Error("a second answer of one person to one question is no vote")
	}
	if err := say(bert, "same"); err == nil || decided() != "must" {
		t.Error("an answer that agrees is one that was given already")
	}
	if err := say(bert, "different"); err != nil || decided() != "unsure" {
		t.Fatalf("two people disagree: %v, %s", err, decided())
	}
	for _, ctx := range []context.Context{anna, bert} {
		if q := asked(t, w, ctx); q.Strategy != disputed || pairOf(q.A.ID, q.B.ID) != pairOf(w.points.id(7), w.points.id(20)) {
			t.Errorf("%s is asked about %s and %s (%s)", personOf(ctx), q.A.ID, q.B.ID, q.Why)
		}
	}
	if q := asked(t, w, cora); q.Strategy == disputed {
		t.Error("somebody who said nothing is asked about it")
	}
	if err := say(bert, "different"); err != nil || asked(t, w, bert).Strategy == disputed {
		t.Error("bert insists, and is asked again:", err)
	}
	if err := say(anna, "different"); err != nil || decided() != "cannot" || asked(t, w, anna).Strategy == disputed {
		t.Errorf("they agree: %v, %s", err, decided())
	}
	if e := w.record.answerTo(w.points.id(7), w.points.id(20)); e.Votes["anna"] != "different" || e.Votes["bert"] != "different" {
		t.Errorf("the votes are %v", e.Votes)
	}
}
