package choose

import (
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
