package hmrf

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/metric"
)

// HMRF is the family of soft constrained k-means that Basu, Bilenko and Mooney
// (2003) and Bilenko and Basu (2004) describe as a hidden Markov random field.
// It minimises
//
//	J = Σ_i w_i [D_A(x_i, μ_{l_i}) − c log det A]
//	  + w Σ_{violated must-links} w_ij f_M(x_i, x_j) + w Σ_{violated cannot-links} w_ij f_C(x_i, x_j)
//	  + w Σ_{overruled labels} w_i f_max
//
// over labels l, centres μ and the metric A. Every pair counts once. A belief
// above 0 is a must-link of that weight, below 0 a cannot-link. Cluster h
// stands for class h; a labelled point pays when it is elsewhere. Nothing is
// ever impossible, only dear, so contradictory knowledge has an answer too.
//
// NewPC, NewM, NewMPC and NewHMRF are settings of it with names.
type HMRF struct {
	Distortion string             `json:"distortion" enum:"euclidean,cosine,kl,i-divergence,itakura-saito" help:"how far a row is from a centre"`
	Metric     metric.FormName    `json:"metric" help:"the shape of the metric that is learned"`
	Penalty    metric.Penalty     `json:"penalty" help:"what a violated pair costs: the same for all, or by distance as the paper of 2004 or that of 2003 has it"`
	Inference  string             `json:"inference" enum:"icm,bp,lp,nearest" help:"how constrained rows are assigned: one after the other, by belief propagation, by linear programming, or to the nearest centre"`
	Sweeps     int                `json:"sweeps" help:"sweeps of icm in an iteration; 0: until nothing moves"`
	Thaw       bool               `json:"thaw" help:"icm: let rows that hold each other away from their nearest centres try anew together"`
	Init       string             `json:"init" enum:"farthest,largest,random,k-means++" help:"how the first centres are chosen: from neighbourhoods of linked rows, or from rows"`
	Weight     string             `json:"weight" help:"what a violated pair of weight 1 costs: a number, or auto: as much as a row costs on average, 1 where the potential is by distance"`
	Closure    string             `json:"closure" enum:"on,off" help:"whether pairs that follow from the given ones count too"`
	Shrinkage  float64            `json:"shrinkage" help:"rows that the common metric counts as when metrics are learned; below 0: the weakest that is sound"`
	Complexity string             `json:"complexity" enum:"bic,none" help:"bic: a metric must earn its numbers, else a simpler one is taken; none: always the one asked for"`
	LogDet     metric.LogDetScale `json:"log_det" help:"whether log det A counts once for each row, or once"`
	Literal    bool               `json:"literal" help:"leave out of the metric step that the dearest price depends on the metric, as printed in 2003"`
}

// NewHMRF returns HMRF-KMeans (Bilenko and Basu 2004, figure 2): one full metric
// is learned, a violated pair costs by the distance of its points, and only the
// given pairs count. Inference says how constrained points are assigned: by
// sweeps until nothing moves, by belief propagation or by linear programming.
//
// The paper's equation (6) has nothing that keeps the metric from shrinking to
// nothing; here −log det A does. A full metric is taken only where the data bear
// it (Complexity), and drawn to a diagonal one (Shrinkage).
func NewHMRF() *HMRF {
	return &HMRF{Distortion: lloyd.Euclidean, Metric: metric.FormFull, Penalty: metric.HMRF, Inference: "icm", Thaw: true,
		Init: "farthest", Weight: "1", Closure: Off, Shrinkage: metric.AutoShrink, Complexity: "bic", LogDet: metric.ScaleN}
}

// What Closure can be.
const (
	On  = "on"  // what follows from the given pairs counts too
	Off = "off" // only the given pairs count
)

// Auto is the weight that follows from the data.
const Auto = "auto"

