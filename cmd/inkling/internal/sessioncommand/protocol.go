package sessioncommand

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"

	"github.com/inklinghq/inkling/active"
	"github.com/inklinghq/inkling/session"
)

// The line protocol of inkling ask --json: one object on each line. Out come
//
//	{"question":{"n":1,"a":"17","b":"98","strategy":"auto","why":"..."}}
//	{"ok":1}                              the answer is on disk as event 1
//	{"error":"..."}                       the line was not understood; the question stands
//	{"done":{"answers":12,"reason":"finish"}}
//
// and in go {"answer":"same"}, or different, unsure, skip, undo, finish.
type (
	lineOut struct {
		Question *session.Question `json:"question,omitempty"`
		OK       int               `json:"ok,omitempty"`
		Error    string            `json:"error,omitempty"`
		Done     *lineDone         `json:"done,omitempty"`
	}
	lineDone struct {
		Answers int    `json:"answers"`
		Reason  string `json:"reason"`
	}
	lineIn struct {
		Answer string `json:"answer"`
		By     string `json:"by"`
	}
)

// speakProtocol asks another program.
func (a *asking) speakProtocol(ctx context.Context) error {
	in := bufio.NewScanner(a.Stdin)
	in.Buffer(nil, 1<<20)
	send := func(v lineOut) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.Stdout, "%s\n", b)
		return err
	}
	asked := 0
	for a.within(asked) {
		q, ok, err := a.questions.Next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			return send(lineOut{Done: &lineDone{asked, "nothing is left to ask"}})
		}
		if err := send(lineOut{Question: &q}); err != nil {
			return err
		}
		e, step, err := a.readAnswer(in, q, send)
		if err != nil {
			return err
		}
		if step == 0 {
			return send(lineOut{Done: &lineDone{asked, "finish"}})
		}
		asked = max(0, asked+step)
		if err := send(lineOut{OK: e.N}); err != nil {
			return err
		}
	}
	return send(lineOut{Done: &lineDone{asked, "budget"}})
}

// readAnswer reads lines until one is an answer. step is 1 for an answer, -1 for an undo
// and 0 at the end.
func (a *asking) readAnswer(in *bufio.Scanner, q session.Question, send func(lineOut) error) (e session.Event, step int, err error) {
	for in.Scan() {
		var line lineIn
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			if err := send(lineOut{Error: "not a JSON object such as {\"answer\":\"same\"}"}); err != nil {
				return e, 0, err
			}
			continue
		}
		by := line.By
		if by == "" {
			by = a.by
		}
		if say, ok := answers[line.Answer]; ok {
			e, _, err = a.questions.Answer(q, say, by)
			return e, 1, err
		}
		switch line.Answer {
		case "finish":
			return e, 0, nil
		case "undo":
			if e, err = a.questions.Undo(); err == nil {
				return e, -1, nil
			}
			err = send(lineOut{Error: err.Error()})
		default:
			err = send(lineOut{Error: fmt.Sprintf("%q is not an answer: same, different, unsure, skip, undo or finish", line.Answer)})
		}
		if err != nil {
			return e, 0, err
		}
	}
	return e, 0, in.Err()
}

var answers = map[string]active.Answer{"same": active.Same, "different": active.Different, "unsure": active.Unsure, "skip": active.Skip}
