package sessioncommand

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/present/session"
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

// answer asks the program, and starts it again where it dies.
func (p *oracleProgram) answer(ctx context.Context, q *AskedPair) (say active.Answer, probability *float64, err error) {
	line, err := json.Marshal(Line{Question: q})
	if err != nil {
		return 0, nil, err
	}
	for range programStarts {
		if p.ended == nil {
			if err := p.start(ctx); err != nil {
				return 0, nil, usage("oracle", "%s cannot be started: %v", p.words[0], err)
			}
		}
		var text string
		if text, err = p.exchange(ctx, line); err == nil {
			return parseAnswer(text)
		}
		p.close()
		if ctx.Err() != nil || errors.Is(err, errPatience) {
			return 0, nil, err
		}
	}
	return 0, nil, usage("oracle", "%s ended %d times in a row without an answer: %v", p.words[0], programStarts, err)
}

var errPatience = fmt.Errorf("the oracle did not answer within %s", programPatience)

// exchange writes a question and reads a line.
func (p *oracleProgram) exchange(ctx context.Context, line []byte) (string, error) {
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return "", err
	}
	timer := time.NewTimer(programPatience)
	defer timer.Stop()
	select {
	case text, ok := <-p.lines:
		if !ok {
			return "", errors.New("it ended")
		}
		return text, nil
	case <-timer.C:
		return "", errPatience
	case <-ctx.Done():
		return "", ctx.Err()
	}
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
	rows, asked := a.table.Contents(), 0
	for a.within(asked) {
		q, ok, err := a.questions.Next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			a.Say("nothing is left to ask")
			break
		}
		if err := a.askProgramOnce(ctx, p, q, func(line *AskedPair) {
			i, okA := a.table.Row(q.A)
			j, okB := a.table.Row(q.B)
			if okA && okB {
				line.Pair = rows.Pair(i, j)
			}
		}); err != nil {
			return err
		}
		asked++
		if ended, err := a.refits.answered(ctx); ended {
			a.sayFit(err)
		}
	}
	if err := a.refits.finish(ctx, a.fit); err != nil {
		return err
	}
	a.Say("%s", a.saidOf())
	a.sayEnd()
	return nil
}

func (a *asking) askProgramOnce(ctx context.Context, p *oracleProgram, q session.Question, fill func(*AskedPair)) error {
	line := &AskedPair{Question: q, ExpectedMoves: a.expectedMoves()}
	fill(line)
	say, sure, err := p.answer(ctx, line)
	if err != nil {
		return err
	}
	if sure != nil && *sure < unsureBelow && (say == active.Same || say == active.Different) {
		say = active.Unsure
	}
	by := a.by
	if by == "" {
		by = "oracle"
	}
	e, _, err := a.questions.Reply(q, say, by, "")
	if err == nil {
		a.Detail("event %d: %s", e.N, e)
	}
	return err
}
