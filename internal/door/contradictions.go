package door

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/support/format"
)

// mostSettled bounds the rounds in which contradictions are settled, and conflictsAtOnce those
// that are looked at in a round.
const (
	mostSettled     = 200
	conflictsAtOnce = 64
)

// settleContradictions leaves out of constraints that contradict each other, or that k
// clusters cannot satisfy, the most doubtful one of each contradiction. Where Strict is set,
// or nothing can be left out, it refuses them.
func (j *job) settleContradictions(ctx context.Context) error {
	refused := j.refuseContradiction(ctx)
	var conflict *ConstraintError
	if refused == nil || j.o.Strict || !errors.As(refused, &conflict) {
		return refused
	}
	s := newSettlement(j.known.set, j.known.name)
	s.doubt = func() *suspect.Report {
		if j.known.set.Len() < fewConstraints || j.known.set.Len() > maxJudged {
			return nil
		}
		r, err := j.judge(ctx, suspect.Options{MaxRows: clusterSample, NoCrossFits: true})
		if err != nil {
			return nil
		}
		return r
	}
	if !s.settle(ctx, j.p.Len(), j.largestK()) || len(s.order) == 0 {
		return refused
	}
	j.leaveOut(s)
	return ctx.Err()
}

// largestK is the number of clusters that constraints must be satisfied by.
func (j *job) largestK() int {
	if len(j.ks) > 0 {
		return j.ks[len(j.ks)-1]
	}
	return j.p.K
}

// leaveOut takes what was settled out of the constraints, and says so.
func (j *job) leaveOut(s *settlement) {
	was, known := j.known, *j.known
	known.set = s.kept()
	known.places, known.entries = map[list][]Place{}, map[list][]int{}
	for of, gone := range s.gone {
		known.places[of], known.entries[of] = withoutAt(was.places[of], gone), withoutAt(was.entries[of], gone)
	}
	known.places[beliefList], known.entries[beliefList] = was.places[beliefList], was.entries[beliefList]
	known.soft = len(known.set.SoftSeeds())
	j.known, j.p.Constraints = &known, known.set
	for _, m := range s.order {
		out := Suspect{Score: s.score(m), Why: s.why[m]}
		place := was.places[m.of][m.at]
		out.File, out.Line = place.File, place.Line
		switch m.of {
		case labelList:
			l := was.set.Labels[m.at]
			out.Kind, out.ID, out.Label, out.Weight = "label", was.name(l.I), was.set.Name(l.Class), l.W
		case mustList:
			p := was.set.Must[m.at]
			out.Kind, out.A, out.B, out.Weight = "must", was.name(p.I), was.name(p.J), p.W
		default:
			p := was.set.Cannot[m.at]
			out.Kind, out.A, out.B, out.Weight = "cannot", was.name(p.I), was.name(p.J), p.W
		}
		j.settled = append(j.settled, out)
	}
	var words []string
	for _, m := range j.settled {
		words = append(words, m.String())
	}
	because := "the constraints contradict each other"
	if s.tooFew {
		because = fmt.Sprintf("%s cannot satisfy all constraints; more might", format.Count(j.largestK(), "cluster"))
	}
	j.notes.warn("%s left out, because %s: %s; each is the most doubtful of its contradiction ({strict} refuses instead, `inkling check` explains)",
		format.Count(len(words), "constraint"), because, format.Few(words, 5))
}

// A member is a constraint by its list and its index in it.
type member struct {
	of list
	at int
}

// A settlement chooses which constraints to leave out.
type settlement struct {
	set   *constraint.Set
	name  func(row int) string
	doubt func() *suspect.Report // how doubtful each is; nil where that is unknown
	gone  map[list][]bool
	order []member // that are gone, in the order in which they were found
	why   map[member]string

	tooFew   bool // clusters to satisfy constraints that do not contradict each other
	asked    bool
	verdicts *suspect.Report
	repaired map[member]bool // what the fewest constraints to leave out are
}

func newSettlement(s *constraint.Set, name func(int) string) *settlement {
	return &settlement{set: s, name: name, why: map[member]string{}, gone: map[list][]bool{
		labelList: make([]bool, len(s.Labels)), mustList: make([]bool, len(s.Must)), cannotList: make([]bool, len(s.Cannot))}}
}

