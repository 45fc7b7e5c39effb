package reproduce

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// The columns that both tables of rows begin with.
const (
	atExp = iota
	atLinear
	atNormalized
	atRatio
	atHMRF
)

// kernelColumns returns the methods on rows and what the tables call them. As
// printed is by batch steps alone, and HMRF-KMeans without a metric: the paper
// has squared Euclidean distance. As shipped single rows move too, and
// HMRF-KMeans learns a metric.
func kernelColumns(width string, shipped bool) (methods string, names []string) {
	const k = "kernel-hmrf-kmeans"
	more := ":refine=false:weight=paper:pair-term=reward"
	hmrf := []string{"hmrf-kmeans:metric=none:penalty=constant:weight=auto"}
	names = []string{"exp", "linear", "normalized cut", "ratio cut", "HMRF"}
	if shipped {
		more = ""
		hmrf = []string{"hmrf-kmeans", k + ":width=auto", "mpc-kmeans"}
		names = append(names, "exp, width auto", "MPC")
	}
	w := ":width=" + width
	out := append([]string{k + more + w, k + ":kernel=linear" + more, k + ":objective=normalized-cut" + more + w, k + ":objective=ratio-cut" + more + w}, hmrf...)
	return strings.Join(out, ","), names
}

var kernelPairs = []int{0, 20, 50, 100, 200, 500}

// kernelCurves draws both tables of a set by the protocol of section 5.2: 2
// folds, NMI on the half from which no pairs are drawn. The paper has 20 runs.
// It then judges what was printed and what is shipped.
func (l *Lab) kernelCurves(ctx context.Context, s *set, width, of string, judge func(t *experiment.Table, how string)) error {
	methods, names := kernelColumns(width, false)
	printed, err := l.pairCurve(ctx, "As printed"+of, s, methods, 2, l.Repeats(5, 25), "nmi", kernelPairs, names...)
	if err != nil {
		return err
	}
	methods, names = kernelColumns(width, true)
	shipped, err := l.pairCurve(ctx, "As shipped"+of, s, methods, 2, l.Repeats(5, 25), "nmi", kernelPairs, names...)
	if err != nil {
		return err
	}
	judge(printed, "printed")
	judge(shipped, "shipped")
	return nil
}

// circles draws the paper's TwoCircles, 100 points each at radius 1 and 3, with
// Gaussian noise of 0.1. The paper has a picture of them, no numbers; these are
// ours.
func circles() *set {
	s := &set{X: &data.Dense{Cols: 2}, K: 2}
	rng := rand.New(rand.NewPCG(1, 2008))
	for i := range 200 {
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		radius := float64(1 + 2*(i%2))
		s.X.V = append(s.X.V, radius*cos+0.1*rng.NormFloat64(), radius*sin+0.1*rng.NormFloat64())
		s.Truth = append(s.Truth, i%2)
	}
	return s
}

func kernelCircles(ctx context.Context, l *Lab) error {
	return l.kernelCurves(ctx, circles(), "1", "", func(t *experiment.Table, how string) {
		l.judgeReaches(t, atExp, 200, 0.99, "the exponential kernel gains by pairs and reaches an NMI of 1 within 200, "+how)
		l.judgeNothing(t, atLinear, "the linear kernel finds nothing, whatever the pairs, "+how)
		l.judgeNothing(t, atHMRF, "HMRF-KMeans finds nothing, whatever the pairs, "+how)
	})
}

// judgeReaches judges whether method m rises, and is at a height at x.
func (l *Lab) judgeReaches(t *experiment.Table, m int, x, height float64, claim string) {
	held := 0
	for a := range t.X {
		if t.X[a] == x && t.Cells[m][a].Score.Mean >= height {
			held++
			if above(rise(t, m, a, 0)) {
				held++
			}
		}
	}
	l.Claim(claim, Of(held, 2), "%s", curve(t, m))
}

// judgeNothing judges whether method m stays below 0.05 at every amount.
func (l *Lab) judgeNothing(t *experiment.Table, m int, claim string) {
	held := 0
	for _, c := range t.Cells[m] {
		if c.Score.Mean < 0.05 {
			held++
		}
	}
	l.Claim(claim, Of(held, len(t.X)), "%s", curve(t, m))
}
