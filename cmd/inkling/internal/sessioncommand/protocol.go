package sessioncommand

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"

	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// A Line is one object that inkling ask --json prints for a program that answers: a
// question, the number of the event once an answer is on disk, what was wrong with a line,
// or the end. In go {"answer":"same"}, or different, unsure, skip, undo, finish.
type Line struct {
	Question *AskedPair `json:"question,omitempty"`
	OK       int        `json:"ok,omitempty"`    // the event that is on disk
	Error    string     `json:"error,omitempty"` // the line was not understood; the question stands
	Done     *LinesDone `json:"done,omitempty"`
}

// An AskedPair is a question with what both rows hold.
type AskedPair struct {
	session.Question
	contents.Pair
	// ExpectedMoves is how many rows the next ten answers are expected to move; left out
	// before that is known.
	ExpectedMoves *float64 `json:"expected_moves,omitempty"`
}

// LinesDone ends the lines.
type LinesDone struct {
	Answers       int      `json:"answers"`
	Reason        string   `json:"reason"` // finish, budget, or nothing is left to ask
	ExpectedMoves *float64 `json:"expected_moves,omitempty"`
}

type lineIn struct {
	Answer string `json:"answer"`
	By     string `json:"by"`
}

// speakProtocol asks another program, and clusters in the background.
func (a *asking) speakProtocol(ctx context.Context) error {
	in := bufio.NewScanner(a.Stdin)
	in.Buffer(nil, 1<<20)
	asked, reason, err := a.exchange(ctx, in)
	if err != nil {
		return err
	}
	if err := a.refits.finish(ctx, a.fit); err != nil {
		return err
	}
	return a.send(Line{Done: &LinesDone{asked, reason, a.expectedMoves()}})
}

// exchange asks until the other program, or the questions, or the budget ends.
func (a *asking) exchange(ctx context.Context, in *bufio.Scanner) (asked int, reason string, err error) {
	rows := a.table.Contents()
	for a.within(asked) {
		q, ok, err := a.questions.Next(ctx)
		if err != nil {
			return asked, "", err
		}
		if !ok {
			return asked, "nothing is left to ask", nil
		}
		line := &AskedPair{Question: q, ExpectedMoves: a.expectedMoves()}
		i, okA := a.table.Row(q.A)
		j, okB := a.table.Row(q.B)
		if okA && okB {
			line.Pair = rows.Pair(i, j)
		}
		if err := a.send(Line{Question: line}); err != nil {
			return asked, "", err
		}
		e, step, err := a.readAnswer(in, q)
		if err != nil {
			return asked, "", err
		}
		if step == 0 {
			return asked, "finish", nil
		}
		asked = max(0, asked+step)
		if err := a.send(Line{OK: e.N}); err != nil {
			return asked, "", err
		}
		if _, err := a.refits.answered(ctx); err != nil {
			a.Say("warning: clustering by the answers: %v", err)
		}
	}
	return asked, "budget", nil
}

func (a *asking) send(v Line) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "%s\n", b)
	return err
}

// expectedMoves is how many rows the next ten answers are expected to move; nil: not known.
func (a *asking) expectedMoves() *float64 {
	if advice := a.questions.Advice(); advice.Known {
		return &advice.Rows
	}
	return nil
}

// readAnswer reads lines until one is an answer. step is 1 for an answer, -1 for an undo
// and 0 at the end.
func (a *asking) readAnswer(in *bufio.Scanner, q session.Question) (e session.Event, step int, err error) {
	for in.Scan() {
		var line lineIn
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			if err := a.send(Line{Error: "not a JSON object such as {\"answer\":\"same\"}"}); err != nil {
				return e, 0, err
			}
			continue
		}
		by := line.By
		if by == "" {
			by = a.by
		}
		if say, ok := answers[line.Answer]; ok {
			e, _, err = a.questions.Reply(q, say, by, "")
			return e, 1, err
		}
		switch line.Answer {
		case "finish":
			return e, 0, nil
		case "undo":
			if e, err = a.questions.Undo(); err == nil {
				return e, -1, nil
			}
			err = a.send(Line{Error: err.Error()})
		default:
			err = a.send(Line{Error: fmt.Sprintf("%q is not an answer: same, different, unsure, skip, undo or finish", line.Answer)})
		}
		if err != nil {
			return e, 0, err
		}
	}
	return e, 0, in.Err()
}

var answers = map[string]active.Answer{"same": active.Same, "different": active.Different, "unsure": active.Unsure, "skip": active.Skip}
