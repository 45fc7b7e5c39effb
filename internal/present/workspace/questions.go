package workspace

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/present/session"
)

// confirmWithin is how long an answer waits for the next question before it is confirmed
// without it.
const confirmWithin = 25 * time.Millisecond

// shownKept is how many questions can be answered after others have taken their place.
const shownKept = 100

// asking is the question to answer now and what makes the next one.
type asking struct {
	mu        sync.Mutex
	questions *session.Questions // nil: not prepared yet
	failed    error              // why there are none
	current   *session.Question  // to be answered
	shown     []session.Question // the last ones, which may still be answered
	done      bool               // nothing is left to ask
	computing chan struct{}      // closed when current is there; nil: nothing is computed
	stale     bool               // what is computed is not wanted any more
}

// ready returns the questions once they are prepared.
func (a *asking) ready() *session.Questions {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.questions
}

// prepareQuestions makes the questions, which takes a while for many rows.
func (w *Workspace) prepareQuestions() {
	set, k := w.session.Header().Fit, 0
	if set.K == 0 {
		k = w.settings.K
	}
	q, err := w.session.Questions(w.ctx, w.table, active.Auto, door.Options{K: k, Workers: w.backgroundWorkers()})
	a := &w.asking
	a.mu.Lock()
	a.questions, a.failed = q, err
	a.mu.Unlock()
	if err == nil {
		q.Refresh() // with what was said meanwhile
		w.computeNext()
	}
	w.changed(QuestionChanged)
}

// computeNext computes the question after the last answer, and returns what is closed when
// it is there.
func (w *Workspace) computeNext() <-chan struct{} {
	a := &w.asking
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.computing != nil {
		a.stale = true
		return a.computing
	}
	done := make(chan struct{})
	a.computing, a.current, a.done, a.stale = done, nil, false, false
	w.start(func() {
		defer close(done)
		for {
			next, ok, err := a.questions.Next(w.ctx)
			a.mu.Lock()
			if a.stale && w.ctx.Err() == nil {
				a.stale = false
				a.mu.Unlock()
				continue
			}
			a.computing, a.done, a.failed = nil, !ok && err == nil, err
			if ok {
				a.current = &next
				a.shown = append(a.shown[max(0, len(a.shown)+1-shownKept):], next)
			}
			a.mu.Unlock()
			w.changed(QuestionChanged)
			return
		}
	})
	return done
}

// wait waits until the question is there, at most so long.
func (a *asking) wait(ctx context.Context, most time.Duration) {
	a.mu.Lock()
	computing := a.computing
	a.mu.Unlock()
	if computing == nil {
		return
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-computing:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Question returns the question to answer now. It waits a moment for one that is being
// computed.
func (w *Workspace) Question(ctx context.Context) *Ask {
	w.asking.wait(ctx, time.Second)
	return w.ask()
}

// ask returns the question as it is.
func (w *Workspace) ask() *Ask {
	a := &w.asking
	a.mu.Lock()
	q, current, done, failed, computing := a.questions, a.current, a.done, a.failed, a.computing != nil
	a.mu.Unlock()
	out := &Ask{Totals: w.totals()}
	switch {
	case failed != nil && current == nil:
		out.Done = failed.Error()
	case q == nil || computing:
		out.Preparing = true
	case done:
		out.Done = "nothing is left to ask: everything follows from the answers"
	}
	if q == nil {
		return out
	}
	if !computing { // these lock the questions
		if advice := q.Advice(); advice.Known {
			out.Expected = &Expected{advice.Rows}
			out.Left = advice.String()
		}
	}
	if current != nil {
		out.Question = w.askedPair(current)
	}
	return out
}

func (w *Workspace) askedPair(q *session.Question) *AskedPair {
	a, b := w.pointOf(q.A), w.pointOf(q.B)
	return &AskedPair{N: q.N, A: w.pointName(a), B: w.pointName(b), Pair: w.contents.Pair(int(w.order[a]), int(w.order[b])), Strategy: q.Strategy, Why: q.Why}
}

// pointName names a point that exists.
func (w *Workspace) pointName(point int) PointName {
	f := w.Latest()
	return PointName{point, w.id(point), f.clusterOf(int(w.order[point]), w.called(f))}
}

// AnswerQuestion writes the answer to the current question. When it returns without an error the
// answer is on disk.
func (w *Workspace) AnswerQuestion(ctx context.Context, r AnswerRequest) (*Answered, error) {
	say := active.Answer(-1)
	for _, one := range []active.Answer{active.Same, active.Different, active.Unsure, active.Skip} {
		if one.String() == r.Say {
			say = one
		}
	}
	if say < 0 {
		return nil, Refuse(KindOption, "an answer is same, different, unsure or skip, not %q", r.Say)
	}
	if _, ok := w.row(r.A); !ok {
		return nil, noPoint(r.A)
	}
	if _, ok := w.row(r.B); !ok {
		return nil, noPoint(r.B)
	}
	if r.A == r.B {
		return nil, Refuse(KindOption, "an answer is about two points, not twice about %d", r.A)
	}
	e, contradicts, err := w.writeAnswer(r, say)
	if err != nil {
		return nil, err
	}
	w.computeNext()
	w.followed("an answer")
	w.asking.wait(ctx, confirmWithin)
	out := &Answered{Event: e.N, Next: w.ask()}
	if contradicts {
		text := "the answer contradicts those before; it is kept, and the fit says which it violates"
		out.Contradicts = &text
	}
	return out, nil
}

// writeAnswer writes an answer: to the current question, to one that was shown before it, or
// about any other pair, unless the pair was answered already, as in another tab.
func (w *Workspace) writeAnswer(r AnswerRequest, say active.Answer) (session.Event, bool, error) {
	w.change.Lock()
	defer w.change.Unlock()
	a := &w.asking
	q := a.ready()
	if q == nil {
		return session.Event{}, false, &RequestError{Problem{KindConflict, "the questions are not ready yet", ""}, w.ask()}
	}
	to := a.shownAbout(w.id(r.A), w.id(r.B))
	if w.isAnswered(to.A, to.B) {
		return session.Event{}, false, &RequestError{Problem{KindConflict, "this question was answered already", ""}, w.ask()}
	}
	e, contradicts, err := q.Answer(to, say, "page")
	if err == nil {
		a.mu.Lock()
		a.current, a.stale = nil, a.computing != nil // what is being computed may be this question
		a.mu.Unlock()
	}
	return e, contradicts, err
}

// shownAbout returns the question about two rows as it was shown last.
func (a *asking) shownAbout(one, two string) session.Question {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, q := range slices.Backward(a.shown) {
		if q.A == one && q.B == two || q.A == two && q.B == one {
			return q
		}
	}
	return session.Question{A: one, B: two, Strategy: string(active.Auto), Why: "chosen by the person who answered"}
}

// isAnswered reports whether somebody said of two rows that they belong together or do not, or
// that nobody knows.
func (w *Workspace) isAnswered(one, two string) bool {
	return slices.ContainsFunc(w.session.InForce(), func(e session.Event) bool {
		return (e.Op == session.OpMust || e.Op == session.OpCannot || e.Op == session.OpUnsure) && (e.A == one && e.B == two || e.A == two && e.B == one)
	})
}

func noPoint(p int) error { return Refuse(KindNotFound, "there is no point %d", p) }

// totals counts what is in force.
func (w *Workspace) totals() Totals { return Totals(w.session.Totals()) }
