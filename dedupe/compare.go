package dedupe

// A comparison is the levels of the fields of a pair, and last how often values stand
// in each other's fields.
type comparison []level

// width is the length of a comparison.
func (d *distinct) width() int { return d.fields + 1 }

// compare writes the comparison of two distinct records.
func (d *distinct) compare(p pair, out comparison) {
	a, b := d.valuesOf(p.A), d.valuesOf(p.B)
	apart := 0
	for f := range d.fields {
		out[f] = d.compareValues(a[f], b[f])
		if out[f] == different || out[f] == missing && (a[f] >= 0) != (b[f] >= 0) {
			apart++
		}
	}
	out[d.fields] = 0
	if apart >= 2 {
		d.compareCrosswise(a, b, out)
	}
}

// compareCrosswise looks for two fields whose values a record has exchanged, or a value
// in a wrong field: cross values that are near where the straight ones are not.
func (d *distinct) compareCrosswise(a, b []int32, out comparison) {
	open := func(f int) bool { return out[f] == different || out[f] == missing && (a[f] >= 0) != (b[f] >= 0) }
	for f := range d.fields {
		for g := f + 1; g < d.fields && open(f); g++ {
			if !open(g) {
				continue
			}
			x, y := d.compareValues(a[f], b[g]), d.compareValues(a[g], b[f])
			isNear := func(l level) bool { return l == equal || l == near }
			if isNear(x) && (isNear(y) || y == missing || y == similar) || isNear(y) && (x == missing || x == similar) {
				out[f], out[g] = x, y
				out[d.fields]++
			}
		}
	}
}

// shared returns how many cells have the value that makes field f of a pair equal.
func (d *distinct) shared(p pair, f int, crosswise bool) int32 {
	a, b := d.valuesOf(p.A), d.valuesOf(p.B)
	if a[f] == b[f] || !crosswise {
		return d.values[a[f]].count
	}
	for g := range d.fields { // a[f] = b[g] or a[g] = b[f]
		if a[f] >= 0 && a[f] == b[g] {
			return d.values[a[f]].count
		}
	}
	for g := range d.fields {
		if b[f] >= 0 && b[f] == a[g] {
			return d.values[b[f]].count
		}
	}
	return 2
}
