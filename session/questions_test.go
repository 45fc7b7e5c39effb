package session

import (
	"context"
	"testing"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/active"
)

// While a fit is under way questions are asked and answered: none waits for it. The fit
// here does not end before they are.
func TestQuestionsDoNotWaitForAFit(t *testing.T) {
	s := begin(t)
	table := irisTable(t)
	ctx := context.Background()
	q, err := s.Questions(ctx, table, active.Auto, inkling.Options{K: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	began, release := make(chan struct{}), make(chan struct{})
	var once bool
	hold := func(inkling.Progress) { // called within the fit
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
		_, e, err := q.Fit(ctx, Settings{Method: "kmeans", K: 3}, inkling.Options{Workers: 1, NoSuspects: true, Progress: hold})
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
				_, _, err = q.Answer(next, active.Unsure, "test")
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
	if again, err := s.Replay(ctx, table, inkling.Options{Workers: 1, NoSuspects: true}, nil); err != nil || len(again) != 1 || !again[0].Same {
		t.Errorf("%v, %v", again, err)
	}
}

// The moves that are expected are those of the last two fits, for ten answers.
func TestExpectedMoves(t *testing.T) {
	q := &Questions{}
	if _, ok := q.ExpectedMoves(); ok {
		t.Error("moves are expected before there was a fit")
	}
	q.moves = []refit{{5, 90}, {4, 12}}
	if rows, ok := q.ExpectedMoves(); !ok || rows != 10*102./9 {
		t.Error(rows, ok)
	}
	q.moves = append(q.moves, refit{6, 3})
	if rows, ok := q.ExpectedMoves(); !ok || rows != 15 {
		t.Error(rows, ok)
	}
}
