package hmrf

import (
	"math"

	"github.com/inklinghq/inkling/infer"
	"github.com/inklinghq/inkling/metric"
)

// HMRFTold is what a run of HMRF tells beside its model: what pairs cost in the
// end, and what inference could prove.
type HMRFTold struct {
	// Closure is what it turned out to be: off also where it was to be on, but
	// more pairs would follow than can be priced by distance.
	Closure    string    `json:"closure"`
	PairWeight float64   `json:"pair_weight"`       // what w was, where it was to follow from the data
	Weights    []float64 `json:"weights,omitempty"` // of the features, in one diagonal metric
	// PhiMax is the dearest price of a pair of weight 1: a number, or where every
	// cluster has its own metric a list of them. PhiMaxRule says of what it is the squared length: "exact" of the
	// farthest rows, "far-pair" of rows nearly so far apart (see metric.Extremes),
	// "must-links" or "cannot-links" of the farthest of these.
	PhiMax     any    `json:"phi_max,omitempty"`
	PhiMaxRule string `json:"phi_max_rule,omitempty"`
	LogDetRule string `json:"log_det_rule,omitempty"` // n or one: how often −log det A is in the objective

	// Of belief propagation and linear programming, in the last assignment:
	Energy     *float64 `json:"energy,omitempty"`     // of the constrained rows
	Bound      *float64 `json:"bound,omitempty"`      // no labels cost less
	Fractional *float64 `json:"fractional,omitempty"` // the share of rows without a whole label in the relaxation
	Converged  *bool    `json:"converged,omitempty"`

	asked string // what closure was to be
}

// Notes says what people should know of the run.
func (t *HMRFTold) Notes() []string {
	if t.asked == t.Closure {
		return nil
	}
	return []string{"more pairs follow from the given ones than can be priced by distance: only those given count (--penalty constant takes them all)"}
}

// Learned tells what the run knows beside its model.
func (r *hmrfRun) Learned() any {
	told := &HMRFTold{Closure: r.closure, PairWeight: r.toll.w, asked: r.a.Closure}
	if m := r.model; m.learned() {
		told.LogDetRule = string(r.a.LogDet)
		if f := m.Metric.Form(); f.Shape == metric.Diagonal && !f.PerCluster {
			told.Weights = m.Metric.Weights(0)
		}
	}
	if !r.toll.flat() && len(r.f.points) > 0 {
		told.PhiMaxRule = r.gate.rule
		most := make([]float64, r.model.Metric.Metrics())
		for h := range most {
			most[h] = r.toll.prices.MaxDist2(h)
		}
		if told.PhiMax = most; len(most) == 1 {
			told.PhiMax = most[0]
		}
	}
	if a := r.inferred; a != nil {
		told.Energy, told.Bound, told.Converged = &a.Energy, finite(a.Bound), &a.Converged
		if r.a.Inference == "lp" {
			told.Fractional = finite(a.Fractional)
		}
	}
	return told
}

// finite returns a number that JSON can hold, else nil.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// keep remembers what inference found, without its labels.
func (r *hmrfRun) keep(a infer.Answer) {
	a.Labels = nil
	r.inferred = &a
}
