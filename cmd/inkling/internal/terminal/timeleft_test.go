package terminal

import (
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		share float64
		spent time.Duration
		want  string
	}{
		{0, 5 * time.Second, "reading"},
		{0.25, 5 * time.Second, "reading  25 %, about 15s left"},
		{0.5, 500 * time.Millisecond, "reading  50 %"},
		{0.01, time.Minute, "reading  1 %"},
		{0.99, 2 * time.Second, "reading  99 %, about 1s left"},
		{1, time.Minute, "reading  100 %"},
		{0.1, 10 * time.Minute, "reading  10 %, about 1h30m0s left"},
	} {
		if got := TimeLeft("reading", c.share, c.spent); got != c.want {
			t.Errorf("%v after %v: %q, want %q", c.share, c.spent, got, c.want)
		}
	}
}
