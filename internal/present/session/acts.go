package session

import "errors"

// Who made an undo, beside undo itself: forget takes back one event on purpose, which can
// be undone like any other change.
const (
	ByForget = "forget"
	ByFit    = "fit" // a change that follows from a fit and is not a person's
)

// ErrNothingToRedo is the error of Redo where nothing was undone, or something was
// changed since.
var ErrNothingToRedo = errors.New("there is nothing to redo")

// An act is what a person did at once: the events of one selection, or a single one.
type act []int // numbers of events, ascending

// acts returns what can be undone and what can be done again, the next last.
func acts(events []Event) (undo, redo []act) {
	undone := map[int]act{} // the act that an undo took back, by the number of its first event
	for from := 0; from < len(events); {
		to := from + 1
		for to < len(events) && events[to].With == events[from].N {
			to++
		}
		first := &events[from]
		made := make(act, 0, to-from)
		for n := from; n < to; n++ {
			made = append(made, events[n].N)
		}
		from = to
		switch {
		case !first.canBeUndone() || first.By == ByFit || first.Op == OpMark: // of a fit, or of a later version
		case first.Op != OpUndo || first.By == ByForget || first.By == ByReturn:
			undo, redo = append(undo, made), nil
		case undone[first.Of] != nil: // an undo was undone
			back := undone[first.Of]
			undo = append(undo, back)
			redo = without(redo, back)
		default:
			back := act{first.Of}
			for _, a := range undo {
				if a[0] == first.Of {
					back = a
				}
			}
			undone[first.N] = back
			undo, redo = without(undo, back), append(redo, back)
		}
	}
	return undo, redo
}

// without returns list without the last act that begins as a does.
func without(list []act, a act) []act {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i][0] == a[0] {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// Acts returns the events that Undoing and Redoing would concern, none where there is
// nothing to undo or to do again.
func (s *Session) Acts() (undo, redo []Event) {
	events := s.Events()
	u, r := acts(events)
	at := func(list []act) (out []Event) {
		if len(list) == 0 {
			return nil
		}
		for _, n := range list[len(list)-1] {
			out = append(out, events[n-1])
		}
		return out
	}
	return at(u), at(r)
}

// UndoAct takes back what was done last, all events of it, and returns them.
func (s *Session) UndoAct() ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	undo, _ := acts(s.events)
	if len(undo) == 0 {
		return nil, ErrNothingToUndo
	}
	return s.takeBack(undo[len(undo)-1], "")
}

// RedoAct does again what UndoAct took back last, unless something was changed since.
func (s *Session) RedoAct() ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, redo := acts(s.events)
	if len(redo) == 0 {
		return nil, ErrNothingToRedo
	}
	again := redo[len(redo)-1]
	of := map[int]bool{}
	for _, n := range again {
		of[n] = true
	}
	var undos act // those in force that took it back
	for i, in := range effects(s.events) {
		if e := &s.events[i]; in && e.Op == OpUndo && of[e.Of] {
			undos = append(undos, e.N)
		}
	}
	if _, err := s.takeBack(undos, ""); err != nil {
		return nil, err
	}
	var out []Event
	for _, n := range again {
		out = append(out, s.events[n-1])
	}
	return out, nil
}

// Forget takes back events, whenever they were made, as one act.
func (s *Session) Forget(numbers ...int) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeBack(numbers, ByForget)
}

// takeBack appends an undo of each event and returns what was undone.
func (s *Session) takeBack(a act, by string) (out []Event, err error) {
	in := effects(s.events)
	var undos []Event
	for _, n := range a {
		if n < 1 || n > len(s.events) {
			return nil, noSuchEvent(n, len(s.events))
		}
		if !in[n-1] {
			continue // forgotten since
		}
		undos = append(undos, Event{Op: OpUndo, Of: n, By: by})
		out = append(out, s.events[n-1])
	}
	if len(undos) == 0 {
		return nil, ErrNothingToUndo
	}
	_, err = s.appendAll(undos)
	return out, err
}
