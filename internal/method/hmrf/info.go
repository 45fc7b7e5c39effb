package hmrf

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/internal/numeric/infer"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// Info is what a run of HMRF reports beside its model: what violated pairs cost
// in the end, and what inference could prove.
type Info struct {
	// Closure is what it turned out to be: off also where it was to be on, but
	// more pairs would follow than can be priced by distance.
	Closure    Closure   `json:"closure"`
	PairWeight float64   `json:"pair_weight"`       // what w was, where it was to follow from the data
	Weights    []float64 `json:"weights,omitempty"` // of the features, in one diagonal metric
	// MetricForm is the form of the metric as it turned out, which may be simpler than
	// the one asked for: round stands for a multiple of the identity.
	MetricForm string `json:"metric_form,omitempty"`
	// PhiMax is the largest cost of a pair of weight 1: a number, or where every
	// cluster has its own metric a list of them. PhiMaxRule says of what it is the squared length: "exact" of the
	// farthest rows, "far-pair" of rows nearly so far apart (see metric.Extremes),
	// "must-links" or "cannot-links" of the farthest of these.
	PhiMax     any    `json:"phi_max,omitempty"`
	PhiMaxRule string `json:"phi_max_rule,omitempty"`
	LogDetRule string `json:"log_det_rule,omitempty"` // n or one: how often −log det A is in the objective
	// Unconstrained reports that centres and metric are those of the clusters without
	// constraints, because the constraints did not speak for others (see HMRF.Fallback).
	Unconstrained bool `json:"unconstrained,omitempty"`

	// Of belief propagation and linear programming, in the last assignment:
	Energy     *float64 `json:"energy,omitempty"`     // of the constrained rows
	Bound      *float64 `json:"bound,omitempty"`      // no labels cost less
	Fractional *float64 `json:"fractional,omitempty"` // the share of rows without a whole label in the relaxation
	Converged  *bool    `json:"converged,omitempty"`

	requestedClosure Closure // what closure was to be
	metricNote       string  // why the metric is not of the form asked for; "": it is
	rank             int     // of the metric: how many numbers it is made of
}

// Notes returns what users should know about the run.
func (t *Info) Notes() (notes []string) {
	if t.requestedClosure != t.Closure {
		notes = append(notes, "the links entail too many pairs to compute their costs by distance: only the given links count ({penalty=constant} uses all)")
	}
	if t.Unconstrained {
		notes = append(notes, "centres and metric are those found without constraints: where every row goes to its nearest centre, no others satisfy clearly more of them (a given {weight=1} is used without comparing)")
	}
	if t.metricNote != "" {
		notes = append(notes, t.metricNote)
	}
	return notes
}

// describeMetric returns the form of the metric as it turned out, and a note where it
// is not the one asked for.
func (r *descent) describeMetric() (form, note string) {
	asked, _ := r.a.Metric.Form()
	k, d := r.p.K, r.p.X.Dim()
	for _, f := range []metric.Form{{}, {Shape: metric.Diagonal}, {Shape: metric.Full}, {Shape: metric.Diagonal, PerCluster: true}, {Shape: metric.Full, PerCluster: true}} {
		if parameterCount(f, k, d) == r.rank && (form == "" || f == asked) {
			if form = f.String(); f.Shape == metric.None {
				form = "round"
			}
		}
	}
	switch many := parameterCount(asked, k, d); {
	case r.rank == many:
	case r.rank == 0:
		form = "none"
		note = fmt.Sprintf("no metric was learned, although a %s one was asked for: the distance as it is has the lowest objective", asked)
	case asked.Shape != r.form.Shape:
		note = fmt.Sprintf("the metric is %s, not %s as asked for: that has %d numbers, more than there are rows ({complexity=none} learns it all the same)", form, asked, many)
	default:
		note = fmt.Sprintf("the metric is %s, not %s as asked for: BIC prefers it ({complexity=none} learns the one asked for)", form, asked)
	}
	return form, note
}

// Learned returns the Info of the run.
func (r *descent) Learned() any {
	info := &Info{Closure: r.closureUsed, PairWeight: r.penalty.w, requestedClosure: r.a.Closure, rank: r.rank, Unconstrained: r.assignsOnly}
	if m := r.model; m.learned() {
		info.LogDetRule = string(r.a.LogDet)
		info.MetricForm, info.metricNote = r.describeMetric()
		if f := m.Metric.Form(); f.Shape == metric.Diagonal && !f.PerCluster {
			info.Weights = m.Metric.Weights(0)
		}
	}
	if !r.penalty.isConstant() && len(r.graph.Constrained) > 0 {
		info.PhiMaxRule = r.penaltyScale.rule
		most := make([]float64, r.model.Metric.Metrics())
		for h := range most {
			most[h] = r.penalty.penalties.MaxDist2(h)
		}
		if info.PhiMax = most; len(most) == 1 {
			info.PhiMax = most[0]
		}
	}
	if a := r.inferred; a != nil {
		info.Energy, info.Bound, info.Converged = &a.energy, finiteOrNil(a.energy-a.gap), &a.converged
		if r.a.Inference == LP {
			info.Fractional = &a.fractional
		}
	}
	return info
}

// finiteOrNil returns a number that JSON can hold, else nil.
func finiteOrNil(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// An inferred is what inference found in an assignment.
type inferred struct {
	energy     float64 // of the constrained points
	gap        float64 // by how much it can at most be above the optimum
	fractional float64 // the share of constrained points without an integral label
	converged  bool
}

// keepInference keeps what inference found, without its labels, which cost so much.
func (r *assignment) keepInference(a infer.RegionAnswer, cost float64) {
	r.inferred = &inferred{cost, a.Gap, float64(a.Fractional) / float64(len(r.graph.Constrained)), a.Converged}
}
