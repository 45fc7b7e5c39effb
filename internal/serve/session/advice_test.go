package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestExpectedMovesStayWithinTheRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		n := 2 + rng.IntN(100)
		var fits []refit
		for range rng.IntN(6) {
			fits = append(fits, refit{1 + rng.IntN(10), rng.IntN(n + 1)})
		}
		rows, low, high, known := expectedMoves(fits, n)
		if known != (len(fits) > 1) || low < 0 || low > rows || rows > high || high > float64(n) {
			t.Fatalf("%v of %d rows: %v (%v to %v), known %v", fits, n, rows, low, high, known)
		}
	}
}

func TestAdviceNeverStopsEarly(t *testing.T) {
	for n, want := range map[int]bool{1: false, 19: false, 20: true} {
		q := &Questions{session: &Session{}, ids: make([]string, 1000), moves: []refit{{10, 0}, {10, 0}}}
		for i := range n {
			q.session.events = append(q.session.events, Event{N: i + 1, Op: OpMust, A: "a", B: fmt.Sprint("b", i)})
			q.predicted = append(q.predicted, true)
		}
		a := q.Advice()
		if a.Stop != want || strings.Contains(a.String(), "stopping") != want {
			t.Errorf("after %d answers: stop %v, %q", n, a.Stop, a)
		}
		for i := range q.predicted { // the clusters do not tell answers
			q.predicted[i] = i%2 == 0
		}
		if a := q.Advice(); a.Stop {
			t.Errorf("after %d answers that surprised: %q", n, a)
		}
	}
}
