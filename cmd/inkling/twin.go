package main

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/score"
)

// A twin is the same method on the same rows without what is known: it tells
// what the knowledge changed.
type twin struct {
	Moved     int       `json:"moved"` // rows that are in another cluster than in the twin, clusters matched by their rows
	ARI       float64   `json:"ari"`   // how far the two agree
	Objective objective `json:"objective"`
	score.Kept
	Status cluster.Status `json:"status"`
}

// fitTwin fits the twin. Without knowledge there is none, and a method that
// needs knowledge has none either; that is said.
func (j *clusterJob) fitTwin(ctx context.Context) {
	if j.p.Constraints == nil && j.p.Views == nil {
		j.app.say("--twin: nothing is known, so the twin would be the same")
		return
	}
	without, set := *j.p, j.set
	without.Constraints, without.Views, set.Observe = nil, nil, nil
	done := j.app.screen.show(func() string { return j.chosen.Name + ": the same without the knowledge" })
	r, err := cluster.Fit(ctx, &without, j.alg, set)
	done()
	if r == nil {
		j.app.warn("--twin: %s without the knowledge: %v", j.chosen.Name, err)
		return
	}
	j.twin = compareTwin(j.p, j.r, r)
}

func compareTwin(p *cluster.Problem, with, without *cluster.Result) *twin {
	t := &twin{Objective: newObjective(without.Objective), Kept: score.Satisfied(p.Constraints, without.Labels), Status: without.Status}
	t.ARI, _ = score.ARI(with.Labels, without.Labels) // as many labels in both: no error
	t.Moved = moved(with.Labels, without.Labels, p.K)
	return t
}

// matched returns for each cluster of b the cluster of a that it is matched
// with, each at most once, so that as many rows as possible stay; -1 for none.
func matched(a, b []int, k int) []int {
	as := &constraint.Set{Labels: make([]constraint.Label, len(a))}
	for i, h := range a {
		as.Labels[i] = constraint.Label{I: i, Class: h, W: 1}
	}
	return score.NameClusters(b, k, as)
}

func newObjective(terms cluster.Terms) objective {
	o := objective{terms.Sum(), map[string]float64{}}
	for _, t := range terms {
		o.Terms[t.Name] = t.Value
	}
	return o
}

// tell says what the knowledge changed.
func (t *twin) tell(a *app, s *summary) {
	a.say("")
	a.say("without the knowledge %s of %d would be elsewhere (ARI %.3f between the two)", count(t.Moved, "row"), s.N, t.ARI)
	a.say("  objective %s instead of %s", number(t.Objective.Total), number(s.Objective.Total))
	line := func(what string, without, with, given int) {
		if given > 0 {
			a.say("  %-13s %d of %d honoured instead of %d", what, without, given, with)
		}
	}
	line("labels", t.Labels.Kept, s.Labels.Kept, s.Labels.Given)
	line("must-links", t.Must.Satisfied, s.Must.Satisfied, s.Must.Given)
	line("cannot-links", t.Cannot.Satisfied, s.Cannot.Satisfied, s.Cannot.Given)
	line("beliefs", t.Beliefs.Satisfied, s.Beliefs.Satisfied, s.Beliefs.Given)
}
