package door

import (
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/confidence"
)

// What becomes of a graph of several connected components.
const (
	WholeGraph       = prepare.WholeGraph
	LargestComponent = prepare.LargestComponent
	EachComponent    = prepare.EachComponent
)

// takeComponents says how a graph hangs together, and takes the largest component where
// that is asked for.
func (j *job) takeComponents() (err error) {
	how := j.o.Components
	if j.p.Graph == nil || j.p.Len() == 0 {
		if how != "" {
			j.notes.warn("no effect here: {components}; only graphs have components")
		}
		return nil
	}
	j.parts = prepare.FindParts(j.p.Graph)
	j.notes.say("%s: %s", j.t.Name(), j.parts.Note(how))
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

// leftOut says which rows are not fitted.
func (j *job) leftOut() string {
	if j.parts != nil {
		return "nodes outside the largest component"
	}
	return "rows dropped for missing values"
}

// assigned returns where the rows are. With one cluster for each other component these
// are more than the fit had, and costs of violated constraints are unknown.
func (j *job) assigned() assignment {
	a := assignment{t: j.t, workers: j.o.Workers, known: j.known, p: j.p, fitted: j.fitted, sure: new(confidence.Once), rowsLeft: j.rows}
	var more []string
	if j.o.Components == EachComponent && j.parts != nil && j.parts.Count > 1 {
		p, f := *j.p, j.fitted
		a.fitted = &cluster.Result{Learned: f.Learned, Objective: f.Objective, Trace: f.Trace, Status: f.Status, Iterations: f.Iterations, Runs: f.Runs, Distinct: f.Distinct}
		a.fitted.Labels, more = j.parts.Extend(f.Labels, p.K)
		a.known, a.rowsLeft = j.c.bind(nil), nil
		if p.Graph, p.K, p.Weight = j.t.ds.Graph, p.K+len(more), j.t.weight; !a.known.set.Empty() {
			p.Constraints = a.known.set
		}
		a.p = &p
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
