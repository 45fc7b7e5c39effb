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

// questions are those that people answer, and what makes the next ones.
type questions struct {
	points   *points
	jobs     *jobs
	record   *record
	names    *names
	settings *fitSettings
	answered func(why string) // asks for a fit
	expect   func() func()    // see fits

	choose sync.Mutex // held while a question is chosen, so that no two people get the same
	now    func() time.Time

	mu     sync.Mutex
	failed error              // why there are none
	seats  map[string]*seat   // by person
	shown  []session.Question // the last ones, which may still be answered
}

// prepare makes the questions, which takes a while for many rows.
func (qs *questions) prepare() {
	set, k := qs.record.session.Header().Fit, 0
	if set.K == 0 {
		k = qs.settings.FitSettings().K
	}
	q, err := qs.record.session.Questions(qs.jobs.ctx, qs.points.table, active.Auto, door.Options{K: k, Workers: qs.jobs.backgroundWorkers()})
	qs.mu.Lock()
	qs.failed = err
	qs.mu.Unlock()
	if err == nil {
		qs.record.setAsker(q)
		q.Refresh() // with what was said meanwhile
		qs.refresh()
	}
	qs.jobs.changed(QuestionChanged)
}

// computeNext computes the question of a person after the last answer.
func (qs *questions) computeNext(who string) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.computeFor(qs.seat(who))
}

// computeFor computes the question of a seat; mu is held.
func (qs *questions) computeFor(s *seat) {
	if s.computing != nil {
		s.stale = true
		return
	}
	done := make(chan struct{})
	s.computing, s.current, s.done, s.stale = done, nil, false, false
	qs.jobs.start(func() {
		defer close(done)
		for {
			again := qs.chooseFor(s)
			if !again {
				qs.jobs.changed(QuestionChanged)
				return
			}
		}
	})
}

// chooseFor chooses the question of a seat, none that is open with another one, and reports whether that must be
// done again.
func (qs *questions) chooseFor(s *seat) (again bool) {
	qs.choose.Lock()
	defer qs.choose.Unlock()
	qs.mu.Lock()
	open := qs.openBeside(s)
	qs.mu.Unlock()
	next, ok, err := qs.record.asker().NextBeside(qs.jobs.ctx, open)
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if s.stale && qs.jobs.ctx.Err() == nil {
		s.stale = false
		return true
	}
	s.computing, s.done, qs.failed = nil, !ok && err == nil, err
	if ok {
		s.current = &next
		qs.shown = append(qs.shown[max(0, len(qs.shown)+1-shownKept):], next)
	}
	return false
}

