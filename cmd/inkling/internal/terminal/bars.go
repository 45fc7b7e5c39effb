package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ClustersShown is how many clusters are listed one by one.
const ClustersShown = 30

// Bars returns a line for each cluster: name, size, share and a bar.
func Bars(clusters []string, sizes []int, n int) (lines []string) {
	const width = 24
	wide, largest := 7, 1
	for h, name := range clusters {
		wide, largest = max(wide, utf8.RuneCountInString(Printable(name))), max(largest, sizes[h])
	}
	wide = min(wide, 40)
	for h, name := range clusters {
		if h == ClustersShown {
			return append(lines, fmt.Sprintf("… and %d more", len(clusters)-h))
		}
		bar := strings.Repeat("█", (sizes[h]*width+largest-1)/largest)
		lines = append(lines, fmt.Sprintf("%-*s %8d  %5.1f %%  %s", wide, Clip(Printable(name), wide), sizes[h], 100*float64(sizes[h])/float64(n), bar))
	}
	return lines
}
