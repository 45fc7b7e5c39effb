package summary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// One constraint more than are listed is "1 more link".
func TestOneMoreViolation(t *testing.T) {
	var said strings.Builder
	p := &Printer{Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}
	s := &door.Satisfaction{Violations: make([]door.Violation, 4), Misplaced: make([]door.Misplaced, 4)}
	s.Must.Given, s.Labels.Given = 4, 4
	p.Satisfaction(s)
	for _, want := range []string{"… and 1 more link (", "… and 1 more label ("} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("there is no %q in\n%s", want, said.String())
		}
	}
}

// A fit of minutes took 190 s, not 1.9e+02 s.
func TestSecondsHaveNoPowersOfTen(t *testing.T) {
	var said strings.Builder
	p := &Printer{Say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}
	p.Result(&door.Result{Method: "kmeans"}, 190.2)
	if !strings.Contains(said.String(), ", 190 s\n") {
		t.Errorf("there is no 190 s in\n%s", said.String())
	}
}
