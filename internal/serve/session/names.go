package session

import (
	"fmt"
	"slices"
	"strings"
)

// ShownNames returns a name for each cluster of a fit, which calls them own: the one that it
// was given, else its own. No two are the same, so that there are as many names as clusters: a
// given name stays with the first cluster that has it, and what would be a second one is
// numbered. Empty names stand for clusters that do not exist, and have none.
func ShownNames(own []string, given map[string]string) []string {
	out, taken := make([]string, len(own)), map[string]bool{}
	order := make([]int, len(own)) // by name, so that the order of the clusters does not count
	for h := range order {
		order[h] = h
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(own[a], own[b]) })
	for _, h := range order { // names that people gave come first
		name := own[h]
		if want, ok := given[name]; ok && name != "" && !taken[want] {
			out[h], taken[want] = want, true
		}
	}
	for _, h := range order {
		name := own[h]
		if name == "" || out[h] != "" {
			continue
		}
		out[h] = name
		for n := 2; taken[out[h]]; n++ {
			out[h] = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[out[h]] = true
	}
	return out
}
