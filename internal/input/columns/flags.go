package columns

import (
	"math"
	"slices"
	"strings"
)

// Laboratories and tables of statistics write flags after numbers: 171 H, 97 L, 4.2*. They say where a value lies, and are no unit.
var (
	highFlags = split("H HH (H) [H] ↑ ↑↑ ▲")
	lowFlags  = split("L LL (L) [L] ↓ ↓↓ ▼")
	signFlags = split("* ** *** † ‡ !")
)

// sideShare is the share of the flagged values that lie on their side of the unflagged ones, flaggedMost that of the numbers that may be flagged.
const (
	sideShare   = 0.9
	flaggedMost = 0.5
)

// cutFlag takes a flag off the end of a cell; flag is "" where there is none.
func cutFlag(s string) (rest, flag string) {
	at := strings.LastIndexAny(s, "0123456789")
	if at < 0 {
		return s, ""
	}
	flag = strings.Trim(s[at+1:], blanks)
	if !highFlags[flag] && !lowFlags[flag] && !signFlags[flag] {
		return s, ""
	}
	return s[:at+1], flag
}

// flags returns the flags behind the numbers of a column: of fewer numbers than not, those for high and low values behind such values
// alone. plain are the cells that are plain numbers, NaN for others.
func (r *reading) flags(plain []float64, odd map[string]int) (flags []string) {
	unflagged := present(plain)
	flagged := map[string][]float64{}
	count := 0
	for cell, k := range odd {
		rest, flag := cutFlag(cell)
		q, ok := r.quantity(rest)
		if !ok || q.unit != "" {
			continue
		}
		if flag == "" {
			for range k {
				unflagged = append(unflagged, q.value)
			}
			continue
		}
		count += k
		flagged[flag] = append(flagged[flag], q.value)
	}
	if count == 0 || float64(count) > flaggedMost*float64(count+len(unflagged)) {
		return nil
	}
	slices.Sort(unflagged)
	low, high := quantile(unflagged, .05), quantile(unflagged, .95)
	for flag, values := range flagged {
		beside := 0
		for _, y := range values {
			if signFlags[flag] || highFlags[flag] && y >= high || lowFlags[flag] && y <= low {
				beside++
			}
		}
		if float64(beside) < math.Ceil(sideShare*float64(len(values))) {
			return nil
		}
		flags = append(flags, flag)
	}
	slices.Sort(flags)
	return flags
}

// withoutFlag takes one of the flags of the column off the end of a cell.
func (s Spec) withoutFlag(cell string) string {
	if len(s.Flags) == 0 {
		return cell
	}
	if rest, flag := cutFlag(cell); slices.Contains(s.Flags, flag) {
		return rest
	}
	return cell
}
