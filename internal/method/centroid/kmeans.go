package centroid

import (
	"context"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/starts"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// KMeans is plain k-means by Lloyd's iteration. It minimises
//
//	J = Σ_i w_i ‖x_i − μ_{l_i}‖²
//
// over labels l and centres μ, a centre being the weighted mean of its points.
// With the cosine distortion it is spherical k-means and minimises
//
//	J = Σ_i w_i (1 − x_i'μ_{l_i} / ‖x_i‖)
//
// over labels and centres of length 1. It uses no constraints.
//
// A cluster that has lost all its points takes over the costliest point, unless no
// point costs anything; J falls by that point's cost. (Basu, Banerjee and Mooney 2002
// do not say what happens to an empty cluster.) Ties go to the lowest cluster.
//
// At normal and high effort a run does not end in its first local minimum: it swaps
// centres while that lowers J. Given first centres are not swapped.
type KMeans struct {
	Init    Init `json:"init" file:"centres" help:"how the first centres are chosen; or a table of k centres"`
	Batches int  `json:"batches" help:"mini-batches of 1024 rows that move the centres before the first full iteration"`

	Distortion Distortion `json:"distortion" help:"how far a row is from a centre"`

	// Centres, if not nil, are the first centres, and Init is not used.
	Centres *data.Dense `json:"-"`

	// ShiftTol, if above 0, ends a run when the squared shifts of the centres in an iteration sum to
	// at most this share of the mean variance of the columns, as in scikit-learn.
	ShiftTol float64 `json:"-"`
}

// An Init is a way to choose the first centres.
type Init string

// The starts of KMeans.
const (
	InitPlusPlus      Init = "k-means++"
	InitParallel      Init = "k-means||"
	InitRandom        Init = "random"         // k different rows
	InitPerturbedMean Init = "perturbed-mean" // near the global mean
)

// Values returns all starts.
func (Init) Values() []string {
	return []string{string(InitPlusPlus), string(InitParallel), string(InitRandom), string(InitPerturbedMean)}
}

// NewKMeans returns k-means started by k-means++.
func NewKMeans() *KMeans { return &KMeans{Init: InitPlusPlus, Distortion: lloyd.Euclidean} }

// StartFrom makes c the first centres.
func (a *KMeans) StartFrom(c *data.Dense) { a.Centres = c }

// EndAtShift sets ShiftTol.
func (a *KMeans) EndAtShift(tol float64) { a.ShiftTol = tol }

// Capabilities: rows; no constraints.
func (a *KMeans) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
	}
}

// Check refuses problems without rows and centres that do not fit.
func (a *KMeans) Check(p *cluster.Problem) error {
	if p.X == nil {
		return lloyd.NeedsRows()
	}
	if err := a.Distortion.Check(); err != nil {
		return err
	}
	if a.Batches < 0 {
		return fmt.Errorf("batches must not be negative, got %d", a.Batches)
	}
	if a.Centres != nil {
		return lloyd.CheckFirst(p, a.Centres)
	}
	return enum.Check("init", a.Init)
}

// Start chooses the first centres and assigns every point.
func (a *KMeans) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	var c *lloyd.Centres
	sampled := false
	s := lloyd.NewSpace(p, a.Distortion.Distance())
	switch {
	case a.Centres != nil:
		c = lloyd.NewCentres(p.K, p.X.Dim(), slices.Clone(a.Centres.V))
	case a.Init == InitRandom:
		c = starts.RandomRows(s.Problem, e)
	case a.Init == InitPerturbedMean:
		c = lloyd.NewCentres(p.K, p.X.Dim(), starts.PerturbedMeans(s.Problem, e, p.K))
	case a.Init == InitParallel:
		c = starts.KMeansParallel(ctx, s.Problem, e)
	default:
		c, sampled = starts.KMeansOnSample(ctx, s, e)
	}
	if a.Batches > 0 {
		c = starts.MiniBatches(ctx, s, e, s.Project(c), a.Batches)
	}
	r, err := lloyd.Start(ctx, s, e, c, nil)
	if err == nil && a.ShiftTol > 0 {
		r.EndAtShift(a.ShiftTol * e.Once("mean variance", func() any { return starts.MeanVariance(s.X) }).(float64))
	}
	if err != nil || a.Centres != nil {
		return r, err
	}
	plan := lloyd.AllSwaps
	switch {
	case sampled && e.Run > 0 && e.Settings != nil && e.Settings.Restarts == 0:
		plan = lloyd.PromisingSwaps
	case sampled:
		plan = lloyd.SwapsAgain
	}
	return lloyd.SearchSwaps(r, e.Effort, nil, plan), nil
}

// Escapes reports whether runs leave local minima: not from given centres.
func (a *KMeans) Escapes(*cluster.Problem) bool { return a.Centres == nil }
