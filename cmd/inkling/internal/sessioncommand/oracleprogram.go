package sessioncommand

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// Bounds of a program that answers.
const (
	programPatience = 2 * time.Minute // for one answer
	programStarts   = 3               // in a row without an answer
	programLine     = 1 << 20         // bytes of an answer
)

// namesProgram reports whether the oracle is a command to start and not a file of labels.
func namesProgram(oracle string) bool {
	if strings.HasPrefix(oracle, "example:") {
		return false
	}
	if info, err := os.Stat(oracle); err == nil {
		return !info.IsDir() && info.Mode()&0o111 != 0 && !strings.HasSuffix(oracle, ".csv")
	}
	words := strings.Fields(oracle)
	if len(words) == 0 {
		return false
	}
	_, err := exec.LookPath(words[0])
	return err == nil
}

// An oracleProgram answers questions by the line protocol: a question per line as JSON, and a
// line with {"answer":"same"}, different, unsure or skip for each.
type oracleProgram struct {
	words  []string
	stderr io.Writer
	in     io.WriteCloser
	lines  chan string // of its output; closed when it ends
	ended  func() error
}

func (p *oracleProgram) start(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, p.words[0], p.words[1:]...)
	cmd.Stderr = p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := make(chan string)
	stop, cancel := context.WithCancel(ctx)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, programLine)
		for scan.Scan() {
			select {
			case lines <- scan.Text():
			case <-stop.Done():
				return
			}
		}
	}()
	p.in, p.lines = in, lines
	p.ended = func() error {
		cancel()
		in.Close()
		_ = cmd.Process.Kill() // it may have ended already
		return cmd.Wait()
	}
	return nil
}

// close ends the program, if it runs.
func (p *oracleProgram) close() {
	if p.ended != nil {
		_ = p.ended()
		p.ended = nil
	}
}

// answers asks the program all questions at once, and starts it again where it dies, for those that have no
// answer yet.
func (p *oracleProgram) answers(ctx context.Context, questions []*AskedPair) (out []programAnswer, err error) {
	for starts := 0; len(out) < len(questions); starts++ {
		if starts == programStarts {
			return out, usage("oracle", "%s ended %d times in a row without an answer: %v", p.words[0], programStarts, err)
		}
		if p.ended == nil {
			if err := p.start(ctx); err != nil {
				return out, usage("oracle", "%s cannot be started: %v", p.words[0], err)
			}
		}
		before := len(out)
		if out, err = p.exchange(ctx, questions, out); err == nil {
			return out, nil
		}
		p.close()
		var wrong *door.OptionError // an answer that is none
		if ctx.Err() != nil || errors.Is(err, errPatience) || errors.As(err, &wrong) {
			return out, err
		}
		if len(out) > before {
			starts = -1
		}
	}
	return out, nil
}

// A programAnswer is what a program says, with the probability of its answer where it gives one.
type programAnswer struct {
	say  active.Answer
	sure *float64
}

var errPatience = fmt.Errorf("the oracle did not answer within %s", programPatience)

// exchange writes the questions that have no answer yet, and reads a line for each.
func (p *oracleProgram) exchange(ctx context.Context, questions []*AskedPair, out []programAnswer) ([]programAnswer, error) {
	var text bytes.Buffer
	for _, q := range questions[len(out):] {
		if err := json.NewEncoder(&text).Encode(Line{Question: q}); err != nil {
			return out, err
		}
	}
	written := make(chan error, 1)
	in := p.in
	go func() { // it may answer before it has read all
		_, err := in.Write(text.Bytes())
		written <- err
	}()
	timer := time.NewTimer(programPatience)
	defer timer.Stop()
	for len(out) < len(questions) {
		select {
		case text, ok := <-p.lines:
			if !ok {
				return out, errors.New("it ended")
			}
			say, sure, err := parseAnswer(text)
			if err != nil {
				return out, err
			}
			out = append(out, programAnswer{say, sure})
			timer.Reset(programPatience)
		case err := <-written:
			if err != nil {
				return out, err
			}
			written = nil
		case <-timer.C:
			return out, errPatience
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
	return out, nil
}

// parseAnswer reads {"answer":"same","probability":0.9}, where the probability is that of the answer and may be
// left out, or the word alone.
func parseAnswer(text string) (active.Answer, *float64, error) {
	var line struct {
		Answer      string   `json:"answer"`
		Probability *float64 `json:"probability"`
	}
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") {
		line.Answer = text
	} else if err := json.Unmarshal([]byte(text), &line); err != nil {
		return 0, nil, usage("oracle", "an answer must be a JSON object such as {\"answer\":\"same\"}, got %.80q", text)
	}
	say, ok := answers[line.Answer]
	if !ok {
		return 0, nil, usage("oracle", "an answer must be same, different, unsure or skip, got %.80q", line.Answer)
	}
	if p := line.Probability; p != nil && (!(*p >= 0 && *p <= 1)) {
		return 0, nil, usage("oracle", "a probability must be from 0 to 1, got %v", *p)
	}
	return say, line.Probability, nil
}

// unsureBelow is the probability of its answer below which a program counts as unsure.
const unsureBelow = 0.6

// askProgram asks a program until the questions or the budget end.
func (a *asking) askProgram(ctx context.Context) error {
	p := &oracleProgram{words: strings.Fields(a.oracle), stderr: os.Stderr}
	defer p.close()
	for asked := 0; a.within(asked); {
		list, err := a.nextTogether(ctx, asked)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			a.Say("nothing is left to ask")
			break
		}
		said, failed := p.answers(ctx, a.asLines(list))
		for i, one := range said { // also those before it failed
			if err := a.takeFromProgram(list[i], one); err != nil {
				return err
			}
			asked++
			if ended, err := a.refits.answered(ctx); ended {
				a.sayFit(err)
			}
		}
		if failed != nil {
			return failed
		}
	}
	if err := a.refits.finish(ctx, a.fit); err != nil {
		return err
	}
	a.Say("%s", a.saidOf())
	a.sayEnd()
	return nil
}

// nextTogether returns the next questions for a program, as many as it gets at once: those after the first as if
// the clusters of the last fit were the answers before them.
func (a *asking) nextTogether(ctx context.Context, asked int) ([]session.Question, error) {
	n := max(1, a.together)
	if a.budget > 0 {
		n = min(n, a.budget-asked)
	}
	if n == 1 {
		q, ok, err := a.questions.Next(ctx)
		if !ok || err != nil {
			return nil, err
		}
		return []session.Question{q}, nil
	}
	if a.latest == nil {
		if err := a.fit(ctx); err != nil {
			return nil, err
		}
	}
	return a.questions.Batch(ctx, n, a.byLatest())
}

// asLines returns questions as a program gets them, with the cells or texts of both rows.
func (a *asking) asLines(list []session.Question) (out []*AskedPair) {
	rows := a.table.Contents()
	for _, q := range list {
		line := &AskedPair{Question: q, ExpectedMoves: a.expectedMoves()}
		i, okA := a.table.Row(q.A)
		j, okB := a.table.Row(q.B)
		if okA && okB {
			line.Pair = rows.Pair(i, j)
		}
		out = append(out, line)
	}
	return out
}

// takeFromProgram writes what a program said.
func (a *asking) takeFromProgram(q session.Question, one programAnswer) error {
	say := one.say
	if one.sure != nil && *one.sure < unsureBelow && (say == active.Same || say == active.Different) {
		say = active.Unsure
	}
	e, _, err := a.questions.Reply(q, say, cmp.Or(a.by, "oracle"), "")
	if err == nil {
		a.Detail("event %d: %s", e.N, e)
	}
	return err
}
