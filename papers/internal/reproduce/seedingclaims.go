package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// The columns of the tables: the places in seedMethods.
const (
	atRandom = iota
	atSeeded
	atConstrained
	atCOP
)

// half is the noise of the claims, enough the seed fraction they begin at.
const half, enough = 0.5, 0.1

// compareAll judges a claim on two methods at seed fractions of 0.1 and more.
func (l *Lab) compareAll(t *experiment.Table, a, b int, test func(experiment.Mean) bool, claim string) {
	first := slices.IndexFunc(t.X, func(x float64) bool { return x >= enough })
	l.judgeEach(t, a, b, first, len(t.X)-1, claim+", seed fraction 0.1 and more", test)
}

// lead returns, by fold, how far method a is ahead of method b in MI.
func (b *seedBook) lead(of seedCurve, a, other string, level float64) []float64 {
	x, y := b.values(of.At(a, level), testMI), b.values(of.At(other, level), testMI)
	for f := range x {
		x[f] -= y[f]
	}
	return x
}

// judge judges what the paper says of every set.
func (b *seedBook) judge(l *Lab) {
	l.compareAll(b.seedMI, atSeeded, atRandom, above, "seeds help: Seeded > Random")
	l.compareAll(b.seedMI, atConstrained, atSeeded, notBelow, "without noise Constrained ≥ Seeded")
	b.mostly(l)
	for _, other := range []string{constrained, cop} {
		c := paired(b.lead(b.noisy, seeded, other, half), b.lead(b.noisy, seeded, other, 0))
		l.Claim(fmt.Sprintf("noise costs %s more than Seeded: the lead of Seeded grows from no noise to half the seeds wrong", other),
			held(above(c)), "it grows by %s", signed(c))
	}
	at := slices.Index(b.noiseMI.X, half)
	for _, other := range []int{atConstrained, atCOP} {
		c := b.noiseMI.Compare(atSeeded, other, at).Difference
		l.Claim(fmt.Sprintf("with half the seeds wrong Seeded > %s", seedMethods[other]), held(above(c)), "%s", signed(c))
	}
	most, few := b.values(b.learning.At(seeded, 1), objective), b.values(b.learning.At(seeded, enough), objective)
	c := paired(most, few)
	l.Claim("Seeded is free to leave its seeds, so its objective does not fall with more of them: at 1 ≥ at 0.1", held(notBelow(c)), "%s", signed(c))
}

// mostly judges that Constrained > COP, which the paper says of most cases.
func (b *seedBook) mostly(l *Lab) {
	holds, all := 0, 0
	var numbers []string
	for at, x := range b.seedMI.X {
		if x < enough {
			continue
		}
		d := b.seedMI.Compare(atConstrained, atCOP, at).Difference
		if all++; above(d) {
			holds++
		}
		numbers = append(numbers, fmt.Sprintf("%s at %g", signed(d), x))
	}
	v := Of(holds, all)
	if 2*holds > all {
		v = Reproduced
	}
	l.Claim("without noise Constrained > COP in most cases, seed fraction 0.1 and more", v, "in %d of %d: %s", holds, all, strings.Join(numbers, ", "))
}

func held(is bool) Verdict {
	if is {
		return Reproduced
	}
	return Not
}

// start is figure 4: the start alone can do more than all constraints.
func (b *seedBook) start(l *Lab) {
	l.compareAll(b.seedMI, atSeeded, atCOP, above, "to start from seeds can do more than to keep them (figure 4): Seeded > COP")
}

// robust is figure 11, with the noise for which the paper finds its conclusion
// significant.
func (b *seedBook) robust(l *Lab) {
	if last := slices.Index(b.noiseMI.X, half) - 1; last > 0 {
		l.judgeEach(b.noiseMI, atSeeded, atConstrained, 1, last, "with less than half the seeds wrong too Seeded > Constrained (figure 11)", above)
	}
}

// better is figure 6: with groups that suit k-means, seeds lead to a better
// objective.
func (b *seedBook) better(l *Lab) {
	l.compareAll(b.objective, atSeeded, atRandom, above, "seeds lead to a better objective (figure 6): Seeded > Random")
	l.compareAll(b.objective, atConstrained, atRandom, above, "so they do where they are kept: Constrained > Random")
}

// conflict is what figure 7 shows on Yahoo! News.
func (b *seedBook) conflict(l *Lab) {
	for _, m := range []string{constrained, cop} {
		c := paired(b.values(b.learning.At(m, 1), objective), b.values(b.learning.At(m, enough), objective))
		l.Claim(fmt.Sprintf("where groups are not those of k-means, keeping the seeds costs (figure 7, there on Yahoo! News): the objective of %s is lower at 1 than at 0.1", m),
			held(below(c)), "%s", signed(c))
	}
}

// much is the share of MI from which a difference is substantial. The paper has
// no number for it.
const much = 0.1

// shares returns the gain of Seeded over Random as a share of Random's MI, at
// seed fractions of 0.1 and more.
func (b *seedBook) shares(judge func(share float64) bool) (holds, all int, numbers string) {
	var texts []string
	for at, x := range b.seedMI.X {
		if x < enough {
			continue
		}
		base := b.seedMI.Cells[atRandom][at].Score.Mean
		share := (b.seedMI.Cells[atSeeded][at].Score.Mean - base) / base
		if all++; judge(share) {
			holds++
		}
		texts = append(texts, fmt.Sprintf("%+.0f %% at %g", 100*share, x))
	}
	return holds, all, strings.Join(texts, ", ")
}

// substantial is figure 8.
func (b *seedBook) substantial(l *Lab) {
	holds, all, numbers := b.shares(func(share float64) bool { return share > much })
	l.Claim("seeds help substantially where groups overlap: Seeded is above Random by more than a tenth", Of(holds, all), "%s", numbers)
}

// marginal is figure 9.
func (b *seedBook) marginal(l *Lab) {
	holds, all, numbers := b.shares(func(share float64) bool { return share <= much })
	l.Claim("seeds help marginally where groups are easy to tell apart: Seeded is above Random by a tenth at most", Of(holds, all), "%s", numbers)
}

// incomplete is figure 10.
func (b *seedBook) incomplete(l *Lab) {
	holds, all := 0, 0
	var texts []string
	for _, m := range []int{atSeeded, atConstrained} {
		whole := b.unseededMI.Cells[m][0].Score.Mean
		for at, x := range b.unseededMI.X {
			if x == 0 {
				continue
			}
			share := b.unseededMI.Cells[m][at].Score.Mean/whole - 1
			if all++; share > -much {
				holds++
			}
			texts = append(texts, fmt.Sprintf("%s %+.0f %% with %g unseeded", seedMethods[m], 100*share, x))
		}
	}
	l.Claim("MI does not fall substantially, by a tenth or more, as classes lose their seeds (figure 10)", Of(holds, all), "%s", strings.Join(texts, ", "))
}
