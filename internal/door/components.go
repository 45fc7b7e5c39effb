package door

import (
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/support/format"
)

// What becomes of a graph of several connected components.
const (
	AutoComponents   = prepare.AutoComponents
	WholeGraph       = prepare.WholeGraph
	LargestComponent = prepare.LargestComponent
	EachComponent    = prepare.EachComponent
)

// takeComponents says how a graph hangs together, and leaves out the components that are too
// small to hold a cluster, or all but the largest where that is asked for.
func (j *job) takeComponents() (err error) {
	how := j.o.Components
	if j.p.Graph == nil || j.p.Len() == 0 {
		if how != "" {
			j.notes.warn("no effect here: {components}; only graphs have components")
		}
		return nil
	}
	j.parts = prepare.FindParts(j.p.Graph)
	if how == "" || how == AutoComponents {
		how = WholeGraph
		if len(j.o.Views) == 0 && j.parts.Count > 1 {
			how, j.rows = AutoComponents, j.parts.FindSmall(j.likelyK())
		}
	}
	j.notes.say("%s: %s", j.t.Name(), j.parts.Note(how, j.o.Assign == AssignAll))
	if how == AutoComponents && j.rows != nil {
		j.p.Graph, err = prepare.Induced(j.p.Graph, j.rows)
		return err
	}
	if j.parts.Count < 2 || how != LargestComponent && how != EachComponent {
		return nil
	}
	if len(j.o.Views) > 0 {
		return optionError("components", "leave out {components} or {view}", "components %s cannot be used with views", how)
	}
	j.rows = j.parts.LargestNodes()
	j.p.Graph, err = prepare.Induced(j.p.Graph, j.rows)
	return err
}

// likelyK returns the number of clusters that is asked for, or a guess where it is still to be chosen.
func (j *job) likelyK() int {
	const most = 12
	switch {
	case j.o.KMax > 0:
		return min(j.o.KMax, most)
	case j.o.K > 0:
		return j.o.K
	}
	return max(2, len(j.c.classes))
}

// placesSmall reports whether components were left out that are groups of their own.
func (j *job) placesSmall() bool {
	return j.parts != nil && j.rows != nil && j.o.Components != LargestComponent && j.o.Components != EachComponent
}

// leftOut says which rows are not fitted.
func (j *job) leftOut() string {
	if j.parts != nil && len(j.unplaced) == 0 {
		return "nodes outside the largest component"
	}
	return leftOut(j.unplaced)
}

func leftOut(unplaced noPlace) string {
	if len(unplaced) > 0 {
		return "rows without a cluster"
	}
	return "rows dropped for missing values"
}

// placeSmall returns the clusters of all nodes: those of the fit, then a group for each small
// component. A small component or an isolated node with a label or a must-link goes where most
// of these say; other isolated nodes have none, unless all are to be placed: then everything
// goes to the largest cluster.
func (j *job) placeSmall() (labels []int, more []string) {
	group, names := j.parts.SmallGroups()
	labels = make([]int, len(group))
	at := 0
	for i, g := range group {
		if labels[i] = noClusters; g == -1 {
			labels[i] = j.fitted.Labels[at]
			at++
		}
	}
	class := map[int]int{} // of each label, the cluster that bears its name
	for h, c := range score.NameClusters(j.fitted.Labels, j.p.K, j.known.set) {
		if c >= 0 {
			class[j.c.class[j.known.set.Names[c]]] = h
		}
	}
	votes := map[int]map[int]float64{} // by component, isolated nodes apart
	part := func(i int) int {
		if group[i] >= 0 {
			return group[i]
		}
		return len(names) + i
	}
	vote := func(i, h int, w float64) {
		if group[i] == -1 || h < 0 {
			return
		}
		if votes[part(i)] == nil {
			votes[part(i)] = map[int]float64{}
		}
		votes[part(i)][h] += w
	}
	for _, e := range j.c.entries {
		switch e.kind {
		case labelList:
			if h, ok := class[e.j]; ok {
				vote(e.i, h, e.weight)
			}
		case mustList:
			vote(e.i, labels[e.j], e.weight)
			vote(e.j, labels[e.i], e.weight)
		}
	}
	sizes := j.fitted.Sizes(j.p.K)
	largest := slices.Index(sizes, slices.Max(sizes))
	number := make([]int, len(names)) // of the groups that stay
	for g := range names {
		number[g] = noClusters
		if votes[g] == nil && j.o.Assign != AssignAll {
			number[g] = j.p.K + len(more)
			more = append(more, names[g])
		}
	}
	for i, g := range group {
		switch v := votes[part(i)]; {
		case g == -1:
		case v != nil:
			labels[i] = heaviest(v)
		case j.o.Assign == AssignAll:
			labels[i] = largest
		case g >= 0:
			labels[i] = number[g]
		}
	}
	return labels, more
}

