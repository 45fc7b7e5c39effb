package terminal

import (
	"fmt"
	"time"
)

// TimeLeft adds to a line of progress how much is done, a share of 0 to 1, and about how long
// the rest takes at the pace so far. A share of 0 is not known.
func TimeLeft(line string, share float64, spent time.Duration) string {
	switch {
	case !(share > 0):
		return line
	case share >= 1:
		return line + "  100 %"
	}
	line += fmt.Sprintf("  %d %%", int(100*share))
	if share < 0.02 || spent < time.Second {
		return line // too early to tell
	}
	left := time.Duration(float64(spent) * (1 - share) / share)
	unit := time.Second
	if left > 10*time.Minute {
		unit = time.Minute
	}
	return line + fmt.Sprintf(", about %s left", max(left, time.Second).Round(unit))
}
