package session

import (
	"errors"
	"slices"
)

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

// acts returns what can be undone and what can be done again, the next last, and by the first event of the
// latter who undid it.
func acts(events []Event) (undo, redo []act, undoer map[int]string) {
	undoer = map[int]string{}
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
			undo = append(undo, made)
			redo = slices.DeleteFunc(redo, func(a act) bool { return undoer[a[0]] == first.Who })
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
			undone[first.N], undoer[back[0]] = back, first.Who
			undo, redo = without(undo, back), append(redo, back)
		}
	}
	return undo, redo, undoer
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

// A Person is somebody who undoes. The zero value has no name, and undoes what anybody did.
type Person struct {
	Name string
	Owns func(who string) bool // whether what somebody did is theirs to undo; nil: always
}

// own returns those of the acts whose maker, or whoever undid them, is the person.
func (p Person) own(list []act, maker func(first int) string) (out []act) {
	for _, a := range list {
		if p.Owns == nil || p.Owns(maker(a[0])) {
			out = append(out, a)
		}
	}
	return out
}

// Acts returns the events that UndoAct and RedoAct would concern, none where there is
// nothing to undo or to do again.
func (s *Session) Acts(p Person) (undo, redo []Event) {
	events := s.Events()
	u, r, undoer := acts(events)
	at := func(list []act, maker func(int) string) (out []Event) {
		if list = p.own(list, maker); len(list) == 0 {
			return nil
		}
		for _, n := range list[len(list)-1] {
			out = append(out, events[n-1])
		}
		return out
	}
	return at(u, func(n int) string { return events[n-1].Who }), at(r, func(n int) string { return undoer[n] })
}

// UndoAct takes back what the person did last, all events of it, and returns them.
func (s *Session) UndoAct(p Person) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	undo, _, _ := acts(s.events)
	if undo = p.own(undo, func(n int) string { return s.events[n-1].Who }); len(undo) == 0 {
		return nil, ErrNothingToUndo
	}
	return s.takeBack(undo[len(undo)-1], "", p.Name)
}

// RedoAct does again what UndoAct took back last, unless something was changed since.
func (s *Session) RedoAct(p Person) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, redo, undoer := acts(s.events)
	if redo = p.own(redo, func(n int) string { return undoer[n] }); len(redo) == 0 {
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
	if _, err := s.takeBack(undos, "", p.Name); err != nil {
		return nil, err
	}
	var out []Event
	for _, n := range again {
		out = append(out, s.events[n-1])
	}
	return out, nil
}

// Forget takes back events, whenever and by whomever they were made, as one act.
func (s *Session) Forget(who string, numbers ...int) ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeBack(numbers, ByForget, who)
}

// takeBack appends an undo of each event and returns what was undone.
func (s *Session) takeBack(a act, by, who string) (out []Event, err error) {
	in := effects(s.events)
	var undos []Event
	for _, n := range a {
		if n < 1 || n > len(s.events) {
			return nil, noSuchEvent(n, len(s.events))
		}
		if !in[n-1] {
			continue // forgotten since
		}
		undos = append(undos, Event{Op: OpUndo, Of: n, By: by, Who: who})
		out = append(out, s.events[n-1])
	}
	if len(undos) == 0 {
		return nil, ErrNothingToUndo
	}
	_, err = s.appendAll(undos)
	return out, err
}
