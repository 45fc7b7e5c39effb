package main

import (
	"fmt"
	"io"
	"math"

	"github.com/inklinghq/inkling/cluster"
)

// paired returns the values of two settings on the folds that have both.
func (s *study) paired(a, b setting, of func(*outcome) float64) (x, y []float64) {
	ra, rb := s.Of[a.plain(s.k())], s.Of[b.plain(s.k())]
	for f := range min(len(ra), len(rb)) {
		if ra[f] != nil && rb[f] != nil {
			x, y = append(x, of(ra[f])), append(y, of(rb[f]))
		}
	}
	return x, y
}

func (s *study) mean(t setting, of func(*outcome) float64) mean {
	x, _ := s.paired(t, t, of)
	return meanOf(x)
}

// difference returns the mean of a − b over the folds that have both.
func (s *study) difference(a, b setting) mean {
	x, y := s.paired(a, b, mi)
	for f := range x {
		x[f] -= y[f]
	}
	return meanOf(x)
}

func mi(o *outcome) float64  { return o.MI }
func nmi(o *outcome) float64 { return o.NMI }

// print writes the tables of a study.
func (s *study) print(w io.Writer) {
	fmt.Fprintf(w, "\n## %s: %d messages, %d words, k = %d, %d folds\n", s.Name, s.X.Len(), s.X.Dim(), s.k(), s.Folds)
	for _, c := range s.Curves {
		fmt.Fprintf(w, "\n%s\n\n| %s |", c.Title, c.Level)
		for _, m := range methods {
			fmt.Fprintf(w, " %s MI | NMI |", m)
		}
		fmt.Fprint(w, " Constrained − Seeded, MI |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n")
		for _, x := range c.Levels {
			fmt.Fprintf(w, "| %g |", x)
			for _, m := range methods {
				t := c.At(m, x)
				fmt.Fprintf(w, " %v | %v |", s.mean(t, mi), s.mean(t, nmi))
			}
			fmt.Fprintf(w, " %v |\n", s.difference(c.At(constrained, x), c.At(seeded, x)).signed())
		}
	}
	fmt.Fprintf(w, "\n%s\n", s.effort())
}

func (m mean) String() string {
	if m.N == 0 {
		return "–"
	}
	if math.IsNaN(m.SE) {
		return fmt.Sprintf("%.3f", m.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", m.Mean, m.SE)
}

func (m mean) signed() string {
	if m.N == 0 {
		return "–"
	}
	if math.IsNaN(m.SE) {
		return fmt.Sprintf("%+.3f", m.Mean)
	}
	return fmt.Sprintf("%+.3f ± %.3f", m.Mean, m.SE)
}

// effort says how many iterations the runs took.
func (s *study) effort() string {
	runs, limited := 0, 0
	sum, most := map[string][]float64{}, 0
	for t, all := range s.Of {
		for _, o := range all {
			if o == nil {
				continue
			}
			runs++
			most = max(most, o.Iterations)
			sum[t.Method] = append(sum[t.Method], float64(o.Iterations))
			if o.Status != cluster.Converged {
				limited++
			}
		}
	}
	return fmt.Sprintf("%d runs; iterations on average: Random %.0f, Seeded %.0f, Constrained %.0f, at most %d; not converged: %d",
		runs, meanOf(sum[random]).Mean, meanOf(sum[seeded]).Mean, meanOf(sum[constrained]).Mean, most, limited)
}
