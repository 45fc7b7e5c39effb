package choose

import (
	"github.com/inklinghq/inkling/cluster"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
)

// pairsOf are n held-out pairs in five folds, every second together.
func pairsOf(n int) (folds []Fold) {
	folds = make([]Fold, foldCount)
	for i := range n {
		f := &folds[i%foldCount]
		f.Pairs = append(f.Pairs, HeldOutPair{2 * i, 2*i + 1, i/foldCount%2 == 0, 1})
	}
	return folds
}

// Of many candidates that guess, the best seems good: choosing by the other folds shows that it is
// not, and the claim is the smaller of the two.
func TestClaimAllowsForTheChoice(t *testing.T) {
	folds := pairsOf(60)
	c := &comparison{task: &Task{}, folds: folds, obs: observationsOf(folds), choice: &Choice{}}
	own, claimed := 0.0, 0.0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ready := make([]judged, 30)
		for i := range ready {
			ready[i].Method = string(rune('a' + i))
			for range c.obs {
				ready[i].right = append(ready[i].right, float64(rng.IntN(2)))
			}
		}
		at, plain := twoSteps(ready, c.obs)
		c.choice = &Choice{Candidate: ready[at].Candidate}
		c.claim(ready, at, at, plain)
		if c.choice.Claimed.Mean > c.choice.judged+1e-12 {
			t.Fatalf("claimed %v, judged %v", c.choice.Claimed.Mean, c.choice.judged)
		}
		own, claimed = own+c.choice.judged/40, claimed+c.choice.Claimed.Mean/40
	}
	if own < .55 || claimed > .53 {
		t.Errorf("of guesses the best was right about %.2f, and %.2f was claimed", own, claimed)
	}
}

// The constraints prefer what agrees with them beyond the error; a claim that is refuted is
// withdrawn, candidate by candidate, and in the end no more is claimed than is delivered.
func TestWithdraw(t *testing.T) {
	set := &constraint.Set{}
	good, bad := make([]int, 80), make([]int, 80)
	for i := range 40 {
		p := constraint.Pair{I: 2 * i, J: 2*i + 1, W: 1}
		if i%2 == 0 {
			set.Must = append(set.Must, p)
			continue
		}
		set.Cannot = append(set.Cannot, p)
		good[2*i] = 1
	}
	almost := append([]int(nil), good...)
	almost[2] = 0 // one cannot-link violated: within the error
	c := &Choice{Candidate: Candidate{Method: "a", K: 2}, Claimed: &Accuracy{Mean: .9, By: byPairs}, judged: .9,
		next: []fallback{{Candidate{Method: "b", K: 2}, &Accuracy{Mean: .8, By: byPairs}, .8}}}
	if !c.Prefers(set, good, bad) || c.Prefers(set, bad, good) || c.Prefers(set, good, almost) {
		t.Error("the constraints do not prefer what they should")
	}
	if m := c.Measure(set, good); m.Mean != 1 || m.Low >= 1 {
		t.Errorf("%+v", m)
	}
	c.Delivered = c.Measure(set, bad)
	if c.Delivered.Mean != .5 || !c.Refuted() || !c.Withdraw() || c.Method != "b" || c.Delivered != nil || len(c.LeftOut) != 1 {
		t.Fatalf("%+v", c)
	}
	c.Delivered = c.Measure(set, bad)
	if !c.Refuted() || c.Withdraw() || c.Claimed.Mean != .5 || c.Refuted() || len(c.LeftOut) != 2 {
		t.Errorf("%+v", c)
	}
}

// A candidate that wins by the folds together, but not by choosing on some and looking at the
// others, is not confirmed; one that is better on every fold is.
func TestConfirmed(t *testing.T) {
	const each = 10
	c := &comparison{task: &Task{Problem: &cluster.Problem{}}, folds: make([]Fold, foldCount)}
	for f := range c.folds {
		for i := range each {
			c.folds[f].Pairs = append(c.folds[f].Pairs, HeldOutPair{I: 0, J: 1, Together: i%2 == 0, Weight: 1})
		}
	}
	c.obs = observationsOf(c.folds)
	of := func(right func(fold, i int) bool) (out []float64) {
		for f := range c.folds {
			for i := range each {
				out = append(out, weightIf(right(f, i)))
			}
		}
		return out
	}
	plain := judged{Candidate: Candidate{Method: "kmeans"}, right: of(func(_, i int) bool { return i < 6 })}
	better := judged{Candidate: Candidate{Method: "pc-kmeans", Constrained: true}, right: of(func(_, i int) bool { return i < 9 })}
	if !c.confirmed([]judged{plain, better}, 0) {
		t.Error("a candidate that is better on every fold is not confirmed")
	}
	list := []judged{plain}
	for lucky := range c.folds { // each is right about everything on one fold, and like the other elsewhere
		list = append(list, judged{Candidate: Candidate{Method: "pc-kmeans", Constrained: true}, right: of(func(f, i int) bool { return f == lucky || i < 6 })})
	}
	if c.confirmed(list, 0) {
		t.Error("luck on one fold is confirmed")
	}
	if c.worseThanChance([]judged{plain, better}) {
		t.Error("a candidate that is better on every fold is called worse than chance")
	}
	unlucky := []judged{{Candidate: Candidate{Method: "kmeans"}, right: of(func(_, i int) bool { return i < 5 })}}
	for bad := range c.folds { // each is right about everything but one fold, about which it is wrong
		unlucky = append(unlucky, judged{Candidate: Candidate{Method: "pc-kmeans", Constrained: true}, right: of(func(f, i int) bool { return f != bad })})
	}
	if !c.worseThanChance(unlucky) {
		t.Error("what is wrong wherever it was not chosen is not called worse than chance")
	}
}
