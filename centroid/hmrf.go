package centroid

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
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
	Potential string `json:"potential" enum:"constant" help:"what a violated pair costs: the same for all, or by distance"`
	Inference string `json:"inference" enum:"icm" help:"how constrained rows are assigned"`
	Sweeps    int    `json:"sweeps" help:"sweeps of icm in an iteration; 0: until nothing moves"`
	Init      string `json:"init" enum:"k-means++,random" help:"how the first centres are chosen"`
	Weight    string `json:"weight" help:"what a violated pair of weight 1 costs: a number, or auto for the mean squared distance to the centre in plain k-means"`
	Closure   string `json:"closure" enum:"given,closed" help:"whether only given pairs count, or those that follow from them too"`
}

// What Closure can be.
const (
	Given  = "given"
	Closed = "closed"
)

// Auto is the weight that follows from the data.
const Auto = "auto"

// Check refuses parameters that do not exist, problems without rows and labels
// of more classes than clusters.
func (a *HMRF) Check(p *cluster.Problem) error {
	if p.X == nil {
		return cluster.Badf("x", "k-means needs rows of numbers, not a graph")
	}
	for _, c := range []struct {
		name, value string
		allowed     []string
	}{
		{"potential", a.Potential, []string{"constant"}},
		{"inference", a.Inference, []string{"icm"}},
		{"init", a.Init, []string{"k-means++", "random"}},
		{"closure", a.Closure, []string{Given, Closed}},
	} {
		if !slices.Contains(c.allowed, c.value) {
			return fmt.Errorf("centroid: %s %q, it must be one of %s", c.name, c.value, strings.Join(c.allowed, ", "))
		}
	}
	if a.Sweeps < 0 {
		return fmt.Errorf("centroid: %d sweeps, it must not be negative", a.Sweeps)
	}
	if _, err := a.weight(); err != nil {
		return err
	}
	if c := p.Known.Classes(); c > p.K {
		return cluster.Badf("known", "there are labels of %d classes, but k is %d", c, p.K)
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
		return 0, fmt.Errorf("centroid: weight %q, it must be auto or a number from 0", a.Weight)
	}
	return w, nil
}

// Start chooses the first centres and assigns every point.
func (a *HMRF) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	c := plusPlus(ctx, p, e, nil)
	return startHMRF(ctx, a, p, e, c)
}
