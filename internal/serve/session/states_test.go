package session

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
)

// After any changes, undos and returns, a return puts in force what the fit knew of, and undoing it what was
// in force before.
func TestReturn(t *testing.T) {
	t.Parallel()
	in := func(s *Session) (out []int) {
		for _, e := range s.InForce() {
			if e.Op == OpLabel {
				out = append(out, e.N)
			}
		}
		return out
	}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		s, err := Create(filepath.Join(t.TempDir(), "s.jsonl"), Header{})
		if err != nil {
			t.Fatal(err)
		}
		knew := map[int][]int{} // by fit
		var fits []int
		for range 40 {
			switch do := random.IntN(8); {
			case do < 3:
				_, err = s.Append(Event{Op: OpLabel, ID: "a", Label: "x"})
			case do == 3:
				_, err = s.UndoAct(Person{})
			case do == 4:
				_, err = s.RedoAct(Person{})
			case do == 5 && len(fits) > 0:
				n := fits[random.IntN(len(fits))]
				before := in(s)
				if _, err = s.Return(n); err == nil && random.IntN(3) == 0 {
					if _, err = s.UndoAct(Person{}); err == nil && !reflect.DeepEqual(in(s), before) {
						t.Fatalf("seed %d: undone, %v is in force, not %v", seed, in(s), before)
					}
				} else if !reflect.DeepEqual(in(s), knew[n]) {
					t.Fatalf("seed %d: back at fit %d, %v is in force, not %v", seed, n, in(s), knew[n])
				}
			case do == 6 && len(s.States()) > 0:
				_, err = s.Forget("", s.States()[0].N)
			default:
				var e Event
				e, err = s.Append(Event{Op: OpFit, Fitted: &Fitted{Through: len(s.Events()), LabelsSHA256: "x"}})
				fits, knew[e.N] = append(fits, e.N), in(s)
				if err == nil {
					_, err = s.Append(Event{Op: OpMark, Of: e.N, Name: "state"})
				}
			}
			if err != nil && !errors.Is(err, ErrNothingToUndo) && !errors.Is(err, ErrNothingToRedo) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			err = nil
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
