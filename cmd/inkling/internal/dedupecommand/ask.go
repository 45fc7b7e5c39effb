package dedupecommand

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cmd/inkling/internal/sidebyside"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/support/format"
)

// askedAtOnce is how many questions are asked between two fits, askedFrom of how many of the most uncertain pairs
// they are taken.
const (
	askedAtOnce = 10
	askedFrom   = 2000
)

const askKeys = "y same  n different  s skip  p back  w why  f finish"

// A said is an answer of this run.
type said struct {
	a, b int
	same bool
}

// An interview asks a person about the pairs that the model is least sure of, and learns from the answers.
type interview struct {
	*job
	keyboard *terminal.Keyboard
	style    sidebyside.Style
	before   []byte // the file of answers as it was
	given    *constraint.Set
	said     []said
	closed   *constraint.Closure // of all that is known
	skipped  map[[2]int]bool
}

// checkAsk refuses options that do not go with questions.
func (j *job) checkAsk(asks bool) error {
	switch {
	case !asks && j.answers != "":
		return optionError("answers", "answers needs --ask N, how many questions to ask")
	case !asks:
		return nil
	case j.answers == "":
		return optionError("ask", "ask needs --answers FILE, which keeps the answers as links")
	case j.answers == "-" || j.answers == "/dev/stdout" || j.answers == "/dev/stdin":
		return optionError("answers", "answers must name a file, got %s", j.answers)
	case slices.Contains([]string{"", "-", "/dev/stdout"}, j.out):
		return optionError("ask", "ask prints questions on stdout; name a file with -o")
	case *j.JSON:
		return optionError("ask", "ask is interactive; leave out --json")
	case j.timeout > 0:
		return optionError("ask", "ask is interactive; leave out --timeout")
	case j.explain != "":
		return optionError("ask", "give --ask or --explain, not both; w explains a question")
	case slices.Contains(append(slices.Clone(j.links), j.labels...), "-") || j.path == "-" || j.second == "-":
		return optionError("ask", "ask reads answers from stdin; save the data to a file first")
	}
	return nil
}

// readAnswers remembers the file of answers as it is, and reads it as links where it exists.
func (j *job) readAnswers() ([]byte, error) {
	b, err := os.ReadFile(j.answers)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []byte("a,b,kind\n"), nil
	case err != nil:
		return nil, err
	}
	j.links = append(j.links, j.answers)
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	return b, nil
}

// converse asks, and finds the entities again after every few answers.
func (j *job) converse(ctx context.Context, before []byte, known *constraint.Set, fields []int) (*dedupe.Result, *constraint.Set, error) {
	v := &interview{job: j, keyboard: terminal.NewKeyboard(j.Stdin), before: before, given: known, skipped: map[[2]int]bool{}}
	v.style.Width, v.style.Colour = j.Canvas()
	closed, err := constraint.Close(j.table.Len(), known)
	if err != nil {
		return nil, nil, err
	}
	v.closed = closed
	r, err := j.find(ctx, fields, known)
	if err != nil {
		return nil, nil, err
	}
	first := r.Entities
	j.Say("%s", askKeys)
	for len(v.said) < j.ask {
		more, err := v.round(r)
		if err != nil {
			return nil, nil, err
		}
		if r, err = j.find(ctx, fields, v.known()); err != nil {
			return nil, nil, err
		}
		if !more {
			break
		}
	}
	same := 0
	for _, s := range v.said {
		if s.same {
			same++
		}
	}
	j.Say("%s: %d the same, %d different; %d entities without them, %d with them", format.Count(len(v.said), "answer"), same, len(v.said)-same, first, r.Entities)
	j.Say("the answers are in %s; the same command goes on with them, and --links %s uses them without asking", j.answers, j.answers)
	return r, v.known(), nil
}

// known returns all constraints with the answers.
func (v *interview) known() *constraint.Set {
	out := *v.given
	out.Must, out.Cannot = slices.Clone(out.Must), slices.Clone(out.Cannot)
	for _, s := range v.said {
		p := constraint.Pair{I: s.a, J: s.b, W: 1}
		if s.same {
			out.Must = append(out.Must, p)
		} else {
			out.Cannot = append(out.Cannot, p)
		}
	}
	return &out
}

