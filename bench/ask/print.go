package main

import (
	"fmt"
	"io"
	"strings"
)

// print prints the means by kind of table, and how many cells are bad.
func (s *study) print(w io.Writer, cells []cell) {
	for _, wrong := range []bool{false, true} {
		title := "correct answers"
		if wrong {
			title = fmt.Sprintf("%.0f %% of the answers wrong", 100*s.wrong)
		}
		fmt.Fprintf(w, "\n## %s\n\n| mean ARI at %s answers | easy tables | hard tables | bad | worst |\n|---|---|---|---|---|\n", title, numbers(s.answers))
		for _, rule := range rules {
			of := func(c *cell) bool { return c.Wrong == wrong && c.Rule == rule }
			bad, count, worst := 0, 0, 0.0
			for i := range cells {
				if c := &cells[i]; of(c) && c.Answers > 0 {
					count++
					if c.bad() {
						bad++
					}
					worst = max(worst, c.loss())
				}
			}
			fmt.Fprintf(w, "| %s | %s | %s | %d of %d, %.1f %% | %+.3f |\n", rule, s.means(cells, func(c *cell) bool { return of(c) && c.Easy }),
				s.means(cells, func(c *cell) bool { return of(c) && !c.Easy }), bad, count, 100*float64(bad)/float64(max(count, 1)), -worst)
		}
		fmt.Fprintf(w, "\n| table | %s | %s |\n|---|---|---|\n", rules[0], rules[1])
		for _, t := range s.tables {
			line := []string{t.name}
			for _, rule := range rules {
				line = append(line, s.means(cells, func(c *cell) bool { return c.Wrong == wrong && c.Rule == rule && c.Table == t.name }))
			}
			fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
		}
	}
	if !s.cells {
		return
	}
	fmt.Fprintln(w)
	for i := range cells {
		if c := &cells[i]; c.bad() && c.Rule == rules[0] {
			fmt.Fprintf(w, "%s, seed %d, %d answers, wrong %v: %.3f, without %.3f (spread %v, %d of %d left)\n", c.Table, c.Seed, c.Answers, c.Wrong, c.ARI, c.Without, c.Spread, c.Left, c.Asked)
		}
	}
}

// means returns the mean over cells for each number of answers.
func (s *study) means(cells []cell, of func(*cell) bool) string {
	sum, count := make([]float64, len(s.answers)), make([]int, len(s.answers))
	at := 0
	for i := range cells {
		c := &cells[i]
		if i > 0 && (c.Rule != cells[i-1].Rule || c.Table != cells[i-1].Table || c.Seed != cells[i-1].Seed || c.Wrong != cells[i-1].Wrong) {
			at = 0
		}
		if of(c) {
			sum[at], count[at] = sum[at]+c.ARI, count[at]+1
		}
		at++
	}
	var out []string
	for i := range sum {
		if count[i] == 0 {
			return "–"
		}
		out = append(out, strings.TrimPrefix(fmt.Sprintf("%.3f", sum[i]/float64(count[i])), "0"))
	}
	return strings.Join(out, " ")
}

func numbers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}
