package main

import (
	"fmt"
	"io"
)

// level is the probability below which a difference is not put down to chance.
const level = 0.05

// A claim of the paper is that one setting does better than another, or at
// least as well.
type claim struct {
	Of      string
	A, B    setting
	OrEqual bool
}

// claims returns what the paper says of the curves: with seed fractions of 0.1
// and more Constrained ≥ Seeded > Random, and with half the seeds wrong
// Seeded > Constrained.
func claims(all []curve) (out []claim) {
	learning, noisy := all[0], all[1]
	for _, x := range learning.Levels {
		if x < 0.1 {
			continue
		}
		at := fmt.Sprintf("(a) seed fraction %g", x)
		out = append(out,
			claim{at, learning.At(constrained, x), learning.At(seeded, x), true},
			claim{at, learning.At(seeded, x), learning.At(random, x), false})
	}
	const half = 0.5
	return append(out, claim{"(b) noise fraction 0.5", noisy.At(seeded, half), noisy.At(constrained, half), false})
}

// verdict judges a claim by the difference of test MI over paired folds.
func (c claim) verdict(d mean) string {
	switch p := d.p(); {
	case d.N < 2:
		return "not tested"
	case c.OrEqual && d.Mean >= 0:
		return "holds"
	case p >= level:
		return "undecided"
	case d.Mean > 0:
		return "holds"
	}
	return "FAILS"
}

func (c claim) String() string {
	sign := ">"
	if c.OrEqual {
		sign = "≥"
	}
	return fmt.Sprintf("%s: %s %s %s", c.Of, c.A.Method, sign, c.B.Method)
}

// judge writes one line a claim.
func (s *study) judge(w io.Writer) {
	fmt.Fprintf(w, "\n%s\n", s.Name)
	for _, c := range claims(s.Curves) {
		d := s.difference(c.A, c.B)
		fmt.Fprintf(w, "  %-10s  %s", c.verdict(d), c)
		if d.N >= 2 {
			fmt.Fprintf(w, ", MI difference %s, p = %.2g", d.signed(), d.p())
		}
		fmt.Fprintln(w)
	}
}
