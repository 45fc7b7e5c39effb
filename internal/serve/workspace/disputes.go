package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// disputed is the strategy of a question that two people answered differently.
const disputed = "disagreement"

// decisions are the answers that decide about a pair, by what an event does.
var decisions = map[session.Op]string{session.OpMust: active.Same.String(), session.OpCannot: active.Different.String()}

// votesOf returns what people said about the pair of an answer, by person.
func votesOf(e *session.Event) map[string]string {
	if len(e.Votes) > 0 {
		return maps.Clone(e.Votes)
	}
	if say, ok := decisions[e.Op]; ok {
		return map[string]string{e.Who: say}
	}
	return map[string]string{}
}

// isDisputed reports whether votes differ.
func isDisputed(votes map[string]string) bool {
	said := slices.Collect(maps.Values(votes))
	return slices.Contains(said, active.Same.String()) && slices.Contains(said, active.Different.String())
}

// vote writes what a person says about a pair that was answered before: nothing is decided while people
// disagree. It returns false where that is no vote: where the pair has an answer of the same person, or
// this is not one. the change of the record is held.
func (qs *questions) vote(who string, before session.Event, say active.Answer) (e session.Event, ok bool, err error) {
	votes := votesOf(&before)
	own, voted := votes[who]
	if say != active.Same && say != active.Different || len(votes) == 0 || voted && len(votes) == 1 {
		return e, false, nil
	}
	if voted && own == say.String() { // they insist
		qs.mu.Lock()
		qs.seat(who).settled[pairOf(before.A, before.B)] = true
		qs.mu.Unlock()
		return before, true, nil
	}
	votes[who] = say.String()
	op := session.OpUnsure
	if !isDisputed(votes) {
		op = session.OpMust
		if say == active.Different {
			op = session.OpCannot
		}
	}
	if op == before.Op {
		return e, false, nil // they agree
	}
	qs.mu.Lock()
	for _, s := range qs.seats { // all see what became of it
		delete(s.settled, pairOf(before.A, before.B))
	}
	qs.mu.Unlock()
	list, err := qs.record.asker().Add(session.Event{Op: op, A: before.A, B: before.B, By: byPage, Who: who, Votes: votes, Asked: before.Asked})
	if err != nil {
		return e, false, refusedEvent(err)
	}
	return list[0], true, nil
}

// disputedPair returns a question that a person answered and another one answered differently, unless they
// insisted on it; nil: there is none.
func (qs *questions) disputedPair(who string) *AskedPair {
	last := map[[2]string]session.Event{}
	var order [][2]string
	for _, e := range qs.record.session.InForce() {
		if e.A == "" || e.B == "" {
			continue
		}
		pair := pairOf(e.A, e.B)
		if _, ok := last[pair]; !ok {
			order = append(order, pair)
		}
		last[pair] = e
	}
	qs.mu.Lock()
	settled := maps.Clone(qs.seat(who).settled)
	qs.mu.Unlock()
	for _, pair := range order {
		e := last[pair]
		if _, voted := e.Votes[who]; e.Op != session.OpUnsure || !voted || !isDisputed(e.Votes) || settled[pair] || qs.points.pointOf(e.A) < 0 || qs.points.pointOf(e.B) < 0 {
			continue
		}
		return qs.askedPair(&session.Question{N: e.N, A: e.A, B: e.B, Strategy: disputed, Why: inVotes(who, e.Votes)})
	}
	return nil
}

// inVotes says who said what, to one of them.
func inVotes(to string, votes map[string]string) string {
	parts := []string{fmt.Sprintf("you said %s", votes[to])}
	for _, who := range slices.Sorted(maps.Keys(votes)) {
		if who != to {
			parts = append(parts, fmt.Sprintf("%s said %s", nameOf(who), votes[who]))
		}
	}
	return strings.Join(parts, ", ") + "; until you agree the answer does not count"
}
