package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// A ThresholdRow says what a threshold gives, as the probabilities of the compared pairs let expect.
type ThresholdRow struct {
	Threshold float64 `json:"threshold"`
	Precision float64 `json:"precision"` // of pairs from this probability on
	Recall    float64 `json:"recall"`    // of all matches, with an estimate of those that were not compared
	F         float64 `json:"f"`
	Entities  int     `json:"entities"` // groups that pairs from this probability on connect
	Taken     bool    `json:"taken"`
}

// leastCounted is the log-odds of the pairs that count in estimates.
const leastCounted = -7.0

// Thresholds in the table, and those of which the one with the best F is taken by default.
var (
	shownThresholds = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99}
	leastDefault    = 0.3
	mostDefault     = 0.9
)

// chooseThreshold makes the table and takes a threshold: as given, the lowest of the asked precision, or the one of
// the best F, which is known from the probabilities without links (see together).
func (j *job) chooseThreshold() {
	best := j.Threshold
	j.tabulate()
	j.ThresholdFrom = FromDefault
	if j.learned {
		j.ThresholdFrom = FromLinks
	}
	switch {
	case j.o.Threshold != 0:
		best, j.ThresholdFrom = j.o.Threshold, FromOptions
	case j.o.Precision != 0:
		best, j.ThresholdFrom = j.thresholdOf(j.o.Precision), FromPrecision
	}
	j.take(best)
}

// bestThreshold returns the threshold of the table with the best F, of those near it the nearest to DefaultThreshold.
func (j *job) bestThreshold() float64 {
	best, at := -1.0, DefaultThreshold
	for _, t := range j.Thresholds {
		if t.Threshold < leastDefault || t.Threshold > mostDefault {
			continue
		}
		if t.F > best+1e-9 || t.F > best-1e-9 && math.Abs(t.Threshold-DefaultThreshold) < math.Abs(at-DefaultThreshold) {
			best, at = max(best, t.F), t.Threshold
		}
	}
	return at
}

// take marks a threshold as the one taken, in a row of its own where there is none.
func (j *job) take(threshold float64) {
	j.Threshold = threshold
	at := slices.IndexFunc(j.Thresholds, func(t ThresholdRow) bool { return t.Threshold == j.Threshold })
	if at < 0 {
		at, _ = slices.BinarySearchFunc(j.Thresholds, j.Threshold, func(t ThresholdRow, v float64) int { return cmp.Compare(t.Threshold, v) })
		j.Thresholds = slices.Insert(j.Thresholds, at, j.rowsOf([]float64{j.Threshold})[0])
	}
	j.Thresholds[at].Taken = true
}

func (j *job) tabulate() { j.Thresholds = j.rowsOf(shownThresholds) }

// rowsOf returns the rows of these thresholds, ascending.
func (j *job) rowsOf(thresholds []float64) []ThresholdRow {
	d := j.d
	order := j.byProbability()
	var within, sum float64 // equal records, which are together at any threshold where they are likely
	groups := 0
	for u, rows := range d.copies {
		p := sigmoid(d.copyLogOdds(int32(u)))
		n := float64(len(rows))
		groups++
		if n < 2 {
			continue
		}
		if p >= 0.5 {
			within, sum = within+n*(n-1)/2, sum+p*n*(n-1)/2
		} else {
			groups += len(rows) - 1
		}
	}
	times := func(i int32) float64 {
		return float64(len(d.copies[j.pairs[i].A])) * float64(len(d.copies[j.pairs[i].B]))
	}
	all := j.expectedMatches()
	trees := newForest(d.len())
	out := make([]ThresholdRow, len(thresholds))
	next := 0
	for k := len(thresholds) - 1; k >= 0; k-- {
		z := logit(thresholds[k])
		for ; next < len(order) && j.logOdds[order[next]] >= z; next++ {
			i := order[next]
			within, sum = within+times(i), sum+sigmoid(j.logOdds[i])*times(i)
			if trees.join(j.pairs[i].A, j.pairs[i].B) {
				groups--
			}
		}
		r := ThresholdRow{Threshold: thresholds[k], Precision: 1, Entities: groups}
		if within > 0 {
			r.Precision = sum / within
		}
		if all > 0 {
			r.Recall = min(sum/all, 1)
		} else {
			r.Recall = 1
		}
		if r.Precision+r.Recall > 0 {
			r.F = 2 * r.Precision * r.Recall / (r.Precision + r.Recall)
		}
		out[k] = r
	}
	return out
}

// expectedMatches returns how many pairs of rows match, with an estimate of those that were not compared.
func (j *job) expectedMatches() (all float64) {
	for u, rows := range j.d.copies {
		if n := float64(len(rows)); n > 1 {
			if p := sigmoid(j.d.copyLogOdds(int32(u))); p >= 0.5 {
				all += p * n * (n - 1) / 2
			}
		}
	}
	for i, z := range j.logOdds {
		if z > leastCounted {
			all += sigmoid(z) * float64(len(j.d.copies[j.pairs[i].A])) * float64(len(j.d.copies[j.pairs[i].B]))
		}
	}
	return all / max(j.Recall, 0.01)
}

