package choose

import (
	"context"
	"slices"
)

// A race stops fitting candidates that cannot be taken any more. After each fold a fit with
// constraints leaves it
//   - where it could be right about everything that is still held out and would not be better
//     than the fit without constraints with the probability that the rule asks for; or
//   - where it is better than that one with a probability of less than hopeless, or another
//     candidate is better than it with a probability above outrun.
//
// The first changes no choice. The second is wrong where the folds left would turn the
// comparison round, which is rare, and then the simpler candidate is taken.
const (
	hopeless = 0.4
	outrun   = 0.8
)

// slow names the methods that take as long as all others together: they join the race when
// that of the others is over, and leave it where they do not run ahead of the best.
var slow = []string{"csp"}

// isSlow reports whether a candidate is fitted after the others.
func isSlow(x Candidate) bool { return slices.Contains(slow, x.Method) }

// settledBy reports whether nothing can be taken instead of a fit: no candidate that is right
// about everything would be better with the probability of the rule, and no classifier would
// place a held-out label that it misplaces.
func (c *comparison) settledBy(j judged) bool {
	if c.o.Candidates != nil || len(j.right) != len(c.obs) || c.canBeBetter(j.right) {
		return false
	}
	return !slices.Contains(j.named, 0)
}

// race fits candidates with constraints fold by fold, and judges those that stay to the end.
func (c *comparison) race(ctx context.Context, list []Candidate, which []int) error {
	late := slices.DeleteFunc(slices.Clone(which), func(i int) bool { return !isSlow(list[i]) })
	which = slices.DeleteFunc(slices.Clone(which), func(i int) bool { return isSlow(list[i]) })
	if err := c.raceOf(ctx, list, which, -1); err != nil || len(late) == 0 {
		return err
	}
	ready := c.ready()
	at, _ := twoSteps(ready, c.obs)
	if c.settledBy(ready[at]) {
		return nil
	}
	return c.raceOf(ctx, list, late, slices.IndexFunc(c.list, func(j judged) bool { return j.Candidate.String() == ready[at].Candidate.String() }))
}

// raceOf is a race of some candidates against each other and, where ahead is not negative, the
// candidate of this index, which was judged before.
func (c *comparison) raceOf(ctx context.Context, list []Candidate, which []int, ahead int) error {
	ready := c.ready()
	_, first := twoSteps(ready, c.obs)
	plain := ready[first].right
	run := &running{comparison: c, plain: plain, right: make([][]float64, len(list)), of: map[int][]*fitJob{}}
	live := slices.Clone(which)
	for f := range c.folds {
		var jobs []*fitJob
		for _, i := range live {
			jobs = append(jobs, c.foldJob(list[i], i, f))
		}
		err := c.points.runJobs(ctx, list, jobs, c.o, c.done, c.done+len(jobs)*(len(c.folds)-f))
		c.done += len(jobs)
		for _, j := range jobs {
			if run.of[j.candidate] = append(run.of[j.candidate], j); j.err == nil {
				run.right[j.candidate] = append(run.right[j.candidate], c.folds[f].judge(j.labels)...)
			}
		}
		for _, i := range live {
			if f == len(c.folds)-1 || run.of[i][f].err != nil {
				c.judge(i, run.of[i])
			}
		}
		live = slices.DeleteFunc(live, func(i int) bool { return run.of[i][f].err != nil })
		if err != nil || f == len(c.folds)-1 {
			return err
		}
		live = run.stay(live, f+1, ahead)
	}
	return nil
}

// running is a race under way.
type running struct {
	*comparison
	plain []float64
	right [][]float64 // by candidate: its agreement with the observations of the folds so far
	of    map[int][]*fitJob
}

// stay returns the candidates that go on after some folds.
func (r *running) stay(live []int, folds, ahead int) []int {
	best, top := ahead, 0.0
	so := func(i int) []float64 {
		if i == ahead {
			return r.list[i].right[:len(r.obsOf(folds))]
		}
		return r.right[i]
	}
	for _, i := range live {
		if isClassifier(r.list[i].Candidate) {
			continue
		}
		if m := balanced(r.right[i], r.obsOf(folds)).mean; best < 0 || best != ahead && m > top {
			best, top = i, m
		}
	}
	var out []int
	for _, i := range live {
		if isClassifier(r.list[i].Candidate) || !r.lost(i, best, folds, so) {
			out = append(out, i)
			continue
		}
		e := balanced(r.right[i], r.obsOf(folds))
		r.stopped = append(r.stopped, trialOf(r.list[i].Candidate, e, folds))
	}
	return out
}

// lost reports whether candidate i leaves the race after some folds.
func (r *running) lost(i, best, folds int, so func(int) []float64) bool {
	obs := r.obsOf(folds)
	hoped := slices.Concat(r.right[i], slices.Repeat([]float64{1}, len(r.obs)-len(obs)))
	if probabilityBetter(hoped, r.plain, r.obs) <= confidence {
		return true
	}
	if isSlow(r.list[i].Candidate) {
		return best >= 0 && best != i && probabilityBetter(so(best), r.right[i], obs) > 0.5
	}
	return probabilityBetter(r.right[i], r.plain[:len(obs)], obs) < hopeless ||
		best >= 0 && best != i && probabilityBetter(so(best), r.right[i], obs) > outrun
}

// obsOf returns the observations of the first folds.
func (c *comparison) obsOf(folds int) []observation {
	n := 0
	for _, f := range c.folds[:folds] {
		n += len(f.Pairs) + 2*len(f.Labels)
	}
	return c.obs[:n]
}