// wait waits until the question of a person is there, at most so long.
func (qs *questions) wait(ctx context.Context, who string, most time.Duration) {
	qs.mu.Lock()
	computing := qs.seat(who).computing
	qs.mu.Unlock()
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
func (qs *questions) Question(ctx context.Context) *Ask {
	who := personOf(ctx)
	qs.mu.Lock()
	s := qs.seat(who)
	wanted := qs.record.asker() != nil && s.current == nil && !s.done && s.computing == nil && qs.failed == nil
	qs.mu.Unlock()
	if wanted {
		qs.computeNext(who)
	}
	qs.wait(ctx, who, time.Second)
	return qs.ask(who)
}

// ask returns the question of a person as it is.
func (qs *questions) ask(who string) *Ask {
	qs.mu.Lock()
	s := qs.seat(who)
	q, current, done, failed, computing := qs.record.asker(), s.current, s.done, qs.failed, s.computing != nil
	others := len(qs.present(who))
	qs.mu.Unlock()
	out := &Ask{Totals: qs.record.totals(), Others: others}
	if q != nil {
		if out.Question = qs.disputedPair(who); out.Question != nil {
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
		out.Question = qs.askedPair(current)
	}
	return out
}

func (qs *questions) askedPair(q *session.Question) *AskedPair {
	a, b := qs.points.pointOf(q.A), qs.points.pointOf(q.B)
	return &AskedPair{N: q.N, A: qs.names.pointName(a), B: qs.names.pointName(b), Pair: qs.points.contents.Pair(int(qs.points.order[a]), int(qs.points.order[b])), Strategy: q.Strategy, Why: q.Why}
}

// AnswerQuestion writes the answer of the person of ctx to a question. When it returns without an error the
// answer is on disk.
func (qs *questions) AnswerQuestion(ctx context.Context, r AnswerRequest) (*Answered, error) {
	say := active.Answer(-1)
	for _, one := range []active.Answer{active.Same, active.Different, active.Unsure, active.Skip} {
		if one.String() == r.Say {
			say = one
		}
	}
	if say < 0 {
		return nil, Refuse(KindOption, "an answer is same, different, unsure or skip, not %q", r.Say)
	}
	if _, ok := qs.points.row(r.A); !ok {
		return nil, noPoint(r.A)
	}
	if _, ok := qs.points.row(r.B); !ok {
		return nil, noPoint(r.B)
	}
	if r.A == r.B {
		return nil, Refuse(KindOption, "an answer is about two points, not twice about %d", r.A)
	}
	who := personOf(ctx)
	e, contradicts, err := qs.writeAnswer(who, r, say)
	if err != nil {
		return nil, err
	}
	qs.wait(ctx, who, confirmWithin)
	out := &Answered{Event: e.N, Next: qs.ask(who)}
	if contradicts {
		text := "the answer contradicts those before; it is kept, and the fit says which it violates"
		out.Contradicts = &text
	}
	return out, nil
}

// writeAnswer writes an answer: to the current question, to one that was shown before it, or
// about any other pair, and asks for the next question and a fit. Where another person said otherwise about the pair it is a vote; where the pair was answered
// already, as in another tab, it is refused.
func (qs *questions) writeAnswer(who string, r AnswerRequest, say active.Answer) (session.Event, bool, error) {
	qs.record.change.Lock()
	defer qs.record.change.Unlock()
	q := qs.record.asker()
	if q == nil {
		return session.Event{}, false, &RequestError{Problem{KindConflict, "the questions are not ready yet", ""}, qs.ask(who)}
	}
	defer qs.expect()()
	to := qs.shownAbout(qs.points.id(r.A), qs.points.id(r.B))
	if before := qs.record.answerTo(to.A, to.B); before != nil {
		e, ok, err := qs.vote(who, *before, say)
		switch {
		case err == nil && !ok:
			err = &RequestError{Problem{KindConflict, "this question was answered already", ""}, qs.ask(who)}
		case err == nil:
			qs.computeNext(who)
			qs.answered("an answer")
		}
		return e, false, err
	}
	e, contradicts, err := q.Reply(to, say, byPage, who)
	if err == nil {
		qs.mu.Lock()
		s := qs.seat(who)
		s.current, s.stale = nil, s.computing != nil // what is being computed may be this question
		for _, other := range qs.seats {
			if c := other.current; c != nil && pairOf(c.A, c.B) == pairOf(to.A, to.B) {
				other.current = nil // it was answered by somebody who kept it for long
			}
		}
		qs.mu.Unlock()
		qs.computeNext(who)
		qs.answered("an answer")
	}
	return e, contradicts, err
}

// shownAbout returns the question about two rows as it was shown last.
func (qs *questions) shownAbout(one, two string) session.Question {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for _, q := range slices.Backward(qs.shown) {
		if q.A == one && q.B == two || q.A == two && q.B == one {
			return q
		}
	}
	return session.Question{A: one, B: two, Strategy: string(active.Auto), Why: "chosen by the person who answered"}
}

// refresh computes the questions of all who are here again, where there are questions.
func (qs *questions) refresh() {
	if qs.record.asker() == nil {
		return
	}
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if len(qs.seats) == 0 {
		qs.waiting()
	}
	for who, s := range qs.seats {
		if s.waits || qs.isHere(who) {
			qs.computeFor(s)
		}
	}
}
