package suspect

import (
	"fmt"
	"io"
	"strings"

	"github.com/inklinghq/inkling/internal/support/format"
)

// A Suspect is a constraint with how likely it is wrong.
type Suspect struct {
	Kind   string  `json:"kind"`  // label, must or cannot
	ID     string  `json:"id"`    // of the row that a label names
	Label  string  `json:"label"` // that it names
	A      string  `json:"a"`     // the rows of a link
	B      string  `json:"b"`
	Weight float64 `json:"weight"`
	Score  float64 `json:"score"` // an estimate of the probability that it is wrong, 0 to 1
	Why    string  `json:"why"`   // the evidence, in words
	File   string  `json:"file"`  // where it was given
	Line   int     `json:"line"`
}

// String returns what the constraint says.
func (s Suspect) String() string {
	switch s.Kind {
	case "label":
		return s.ID + " is labelled " + s.Label
	case "must":
		return s.A + " and " + s.B + " must be together"
	}
	return s.A + " and " + s.B + " cannot be together"
}

// CountAbove returns how many suspects have a score above a bound.
func CountAbove(list []Suspect, bound float64) (n int) {
	for _, s := range list {
		if s.Score > bound {
			n++
		}
	}
	return n
}

// place returns where the constraint was given, "" where it has no file.
func (s Suspect) place() string {
	switch {
	case s.File == "":
		return ""
	case s.Line == 0:
		return " (" + s.File + ")"
	}
	return fmt.Sprintf(" (%s:%d)", s.File, s.Line)
}

// listedBelow is how many constraints below the bound WriteText lists after those
// above it.
const listedBelow = 5

// WriteText writes a ranking for people: constraints with a score above a bound with the
// evidence, then a few others, or all. printable, if not nil, makes what comes from files
// harmless for a terminal.
func WriteText(w io.Writer, list []Suspect, bound float64, all bool, printable func(string) string) error {
	if printable == nil {
		printable = func(s string) string { return s }
	}
	var b strings.Builder
	count := CountAbove(list, bound)
	fmt.Fprintf(&b, "%d of %s look wrong (score above %v)\n", count, format.Count(len(list), "constraint"), bound)
	for i, s := range list {
		if i == count+listedBelow && !all {
			fmt.Fprintf(&b, "… and %d more below (the JSON lists all)\n", len(list)-i)
			break
		}
		if i == count && i > 0 {
			b.WriteString("less likely:\n")
		}
		fmt.Fprintf(&b, "%.2f  %s\n", s.Score, printable(s.String()+s.place()))
		if i < count || all {
			fmt.Fprintf(&b, "      %s\n", printable(s.Why))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
