package sessioncommand

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/inklinghq/inkling/active"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/session"
)

// keys are the answers on a keyboard.
var keys = map[rune]active.Answer{'y': active.Same, 'n': active.Different, 'u': active.Unsure, 's': active.Skip}

const keysHelp = "y same  n different  u unsure  s skip  p back  w why  l label  f finish"

// A conversation asks a person at a terminal.
type conversation struct {
	*asking
	in    *bufio.Reader
	raw   bool // keys come without Enter
	rows  *comparison
	fits  chan error // of the fit under way; nil: none
	since int        // answers since the last fit began
}

// converse asks at the terminal, and clusters in the background while people answer.
func (a *asking) converse(ctx context.Context) error {
	rows, err := newComparison(ctx, a.table, a.o)
	if err != nil {
		return err
	}
	c := &conversation{asking: a, in: bufio.NewReader(a.Stdin), rows: rows}
	if f, ok := a.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		c.raw = true
	}
	a.Say("%s", keysHelp)
	asked := 0
	for a.within(asked) {
		q, ok, err := a.questions.Next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			a.Say("nothing is left to ask")
			break
		}
		if err := c.show(q); err != nil {
			return err
		}
		step, err := c.answer(q)
		if err != nil {
			return err
		}
		if step == 0 {
			break
		}
		asked = max(0, asked+step)
		c.refit(ctx)
	}
	return c.finish(ctx)
}

// show prints the question: both rows side by side.
func (c *conversation) show(q session.Question) error {
	_, err := fmt.Fprintf(c.Stdout, "\n%d. Do %s and %s belong together?  (%s)\n%s", q.N, terminal.Printable(q.A), terminal.Printable(q.B), c.saidOf(), c.rows.table(q.A, q.B))
	return err
}

// answer reads keys until one answers the question. step is 1 for an answer, -1 for an
// undo and 0 at the end.
func (c *conversation) answer(q session.Question) (step int, err error) {
	for {
		fmt.Fprint(c.Stdout, "> ")
		key, err := c.key()
		if err != nil || key == 'f' {
			return 0, ignoreEOF(err)
		}
		if say, ok := keys[key]; ok {
			_, contradicts, err := c.questions.Answer(q, say, c.by)
			if contradicts {
				c.Say("this contradicts other answers; it is kept, and the fit weighs them")
			}
			return 1, err
		}
		switch key {
		case 'p':
			e, err := c.questions.Undo()
			if err != nil {
				c.Say("%v", err)
				continue
			}
			c.Say("taken back: %s", e)
			return -1, nil
		case 'w':
			c.Say("%s (%s)", q.Why, q.Strategy)
		case 'l':
			done, err := c.label(q)
			if err != nil || done {
				return 1, err
			}
		default:
			c.Say("%s", keysHelp)
		}
	}
}

// label asks for the label of the first row of a question.
func (c *conversation) label(q session.Question) (done bool, err error) {
	fmt.Fprintf(c.Stdout, "label of %s (empty: none): ", terminal.Printable(q.A))
	line, err := c.in.ReadString('\n')
	if err != nil && line == "" {
		return false, ignoreEOF(err)
	}
	if line = strings.TrimSpace(line); line == "" {
		return false, nil
	}
	_, err = c.questions.Label(q.A, line, c.by)
	return true, err
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// key reads one key; on anything but a terminal the first letter of a line.
func (c *conversation) key() (rune, error) {
	if c.raw {
		f := c.Stdin.(*os.File)
		old, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return 0, err
		}
		key, _, err := c.in.ReadRune()
		if back := term.Restore(int(f.Fd()), old); err == nil {
			err = back
		}
		if key == 3 || key == 4 { // Ctrl-C, Ctrl-D: every answer is on disk
			key = 'f'
		}
		fmt.Fprintf(c.Stdout, "%s\n", terminal.Printable(string(key)))
		return key, err
	}
	line, err := c.in.ReadString('\n')
	if line = strings.TrimSpace(line); line != "" {
		return []rune(line)[0], nil
	}
	if err != nil {
		return 0, err
	}
	return ' ', nil
}

// refit begins a fit in the background after enough answers, unless one is under way, and
// says what the last one found.
func (c *conversation) refit(ctx context.Context) {
	c.since++
	if c.fits != nil {
		select {
		case err := <-c.fits:
			c.fitted(err)
		default:
		}
	}
	if c.fits == nil && c.since >= c.every {
		c.since = 0
		fits := make(chan error, 1)
		c.fits = fits
		go func() { fits <- c.fit(ctx) }()
	}
}

// fitted says how a fit ended.
func (c *conversation) fitted(err error) {
	c.fits = nil
	if err != nil {
		c.Say("warning: clustering by the answers: %v", err)
		return
	}
	hint := c.stopHint()
	if hint != "" {
		hint = "; " + hint
	}
	c.Say("clustered again by %s%s", c.latest.Method, hint)
}

// finish clusters with all answers and says what came of it.
func (c *conversation) finish(ctx context.Context) error {
	if c.fits != nil {
		c.fitted(<-c.fits)
	}
	if c.latest == nil || c.since > 0 {
		if err := c.fit(ctx); err != nil {
			return err
		}
	}
	r := c.latest
	c.Say("%s; clustered by %s: %d of %d must-links and %d of %d cannot-links satisfied", c.saidOf(), r.Method, r.Must.Satisfied, r.Must.Given, r.Cannot.Satisfied, r.Cannot.Given)
	return nil
}
