package reproduce

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/method/kernel"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// The rules for β, as the paper does not say which it used here, and the
// rivals.
const (
	noiseOne = iota
	noiseEq19
	noiseAuto
	noiseSL
	noiseSSKK
	noisePlain
)

var noiseRivals = []rival{
	{"CSP one", fitted(func() cluster.Algorithm { return newCSP(csp.BetaOne, false) })},
	{"CSP eq. 19", fitted(func() cluster.Algorithm { return newCSP(csp.BetaEq19, false) })},
	{"CSP auto", fitted(func() cluster.Algorithm { return newCSP(csp.BetaAuto, false) })},
	{"SL", editedCut},
	{"SSKK", fitted(func() cluster.Algorithm { return kernel.NewSSKernelKMeans() })},
	{"unconstrained", plainCut},
}

const (
	noisePairs = 20
	noiseWidth = 0.1 // in median distances
	noiseBlur  = 0.1
)

// noiseBackground are numbers of background points, for 500 points on the moons;
// the paper has 100.
var noiseBackground = []float64{0, 50, 100, 200, 300}

// atHundred is the place of the paper's number.
const atHundred = 2

// noisy draws a sample with its constraints.
func (l *Lab) noisy(ctx context.Context, points, background, draw int) (x *data.Dense, truth []int, width float64, known *constraint.Set, err error) {
	x, truth, err = example.NoisyMoons(points, background, noiseBlur, l.stream("noisy moons %d, %d", background, draw))
	if err != nil {
		return nil, nil, 0, nil, err
	}
	middle, err := affinity.MedianDistance(ctx, x, nil, 1)
	known = constraint.RandomPairs(truth, noisePairs, l.stream("noisy moons %d, pairs %d", background, draw))
	return x, truth, noiseWidth * middle, known, err
}

// cspNoise is the end of section 7.2: 600 points, 100 of them background, and 20
// constraints.
func cspNoise(ctx context.Context, l *Lab) error {
	return l.noiseCurves(ctx, 500, noiseBackground, l.Repeats(3, 20))
}

func (l *Lab) noiseCurves(ctx context.Context, points int, backgrounds []float64, draws int) error {
	l.Put(Part{Title: "What was chosen", Text: fmt.Sprintf("The paper names neither the blur of the moons (here %g) nor the width of the kernel (here %g median distances, under which the moons are found where there is no background), "+
		"nor the rule for β: three are tried. There are %d constraints.", noiseBlur, noiseWidth, noisePairs)})
	var names []string
	var tables []*experiment.Table
	for _, loops := range []bool{false, true} {
		name := selfWord(loops)
		scores := newCuts("background points", noiseRivals, backgrounds)
		type task struct{ at, draw int }
		var tasks []task
		var keys []string
		for at, background := range backgrounds {
			for d := range draws {
				tasks = append(tasks, task{at, d})
				keys = append(keys, fmt.Sprintf("%d points, noise %g, background %g, width %g, %s, constraints %d, draw %d",
					points, noiseBlur, background, noiseWidth, name, noisePairs, d))
			}
		}
		got, err := Try(ctx, l, "noisy moons, "+name, keys, func(ctx context.Context, i int) ([]cutScore, error) {
			t := tasks[i]
			x, truth, width, known, err := l.noisy(ctx, points, int(backgrounds[t.at]), t.draw)
			if err != nil {
				return nil, err
			}
			return scored(ctx, noiseRivals, kernelGraph(x, width, loops), truth, known, l.Seed)
		})
		if err != nil {
			return err
		}
		for i, t := range tasks {
			scores.at[t.at] = append(scores.at[t.at], got[i])
		}
		t, err := scores.ari()
		if err != nil {
			return err
		}
		l.Table("ARI of the moons, "+name, t)
		names, tables = append(names, name), append(tables, t)
	}
	judgeNoise(l, names, tables)
	return l.noisePictures(ctx, points, tables[0])
}

func judgeNoise(l *Lab, names []string, tables []*experiment.Table) {
	paper := func(test func(*experiment.Table, int) (bool, string)) func(*experiment.Table) (bool, string) {
		return func(t *experiment.Table) (bool, string) { return test(t, atHundred) }
	}
	l.judgeTables("dense as the sample is, spectral clustering fails among 100 points of background", names, tables, func(t *experiment.Table) (bool, string) {
		clean, noisy := t.Cells[noisePlain][0].Score, t.Cells[noisePlain][atHundred].Score
		return noisy.Mean+2*noisy.SE < 0.95 && clean.Mean > 0.95, fmt.Sprintf("%s, and %s without background", noisy, clean)
	})
	for m, how := range []string{"β with one feasible vector", "β of equation 19", "β as shipped"} {
		l.judgeTables("with 20 constraints CSP recovers the moons: ARI of 0.95 and more, "+how, names, tables, paper(atLeast(m, 0.95)))
	}
	l.judgeAt("the background has next to no influence then: ARI of 0.95 and more with any, β as shipped", names, tables, 0, atLeast(noiseAuto, 0.95))
}

// noisePictures draws figure 8: one sample, cut without and with constraints,
// the first of those that are not cut rightly without.
func (l *Lab) noisePictures(ctx context.Context, points int, t *experiment.Table) error {
	draw := max(0, slices.IndexFunc(t.Scores(noisePlain, atHundred), func(y float64) bool { return y < 0.9 }))
	x, truth, width, known, err := l.noisy(ctx, points, int(t.X[atHundred]), draw)
	if err != nil {
		return err
	}
	shown := []int{noisePlain, noiseEq19, noiseAuto}
	var keys []string
	for _, m := range shown {
		keys = append(keys, fmt.Sprintf("%s, %d points, background %g, noise %g, width %g, draw %d", noiseRivals[m].name, points, t.X[atHundred], noiseBlur, noiseWidth, draw))
	}
	labels, err := Try(ctx, l, "pictures", keys, func(ctx context.Context, i int) ([]int, error) {
		return noiseRivals[shown[i]].cut(ctx, kernelGraph(x, width, false), known, l.Seed)
	})
	if err != nil {
		return err
	}
	for i, m := range shown {
		name := noiseRivals[m].name
		ari, err := knownARI(truth, labels[i])
		if err != nil {
			return err
		}
		title := "The moons cut, " + name
		given := known
		if m == noisePlain {
			given = &constraint.Set{}
		}
		l.Put(Part{Title: title, Text: fmt.Sprintf("Figure 8, the first draw that is not cut rightly without constraints, A_ii = 0: ARI %.3f on the moons. Rings are background; lines are must-links, broken lines cannot-links.", ari),
			Files: []File{l.svgFile(title, scatterPlot(title, x, labels[i], points, given))}})
	}
	return nil
}
