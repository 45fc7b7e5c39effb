package reproduce

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/judge/experiment"
)

var (
	same3      = []string{"comp.graphics", "comp.os.ms-windows.misc", "comp.windows.x"}
	different3 = []string{"alt.atheism", "rec.sport.baseball", "sci.space"}
)

func allMessages(counts *messages, _ uint64) (*messages, error) { return counts.weigh() }

func smallMessages(counts *messages, seed uint64) (*messages, error) {
	return counts.choose(counts.Groups, 100, rand.New(rand.NewPCG(seed, smallStream)))
}

func groups(names []string) func(*messages, uint64) (*messages, error) {
	return func(counts *messages, _ uint64) (*messages, error) { return counts.choose(names, math.MaxInt, nil) }
}

// A seedCurve is a table of settings: a level to vary, the rest fixed.
type seedCurve struct {
	Title  string
	Vary   string
	Levels []float64
	At     func(method string, level float64) seedSetting
}

// Where the paper fixes the seed fraction: figure 11 and figure 10.
const (
	noiseSeeds      = 0.5
	incompleteSeeds = 0.1
)

// seedCurves returns the experiments on k classes: seeds, noise, unseeded
// classes.
func seedCurves(k int, full bool) (learning, noisy, incomplete seedCurve) {
	tenths := func(last int) (out []float64) {
		for i := range last + 1 {
			out = append(out, float64(i)/10)
		}
		return out
	}
	fractions, noise, unseeded := tenths(10), tenths(9), []float64{0, 1, 2, 5, 10, 15}
	if !full {
		fractions, noise, unseeded = []float64{0, 0.1, 0.5, 1}, []float64{0, 0.5}, []float64{0, 1, 5}
	}
	unseeded = slices.DeleteFunc(unseeded, func(u float64) bool { return int(u) >= k })
	return seedCurve{"Seeds", "seed fraction", fractions,
			func(m string, x float64) seedSetting { return seedSetting{Method: m, Seeds: x} }},
		seedCurve{"Noise, seed fraction 0.5", "noise fraction", noise,
			func(m string, x float64) seedSetting { return seedSetting{Method: m, Seeds: noiseSeeds, Noise: x} }},
		seedCurve{"Incomplete seeds, seed fraction 0.1", "unseeded classes", unseeded,
			func(m string, x float64) seedSetting {
				return seedSetting{Method: m, Seeds: incompleteSeeds, Unseeded: int(x)}
			}}
}

