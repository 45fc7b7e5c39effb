package session

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
)

// While a fit is under way questions are asked and answered: none waits for it. The fit
// here does not end before they are.
func TestQuestionsDoNotWaitForAFit(t *testing.T) {
	s := begin(t)
	table := irisTable(t)
	ctx := context.Background()
	q, err := s.Questions(ctx, table, active.Auto, door.Options{K: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	began, release := make(chan struct{}), make(chan struct{})
	var once bool
	hold := func(door.Progress) { // called within the fit
		if !once {
			once = true
			close(began)
			<-release
		}
	}
	type ended struct {
		e   Event
		err error
	}
	fit := make(chan ended, 1)
	go func() {
		_, e, err := q.Fit(ctx, Settings{Method: "kmeans", K: 3}, door.Options{Workers: 1, NoSuspects: true, Progress: hold})
		fit <- ended{e, err}
	}()
	select {
	case <-began:
	case f := <-fit:
		t.Fatal("the fit did not report its progress:", f.err)
	case <-time.After(time.Minute):
		t.Fatal("no fit began in a minute")
	}
	asked := make(chan error, 1)
	go func() {
		for range 5 {
			next, ok, err := q.Next(ctx)
			if err == nil && ok {
				_, _, err = q.Reply(next, active.Unsure, "test", "")
			}
			if err != nil {
				asked <- err
				return
			}
		}
		if _, err := q.Undo(); err != nil {
			asked <- err
			return
		}
		asked <- nil
	}()
	select {
	case err := <-asked:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the questions wait for the fit")
	}
	if got := s.Totals().Unsure; got != 4 {
		t.Errorf("%d answers while the fit ran, want 4", got)
	}
	close(release)
	f := <-fit
	if f.err != nil || f.e.Through != 0 || f.e.N != 7 {
		t.Errorf("the fit is event %d and knows of %d events, %v", f.e.N, f.e.Through, f.err)
	}
	if again, err := s.Replay(ctx, table, door.Options{Workers: 1, NoSuspects: true}, nil); err != nil || len(again) != 1 || !again[0].Same {
		t.Errorf("%v, %v", again, err)
	}
}

// A pair that was skipped is not asked about again by the same questions, also after an
// undo, but may be by later ones; one that is unsure is not.
func TestSkippedPairsComeAgainLater(t *testing.T) {
	s := begin(t)
	table := irisTable(t)
	ctx := context.Background()
	questions := func() *Questions {
		q, err := s.Questions(ctx, table, active.Auto, door.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		return q
	}
	next := func(q *Questions) Question {
		t.Helper()
		n, ok, err := q.Next(ctx)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return n
	}
	answer := func(q *Questions, to Question, say active.Answer) {
		t.Helper()
		if _, _, err := q.Reply(to, say, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	pair := func(q Question) [2]string { return [2]string{q.A, q.B} }
	q := questions()
	first := next(q)
	answer(q, first, active.Skip)
	second := next(q)
	answer(q, second, active.Unsure)
	if _, err := q.Undo(); err != nil {
		t.Fatal(err)
	}
	if again := next(q); pair(again) != pair(second) || pair(second) == pair(first) {
		t.Errorf("asked are %v, %v and after undo %v", first, second, again)
	}
	if again := next(questions()); pair(again) != pair(first) {
		t.Errorf("the skipped question %v does not come again, but %v", first, again)
	}
	answer(q, second, active.Unsure)
	later := questions()
	answer(later, next(later), active.Unsure)
	if again := next(later); pair(again) == pair(first) || pair(again) == pair(second) {
		t.Errorf("an unsure pair is asked again: %v", again)
	}
}

// The moves that are expected are those of the last three fits, for ten answers.
func TestExpectedMoves(t *testing.T) {
	if _, _, _, ok := expectedMoves(nil, 1000); ok {
		t.Error("moves are expected before there was a fit")
	}
	fits := []refit{{5, 90}, {4, 12}}
	if rows, _, high, ok := expectedMoves(fits, 1000); !ok || math.Abs(rows-10.*102/9) > 1e-9 || high < 180 {
		t.Error(rows, high, ok)
	}
	fits = append(fits, refit{6, 3}, refit{5, 0})
	if rows, low, _, ok := expectedMoves(fits, 1000); !ok || rows != 10 || low > rows {
		t.Error(rows, low, ok)
	}
}