// judge replaces the estimates for the threshold taken by those for the entities that were found: pairs within an entity are together
// whatever their own probabilities.
func (j *job) judge() {
	at := slices.IndexFunc(j.Thresholds, func(t ThresholdRow) bool { return t.Taken })
	sizes := make([]float64, j.Entities)
	for _, e := range j.Entity {
		sizes[e]++
	}
	within := 0.0
	for _, n := range sizes {
		within += n * (n - 1) / 2
	}
	sum, seen := 0.0, 0.0
	for u, rows := range j.d.copies { // equal records; where links keep some apart, those that are together
		if len(rows) < 2 {
			continue
		}
		count := map[int]float64{}
		for _, i := range rows {
			count[j.Entity[i]]++
		}
		p := sigmoid(j.d.copyLogOdds(int32(u)))
		for _, n := range count {
			sum, seen = sum+p*n*(n-1)/2, seen+n*(n-1)/2
		}
	}
	for i, z := range j.logOdds {
		a, b := j.d.copies[j.pairs[i].A], j.d.copies[j.pairs[i].B]
		if j.Entity[a[0]] == j.Entity[b[0]] {
			n := float64(len(a)) * float64(len(b))
			sum, seen = sum+sigmoid(z)*n, seen+n
		}
	}
	sum += max(within-seen, 0) * sigmoid(uncompared)
	t := &j.Thresholds[at]
	t.Entities, t.Precision, t.Recall, t.F = j.Entities, 1, 1, 0
	if within > 0 {
		t.Precision = min(sum/within, 1)
	}
	if all := j.expectedMatches(); all > 0 {
		t.Recall = min(sum/all, 1)
	}
	if t.Precision+t.Recall > 0 {
		t.F = 2 * t.Precision * t.Recall / (t.Precision + t.Recall)
	}
}

// Steps of stricter.
const (
	strictStep   = 0.5 // log-odds
	mostStricter = 8
)

// stricter raises the threshold where a precision was asked for that the entities do not have by their own estimate, and reports
// whether it did.
func (j *job) stricter(step int) bool {
	at := slices.IndexFunc(j.Thresholds, func(t ThresholdRow) bool { return t.Taken })
	if j.o.Precision == 0 || step >= mostStricter || j.Thresholds[at].Precision >= j.o.Precision {
		return false
	}
	j.tabulate()
	j.take(sigmoid(logit(j.Threshold) + strictStep))
	return true
}

// byProbability returns the numbers of the pairs of probability 0.001 or more, the likeliest first.
func (j *job) byProbability() []int32 {
	var order []int32
	for i, z := range j.logOdds {
		if z > leastCounted {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(j.logOdds[b], j.logOdds[a]) })
	return order
}

// thresholdOf returns the lowest threshold, in steps of 0.01, from which on the precision is at least that.
func (j *job) thresholdOf(precision float64) float64 {
	var steps []float64
	for t := 1; t <= 99; t++ {
		steps = append(steps, float64(t)/100)
	}
	steps = append(steps, 0.995, 0.999)
	at := len(steps) - 1
	rows := j.rowsOf(steps)
	for at > 0 && rows[at-1].Precision >= precision {
		at--
	}
	return steps[at]
}

// Bounds of the wider search.
const (
	widerRecords = 300 // that are searched for
	wider        = 4   // times as many candidates and postings
)

// estimateBlocking estimates which part of the matches is among the compared pairs, of which the first are candidates: for some records
// candidates are searched in a wider circle and weighed by their probabilities, and must-links between different records count one each.
func (j *job) estimateBlocking(x *index, candidates int) {
	n := j.d.len()
	s := &searcher{x: x, score: make([]float32, n), visits: wider * maxVisits}
	c := make(comparison, j.d.width())
	in, e := make([]float64, len(j.model.weights)), make([]float64, j.d.fields)
	completed := make(map[pair]bool, len(j.pairs)-candidates)
	for _, p := range j.pairs[candidates:] {
		completed[p] = true
	}
	compared := func(p pair) bool {
		_, ok := slices.BinarySearchFunc(j.pairs[:candidates], p, comparePairs)
		return ok || completed[p]
	}
	probability := map[pair]float64{} // of few records most pairs are met from both sides
	found, all := 0.0, 0.0
	count := func(p pair, weight float64) {
		if all += weight; compared(p) {
			found += weight
		}
	}
	for u := 0; u < n; u += max(1, (n+widerRecords-1)/widerRecords) {
		for _, v := range s.neighbours(int32(u), wider*j.o.Neighbours) {
			p := orderedPair(int32(u), v)
			match, known := probability[p]
			if !known {
				j.d.compare(p, c)
				j.model.inputs(p, c, e, in)
				match = sigmoid(dot(j.model.weights, in))
				probability[p] = match
			}
			count(p, match)
		}
	}
	if j.known != nil {
		for _, l := range j.known.Must {
			if p := orderedPair(j.d.of[l.I], j.d.of[l.J]); p.A != p.B {
				count(p, 1)
			}
		}
	}
	if j.Recall = 1; all > 0 {
		j.Recall = found / all
	}
}
