package sessioncommand

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/format"
)

// asking is one run of inkling ask.
type asking struct {
	*Program
	path     string
	source   *door.Source
	check    func() error
	o        door.Options
	seed     uint64
	session  string
	strategy string
	budget   int
	together int // questions that a program gets at once
	every    int
	oracle   string
	noise    float64
	by       string
	out      string
	escape   bool
	batch    int      // questions to write
	answered []string // files of answers

	work      *session.Session
	questions *session.Questions
	table     *door.Table
	latest    *door.Result
	refits    refits
}

// begin opens the session, or begins one, and prepares the questions.
func (a *asking) begin(ctx context.Context) error {
	t, err := a.Open(ctx, a.path, *a.source)
	if err != nil {
		return err
	}
	a.table = t
	if _, err := os.Stat(a.session); errors.Is(err, fs.ErrNotExist) {
		h, err := session.NewHeader(ctx, a.path, *a.source, t, a.o)
		if err != nil {
			return err
		}
		if a.work, err = session.Create(a.session, h); err != nil {
			return inputError(a.session, err)
		}
	} else {
		if a.work, err = session.Open(a.session); err != nil {
			return inputError(a.session, err)
		}
		if err := a.sameData(ctx); err != nil {
			a.work.Close()
			return err
		}
	}
	a.opened(a.work)
	done := a.Show(func() string { return "preparing questions" })
	a.questions, err = a.work.Questions(ctx, t, active.Strategy(a.strategy), a.o)
	done()
	if err != nil {
		a.work.Close()
	}
	a.refits = refits{every: a.every, fit: a.fitQuietly}
	return err
}

// sameData refuses to go on with a session on other data.
func (a *asking) sameData(ctx context.Context) error {
	h, err := session.NewHeader(ctx, a.path, *a.source, a.table, a.o)
	if err != nil {
		return err
	}
	if old := a.work.Header().Data; old.SHA256 != h.Data.SHA256 {
		return usage("session", "%s is about %s (%d rows), not about %s as it is now; begin another session", a.session, old.Path, old.Rows, a.path)
	}
	return nil
}

// settings are those of the fits: the flags where they say something, else those that
// the session began with.
func (a *asking) settings() session.Settings {
	set, began := session.SettingsOf(a.o), a.work.Header().Fit
	if set.K == 0 && set.KMax == 0 {
		set.K, set.KMin, set.KMax = began.K, began.KMin, began.KMax
	}
	if set.Method == "" {
		set.Method = began.Method
	}
	return set
}

// fit clusters by the answers so far, and shows that it does.
func (a *asking) fit(ctx context.Context) error {
	done := a.Show(func() string { return "clustering by the answers" })
	defer done()
	return a.fitQuietly(ctx)
}

// fitQuietly is fit while somebody reads the screen.
func (a *asking) fitQuietly(ctx context.Context) error {
	r, _, err := a.questions.Fit(ctx, a.settings(), door.Options{Workers: a.o.Workers, NoSuspects: true})
	if err == nil {
		a.latest = r
	}
	return err
}

// sayFit says how a fit in the background ended.
func (a *asking) sayFit(err error) {
	if err != nil {
		a.Say("warning: clustering by the answers: %v", err)
		return
	}
	hint := a.questions.Advice().String()
	if hint != "" {
		hint = "; " + hint
	}
	a.Say("clustered again by %s, %s%s", a.latest.Method, format.Count(a.latest.KEffective, "cluster"), hint)
	a.sayBigChange()
}

// bigChange is the share of the rows above which a change of rows that nobody asked about is
// announced.
const bigChange = 0.05

// sayBigChange says that the last fit moved many rows that no answer names.
func (a *asking) sayBigChange() {
	others := a.questions.Others()
	if float64(others) <= bigChange*float64(a.table.Len()) || a.latest.Answered == nil {
		return
	}
	a.Say("this moved %d of %s that nobody asked about: %s (`k` keeps the clusters as they were, `inkling session undo` puts the change back)",
		others, format.Count(a.table.Len(), "row"), a.latest.Answered.Why)
}

// sayEnd says how the work ended: what the answers changed, whether more are worth it, and how
// many clusters there are.
func (a *asking) sayEnd() {
	r := a.latest
	if r.Answered != nil && r.Answered.Asked > 0 {
		a.Say("%s", r.Answered.Why)
	}
	if r.Answered != nil && r.Answered.Doubted > 0 {
		a.Say("%s: the other answers and the rows speak against them (`inkling session show` lists all)", doubtedText(r.Answered.Doubted))
	}
	if hint := a.questions.Advice().String(); hint != "" {
		a.Say("%s", hint)
	}
	text := format.Count(r.KEffective, "cluster")
	if asked := a.settings().K; asked > 0 && asked != r.KEffective {
		text += fmt.Sprintf(", not the %d that -k asks for: ", asked)
		switch why := string(r.WhyEmpty()); {
		case r.K > asked:
			text += fmt.Sprintf("the labels have %d classes", r.K)
		case why != "":
			text += why
		default:
			text += "no row is left in the others"
		}
	}
	a.Say("%s by %s", text, r.Method)
}

func doubtedText(n int) string {
	if n == 1 {
		return "1 answer is doubted"
	}
	return fmt.Sprintf("%d answers are doubted", n)
}

// saidOf is a line on how far the answers are.
func (a *asking) saidOf() string {
	t := a.work.Totals()
	text := fmt.Sprintf("%d same, %d different, %d unsure", t.Must, t.Cannot, t.Unsure)
	if t.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", t.Skipped)
	}
	if t.Labels > 0 {
		text += ", " + format.Count(t.Labels, "label")
	}
	return text
}

// within reports whether there may be another question.
func (a *asking) within(asked int) bool { return a.budget == 0 || asked < a.budget }
