package reproduce

import (
	"context"
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// The columns of the tables.
const (
	atBP = iota
	atLP
	atICM
	atJoint
)

var inferenceNames = []string{"BP", "LP", "ICM", "ICM, joint reassignment"}

// inferenceMethods is HMRF-KMeans with each inference. The paper's ICM does not
// let rows that hold each other in place move together, ours does.
func inferenceMethods(more string) string {
	var out []string
	for _, how := range []string{"bp", "lp", "icm:joint-reassign=false", "icm"} {
		out = append(out, "hmrf-kmeans:inference="+how+more)
	}
	return strings.Join(out, ",")
}

// plainMetric is one weight a feature, learned without asking whether the data
// bear it. The paper does not say which metric it learns.
const plainMetric = ":metric=diagonal:complexity=none:shrinkage=0"

// inference is section 4 of the paper: 2 folds, F of pairs on the half from
// which no pairs are drawn. The paper has 10 repeats.
func inference(name string, every int, classes ...string) func(context.Context, *Lab) error {
	return func(ctx context.Context, l *Lab) error {
		s, err := l.pick(name, every, classes...)
		if err != nil {
			return err
		}
		pairs := []int{10, 25, 50, 100, 200, 400, 800}
		for _, of := range []struct{ metric, more string }{{"metric as shipped", ""}, {"plain diagonal metric", plainMetric}} {
			title := strings.ToUpper(of.metric[:1]) + of.metric[1:]
			t, err := l.pairCurve(ctx, title, s, inferenceMethods(of.more), 2, l.Repeats(10, 50), "f", pairs, inferenceNames...)
			if err != nil {
				return err
			}
			l.gains("What BP gains, "+of.metric, t)
			l.judgeInference(t, of.metric)
		}
		return l.inferenceTimes(ctx, s)
	}
}

// judgeInference judges what section 4.2 of the paper says of scores. Few pairs
// are up to 100: with more, most rows of the training half are in some pair.
func (l *Lab) judgeInference(t *experiment.Table, how string) {
	few := 0
	for few < len(t.X)-1 && t.X[few+1] <= 100 {
		few++
	}
	l.judgeEach(t, atBP, atICM, 0, few, "with few pairs inference over all rows at once beats ICM: BP > ICM, "+how, above)
	l.judgeEach(t, atLP, atICM, 0, few, "the same: LP > ICM, "+how, above)
	l.judgeCaughtUp(t, atICM, "from some number of pairs on, ICM is no worse, "+how)
	l.judgeCaughtUp(t, atJoint, "the same of ICM as shipped, with joint reassignment, "+how)
	l.judgeEach(t, atBP, atLP, 0, len(t.X)-1, "(in the figures) BP and LP are alike: means within 0.01, "+how,
		func(d experiment.Mean) bool { return d.Mean < 0.01 && d.Mean > -0.01 })
}

// judgeCaughtUp judges whether BP and LP are no longer ahead at the most pairs;
// that they are ahead by less than half of what they were at their best is part
// of it.
func (l *Lab) judgeCaughtUp(t *experiment.Table, icm int, claim string) {
	last := len(t.X) - 1
	held, less := 0, 0
	var numbers []string
	for _, m := range []int{atBP, atLP} {
		most := 0
		for a := range t.X {
			if t.Compare(m, icm, a).Difference.Mean > t.Compare(m, icm, most).Difference.Mean {
				most = a
			}
		}
		top, end := t.Compare(m, icm, most).Difference, t.Compare(m, icm, last).Difference
		if !above(end) {
			held++
		}
		if end.Mean < top.Mean/2 {
			less++
		}
		numbers = append(numbers, fmt.Sprintf("%s − %s: %s at %g, at most %s at %g",
			t.Methods[m], t.Methods[icm], signed(end), t.X[last], signed(top), t.X[most]))
	}
	v := Of(held, 2)
	if v == Not && less > 0 {
		v = Partly
	}
	l.Claim(claim, v, "%s", strings.Join(numbers, "; "))
}

// inferenceTimes judges that ICM is faster by an order of magnitude.
func (l *Lab) inferenceTimes(ctx context.Context, s *set) error {
	methods, err := experiment.ParseMethods(inferenceMethods(""))
	if err != nil {
		return err
	}
	p := Part{Title: "Time of a whole fit", Timed: true, Head: append([]string{"pairs"}, inferenceNames...),
		Text: "Milliseconds of a fit on one worker, the best of 3 rounds in which the methods take turns, on average over draws of pairs."}
	held := 0
	var numbers []string
	amounts := []int{25, 100, 400}
	for _, pairs := range amounts {
		ms, err := l.clock(ctx, fmt.Sprintf("times at %d pairs", pairs), s.problem(), s.Truth, methods, pairs, l.Repeats(5, 20))
		if err != nil {
			return err
		}
		row := []string{fmt.Sprint(pairs)}
		for _, v := range ms {
			row = append(row, fmt.Sprintf("%.2f", v))
		}
		p.Rows = append(p.Rows, row)
		bp, lp := ms[atBP]/ms[atICM], ms[atLP]/ms[atICM]
		if min(bp, lp) >= 10 {
			held++
		}
		numbers = append(numbers, fmt.Sprintf("at %d pairs BP takes %.1f times as long as ICM, LP %.1f times", pairs, bp, lp))
	}
	l.Put(p)
	l.TimeClaim("ICM is faster than BP and LP by an order of magnitude", Of(held, len(amounts)), "%s", strings.Join(numbers, "; "))
	return nil
}