// settings returns the different settings of some curves.
func settings(k int, curves ...seedCurve) (out []seedSetting) {
	for _, c := range curves {
		for _, x := range c.Levels {
			for _, m := range seedMethods {
				if s := c.At(m, x).plain(k); !slices.Contains(out, s) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// A seedBook has the outcomes of a study.
type seedBook struct {
	*seedStudy
	folds int
	of    map[seedSetting][]seedOutcome // by fold

	learning, noisy, unseeded seedCurve
	// Tables of MI, and of the objective over seeds.
	seedMI, noiseMI, unseededMI, objective *experiment.Table
}

// seeding is section 5 of the paper on one set: MI and objective over seeds,
// with noise, with classes that have no seeds, and what the paper says of
// these. What it says of this set alone is judged by more.
func seeding(set func(*messages, uint64) (*messages, error), more ...func(*seedBook, *Lab)) func(context.Context, *Lab) error {
	return func(ctx context.Context, l *Lab) error {
		counts, err := l.newsgroups()
		if err != nil {
			return err
		}
		m, err := set(counts, l.Seed)
		if err != nil {
			return err
		}
		b := &seedBook{seedStudy: newSeedStudy(m, seedReading{}, l.Seed), folds: l.Repeats(3, seedFolds)}
		b.learning, b.noisy, b.unseeded = seedCurves(m.k(), l.Full)
		all := settings(m.k(), b.learning, b.noisy, b.unseeded)
		if b.of, err = b.runs(ctx, l, "runs", b.folds, all); err != nil {
			return err
		}
		l.Put(Part{Title: "What was run", Text: b.protocol(l.Full)})
		if err := b.tables(l); err != nil {
			return err
		}
		b.judge(l)
		for _, claim := range more {
			claim(b, l)
		}
		return nil
	}
}

// runs makes the runs of some settings on the first folds.
func (st *seedStudy) runs(ctx context.Context, l *Lab, step string, folds int, all []seedSetting) (map[seedSetting][]seedOutcome, error) {
	var keys []string
	for f := range folds {
		for _, s := range all {
			keys = append(keys, fmt.Sprintf("n=%d words=%d values=%d k=%d, %+v, fold %d of %d, %+v",
				st.X.Len(), st.X.Dim(), st.X.Stored(), st.k(), st.seedReading, f, seedFolds, s))
		}
	}
	made, err := Try(ctx, l, step, keys, func(ctx context.Context, i int) (seedOutcome, error) {
		return st.run(ctx, all[i%len(all)], i/len(all))
	})
	if err != nil {
		return nil, err
	}
	out := map[seedSetting][]seedOutcome{}
	for i, o := range made {
		out[all[i%len(all)]] = append(out[all[i%len(all)]], o)
	}
	return out, nil
}

// values returns a number of each fold for a setting; NaN where COP was stuck.
func (b *seedBook) values(s seedSetting, of func(seedOutcome) float64) (out []float64) {
	for _, o := range b.of[s.plain(b.k())] {
		if o.Stuck {
			out = append(out, math.NaN())
			continue
		}
		out = append(out, of(o))
	}
	return out
}

func testMI(o seedOutcome) float64    { return o.MI }
func objective(o seedOutcome) float64 { return o.Objective }

// tables puts the tables on the sheet.
func (b *seedBook) tables(l *Lab) (err error) {
	const mi, sum = "MI (nats) on the messages of the fold", "Σ x'μ of all messages"
	for _, t := range []struct {
		at      **experiment.Table
		title   string
		measure string
		of      func(seedOutcome) float64
		curve   seedCurve
	}{
		{&b.seedMI, "MI over seeds, no noise", mi, testMI, b.learning},
		{&b.objective, "Objective over seeds, no noise", sum, objective, b.learning},
		{&b.noiseMI, "MI with noise, seed fraction 0.5", mi, testMI, b.noisy},
		{&b.unseededMI, "MI with unseeded classes, seed fraction 0.1", mi, testMI, b.unseeded},
	} {
		values := make([][][]float64, len(seedMethods))
		for m, method := range seedMethods {
			for _, x := range t.curve.Levels {
				values[m] = append(values[m], b.values(t.curve.At(method, x), t.of))
			}
		}
		if *t.at, err = experiment.Tabulate(t.measure, t.curve.Vary, seedMethods, t.curve.Levels, values); err != nil {
			return err
		}
		l.Table(t.title, *t.at)
	}
	return nil
}

// protocol says what was run.
func (b *seedBook) protocol(full bool) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%d messages, %d words weighed tf·ln(n/df), k = %d. ", b.X.Len(), b.X.Dim(), b.k())
	if full {
		t.WriteString("All ten folds, each a draw")
	} else {
		fmt.Fprintf(&t, "Quick: %d of the ten folds, each a draw, and few levels", b.folds)
	}
	t.WriteString("; folds and seeds hold the groups in equal shares. Seeds are of the other nine folds; all messages are clustered, " +
		"on the sphere, from one start, until none moves. A wrong seed has one of the other groups, each as likely. " +
		"Within a fold all methods have the same seeds and the same wrong labels. " +
		"COP-KMeans is the greedy one of the paper, from random messages; one that gets stuck is counted as failed.\n\n")
	runs, open, stuck, most := 0, 0, 0, 0
	sum, n := map[string]int{}, map[string]int{}
	for s, folds := range b.of {
		for _, o := range folds {
			runs++
			switch {
			case o.Stuck:
				stuck++
				continue
			case !o.Converged:
				open++
			}
			most = max(most, o.Iterations)
			sum[s.Method] += o.Iterations
			n[s.Method]++
		}
	}
	fmt.Fprintf(&t, "%d runs; COP was stuck in %d, and %d did not converge. Iterations on average:", runs, stuck, open)
	for i, m := range seedMethods {
		if i > 0 {
			t.WriteString(",")
		}
		fmt.Fprintf(&t, " %s %.0f", m, float64(sum[m])/float64(max(1, n[m])))
	}
	fmt.Fprintf(&t, "; at most %d.\n\n", most)
	t.WriteString("A claim with > holds where the difference, paired by fold, is above 0 by more than two standard errors; one with ≥ where it is not below 0 by as much. " +
		"The paper's other collection, Yahoo! News (figures 5 and 7), is not to be had, so these are not repeated.")
	return t.String()
}
