package suspect

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// Judge judges the constraints of p. Contradictory constraints are judged like any
// others. Without K the number of classes among the labels counts; if there are none
// either, clusterings are left out.
func Judge(ctx context.Context, p *cluster.Problem, o Options) (*Report, error) {
	s := p.Constraints
	if s == nil {
		s = &constraint.Set{}
	}
	if err := s.Check(p.Len()); err != nil {
		return nil, err
	}
	r := newReport(s)
	if len(s.Labels)+len(s.Must)+len(s.Cannot) == 0 {
		return r, nil
	}
	if o.Progress != nil {
		o.Progress("kernel", 0, 1)
	}
	j, err := newJudge(ctx, p, s, o)
	if err != nil {
		return nil, err
	}
	if j.report = r; j.p.Len() != p.Len() {
		r.Sample = j.p.Len()
	}
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// reduce returns p on the constrained rows and a sample of others, with the
// constraints renumbered, where p has more rows than are worked on. Graphs and kernels
// stay whole.
func reduce(p *cluster.Problem, s *constraint.Set, o Options) (*cluster.Problem, *constraint.Set) {
	n, limit := p.Len(), o.rowLimit(p)
	if n <= limit {
		return p, s
	}
	keep := make([]bool, n)
	count := 0
	for _, i := range constrainedRows(s) {
		keep[i] = true
		count++
	}
	rng := rand.New(rand.NewPCG(o.Seed, 11))
	for count < limit {
		if i := rng.IntN(n); !keep[i] {
			keep[i] = true
			count++
		}
	}
	if count == n {
		return p, s
	}
	rows, at := make([]int, 0, count), make([]int, n)
	for i, kept := range keep {
		if kept {
			at[i] = len(rows)
			rows = append(rows, i)
		}
	}
	out := &constraint.Set{Names: s.Names}
	for _, l := range s.Labels {
		out.Labels = append(out.Labels, constraint.Label{I: at[l.I], Class: l.Class, W: l.W})
	}
	renumber := func(pairs []constraint.Pair) (list []constraint.Pair) {
		for _, q := range pairs {
			list = append(list, constraint.Pair{I: at[q.I], J: at[q.J], W: q.W})
		}
		return list
	}
	out.Must, out.Cannot = renumber(s.Must), renumber(s.Cannot)
	return &cluster.Problem{X: data.Pick(p.X, rows), K: p.K, Constraints: out}, out
}

func (j *judge) run(ctx context.Context) error {
	links := j.links()
	j.labels, j.pairs = newEvidence(len(j.set.Labels)), newEvidence(len(links))
	if err := j.judgeByKernel(ctx, links); err != nil {
		return err
	}
	if !j.o.NoCrossFits {
		if err := j.crossFits(ctx, links); err != nil && !errors.Is(err, errNoFits) {
			return err
		}
	}
	j.fillReport()
	return nil
}
