package blocks_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// listener writes down what it hears.
type listener struct{ heard []string }

func (l *listener) Begin(int, bool) { l.heard = append(l.heard, "begin") }
func (l *listener) End()            { l.heard = append(l.heard, "end") }
func (l *listener) Step(s blocks.Step) {
	l.heard = append(l.heard, []string{"take", "work", "join"}[s])
}

func TestRecorderHearsEveryStep(t *testing.T) {
	l := &listener{}
	stop := blocks.Record(l)
	defer stop()
	sum := 0
	if err := blocks.Each(background, 4, blocks.Len+1, func(lo, hi int) int { return hi - lo }, func(_, _, part int) { sum += part }); err != nil || sum != blocks.Len+1 {
		t.Fatal(sum, err)
	}
	if err := blocks.TasksWithNotice(background, 4, 2, func(int) {}, func(int) {
		_ = blocks.Tasks(background, 4, 1, func(int) {})
	}); err != nil {
		t.Fatal(err)
	}
	left := 2
	if err := blocks.Stream(4, func() (int, bool) { left--; return left, left > 0 }, func(i int) int { return i }, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want := []string{"begin", "work", "join", "work", "join", "end",
		"begin", "work", "begin", "work", "end", "work", "begin", "work", "end", "end",
		"begin", "take", "work", "join", "take", "end"}
	if !slices.Equal(l.heard, want) {
		t.Errorf("heard %v, want %v", l.heard, want)
	}
	stop()
	if _ = blocks.Tasks(background, 2, 2, func(int) {}); len(l.heard) != len(want) {
		t.Error("heard something after the end")
	}
}

func TestStreamMergesInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7, 16} {
		left, merged := 500, []int{}
		err := blocks.Stream(workers, func() (int, bool) { left--; return left, left >= 0 },
			func(i int) int { return 2 * i }, func(i int) error { merged = append(merged, i); return nil })
		if err != nil || len(merged) != 500 {
			t.Fatalf("%d workers: %d pieces, %v", workers, len(merged), err)
		}
		for at, i := range merged {
			if i != 2*(499-at) {
				t.Fatalf("%d workers: piece %d is %d", workers, at, i)
			}
		}
	}
}

func TestStreamEndsWithTheFirstRefusal(t *testing.T) {
	refusal := errors.New("no")
	for _, workers := range []int{1, 3, 16} {
		next, merged := 0, 0
		err := blocks.Stream(workers, func() (int, bool) { next++; return next, true }, func(i int) int { return i }, func(i int) error {
			if merged++; i == 40 {
				return refusal
			}
			return nil
		})
		if err != refusal || merged != 40 {
			t.Errorf("%d workers: %v after %d pieces", workers, err, merged)
		}
	}
}
