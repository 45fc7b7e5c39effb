package centroid

import (
	"context"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// Seeded is Seeded-KMeans (Basu, Banerjee and Mooney 2002, figure 1): k-means
// whose first centres are the means of the labelled points, the seeds, of each
// class. Cluster h stands for class h. After the start the labels are not
// used any more, so that wrong ones can be corrected.
//
// It minimises J of KMeans. A soft seed counts for each of its classes by
// weight. Clusters without seeds start as Fill says; the paper does not
// say. An empty cluster is refilled as in KMeans.
type Seeded struct {
	Init       SeededInit `json:"init" file:"centres" help:"first centres: the means of the seeds; or a table of k centres"`
	Fill       Fill       `json:"fill" help:"how clusters without seeds start"`
	Distortion Distortion `json:"distortion" help:"how far a row is from a centre"`

	// Centres, if not nil, are the first centres, and Fill is not used.
	Centres *data.Dense `json:"-"`
}

// A SeededInit is a way to choose the first centres from labels.
type SeededInit string

// InitSeeds puts the first centres on the means of the seeds of each class.
const InitSeeds SeededInit = "seeds"

// Values returns all ways.
func (SeededInit) Values() []string { return []string{string(InitSeeds)} }

// A Fill is a way to start clusters without seeds.
type Fill string

// The ways to start clusters without seeds.
const (
	FillPerturbedMean Fill = "perturbed-mean" // near the global mean, as in the paper
	FillPlusPlus      Fill = "k-means++"      // from the centres of the other clusters on
)

// Values returns all ways.
func (Fill) Values() []string { return []string{string(FillPerturbedMean), string(FillPlusPlus)} }

// NewSeeded returns Seeded-KMeans with the paper's random start, a perturbed
// global mean, for clusters without seeds.
func NewSeeded() *Seeded {
	return &Seeded{Init: InitSeeds, Fill: FillPerturbedMean, Distortion: lloyd.Euclidean}
}

// Capabilities: rows; labels, which may be overruled.
func (a *Seeded) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.SoftSeeds},
	}
}

// Check refuses problems without seeds, and seeds of more classes than
// clusters or that contradict each other.
func (a *Seeded) Check(p *cluster.Problem) error {
	return checkSeeds(p, seededStart{a.Init, a.Fill, a.Distortion, a.Centres})
}

// StartFrom makes c the first centres.
func (a *Seeded) StartFrom(c *data.Dense) { a.Centres = c }

// Deterministic reports whether every cluster has seeds or a given centre, so that all
// starts are one.
func (a *Seeded) Deterministic(p *cluster.Problem) bool { return a.Centres != nil || seeded(p) }

// Start puts the first centres on the means of the seeds.
func (a *Seeded) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	return startSeeded(ctx, p, e, seededStart{a.Init, a.Fill, a.Distortion, a.Centres}, nil)
}

// Escapes reports whether runs leave local minima: not from given centres.
func (a *Seeded) Escapes(*cluster.Problem) bool { return a.Centres == nil }

// Constrained is Constrained-KMeans (the same paper, figure 2): Seeded-KMeans
// in which the seeds keep their labels throughout. It minimises J of KMeans
// over the labels of the other points. Soft seeds only help the start.
type Constrained struct {
	Init       SeededInit `json:"init" file:"centres" help:"first centres: the means of the seeds; or a table of k centres"`
	Fill       Fill       `json:"fill" help:"how clusters without seeds start"`
	Distortion Distortion `json:"distortion" help:"how far a row is from a centre"`

	// Centres, if not nil, are the first centres, and Fill is not used.
	Centres *data.Dense `json:"-"`
}

// NewConstrained returns Constrained-KMeans started as NewSeeded is.
func NewConstrained() *Constrained {
	return &Constrained{Init: InitSeeds, Fill: FillPerturbedMean, Distortion: lloyd.Euclidean}
}

// Capabilities: rows; labels, which are kept.
func (a *Constrained) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.SoftSeeds},
		Hard:   true,
	}
}

// Check refuses what Seeded refuses.
func (a *Constrained) Check(p *cluster.Problem) error {
	return checkSeeds(p, seededStart{a.Init, a.Fill, a.Distortion, a.Centres})
}

// StartFrom makes c the first centres.
func (a *Constrained) StartFrom(c *data.Dense) { a.Centres = c }

// Deterministic reports whether every cluster has seeds or a given centre, so that all
// starts are one.
func (a *Constrained) Deterministic(p *cluster.Problem) bool { return a.Centres != nil || seeded(p) }

