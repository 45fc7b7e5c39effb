package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// A study fits every method on every table, as it is and standardised, with and
// without pairs.
type study struct {
	methods  []experiment.Method
	tables   []table
	pairs    []int
	draws    int
	wrong    float64 // share of the pairs that are of the wrong kind
	effort   cluster.Effort
	perTable bool
	jobs     int
}

// A change is what the pairs of one draw changed: the adjusted Rand index with them
// less that without, on all rows and on those that are in no pair.
type change struct{ all, free float64 }

// worse is by how much an index has to fall to count.
const worse = 0.01

// printHarm prints a line for each method and scaling: the share of fits that pairs
// make worse, on all rows and on those in no pair, and the mean gain on all rows with
// its standard error over tables.
func (s *study) printHarm(w io.Writer) error {
	fmt.Fprintf(w, "%d tables, %d draws, %.0f %% of the pairs wrong, effort %s; worse: ARI lower by more than %v than without pairs, on all rows / on rows in no pair\n\n", len(s.tables), s.draws, 100*s.wrong, s.effort, worse)
	width := 12
	for _, m := range s.methods {
		width = max(width, len(m.String()))
	}
	fmt.Fprintf(w, "%-*s %-12s", width, "", "")
	for _, n := range s.pairs {
		fmt.Fprintf(w, "  %24s", fmt.Sprintf("%d pairs", n))
	}
	fmt.Fprintf(w, "\n%-*s %-12s", width, "", "")
	for range s.pairs {
		fmt.Fprintf(w, "  %9s %14s", "worse %", "gain ± se")
	}
	fmt.Fprintln(w)
	for _, m := range s.methods {
		for _, scaled := range []bool{false, true} {
			name := map[bool]string{false: "as it is", true: "standardised"}[scaled]
			found, err := s.changes(m, scaled) // by amount, table and draw
			if err != nil {
				return fmt.Errorf("%s: %w", m, err)
			}
			printLine(w, fmt.Sprintf("%-*s %-12s", width, m, name), found)
			for t := range s.tables {
				if s.perTable {
					one := make([][][]change, len(found))
					for n := range found {
						one[n] = found[n][t : t+1]
					}
					printLine(w, fmt.Sprintf("%*s", width+13, s.tables[t].name), one)
				}
			}
		}
	}
	return nil
}

// printLine prints the shares and gains of one line, for each amount.
func printLine(w io.Writer, head string, found [][][]change) {
	fmt.Fprint(w, head)
	for _, tables := range found {
		fell, fellFree, count, means := 0, 0, 0, []float64(nil)
		for _, draws := range tables {
			sum := 0.0
			for _, c := range draws {
				if count++; c.all < -worse {
					fell++
				}
				if c.free < -worse {
					fellFree++
				}
				sum += c.all
			}
			means = append(means, sum/float64(len(draws)))
		}
		if len(means) == 1 { // one table: over its draws
			means = nil
			for _, c := range tables[0] {
				means = append(means, c.all)
			}
		}
		mean, se := meanAndError(means)
		share := func(n int) float64 { return 100 * float64(n) / float64(count) }
		fmt.Fprintf(w, "  %4.0f /%3.0f %+.3f ± %.3f", share(fell), share(fellFree), mean, se)
	}
	fmt.Fprintln(w)
}

func meanAndError(y []float64) (mean, se float64) {
	n := float64(len(y))
	for _, v := range y {
		mean += v / n
	}
	for _, v := range y {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / max(1, n-1) / n)
}

// changes fits one method on all tables.
func (s *study) changes(m experiment.Method, scaled bool) ([][][]change, error) {
	out := make([][][]change, len(s.pairs))
	for n := range out {
		for range s.tables {
			out[n] = append(out[n], make([]change, s.draws))
		}
	}
	errs := make([]error, len(s.tables)*s.draws)
	_ = blocks.Tasks(context.Background(), s.jobs, len(errs), func(task int) {
		t, draw := s.tables[task/s.draws], uint64(task%s.draws)
		if scaled {
			t = t.standardised()
		}
		without, err := s.fit(t, m, nil, draw)
		for n := range s.pairs {
			if err != nil {
				break
			}
			out[n][task/s.draws][draw], err = s.compare(t, m, s.pairs[n], draw, without)
		}
		errs[task] = err
	})
	return out, firstError(errs)
}

func firstError(errs []error) error {
	if at := slices.IndexFunc(errs, func(err error) bool { return err != nil }); at >= 0 {
		return errs[at]
	}
	return nil
}

// compare fits with the pairs of one draw.
func (s *study) compare(t table, m experiment.Method, pairs int, draw uint64, without []int) (change, error) {
	rng := rand.New(rand.NewPCG(draw, uint64(pairs)))
	known, err := constraint.FlipPairs(constraint.RandomPairs(t.truth, pairs, rng), s.wrong, rng)
	if err != nil {
		return change{}, err
	}
	labels, err := s.fit(t, m, known, draw)
	if err != nil {
		return change{}, fmt.Errorf("%s, %d pairs: %w", t.name, pairs, err)
	}
	free := slices.Repeat([]bool{true}, len(t.truth))
	for _, p := range slices.Concat(known.Must, known.Cannot) {
		free[p.I], free[p.J] = false, false
	}
	return change{gain(t.truth, labels, without, nil), gain(t.truth, labels, without, free)}, nil
}

// gain returns the index of labels less that of without, on the rows in use; nil: all.
func gain(truth, labels, without []int, use []bool) float64 {
	var a, b, c []int
	for i := range truth {
		if use == nil || use[i] {
			a, b, c = append(a, truth[i]), append(b, labels[i]), append(c, without[i])
		}
	}
	y, err := score.ARI(a, b)
	z, err2 := score.ARI(a, c)
	if err != nil || err2 != nil {
		return 0 // too few rows
	}
	return y - z
}

func (s *study) fit(t table, m experiment.Method, known *constraint.Set, seed uint64) ([]int, error) {
	set := cluster.Default()
	set.Seed, set.Effort, set.Workers = seed, s.effort, 1
	r, err := cluster.Fit(context.Background(), &cluster.Problem{X: t.x, K: t.k, Constraints: known}, m.Algorithm(), set)
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}
