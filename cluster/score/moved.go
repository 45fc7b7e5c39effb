package score

import "github.com/inklinghq/inkling/cluster/constraint"

// Moved counts the rows that are in another cluster in a than in b, clusters
// matched one to one so that as many rows as possible stay.
func Moved(a, b []int, k int) (n int) {
	as := &constraint.Set{Labels: make([]constraint.Label, len(a))}
	for i, h := range a {
		as.Labels[i] = constraint.Label{I: i, Class: h, W: 1}
	}
	match := NameClusters(b, k, as)
	for i, h := range b {
		if match[h] != a[i] {
			n++
		}
	}
	return n
}
