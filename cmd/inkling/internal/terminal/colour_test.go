package terminal

import (
	"strings"
	"testing"
)

func TestColours(t *testing.T) {
	for line, want := range map[string]string{
		"warning: 3 rows dropped":            yellow + "warning:" + plain + " 3 rows dropped",
		"inkling: x.csv:3: bad":              red + "inkling:" + plain + " x.csv:3: bad",
		"kmeans, k = 3: converged":           bold + "kmeans, k = 3: " + plain + "converged",
		"  0    51   28.7 %  ███":            "  0    51   28.7 %  " + cyan + "███" + plain,
		"  must-links    14 of 14 satisfied": "  must-links    " + cyan + "14 of 14" + plain + " satisfied",
		"  labels        1 of 2 satisfied":   "  labels        " + yellow + "1 of 2" + plain + " satisfied",
		"objective 3":                        "objective 3",
		"":                                   "",
	} {
		if got := coloured(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
		if got := strings.NewReplacer(bold, "", yellow, "", red, "", cyan, "", soft, "", plain, "").Replace(coloured(line)); got != line {
			t.Errorf("colours change the words: %q becomes %q", line, got)
		}
	}
}

func TestNoColour(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{{nil, true}, {map[string]string{"TERM": "xterm"}, true}, {map[string]string{"NO_COLOR": "1"}, false}, {map[string]string{"TERM": "dumb"}, false}} {
		if got := wantsColour(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
