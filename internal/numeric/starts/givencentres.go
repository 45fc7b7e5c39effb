package starts

import (
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// GivenCentres returns first centres that a user gave, in their order, or, where points
// have labels, in the order of the classes: cluster h stands for class h, and gets the
// centre that is nearest to the points of that class, each centre once.
func GivenCentres(p *cluster.Problem, given data.Rows) *lloyd.Centres {
	d := given.Dim()
	var c []float64
	for h := range given.Len() {
		c = append(c, data.Copy(given, h)...)
	}
	centres := lloyd.NewCentres(p.K, d, c)
	classes := min(p.Constraints.Classes(), p.K)
	if classes == 0 {
		return centres
	}
	cost, buf := make([]float64, classes*p.K), make([]float64, d)
	for _, l := range p.Constraints.Labels {
		v := p.X.Row(l.I, buf)
		for h := range p.K {
			cost[l.Class*p.K+h] += p.W(l.I) * centres.Dist2(v, h)
		}
	}
	of, _ := combinatorial.Assign(cost, p.K)
	if of == nil { // distances that overflow
		return centres
	}
	var order []int
	for _, h := range of {
		order = append(order, int(h))
	}
	for h := range p.K {
		if !slices.Contains(order, h) {
			order = append(order, h)
		}
	}
	out := make([]float64, 0, len(c))
	for _, h := range order {
		out = append(out, centres.At(h)...)
	}
	return lloyd.NewCentres(p.K, d, out)
}
