package sessioncommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cmd/inkling/internal/sidebyside"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/format"
)

// keys are the answers on a keyboard.
var keys = map[rune]active.Answer{'y': active.Same, 'n': active.Different, 'u': active.Unsure, 's': active.Skip}

const keysHelp = "y same  n different  u unsure  s skip  p back  w why  l label  k keep the clusters as they were  f finish"

// A conversation asks a person at a terminal.
type conversation struct {
	*asking
	keyboard *terminal.Keyboard
	style    sidebyside.Style
	contents *contents.Reader
	asked    int // in this run
}

// converse asks at the terminal, and clusters in the background while people answer.
func (a *asking) converse(ctx context.Context) error {
	c := &conversation{asking: a, keyboard: terminal.NewKeyboard(a.Stdin), contents: a.table.Contents()}
	c.style.Width, c.style.Colour = a.Canvas()
	say := a.Say
	a.Say = func(format string, args ...any) { // narrow terminals break lines between words
		for _, line := range c.style.Lines(fmt.Sprintf(format, args...)) {
			say("%s", line)
		}
	}
	a.Say("%s", keysHelp)
	for a.within(c.asked) {
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
		c.asked = max(0, c.asked+step)
		if ended, err := a.refits.answered(ctx); ended {
			a.sayFit(err)
		}
	}
	return c.finish(ctx)
}

// show prints the question: both rows side by side.
func (c *conversation) show(q session.Question) error {
	text := fmt.Sprintf("%d. Do %s and %s belong together?", q.N, terminal.Printable(q.A), terminal.Printable(q.B))
	_, err := fmt.Fprintf(c.Painted, "\n%s\n%s", c.style.Heading(strings.Join(c.style.Lines(text), "\n")), c.pair(q))
	return err
}

// pair returns both rows of a question side by side.
func (c *conversation) pair(q session.Question) string {
	a, okA := c.table.Row(q.A)
	b, okB := c.table.Row(q.B)
	if !okA || !okB {
		return ""
	}
	return c.style.Pair(q.A, q.B, c.contents.Pair(a, b))
}

// prompt is what stands before the key: the answers so far, and the keys.
func (c *conversation) prompt() string {
	left := ""
	if c.budget > 0 {
		left = fmt.Sprintf(", %d left", c.budget-c.asked)
	}
	text := c.saidOf() + left
	help := "  [y n u s p w l f ?] "
	if len(text)+len(help) > c.style.Width-2 {
		help = "  [?] "
	}
	return c.style.Soft(c.before(text + help))
}

// before breaks what stands before an answer between words, with room for a key.
func (c *conversation) before(text string) string {
	s := c.style
	s.Width -= 2
	return strings.Join(s.Lines(strings.TrimSuffix(text, " ")), "\n") + " "
}

// answer reads keys until one answers the question. step is 1 for an answer, -1 for an
// undo and 0 at the end.
func (c *conversation) answer(q session.Question) (step int, err error) {
	for {
		key, err := c.key()
		if err != nil || key == 'f' {
			return 0, ignoreEOF(err)
		}
		if say, ok := keys[key]; ok {
			_, contradicts, err := c.questions.Reply(q, say, c.by, "")
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
			c.Say("%s asks: %s", q.Strategy, q.Why)
		case 'k':
			if err := c.keep(); err != nil {
				c.Say("%v", err)
			}
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

// key prompts for a key. Every answer is on disk, so that people may end in any way.
func (c *conversation) key() (rune, error) { return c.keyboard.Answer(c.Painted, c.prompt(), 'f') }

// label asks for the labels of the rows of a question.
func (c *conversation) label(q session.Question) (done bool, err error) {
	used := ""
	if names := c.labelsInUse(); len(names) > 0 {
		used = "so far " + format.Few(names, 6) + "; "
	}
	for _, id := range []string{q.A, q.B} {
		fmt.Fprint(c.Painted, c.before(fmt.Sprintf("label of %s (%sEnter: none): ", terminal.Printable(id), terminal.Printable(used))))
		label, err := c.keyboard.Line()
		if err != nil {
			return done, ignoreEOF(err)
		}
		if label == "" {
			continue
		}
		if _, err := c.questions.Label(id, label, c.by); err != nil {
			return done, err
		}
		done = true
	}
	return done, nil
}

// keep takes back a change of rows that nobody asked about: answers move only the rows that they
// name until that is undone.
func (c *conversation) keep() error {
	if c.latest == nil || c.latest.Answered == nil || !c.latest.Answered.Spread {
		return errors.New("the clusters are as they were: only rows of answers moved")
	}
	if _, err := c.questions.Keep(c.by); err != nil {
		return err
	}
	c.refits.since++
	c.Say("answers move only the rows that they name (p takes this back)")
	return nil
}

// labelsInUse returns the labels that were given, sorted.
func (c *conversation) labelsInUse() (names []string) {
	for _, e := range c.work.InForce() {
		if e.Op == session.OpLabel && !slices.Contains(names, e.Label) {
			names = append(names, e.Label)
		}
	}
	slices.Sort(names)
	return names
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// finish clusters with all answers and says what came of it.
func (c *conversation) finish(ctx context.Context) error {
	if err := c.refits.finish(ctx, c.fit); err != nil {
		return err
	}
	r := c.latest
	c.Say("%s", c.saidOf())
	c.Say("clustered by %s: %d of %d must-links and %d of %d cannot-links satisfied", r.Method, r.Must.Satisfied, r.Must.Given, r.Cannot.Satisfied, r.Cannot.Given)
	c.Say("the answers are in %s; the same command goes on with them", c.session)
	c.sayEnd()
	return nil
}
