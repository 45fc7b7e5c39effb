// Package outside is a program outside the module with a method of its own:
// k-medians, in which labelled rows keep their labels. Its test shows that the
// method passes clustertest and works through the front door like a built-in one.
package outside

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// Method is the entry for inkling.Options.Methods.
var Method = inkling.Method{
	Name:  "k-medians",
	Title: "k-medians: each row joins the centre with the smallest sum of absolute differences",
	New:   func() cluster.Algorithm { return &KMedians{Power: 1} },
	Saved: func() cluster.Model { return new(Medians) },
}

// KMedians minimises Σ_i Σ_f |x_if − c_{l(i) f}|^p over labels l and centres c.
// Its exported fields are its parameters.
type KMedians struct {
	Power int `json:"power" help:"1: absolute differences, 2: squared ones"`
}

// Capabilities declare what the method takes and uses.
func (a *KMedians) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows}, Uses: []cluster.Kind{cluster.Labels}, Hard: true}
}

// Check refuses parameters that are not allowed, and more classes than clusters.
func (a *KMedians) Check(p *cluster.Problem) error {
	if a.Power != 1 && a.Power != 2 {
		return fmt.Errorf("power must be 1 or 2, got %d", a.Power)
	}
	if p.Constraints != nil && p.Constraints.Classes() > p.K {
		return cluster.Problemf("constraints", "labels name %d classes, there are %d clusters", p.Constraints.Classes(), p.K)
	}
	return nil
}

// Start chooses rows as centres, labelled ones for the clusters of classes.
func (a *KMedians) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := &run{p: p, labels: make([]int, p.Len()), fixed: map[int]int{}, model: &Medians{Power: a.Power, Features: p.X.Dim()}}
	order := e.Rand.Perm(p.Len())
	for h := range p.K {
		r.model.Centres = append(r.model.Centres, data.Copy(p.X, order[h%len(order)]))
	}
	if p.Constraints != nil {
		for _, l := range p.Constraints.Labels {
			r.fixed[l.I] = l.Class
			r.model.Centres[l.Class] = data.Copy(p.X, l.I)
		}
	}
	r.assign()
	return r, nil
}

// A run is one descent.
type run struct {
	p      *cluster.Problem
	model  *Medians
	labels []int
	fixed  map[int]int // the clusters of labelled rows
}

func (r *run) Labels() []int { return slices.Clone(r.labels) }

func (r *run) Model() cluster.Model {
	m := *r.model
	m.Centres = slices.Clone(m.Centres)
	return &m
}

func (r *run) Objective(context.Context) (cluster.Terms, error) {
	sum := 0.0
	for i, h := range r.labels {
		sum += r.p.W(i) * r.model.distance(data.Copy(r.p.X, i), h)
	}
	return cluster.Terms{{Name: "distance", Value: sum}}, nil
}

// Stages are two steps, each of which lowers the objective or leaves it.
func (r *run) Stages() []cluster.Stage {
	return []cluster.Stage{
		{Name: "centres", Do: func(context.Context) (int, error) { r.moveCentres(); return 0, nil }},
		{Name: "assign", Do: func(context.Context) (int, error) { return r.assign(), nil }},
	}
}

func (r *run) assign() (moved int) {
	next := make([]int, len(r.labels))
	r.model.Place(r.p.X, 0, len(next), next)
	for i, h := range next {
		if class, ok := r.fixed[i]; ok {
			h = class
		}
		if h != r.labels[i] {
			r.labels[i] = h
			moved++
		}
	}
	return moved
}

// moveCentres moves each centre to the weighted median or mean of its rows.
func (r *run) moveCentres() {
	members := make([][]int, len(r.model.Centres))
	for i, h := range r.labels {
		if r.p.W(i) > 0 {
			members[h] = append(members[h], i)
		}
	}
	for h, rows := range members {
		if len(rows) == 0 {
			continue
		}
		centre := make([]float64, r.p.X.Dim())
		for f := range centre {
			centre[f] = r.middle(rows, f)
		}
		r.model.Centres[h] = centre
	}
}

func (r *run) middle(rows []int, f int) float64 {
	total, sum := 0.0, 0.0
	values := make(map[int]float64, len(rows))
	for _, i := range rows {
		values[i] = data.Copy(r.p.X, i)[f]
		total += r.p.W(i)
		sum += r.p.W(i) * values[i]
	}
	if r.model.Power == 2 {
		return sum / total
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	below := 0.0
	for _, i := range rows {
		if below += r.p.W(i); below >= total/2 {
			return values[i]
		}
	}
	return values[rows[len(rows)-1]]
}

// Medians is the model: plain data, which Save writes and Load reads.
type Medians struct {
	Power    int         `json:"power"`
	Features int         `json:"features"`
	Centres  [][]float64 `json:"centres"`
}

// Dim returns the number of features.
func (m *Medians) Dim() int { return m.Features }

// Clusters returns the number of centres.
func (m *Medians) Clusters() int { return len(m.Centres) }

// Check refuses a file whose parts do not fit together.
func (m *Medians) Check() error {
	for _, c := range m.Centres {
		if len(c) != m.Features {
			return fmt.Errorf("a centre must have %d features, got %d", m.Features, len(c))
		}
	}
	return nil
}

// Place writes the nearest centre of each row.
func (m *Medians) Place(x data.Rows, lo, hi int, labels []int) {
	for i := lo; i < hi; i++ {
		row, best := data.Copy(x, i), 0
		least := m.distance(row, 0)
		for h := 1; h < len(m.Centres); h++ {
			if d := m.distance(row, h); d < least {
				best, least = h, d
			}
		}
		labels[i-lo] = best
	}
}

func (m *Medians) distance(x []float64, h int) (sum float64) {
	for f, y := range x {
		sum += math.Pow(math.Abs(y-m.Centres[h][f]), float64(m.Power))
	}
	return sum
}