// settle leaves constraints out until k clusters can satisfy the others; false where that
// does not succeed.
func (s *settlement) settle(ctx context.Context, n, k int) bool {
	for range mostSettled {
		if ctx.Err() != nil {
			return false
		}
		kept, at := s.kept(), s.numbers()
		if found := constraint.Conflicts(n, kept, conflictsAtOnce); len(found) > 0 {
			for _, c := range found {
				s.leaveOneOut(n, membersOf(c, at), "it is part of a contradiction: "+c.Describe(s.name))
			}
			continue
		}
		closed, err := constraint.Close(n, kept)
		if err != nil {
			return false
		}
		_, v := closed.Colour(ctx, k)
		if v.Answer != constraint.No {
			return true
		}
		s.tooFew = true
		members := apart(closed, kept, v, at)
		if len(members) == 0 || !s.leaveOneOut(n, members, fmt.Sprintf("%s cannot satisfy it and others: %s", format.Count(k, "cluster"), v.Why)) {
			return false
		}
	}
	return false
}

// kept returns the constraints that are left.
func (s *settlement) kept() *constraint.Set {
	return &constraint.Set{Names: s.set.Names, Beliefs: s.set.Beliefs, Labels: withoutAt(s.set.Labels, s.gone[labelList]),
		Must: withoutAt(s.set.Must, s.gone[mustList]), Cannot: withoutAt(s.set.Cannot, s.gone[cannotList])}
}

// numbers returns for each list where what is left of it stands in the whole.
func (s *settlement) numbers() map[list][]int {
	out := map[list][]int{}
	for of, gone := range s.gone {
		all := make([]int, len(gone))
		for i := range all {
			all[i] = i
		}
		out[of] = withoutAt(all, gone)
	}
	return out
}

func withoutAt[T any](all []T, gone []bool) (out []T) {
	for i, v := range all {
		if i >= len(gone) || !gone[i] {
			out = append(out, v)
		}
	}
	return out
}

// membersOf lists the constraints of a contradiction.
func membersOf(c *constraint.ConflictError, at map[list][]int) (out []member) {
	add := func(of list, i int) {
		if i >= 0 {
			out = append(out, member{of, at[of][i]})
		}
	}
	add(cannotList, c.Pair)
	if c.Pair < 0 {
		add(labelList, c.Ends[0].Label)
		add(labelList, c.Ends[1].Label)
	}
	for _, step := range c.Chain {
		if step.Must >= 0 {
			add(mustList, step.Must)
			continue
		}
		add(labelList, step.Labels[0])
		add(labelList, step.Labels[1])
	}
	return out
}

// apart lists the cannot-links between components that k clusters cannot keep apart.
func apart(closed *constraint.Closure, kept *constraint.Set, v constraint.Verdict, at map[list][]int) (out []member) {
	in := map[int]bool{}
	for _, c := range v.Proof() {
		in[c] = true
	}
	for i, p := range kept.Cannot {
		if a, b := closed.Component(p.I), closed.Component(p.J); in[a] && in[b] && a != b {
			out = append(out, member{cannotList, at[cannotList][i]})
		}
	}
	return out
}

// leaveOneOut leaves out the most doubtful of some constraints, unless one of them is gone
// already.
func (s *settlement) leaveOneOut(n int, members []member, why string) bool {
	if len(members) == 0 || slices.ContainsFunc(members, func(m member) bool { return s.gone[m.of][m.at] }) {
		return false
	}
	if !s.asked {
		s.asked, s.verdicts, s.repaired = true, s.doubt(), map[member]bool{}
		d := constraint.Repair(n, s.set)
		for of, list := range map[list][]int{labelList: d.Labels, mustList: d.Must, cannotList: d.Cannot} {
			for _, i := range list {
				s.repaired[member{of, i}] = true
			}
		}
	}
	worst := slices.MaxFunc(members, func(a, b member) int {
		return cmp.Or(cmp.Compare(s.score(a), s.score(b)), compareBool(s.repaired[a], s.repaired[b]), cmp.Compare(s.weight(b), s.weight(a)))
	})
	s.gone[worst.of][worst.at] = true
	s.order = append(s.order, worst)
	s.why[worst] = why
	return true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// score is how likely a constraint is wrong, 0 where that is unknown.
func (s *settlement) score(m member) float64 {
	if s.verdicts == nil {
		return 0
	}
	switch m.of {
	case labelList:
		return s.verdicts.Labels[m.at].Wrong
	case mustList:
		return s.verdicts.Must[m.at].Wrong
	}
	return s.verdicts.Cannot[m.at].Wrong
}

func (s *settlement) weight(m member) float64 {
	switch m.of {
	case labelList:
		return s.set.Labels[m.at].W
	case mustList:
		return s.set.Must[m.at].W
	}
	return s.set.Cannot[m.at].W
}
