package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/door"
)

// print prints the means by kind of table, and how many cells are bad.
func (s *study) print(w io.Writer, cells []cell) {
	for _, wrong := range []bool{false, true} {
		title := "correct answers"
		if wrong {
			title = fmt.Sprintf("%.0f %% of the answers wrong", 100*s.wrong)
		}
		fmt.Fprintf(w, "\n## %s\n\n| mean ARI at %s answers | easy tables | hard tables | tables of ASK.md | bad | worst |\n|---|---|---|---|---|---|\n", title, numbers(s.answers))
		for _, rule := range s.rules() {
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
			fmt.Fprintf(w, "| %s | %s | %s | %s | %d of %d, %.1f %% | %+.3f |\n", rule, s.means(cells, func(c *cell) bool { return of(c) && c.Easy }),
				s.means(cells, func(c *cell) bool { return of(c) && !c.Easy }), s.means(cells, func(c *cell) bool { return of(c) && slices.Contains(inEvidence, c.Table) }),
				bad, count, 100*float64(bad)/float64(max(count, 1)), -worst)
		}
		fmt.Fprintf(w, "\n| table | %s | %s |\n|---|---|---|\n", s.rules()[0], s.rules()[1])
		for _, t := range s.tables {
			line := []string{t.name}
			for _, rule := range s.rules() {
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
		if c := &cells[i]; c.bad() && (c.Rule == s.rules()[0] || c.Rule == pageRule) {
			fmt.Fprintf(w, "%s, seed %d, %s, %d answers, wrong %v: %.3f, without %.3f (spread %v, %d of %d left)\n", c.Table, c.Seed, c.Rule, c.Answers, c.Wrong, c.ARI, c.Without, c.Spread, c.Left, c.Asked)
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

// What holds of our rule, through the library and over HTTP.
const (
	mostBad      = 0.02 // share of the cells with correct answers
	mostBadWrong = 0.08 // share of those with wrong ones
	mostLost     = 0.10 // in any cell with correct answers
)

// check says where the limits do not hold, and where the page differs from the library.
func (s *study) check(cells []cell) error {
	var faults []error
	for _, rule := range s.rules() {
		if rule != door.MethodAnswers && rule != pageRule {
			continue
		}
		bad, count := map[bool]int{}, map[bool]int{}
		for i := range cells {
			c := &cells[i]
			if c.Rule != rule || c.Answers == 0 {
				continue
			}
			count[c.Wrong]++
			if c.bad() {
				bad[c.Wrong]++
			}
			if !c.Wrong && c.loss() > mostLost {
				faults = append(faults, fmt.Errorf("%s: %s, seed %d, loses %.3f after %d correct answers", rule, c.Table, c.Seed, c.loss(), c.Answers))
			}
		}
		for wrong, most := range map[bool]float64{false: mostBad, true: mostBadWrong} {
			if share := float64(bad[wrong]) / float64(max(count[wrong], 1)); share > most {
				faults = append(faults, fmt.Errorf("%s: %.1f %% of the cells are bad, at most %.0f %% may be (wrong answers: %v)", rule, 100*share, 100*most, wrong))
			}
		}
	}
	type place struct {
		table   string
		seed    uint64
		wrong   bool
		answers int
	}
	library := map[place]float64{}
	for _, c := range cells {
		at := place{c.Table, c.Seed, c.Wrong, c.Answers}
		switch c.Rule {
		case door.MethodAnswers:
			library[at] = c.ARI
		case pageRule:
			if is, ok := library[at]; !ok || is != c.ARI {
				faults = append(faults, fmt.Errorf("%s, seed %d, wrong answers %v: after %d answers %.3f over HTTP, %.3f through the library", c.Table, c.Seed, c.Wrong, c.Answers, c.ARI, is))
			}
		}
	}
	return errors.Join(faults...)
}
