package door

import (
	"maps"
	"math"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/support/format"
)

// noiseRow is why a row has no cluster where the method leaves rows between clusters.
const noiseRow = "noise"

// findsK reports whether the method that was asked for finds the number of clusters.
func (j *job) findsK() bool {
	m, ok := j.o.methods().Find(j.o.named())
	return ok && m.Capabilities().FindsK
}

// contradictionK is the number of clusters that constraints must allow: as many as there are points where the
// method finds it.
func (j *job) contradictionK() int {
	if j.p.K == 0 {
		return j.p.Len()
	}
	return j.p.K
}

// joinNoise asks a method that would leave noise to give it clusters, where every row is to have one.
func (j *job) joinNoise(given map[string]any) map[string]any {
	if _, set := given[noiseRow]; set || j.o.Assign != AssignAll || !j.method.Capabilities().LeavesNoise || !j.method.HasParameter(noiseRow) {
		return given
	}
	with := map[string]any{noiseRow: "join"}
	maps.Copy(with, given)
	return with
}

// takeFound takes the clusters that a method found, where their number was left to it, and leaves the rows that it calls noise out
// of the points: they have no cluster, for that reason.
func (j *job) takeFound() error {
	able := j.alg.alg.Capabilities()
	if !able.FindsK && !able.LeavesNoise || j.fitted.Stub {
		return nil
	}
	found := 0
	for _, h := range j.fitted.Labels {
		found = max(found, h+1)
	}
	if found == 0 {
		return &OptionError{Option: "min-cluster-size", Msg: "every " + j.t.point() + " is noise: there is no group that is denser than what surrounds it",
			Hint: "a smaller {min-cluster-size}, {single} where all may be one cluster, or {noise=join}", Err: ErrAllNoise}
	}
	j.whole = &assignment{t: j.t, known: j.known, p: j.p, fitted: j.fitted, rowsLeft: j.rows}
	p := *j.p
	p.K = found
	if j.p.K == 0 && found > 1 {
		j.notes.say("%d clusters found ({k} asks for another number)", found)
	}
	points, some := j.fitted.Assigned()
	j.outlier = j.byTableRow(j.fitted.Outlier)
	j.p, j.fitted = &p, some
	if points == nil {
		return nil
	}
	rows := make([]int, len(points))
	unplaced := noPlace{}
	maps.Copy(unplaced, j.unplaced)
	has := make([]bool, len(j.whole.fitted.Labels))
	for at, i := range points {
		rows[at], has[i] = j.whole.tableRow(i), true
	}
	for i, ok := range has {
		if !ok {
			unplaced[j.whole.tableRow(i)] = noiseRow
		}
	}
	j.unplaced, j.rows = unplaced, rows
	p.X, p.Finite = data.Pick(p.X, points), nil
	if p.Weight != nil {
		p.Weight = make([]float64, len(points))
		for at, i := range points {
			p.Weight[at] = j.whole.p.Weight[i]
		}
	}
	if j.known = j.c.bind(rows); p.Constraints != nil {
		p.Constraints = j.known.set
	}
	j.sayNoiseLinks()
	return nil
}

// withK returns the problem with a number of clusters.
func (a *assignment) withK(k int) *cluster.Problem {
	p := *a.p
	p.K = k
	return &p
}

// byTableRow returns scores of the points of the problem by rows of the table; nil where there are none.
func (j *job) byTableRow(scores []float64) []float64 {
	if scores == nil {
		return nil
	}
	out := make([]float64, j.t.Len())
	for i := range out {
		out[i] = math.NaN()
	}
	for at, y := range scores {
		out[j.whole.tableRow(at)] = y
	}
	return out
}

// sayNoiseLinks says how many must-links are violated because a row is noise.
func (j *job) sayNoiseLinks() {
	labels, count := j.whole.fitted.Labels, 0
	for _, q := range j.whole.known.set.Must {
		if labels[q.I] < 0 || labels[q.J] < 0 {
			count++
		}
	}
	if count > 0 {
		j.notes.say("%s violated because a %s is noise ({noise=join} gives each a cluster)", format.Count(count, "must-link"), j.t.point())
	}
}

// comparesUnconstrained reports whether a fit without constraints can be compared with this one, and says so where it cannot.
func (j *job) comparesUnconstrained() bool {
	if j.whole == nil {
		return true
	}
	j.notes.warn("no effect here: {unconstrained}; %s leaves other rows as noise without the constraints, so the clusters cannot be compared row by row", j.method.Name)
	return false
}

// placeNoise leaves the rows that a model calls noise out of ready and labels.
func placeNoise(ready *prepare.Prepared, labels []int, unplaced noPlace) ([]int, noPlace) {
	points, some := (&cluster.Result{Labels: labels}).Assigned()
	if points == nil {
		return labels, unplaced
	}
	out := noPlace{}
	maps.Copy(out, unplaced)
	row := func(at int) int {
		if ready.Rows != nil {
			return ready.Rows[at]
		}
		return at
	}
	rows := make([]int, len(points))
	for at, h := range labels {
		if h < 0 {
			out[row(at)] = noiseRow
		}
	}
	for at, i := range points {
		rows[at] = row(i)
	}
	ready.X, ready.Finite, ready.Rows = data.Pick(ready.X, points), nil, rows
	return some.Labels, out
}

// outlierCell writes the outlier score of a row.
func outlierCell(y *float64) string {
	if y == nil {
		return ""
	}
	return strconv.FormatFloat(math.Round(*y*1e4)/1e4, 'f', -1, 64)
}