// heaviest returns the key of the largest value, the smallest of equals.
func heaviest(v map[int]float64) int {
	best := noClusters
	for h, w := range v {
		if best < 0 || w > v[best] || w == v[best] && h < best {
			best = h
		}
	}
	return best
}

// withLabels returns what was fitted, with labels of more nodes.
func (j *job) withLabels(labels []int) *cluster.Result {
	f := j.fitted
	return &cluster.Result{Labels: labels, Learned: f.Learned, Objective: f.Objective, Trace: f.Trace, Status: f.Status, Iterations: f.Iterations, Runs: f.Runs, Distinct: f.Distinct}
}

// extend makes an assignment one of these rows, nil for all, with more clusters than were fitted.
func (j *job) extend(a *assignment, rows []int, more int) {
	p := *j.p
	a.known, a.rowsLeft = j.c.bind(rows), rows
	if p.Graph, p.K, p.Weight, p.Constraints = j.t.ds.Graph, p.K+more, j.t.weight, nil; !a.known.set.Empty() {
		p.Constraints = a.known.set
	}
	a.p = &p
}

// addSmall adds the nodes outside the components that were clustered, and returns the names of
// their groups.
func (j *job) addSmall(a *assignment) []string {
	labels, more := j.placeSmall()
	var rows, placed []int
	for i, h := range labels {
		if h < 0 {
			if a.unplaced == nil {
				a.unplaced = noPlace{}
			}
			a.unplaced[i] = noEdge
			continue
		}
		rows, placed = append(rows, i), append(placed, h)
	}
	a.fitted = j.withLabels(placed)
	j.extend(a, rows, len(more))
	if len(rows) < len(labels) {
		if g, err := prepare.Induced(j.t.ds.Graph, rows); err == nil {
			a.p.Graph = g
		}
		if w := j.t.weight; len(w) == len(labels) {
			a.p.Weight = make([]float64, len(rows))
			for at, i := range rows {
				a.p.Weight[at] = w[i]
			}
		}
		if n := a.known.dropped; n > 0 {
			j.notes.warn("ignored %s on nodes without a cluster", format.Count(n, "constraint"))
		}
	}
	return more
}

// assigned returns where the rows are. With one cluster for each other component these
// are more than the fit had, and costs of violated constraints are unknown.
func (j *job) assigned() assignment {
	a := assignment{t: j.t, workers: j.o.Workers, known: j.known, p: j.p, fitted: j.fitted, sure: new(confidence.Once), rowsLeft: j.rows, outlier: j.outlier, whole: j.whole}
	var more []string
	a.unplaced = j.unplaced
	if j.placesSmall() {
		more = j.addSmall(&a)
	} else if j.o.Components == EachComponent && j.parts != nil && j.parts.Count > 1 {
		a.fitted = j.withLabels(nil)
		a.fitted.Labels, more = j.parts.Extend(j.fitted.Labels, j.p.K)
		j.extend(&a, nil, len(more))
	}
	a.names = score.ClusterNames(a.fitted.Labels, a.p.K, a.p.Constraints)
	for at, name := range more {
		if h := j.p.K + at; !slices.Contains(a.known.set.Names, a.names[h]) {
			a.names[h] = name
		}
	}
	if j.parts != nil && a.p == j.p && j.rows == nil && j.parts.SeparatesOnly(a.fitted.Labels) {
		j.notes.warn("the cut is 0: the clusters only separate components and divide none; {components=largest} clusters the largest by itself")
	}
	return a
}
