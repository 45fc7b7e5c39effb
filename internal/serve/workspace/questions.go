package workspace

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// confirmWithin is how long an answer waits for the next question before it is confirmed
// without it.
const confirmWithin = 25 * time.Millisecond

// shownKept is how many questions can be answered after others have taken their place.
const shownKept = 100

// asking is the questions that people answer, and what makes the next ones.
type asking struct {
	choose sync.Mutex // held while a question is chosen, so that no two people get the same
	now    func() time.Time

	mu        sync.Mutex
	questions *session.Questions // nil: not prepared yet
	failed    error              // why there are none
	seats     map[string]*seat   // by person
	shown     []session.Question // the last ones, which may still be answered
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
		w.refreshQuestion()
	}
	w.changed(QuestionChanged)
}

// computeNext computes the question of a person after the last answer.
func (w *Workspace) computeNext(who string) {
	w.asking.mu.Lock()
	defer w.asking.mu.Unlock()
	w.computeFor(w.asking.seat(who))
}

// computeFor computes the question of a seat; w.asking.mu is held.
func (w *Workspace) computeFor(s *seat) {
	if s.computing != nil {
		s.stale = true
		return
	}
	done := make(chan struct{})
	s.computing, s.current, s.done, s.stale = done, nil, false, false
	w.start(func() {
		defer close(done)
		for {
			again := w.chooseFor(s)
			if !again {
				w.changed(QuestionChanged)
				return
			}
		}
	})
}

// chooseFor chooses the question of a seat, none that is open with another one, and reports whether that must be
// done again.
func (w *Workspace) chooseFor(s *seat) (again bool) {
	a := &w.asking
	a.choose.Lock()
	defer a.choose.Unlock()
	a.mu.Lock()
	open := a.openBeside(s)
	a.mu.Unlock()
	next, ok, err := a.questions.NextBeside(w.ctx, open)
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.stale && w.ctx.Err() == nil {
		s.stale = false
		return true
	}
	s.computing, s.done, a.failed = nil, !ok && err == nil, err
	if ok {
		s.current = &next
		a.shown = append(a.shown[max(0, len(a.shown)+1-shownKept):], next)
	}
	return false
}

// wait waits until the question of a person is there, at most so long.
func (a *asking) wait(ctx context.Context, who string, most time.Duration) {
	a.mu.Lock()
	computing := a.seat(who).computing
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

// Question returns the question that the person of ctx is to answer now. It waits a moment for one that is being
// computed.
func (w *Workspace) Question(ctx context.Context) *Ask {
	who, a := personOf(ctx), &w.asking
	a.mu.Lock()
	s := a.seat(who)
	wanted := a.questions != nil && s.current == nil && !s.done && s.computing == nil && a.failed == nil
	a.mu.Unlock()
	if wanted {
		w.computeNext(who)
	}
	a.wait(ctx, who, time.Second)
	return w.ask(who)
}

// ask returns the question of a person as it is.
func (w *Workspace) ask(who string) *Ask {
	a := &w.asking
	a.mu.Lock()
	s := a.seat(who)
	q, current, done, failed, computing := a.questions, s.current, s.done, a.failed, s.computing != nil
	others := len(a.present(who))
	a.mu.Unlock()
	out := &Ask{Totals: w.totals(), Others: others}
	if q != nil {
		if out.Question = w.disputedPair(who); out.Question != nil {
			return out
		}
	}
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

// AnswerQuestion writes the answer of the person of ctx to a question. When it returns without an error the
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
	who := personOf(ctx)
	e, contradicts, err := w.writeAnswer(who, r, say)
	if err != nil {
		return nil, err
	}
	w.computeNext(who)
	w.followed("an answer")
	w.asking.wait(ctx, who, confirmWithin)
	out := &Answered{Event: e.N, Next: w.ask(who)}
	if contradicts {
		text := "the answer contradicts those before; it is kept, and the fit says which it violates"
		out.Contradicts = &text
	}
	return out, nil
}

// writeAnswer writes an answer: to the current question, to one that was shown before it, or
// about any other pair. Where another person said otherwise about the pair it is a vote; where the pair was answered
// already, as in another tab, it is refused.
func (w *Workspace) writeAnswer(who string, r AnswerRequest, say active.Answer) (session.Event, bool, error) {
	w.change.Lock()
	defer w.change.Unlock()
	a := &w.asking
	q := a.ready()
	if q == nil {
		return session.Event{}, false, &RequestError{Problem{KindConflict, "the questions are not ready yet", ""}, w.ask(who)}
	}
	to := a.shownAbout(w.id(r.A), w.id(r.B))
	if before := w.answerTo(to.A, to.B); before != nil {
		e, ok, err := w.vote(who, *before, say)
		if err == nil && !ok {
			err = &RequestError{Problem{KindConflict, "this question was answered already", ""}, w.ask(who)}
		}
		return e, false, err
	}
	e, contradicts, err := q.Reply(to, say, byPage, who)
	if err == nil {
		a.mu.Lock()
		s := a.seat(who)
		s.current, s.stale = nil, s.computing != nil // what is being computed may be this question
		for _, other := range a.seats {
			if c := other.current; c != nil && pairOf(c.A, c.B) == pairOf(to.A, to.B) {
				other.current = nil // it was answered by somebody who kept it for long
			}
		}
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

// answerTo returns the last event in force that says of two rows that they belong together or do not, or
// that nobody knows; nil: none.
func (w *Workspace) answerTo(one, two string) (last *session.Event) {
	for _, e := range w.session.InForce() {
		if (e.Op == session.OpMust || e.Op == session.OpCannot || e.Op == session.OpUnsure) && pairOf(e.A, e.B) == pairOf(one, two) {
			last = &e
		}
	}
	return last
}

func noPoint(p int) error { return Refuse(KindNotFound, "there is no point %d", p) }

// totals counts what is in force.
func (w *Workspace) totals() Totals { return Totals(w.session.Totals()) }
