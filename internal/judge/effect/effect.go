// Package effect says what constraints and views changed in a clustering: against the fit
// without them, and against each view's own clusters.
package effect

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
)

// Unconstrained is the same method on the same rows without the constraints: it
// says what they changed.
type Unconstrained struct {
	Moved     int       `json:"moved"` // rows in another cluster than without constraints, clusters matched by their rows
	ARI       float64   `json:"ari"`   // of the two clusterings
	Objective Objective `json:"objective"`
	score.Kept
	Status cluster.Status `json:"status"`
}

// An Objective is what was minimised: the sum of its terms.
type Objective struct {
	Total float64            `json:"total"`
	Terms map[string]float64 `json:"terms"`
}

// NewObjective adds up terms.
func NewObjective(terms cluster.Terms) Objective {
	o := Objective{terms.Sum(), map[string]float64{}}
	for _, t := range terms {
		o.Terms[t.Name] = t.Value
	}
	return o
}

// OfConstraints compares a fit with one without constraints.
func OfConstraints(p *cluster.Problem, with, without *cluster.Result) *Unconstrained {
	u := &Unconstrained{Objective: NewObjective(without.Objective), Kept: score.Satisfied(p.Constraints, without.Labels), Status: without.Status}
	u.ARI, _ = score.ARI(with.Labels, without.Labels) // as many labels in both: no error
	u.Moved = score.Moved(with.Labels, without.Labels, p.K)
	return u
}

// A ViewEffect says how far views are satisfied, and at what cost.
type ViewEffect struct {
	Alpha  float64 `json:"alpha"` // what the vector satisfies
	Beta   float64 `json:"beta"`  // what was demanded of it
	Weight float64 `json:"weight"`
	// Cut is the normalized cut of the graph, CutAlone without the views, Cost
	// the difference; Relaxed and RelaxedAlone are the same of the vectors.
	Cut          float64     `json:"cut"`
	CutAlone     float64     `json:"cut_alone"`
	Cost         float64     `json:"price"`
	Relaxed      float64     `json:"relaxed"`
	RelaxedAlone float64     `json:"relaxed_alone"`
	ARI          float64     `json:"ari"` // of the clusters and those without the views
	Moved        int         `json:"moved"`
	Views        []ViewScore `json:"views"`
}

// A ViewScore is one view.
type ViewScore struct {
	File     string  `json:"file"`
	Edges    int     `json:"edges"`
	Cut      float64 `json:"cut"`       // its normalized cut by the clusters
	CutAlone float64 `json:"cut_alone"` // by its own clusters
	ARI      float64 `json:"ari"`       // of the clusters and its own
}

// OfViews returns the effect of the views, nil where there are none.
func OfViews(p *cluster.Problem, r *cluster.Result) *ViewEffect {
	reporter, ok := r.Learned.(cluster.ViewReporter)
	if !ok {
		return nil
	}
	v := reporter.ViewReport()
	if v == nil {
		return nil
	}
	c := &ViewEffect{Alpha: v.Alpha, Beta: v.Beta, Weight: v.Weight, Cut: v.Cut, CutAlone: v.CutAlone, Cost: v.Cost,
		Relaxed: v.Relaxed, RelaxedAlone: v.RelaxedAlone, Moved: score.Moved(r.Labels, v.LabelsAlone, p.K)}
	c.ARI, _ = score.ARI(r.Labels, v.LabelsAlone) // as many labels in both: no error
	for _, s := range v.Views {
		line := ViewScore{File: s.Name, Edges: s.Edges, Cut: s.Cut, CutAlone: s.CutAlone}
		line.ARI, _ = score.ARI(r.Labels, s.LabelsAlone)
		c.Views = append(c.Views, line)
	}
	return c
}