// Start puts the first centres on the means of the seeds and fixes these.
func (a *Constrained) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	closed, err := constraint.Close(p.X.Len(), seeds(p))
	if err != nil {
		return nil, err
	}
	fixed := make([]int32, p.X.Len())
	for i := range fixed {
		fixed[i] = int32(closed.Class(closed.Component(i)))
	}
	return startSeeded(ctx, p, e, seededStart{a.Init, a.Fill, a.Distortion, a.Centres}, fixed)
}

// Escapes reports whether runs leave local minima: not from given centres.
func (a *Constrained) Escapes(*cluster.Problem) bool { return a.Centres == nil }

// A seededStart says how Seeded and Constrained start.
type seededStart struct {
	init       SeededInit
	fill       Fill
	distortion Distortion
	centres    *data.Dense
}

// startSeeded starts a run from the means of the seeds. At normal and high effort it
// leaves local minima by swaps of the centres that have no seeds. From given centres it
// does neither.
func startSeeded(ctx context.Context, p *cluster.Problem, e *cluster.Env, how seededStart, fixed []int32) (cluster.Run, error) {
	s := lloyd.NewSpace(p, how.distortion.Distance())
	if how.centres != nil {
		return lloyd.Start(ctx, s, e, starts.GivenCentres(p, how.centres), fixed)
	}
	r, err := lloyd.Start(ctx, s, e, seedCentres(ctx, s.Problem, e, how.fill), fixed)
	if err != nil {
		return r, err
	}
	keep, _ := seededClusters(p)
	return lloyd.SearchSwaps(r, e.Effort, keep, lloyd.AllSwaps), nil
}

// seeds returns the labels of p alone.
func seeds(p *cluster.Problem) *constraint.Set {
	if p.Constraints == nil {
		return nil
	}
	return &constraint.Set{Labels: p.Constraints.Labels, Names: p.Constraints.Names}
}

// seeded reports whether every cluster has seeds.
func seeded(p *cluster.Problem) bool {
	_, n := seededClusters(p)
	return n == p.K
}

// seededClusters returns which clusters have seeds, and how many.
func seededClusters(p *cluster.Problem) (has []bool, n int) {
	has = make([]bool, p.K)
	if p.Constraints != nil {
		for _, l := range p.Constraints.Labels {
			if l.Class < p.K && !has[l.Class] && p.W(l.I) > 0 {
				has[l.Class], n = true, n+1
			}
		}
	}
	return has, n
}

func checkSeeds(p *cluster.Problem, how seededStart) error {
	if p.X == nil {
		return lloyd.NeedsRows()
	}
	if how.init != "" { // a literal without it: from the seeds
		if err := enum.Check("init", how.init); err != nil {
			return err
		}
	}
	if err := enum.Check("fill", how.fill); err != nil {
		return err
	}
	if err := how.distortion.Check(); err != nil {
		return err
	}
	if err := lloyd.CheckFirst(p, how.centres); err != nil {
		return err
	}
	known := seeds(p)
	if known.Classes() > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", known.Classes(), p.K)
	}
	_, err := constraint.Close(p.X.Len(), known)
	return err
}

// seedCentres returns the mean of the seeds of each class, and fills in the
// clusters that have none.
func seedCentres(ctx context.Context, p *cluster.Problem, e *cluster.Env, fill Fill) *lloyd.Centres {
	d := p.X.Dim()
	sum, buf := lloyd.NewSums(p.K, d), make([]float64, d)
	if p.Constraints != nil {
		for _, l := range p.Constraints.Labels {
			sum.Add(l.Class, p.X.Row(l.I, buf), l.W*p.W(l.I), 1)
		}
	}
	var found []float64 // the centres of clusters with seeds
	for h, m := range sum.Mass {
		if m > 0 {
			c := sum.At(h)
			for f := range c {
				c[f] /= m
			}
			found = append(found, c...)
		}
	}
	var rest []float64
	switch left := p.K - len(found)/d; {
	case left == 0:
	case fill == FillPlusPlus:
		rest = starts.KMeansPlusPlus(ctx, p, e, found).C[len(found):]
	default:
		rest = starts.PerturbedMeans(p, e, left)
	}
	for h := range p.K {
		if sum.Mass[h] == 0 {
			copy(sum.At(h), rest[:d])
			rest = rest[d:]
		}
	}
	return lloyd.NewCentres(p.K, d, sum.Sum)
}
