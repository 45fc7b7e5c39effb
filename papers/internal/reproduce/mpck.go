package reproduce

import (
	"context"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// The methods, as near to the paper as our parameters go, and as shipped.
const (
	mpckPrinted = "mpc-kmeans:penalty=mpc:init=largest:joint-reassign=false:complexity=none:literal=true," +
		"pc-kmeans:init=largest:weight=1:joint-reassign=false,m-kmeans:literal=true,kmeans:init=random"
	mpckShipped = "mpc-kmeans,pc-kmeans,m-kmeans,kmeans"
)

// The columns of both tables.
const (
	atMPC = iota
	atPC
	atM
	atKMeans
)

var mpckNames = []string{"MPC", "PC", "M", "k-means"}

var mpckPairs = []int{0, 20, 50, 100, 200, 400}

// mpck is section 4 of the paper: 10 folds, 50 repeats, F of pairs on the rows
// of the fold, pairs drawn from the other folds.
func mpck(name string, every int, classes ...string) func(context.Context, *Lab) error {
	return func(ctx context.Context, l *Lab) error {
		s, err := l.pick(name, every, classes...)
		if err != nil {
			return err
		}
		printed, err := l.pairCurve(ctx, "As printed", s, mpckPrinted, 10, l.Repeats(10, 50), "f", mpckPairs, mpckNames...)
		if err != nil {
			return err
		}
		l.gains("What MPC gains, as printed", printed)
		shipped, err := l.pairCurve(ctx, "As shipped", s, mpckShipped, 10, l.Repeats(10, 50), "f", mpckPairs, mpckNames...)
		if err != nil {
			return err
		}
		l.gains("What MPC gains, as shipped", shipped)
		l.judgeMPC(printed, name, "printed")
		l.judgeMPC(shipped, name, "shipped")
		l.judgeHarm(shipped)
		return nil
	}
}

// judgeMPC judges what section 4.2 of the paper says.
func (l *Lab) judgeMPC(t *experiment.Table, name, how string) {
	l.judgeAhead(t, atMPC, atPC, 0, "metric and pairs together beat pairs alone: MPC > PC, "+how)
	l.judgeAhead(t, atMPC, atM, 1, "they beat the metric alone: MPC > M, "+how)
	l.judgeAhead(t, atPC, atKMeans, 1, "pairs help without a metric: PC > k-means, "+how)
	l.judgeAtOnce(t, "few pairs help PC at once, more add less and less, "+how)
	if name == "wine" || name == "letter" { // the paper says it of these
		l.judgeEach(t, atMPC, atKMeans, 0, 0, "without pairs a metric alone helps: MPC > k-means at 0, "+how, above)
	}
	if name == "wine" {
		l.judgeFlat(t, "more pairs then add little to MPC, "+how)
	}
	l.judgeDip(t, atMPC, "curves with a metric (some, the paper says) dip at few pairs and end above their start: MPC, "+how)
	l.judgeDip(t, atM, "the same: M, "+how)
}

// judgeAtOnce judges whether PC gains by the fewest pairs, and, a pair, more by
// the first half of the amounts than by the others.
func (l *Lab) judgeAtOnce(t *experiment.Table, claim string) {
	mid, last := len(t.X)/2, len(t.X)-1
	first, early, late := rise(t, atPC, 1, 0), rise(t, atPC, mid, 0), rise(t, atPC, last, mid)
	v := Not
	switch less := early.Mean*(t.X[last]-t.X[mid]) > late.Mean*(t.X[mid]-t.X[0]); {
	case above(first) && less:
		v = Reproduced
	case above(first) || above(early) && less:
		v = Partly
	}
	l.Claim(claim, v, "%s; %s by the first %g, %s by %g, %s by the %g after them", curve(t, atPC),
		signed(first), t.X[1], signed(early), t.X[mid], signed(late), t.X[last]-t.X[mid])
}

// judgeFlat judges whether MPC moves by less than 0.05 from no pairs to all.
func (l *Lab) judgeFlat(t *experiment.Table, claim string) {
	last, held := len(t.X)-1, 0
	d := rise(t, atMPC, last, 0)
	if d.Mean < 0.05 && d.Mean > -0.05 {
		held = 1
	}
	l.Claim(claim, Of(held, 1), "%s; %s from %g to %g pairs, little being less than 0.05", curve(t, atMPC), signed(d), t.X[0], t.X[last])
}

// judgeHarm judges our own claim that few pairs do no harm.
func (l *Lab) judgeHarm(t *experiment.Table) {
	for _, m := range []int{atMPC, atPC} {
		held, all := 0, 0
		numbers := ""
		for a := 1; a < len(t.X) && t.X[a] <= 100; a++ {
			d := rise(t, m, a, 0)
			all++
			if notBelow(d) {
				held++
			}
			numbers += ", " + signed(d)
		}
		l.Claim("(ours) few pairs do no harm: "+t.Methods[m]+" at 20, 50, 100 is not below itself without pairs, shipped", Of(held, all), "%s", numbers[2:])
	}
}
