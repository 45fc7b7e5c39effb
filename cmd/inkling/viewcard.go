package main

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/score"
)

// viewCard says how far views were heeded, and what that cost.
type viewCard struct {
	Alpha  float64 `json:"alpha"` // what the vector satisfies
	Beta   float64 `json:"beta"`  // what was demanded of it
	Weight float64 `json:"weight"`
	// Cut is the normalized cut of the graph, CutAlone without the views, Price
	// the difference; Relaxed and RelaxedAlone are the same of the vectors.
	Cut          float64    `json:"cut"`
	CutAlone     float64    `json:"cut_alone"`
	Price        float64    `json:"price"`
	Relaxed      float64    `json:"relaxed"`
	RelaxedAlone float64    `json:"relaxed_alone"`
	ARI          float64    `json:"ari"` // of the clusters and those without the views
	Moved        int        `json:"moved"`
	Views        []viewLine `json:"views"`
}

// viewLine is one view.
type viewLine struct {
	File     string  `json:"file"`
	Edges    int     `json:"edges"`
	Cut      float64 `json:"cut"`       // its normalized cut by the clusters
	CutAlone float64 `json:"cut_alone"` // by its own
	ARI      float64 `json:"ari"`       // of the clusters and its own
}

// newViewCard returns it, nil where no view was heeded.
func newViewCard(p *cluster.Problem, r *cluster.Result) *viewCard {
	reporter, ok := r.Learned.(cluster.ViewReporter)
	if !ok {
		return nil
	}
	v := reporter.ViewReport()
	if v == nil {
		return nil
	}
	c := &viewCard{Alpha: v.Alpha, Beta: v.Beta, Weight: v.Weight, Cut: v.Cut, CutAlone: v.CutAlone, Price: v.Cost,
		Relaxed: v.Relaxed, RelaxedAlone: v.RelaxedAlone, Moved: moved(r.Labels, v.LabelsAlone, p.K)}
	c.ARI, _ = score.ARI(r.Labels, v.LabelsAlone) // as many labels in both: no error
	for _, s := range v.Views {
		line := viewLine{File: s.Name, Edges: s.Edges, Cut: s.Cut, CutAlone: s.CutAlone}
		line.ARI, _ = score.ARI(r.Labels, s.LabelsAlone)
		c.Views = append(c.Views, line)
	}
	return c
}

// moved counts the rows that are elsewhere in a than in b, clusters matched.
func moved(a, b []int, k int) (n int) {
	mine := matched(a, b, k)
	for i, h := range b {
		if mine[h] != a[i] {
			n++
		}
	}
	return n
}

func (c *viewCard) tell(a *app) {
	a.say("")
	a.say("views: alpha %s for beta %s", number(c.Alpha), number(c.Beta))
	a.say("  cost of transfer %s: normalized cut %s, without views %s (ARI %.3f between the two, %s elsewhere)",
		signed(c.Price), number(c.Cut), number(c.CutAlone), c.ARI, count(c.Moved, "row"))
	for _, v := range c.Views {
		a.say("  %s: normalized cut %s, by its own clusters %s (ARI %.3f between the two)", v.File, number(v.Cut), number(v.CutAlone), v.ARI)
	}
}

// signed is a number with its sign.
func signed(x float64) string {
	if x < 0 {
		return number(x)
	}
	return "+" + number(x)
}