// round asks a few questions about a result; more is false where the person ends, or nothing is left to ask.
func (v *interview) round(r *dedupe.Result) (more bool, err error) {
	asked := 0
	touched := map[int]bool{} // records of this round: another fit knows more about them
	for _, p := range r.UncertainPairs(askedFrom) {
		if asked == askedAtOnce || len(v.said) == v.ask {
			return true, nil
		}
		if touched[p.A] || touched[p.B] || v.skipped[[2]int{p.A, p.B}] {
			continue
		}
		if v.closed.MustTogether(p.A, p.B) || v.closed.MustApart(p.A, p.B) {
			continue
		}
		touched[p.A], touched[p.B] = true, true
		goOn, err := v.question(r, p)
		if err != nil || !goOn {
			return false, err
		}
		asked++
	}
	if asked == 0 {
		v.Say("nothing is left to ask")
	}
	return asked > 0, nil
}

// question shows a pair and reads keys until it is answered; goOn is false where the person ends.
func (v *interview) question(r *dedupe.Result, p dedupe.ScoredPair) (goOn bool, err error) {
	text := fmt.Sprintf("%d. Are %s and %s the same?", len(v.said)+1, terminal.Printable(v.ids.ID(p.A)), terminal.Printable(v.ids.ID(p.B)))
	if _, err := fmt.Fprintf(v.Painted, "\n%s\n%s", v.style.Heading(strings.Join(v.style.Lines(text), "\n")), v.style.Pair(v.ids.ID(p.A), v.ids.ID(p.B), v.pair(p))); err != nil {
		return false, err
	}
	for {
		key, err := v.key()
		if err == io.EOF || key == 'f' {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch key {
		case 'y', 'n':
			return true, v.take(said{p.A, p.B, key == 'y'})
		case 's', 'u':
			v.skipped[[2]int{p.A, p.B}] = true
			return true, nil
		case 'p':
			if err := v.takeBack(); err != nil {
				return false, err
			}
		case 'w':
			if err := v.why(r, p); err != nil {
				return false, err
			}
		default:
			v.Say("%s", askKeys)
		}
	}
}

// key prompts for a key. Every answer is on disk, so that people may end in any way.
func (v *interview) key() (rune, error) {
	prompt := fmt.Sprintf("%s, %d left  [y n s p w f ?] ", format.Count(len(v.said), "answer"), v.ask-len(v.said))
	return v.keyboard.Answer(v.Painted, v.style.Soft(prompt), 'f')
}

// take keeps an answer, on disk at once. It contradicts no other, since what follows from others is not asked.
func (v *interview) take(s said) error {
	v.said = append(v.said, s)
	return v.keep()
}

func (v *interview) takeBack() error {
	if len(v.said) == 0 {
		v.Say("there is no answer of this run to take back")
		return nil
	}
	last := v.said[len(v.said)-1]
	v.said = v.said[:len(v.said)-1]
	v.Say("taken back: %s and %s", v.ids.ID(last.a), v.ids.ID(last.b))
	return v.keep()
}

// keep writes the file of answers, whole, and works out what follows from them.
func (v *interview) keep() (err error) {
	if v.closed, err = constraint.Close(v.table.Len(), v.known()); err != nil {
		return err
	}
	var b bytes.Buffer
	b.Write(v.before)
	w := csv.NewWriter(&b)
	for _, s := range v.said {
		kind := "cannot"
		if s.same {
			kind = "must"
		}
		if err := w.Write([]string{v.ids.ID(s.a), v.ids.ID(s.b), kind}); err != nil {
			return err
		}
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	return v.WriteFile(v.answers, func(out io.Writer) error {
		_, err := out.Write(b.Bytes())
		return err
	})
}

// pair returns the cells of two records side by side.
func (v *interview) pair(p dedupe.ScoredPair) (out contents.Pair) {
	for c, name := range v.table.Columns {
		if name == v.idName {
			continue
		}
		a, b := v.table.Cells[c][p.A], v.table.Cells[c][p.B]
		out.Fields = append(out.Fields, contents.Field{Column: name, A: a, B: b, Differs: dedupe.Normalise(a) != dedupe.Normalise(b)})
	}
	out.Fields = out.Fields[:min(len(out.Fields), contents.MaxFields)]
	return out
}

// why explains what the model thinks of a pair.
func (v *interview) why(r *dedupe.Result, p dedupe.ScoredPair) error {
	x := v.explanationOfPair(r, p.A, p.B)
	var b bytes.Buffer
	if err := x.write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(v.Painted, terminal.PrintableLines(b.String()))
	return err
}
