package centroid

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
)

// KMeans is plain k-means by Lloyd's iteration. It minimises
//
//	J = Σ_i w_i ‖x_i − μ_{l_i}‖²
//
// over labels l and centres μ, a centre being the weighted mean of its points.
// It uses no knowledge.
//
// A cluster that has lost all its points takes over the point that is dearest
// where it is, unless no point costs anything; J falls by that point's cost.
// (Basu, Banerjee and Mooney 2002 leave open what happens to it.) Ties go to
// the lowest cluster.
type KMeans struct {
	Init string `json:"init" enum:"k-means++,random" file:"centres" help:"how the first centres are chosen; or a table of k centres"`

	// Centres, if not nil, are the first centres, and Init is not used.
	Centres *data.Dense `json:"-"`
}

// NewKMeans returns k-means started by k-means++.
func NewKMeans() *KMeans { return &KMeans{Init: "k-means++"} }

// StartFrom makes c the first centres.
func (a *KMeans) StartFrom(c *data.Dense) { a.Centres = c }

// Check refuses problems without rows and centres that do not fit.
func (a *KMeans) Check(p *cluster.Problem) error {
	if p.X == nil {
		return cluster.Badf("x", "k-means needs rows of numbers, not a graph")
	}
	if c := a.Centres; c != nil {
		if c.Len() != p.K || c.Dim() != p.X.Dim() {
			return fmt.Errorf("centroid: the first centres are a table of %d × %d, they must be %d × %d (k × features)",
				c.Len(), c.Dim(), p.K, p.X.Dim())
		}
		return data.CheckFinite(c)
	}
	if a.Init != "k-means++" && a.Init != "random" {
		return fmt.Errorf("centroid: init %q, it must be k-means++ or random", a.Init)
	}
	return nil
}

// Start chooses the first centres and assigns every point.
func (a *KMeans) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	n := p.X.Len()
	r := &lloyd{p: p, e: e, labels: make([]int, n), spare: make([]int, n), dist: make([]float64, n)}
	var err error
	switch {
	case a.Centres != nil:
		r.centres = NewCentres(p.K, p.X.Dim(), slices.Clone(a.Centres.V))
	case a.Init == "random":
		r.centres = randomRows(p, e)
	default:
		r.centres, err = plusPlus(ctx, p, e)
	}
	if err != nil {
		return nil, err
	}
	_, err = r.assign(ctx)
	r.settled = false
	return r, err
}

// lloyd is one run of k-means. Between iterations every point has the label of
// its nearest centre, and sums and mass are those of the labels.
type lloyd struct {
	p       *cluster.Problem
	e       *cluster.Env
	centres *Centres
	labels  []int
	spare   []int     // of the same length, for the next labels
	dist    []float64 // ‖x_i − μ_{l_i}‖²
	sums    *sums
	cost    float64 // J
	settled bool    // the last assignment moved nothing
}

func (r *lloyd) Stages() []cluster.Stage {
	if r.settled {
		return nil
	}
	return []cluster.Stage{{Name: "means", Do: r.means}, {Name: "assign", Do: r.assign}}
}

func (r *lloyd) Labels() []int { return r.labels }

func (r *lloyd) Model() cluster.Model {
	return NewCentres(r.centres.K, r.centres.D, slices.Clone(r.centres.C))
}

func (r *lloyd) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "distortion", Value: r.cost}}
}

// means refills empty clusters and moves each centre to the mean of its points.
func (r *lloyd) means(context.Context) (moved int, err error) {
	moved = r.refill()
	c := slices.Clone(r.centres.C)
	for h, m := range r.sums.Mass {
		if m == 0 {
			continue // no point to take over: the centre stays
		}
		for f, s := range r.sums.at(h) {
			c[h*r.centres.D+f] = s / m
		}
	}
	r.centres = NewCentres(r.centres.K, r.centres.D, c)
	return moved, nil
}

// refill gives each empty cluster the point that costs most where it is, never
// the last of its cluster.
func (r *lloyd) refill() (moved int) {
	for h := range r.sums.Mass {
		if r.sums.Count[h] > 0 {
			continue
		}
		dearest, most := -1, 0.0
		for i, d := range r.dist {
			if c := d * r.p.W(i); c > most && r.sums.Count[r.labels[i]] > 1 {
				dearest, most = i, c
			}
		}
		if dearest < 0 {
			return moved
		}
		v, w := r.p.X.Row(dearest, make([]float64, r.p.X.Dim())), r.p.W(dearest)
		r.sums.add(r.labels[dearest], v, -w, -1)
		r.sums.add(h, v, w, 1)
		r.labels[dearest], r.dist[dearest] = h, 0
		moved++
	}
	return moved
}

// assign gives every point the label of its nearest centre.
func (r *lloyd) assign(ctx context.Context) (moved int, err error) {
	pass := &nearest{Centres: r.centres, Weight: r.p.Weight,
		labels: r.spare, dist: r.dist, sums: newSums(r.centres.K, r.centres.D)}
	if err := cluster.Sweep(ctx, r.e, r.p.X, pass); err != nil {
		return 0, err
	}
	for i, h := range pass.labels {
		if h != r.labels[i] {
			moved++
		}
	}
	r.labels, r.spare = pass.labels, r.labels
	r.sums, r.cost, r.settled = pass.sums, pass.cost, moved == 0
	return moved, nil
}

// Objective adds up w_i ‖x_i − μ_{l_i}‖², from labels and centres alone.
func (r *lloyd) Objective(ctx context.Context) (cluster.Terms, error) {
	pass := &distortion{Centres: r.centres, Labels: r.labels, Weight: r.p.Weight}
	err := cluster.Sweep(ctx, r.e, r.p.X, pass)
	return cluster.Terms{{Name: "distortion", Value: pass.sum}}, err
}
