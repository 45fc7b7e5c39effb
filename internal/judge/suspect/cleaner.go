package suspect

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// A Cleaner judges parts of the constraints of a problem by the kernel of its points,
// which is made once. Nothing but the part itself is used: a clustering of folds may be
// cleaned without looking at what is held out.
type Cleaner struct {
	j  *judge
	at map[int]int // rows of the problem in that of j; nil: the same
}

// NewCleaner makes the kernel for the constraints of p. Of the options, Seed, Workers,
// MaxRows and Memory count.
func NewCleaner(ctx context.Context, p *cluster.Problem, o Options) (*Cleaner, error) {
	s := p.Constraints
	if s == nil {
		s = &constraint.Set{}
	}
	if err := s.Check(p.Len()); err != nil {
		return nil, err
	}
	j, err := newJudge(ctx, p, s, o)
	if err != nil {
		return nil, err
	}
	c := &Cleaner{j: j}
	if j.p.Len() != p.Len() {
		old, now := constrainedRows(s), constrainedRows(j.set) // both ascending
		c.at = make(map[int]int, len(old))
		for i := range old {
			c.at[old[i]] = now[i]
		}
	}
	return c, nil
}

// Judge judges constraints on rows that those of the problem touch, by each other.
func (c *Cleaner) Judge(ctx context.Context, s *constraint.Set) (*Report, error) {
	set := s
	if c.at != nil {
		set = renumbered(s, c.at)
	}
	j := *c.j
	j.set, j.report = set, newReport(set)
	links := j.links()
	j.labels, j.pairs = newEvidence(len(set.Labels)), newEvidence(len(links))
	if len(j.labels)+len(links) == 0 {
		return j.report, nil
	}
	if err := j.judgeByKernel(ctx, links); err != nil {
		return nil, err
	}
	j.fillReport()
	return j.report, nil
}

// renumbered returns labels and pairs of s with other numbers of rows.
func renumbered(s *constraint.Set, at map[int]int) *constraint.Set {
	out := &constraint.Set{Names: s.Names}
	for _, l := range s.Labels {
		l.I = at[l.I]
		out.Labels = append(out.Labels, l)
	}
	pairs := func(list []constraint.Pair) (to []constraint.Pair) {
		for _, p := range list {
			p.I, p.J = at[p.I], at[p.J]
			to = append(to, p)
		}
		return to
	}
	out.Must, out.Cannot = pairs(s.Must), pairs(s.Cannot)
	return out
}