// Capabilities: rows; every kind of constraint but views.
func (a *HMRF) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.SoftSeeds, cluster.MustLinks, cluster.CannotLinks, cluster.Beliefs},

		LearnsMetric: a.Metric != metric.FormNone,
	}
}

// Check refuses parameters that do not exist, problems without rows and labels
// of more classes than clusters.
func (a *HMRF) Check(p *cluster.Problem) error {
	if p.X == nil {
		return lloyd.NeedsRows()
	}
	for _, c := range []struct {
		name, value string
		allowed     []string
	}{
		{"distortion", a.Distortion, distortions},
		{"metric", string(a.Metric), a.Metric.Values()},
		{"penalty", string(a.Penalty), a.Penalty.Values()},
		{"inference", a.Inference, []string{"icm", "bp", "lp", "nearest"}},
		{"init", a.Init, []string{"farthest", "largest", "random", "k-means++"}},
		{"closure", a.Closure, []string{On, Off}},
		{"complexity", a.Complexity, []string{"bic", "none"}},
		{"log_det", string(a.LogDet), a.LogDet.Values()},
	} {
		if err := checkName(c.name, c.value, c.allowed); err != nil {
			return err
		}
	}
	if form, err := a.Metric.Form(); err != nil {
		return err
	} else if err := checkPairing(a.Distortion, form); err != nil {
		return err
	}
	if math.IsNaN(a.Shrinkage) || math.IsInf(a.Shrinkage, 0) {
		return fmt.Errorf("shrinkage %v, it must be finite", a.Shrinkage)
	}
	if a.Sweeps < 0 {
		return fmt.Errorf("%d sweeps, it must not be negative", a.Sweeps)
	}
	if _, err := a.weight(); err != nil {
		return err
	}
	if c := p.Constraints.Classes(); c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	if a.Closure == On && (a.Inference == "bp" || a.Inference == "lp") {
		if err := checkWritten(p); err != nil {
			return err
		}
	}
	if v := divergenceOf(a.Distortion); v != nil {
		if err := v.Check(p.X); err != nil {
			return &cluster.ProblemError{Field: "x", Err: err}
		}
	}
	return nil
}

// checkPairing refuses metrics that are not learned for a distortion.
func checkPairing(distortion string, f metric.Form) error {
	switch {
	case f.Shape == metric.None || distortion == lloyd.Euclidean:
		return nil
	case distortion == lloyd.Cosine:
		return fmt.Errorf("metric %s with distortion cosine, for which none is learned; use --metric none", f)
	case f.Shape == metric.Full:
		return fmt.Errorf("metric %s with distortion %s, which takes weights for features; use --metric diagonal", f, distortion)
	}
	return nil
}

func checkName(name, value string, allowed []string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%s %q, it must be one of %s", name, value, strings.Join(allowed, ", "))
	}
	return nil
}

// weight returns the weight as a number, -1 for Auto.
func (a *HMRF) weight() (float64, error) {
	if a.Weight == Auto {
		return -1, nil
	}
	w, err := strconv.ParseFloat(a.Weight, 64)
	if err != nil || !(w >= 0) || math.IsInf(w, 0) {
		return 0, fmt.Errorf("weight %q, it must be auto or a number from 0", a.Weight)
	}
	return w, nil
}

// Start chooses the first centres and assigns every point.
func (a *HMRF) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	s := lloyd.NewSpace(p, a.Distortion == lloyd.Cosine)
	if v := divergenceOf(a.Distortion); v != nil {
		q := *p
		q.X = metric.PrepareRows(v, p.X)
		s.Problem = &q
	}
	return startHMRF(ctx, a, s, e, a.first(ctx, s.Problem, e))
}

func (a *HMRF) first(ctx context.Context, p *cluster.Problem, e *cluster.Env) *lloyd.Centres {
	if a.Init == "k-means++" {
		return lloyd.KMeansPlusPlus(ctx, p, e, nil)
	}
	return neighbourhoodCentres(ctx, p, e, a.Init, "k-means++")
}
