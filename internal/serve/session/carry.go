package session

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/inklinghq/inkling/internal/door"
)

// Carry begins a session in a new file with the header h, for the same rows read in another way: what people said about
// rows of from and what is in force goes with them, by row. The clusters were of other columns, so fits, the names of
// clusters and saved results stay behind, in this file. Where the number of rows differs nothing can be carried. It
// returns how many events were.
func (s *Session) Carry(path string, h Header, from, to *door.Table) (*Session, int, error) {
	all := s.Events()
	origin, err := storedPath(path, s.path)
	if err != nil {
		return nil, 0, err
	}
	h.Created, h.From = time.Time{}, &Origin{Session: origin, N: len(all)}
	out, err := Create(path, h)
	if err != nil {
		return nil, 0, err
	}
	lines, events, err := carried(InForce(all), from, to)
	if err == nil && len(events) > 0 {
		err = out.write(lines)
	}
	if err != nil {
		return nil, 0, errors.Join(err, out.Close(), os.Remove(path))
	}
	out.events = events
	return out, len(events), nil
}

// carried returns events about the rows of one table as events about those of another, numbered from 1, and their lines.
func carried(events []Event, from, to *door.Table) (lines []byte, out []Event, err error) {
	if from.Len() != to.Len() {
		return nil, nil, nil
	}
	rename := func(id *string) bool {
		if *id == "" {
			return true
		}
		row, ok := from.Row(*id)
		if ok {
			*id = to.ID(row)
		}
		return ok
	}
	number := map[int]int{} // of the first event of an act, by its number before
	for _, e := range events {
		if !e.isConstraint() && !e.isAnswer() && e.Op != OpKeep {
			continue
		}
		if !rename(&e.ID) || !rename(&e.A) || !rename(&e.B) {
			continue // a row that the data did not have
		}
		act := e.N
		if e.With > 0 {
			act = e.With
		}
		e.N, e.With = len(out)+1, number[act]
		if e.With == 0 {
			number[act] = e.N
		}
		if err := e.check(out); err != nil {
			return nil, nil, err
		}
		if e.line, err = json.Marshal(e); err != nil {
			return nil, nil, err
		}
		if len(out) > 0 {
			lines = append(lines, '\n')
		}
		lines, out = append(lines, e.line...), append(out, e)
	}
	return lines, out, nil
}
