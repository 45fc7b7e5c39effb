package affinity

import "math"

// A nearestList holds the nearest rows found so far, sorted by distance and then
// by index. Its slices are parts of the result.
type nearestList struct {
	idx   []int32
	dist  []float64
	count int
}

// cutoff is the distance beyond which a row cannot enter; one at the cutoff may.
func (t *nearestList) cutoff() float64 {
	if t.count < len(t.idx) {
		return math.Inf(1)
	}
	return t.dist[t.count-1]
}

// accepts reports whether row j at distance y would enter. At equal distances the
// lower index does, so that of many equal rows few need be compared.
func (t *nearestList) accepts(y float64, j int32) bool {
	if t.count < len(t.idx) {
		return true
	}
	last := t.dist[t.count-1]
	return y < last || y == last && j < t.idx[t.count-1]
}

// insert inserts row j at distance y if it belongs to the nearest. A row must not
// be inserted twice.
func (t *nearestList) insert(j int32, y float64) {
	at := t.count
	if at == len(t.idx) {
		at--
		if last := t.dist[at]; y > last || y == last && j > t.idx[at] {
			return
		}
	} else {
		t.count++
	}
	for ; at > 0; at-- {
		if z := t.dist[at-1]; z < y || z == y && t.idx[at-1] < j {
			break
		}
		t.dist[at], t.idx[at] = t.dist[at-1], t.idx[at-1]
	}
	t.dist[at], t.idx[at] = y, j
}

// insertNew is insert for a row that may be in the list already.
func (t *nearestList) insertNew(j int32, y float64) bool {
	if !t.accepts(y, j) {
		return false
	}
	for _, i := range t.idx[:t.count] {
		if i == j {
			return false
		}
	}
	t.insert(j, y)
	return true
}
