package session

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// inForceNumbers returns the events in force.
func inForceNumbers(s *Session) (out []int) {
	for _, e := range s.InForce() {
		out = append(out, e.N)
	}
	return out
}

// Events that were made together are undone and done again together; a change after an
// undo leaves nothing to do again; what was forgotten comes back by undo.
func TestActs(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "s.jsonl"), Header{Data: Data{Path: "example:iris.csv"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	expect := func(what string, want ...int) {
		t.Helper()
		if got := inForceNumbers(s); !slices.Equal(got, want) {
			t.Fatalf("%s: events %v are in force, not %v", what, got, want)
		}
	}
	label := func(id string) Event { return Event{Op: OpLabel, ID: id, Label: "x"} }
	must(s.Append(label("1")))
	must(s.AppendAll([]Event{label("2"), label("3"), label("4")}))
	expect("two acts", 1, 2, 3, 4)
	must(s.UndoAct(Person{})) // 5, 6, 7
	expect("undone", 1)
	must(s.RedoAct(Person{})) // 8, 9, 10
	expect("done again", 1, 2, 3, 4)
	must(s.UndoAct(Person{}))
	must(s.UndoAct(Person{}))
	expect("both undone")
	if _, err := s.UndoAct(Person{}); !errors.Is(err, ErrNothingToUndo) {
		t.Fatalf("got %v", err)
	}
	must(s.RedoAct(Person{}))
	expect("the first again", 1)
	must(s.RedoAct(Person{}))
	expect("both again", 1, 2, 3, 4)
	must(s.Forget("", 3))
	expect("one forgotten", 1, 2, 4)
	if _, err := s.RedoAct(Person{}); !errors.Is(err, ErrNothingToRedo) {
		t.Fatalf("after a change: %v", err)
	}
	must(s.UndoAct(Person{}))
	expect("remembered", 1, 2, 3, 4)
	must(s.RedoAct(Person{}))
	expect("forgotten again", 1, 2, 4)
	must(s.UndoAct(Person{}))
	n := len(s.Events())
	must(s.Append(label("9")))
	expect("another change", 1, 2, 3, 4, n+1)
	undo, redo := s.Acts(Person{})
	if len(undo) != 1 || undo[0].ID != "9" || len(redo) != 0 {
		t.Fatalf("to undo %v, to do again %v", undo, redo)
	}
	if _, err := s.Forget("", n+50); err == nil {
		t.Error("an event that there is not was forgotten")
	}
}
