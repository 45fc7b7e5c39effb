package door

// Branches returns what the tree of a method says about cluster h, by its number in Clusters: the rows of the table in the two parts into which it
// divides the cluster first, the densest first, and the cluster that is nearest. There are no parts where the tree has none, nearest is -1 where there is no
// other cluster, and ok is false where the clusters are not of a tree.
func (r *Result) Branches(h int) (parts [][]int, nearest int, ok bool) {
	m, ok := r.a.fitted.Model.(interface {
		Parts(h int) (parts [][]int, nearest int)
	})
	if !ok || r.a.saved != nil {
		return nil, noClusters, false
	}
	of := &r.a
	if of.whole != nil {
		of = of.whole
	}
	parts, nearest = m.Parts(h)
	for _, rows := range parts {
		for at, i := range rows {
			rows[at] = of.tableRow(i)
		}
	}
	return parts, nearest, true
}
