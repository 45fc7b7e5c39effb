package hmrf

import (
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/hint"
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
// ever impossible, only costly, so contradictory constraints have an answer too.
//
// NewPC, NewM, NewMPC and NewHMRF are settings of it with names.
type HMRF struct {
	Distortion    Distortion         `json:"distortion" help:"distance of a row from a centre"`
	Metric        metric.FormName    `json:"metric" help:"form of the learned metric"`
	Penalty       metric.Penalty     `json:"penalty" help:"cost of a violated link: constant, or by distance as in the paper of 2004 or of 2003"`
	Inference     Inference          `json:"inference" help:"how constrained rows are assigned: one by one, by belief propagation, by linear programming, or to the nearest centre"`
	Sweeps        int                `json:"sweeps" help:"sweeps of icm in an iteration; 0: until no row moves"`
	JointReassign bool               `json:"joint_reassign" help:"icm: reassign linked rows that block one another together"`
	Init          Init               `json:"init" file:"centres" help:"first centres: from neighbourhoods of linked rows, or from rows; or a table of k centres"`
	Weight        cluster.Number     `json:"weight" rules:"auto" help:"cost of a violated link of weight 1; auto: what it costs to move a typical row to its second best cluster, times 0.5 with a diagonal and 3 with a full metric; at low effort 1, or for constant penalties as much as a row costs on average"`
	Closure       Closure            `json:"closure" help:"whether links that follow from the given ones count too"`
	Shrinkage     float64            `json:"shrinkage" help:"prior of the shared metric, in rows; below 0: the least that is numerically safe"`
	Complexity    Complexity         `json:"complexity" help:"bic: a richer metric is used only if BIC prefers it; none: always the one asked for"`
	LogDet        metric.LogDetScale `json:"log_det" help:"whether log det A counts once for each row, or once"`
	Literal       bool               `json:"literal" help:"as printed: the metric step ignores that the largest cost depends on the metric, starts are not compared, and labels of bp and lp are not improved by icm"`

	// Centres, if not nil, are the first centres, and Init is not used.
	Centres *data.Dense `json:"-"`
}

// StartFrom makes c the first centres.
func (a *HMRF) StartFrom(c *data.Dense) { a.Centres = c }

// NewHMRF returns HMRF-KMeans (Bilenko and Basu 2004, figure 2): one full metric
// is learned, a violated pair costs by the distance of its points, and only the
// given pairs count. Inference says how constrained points are assigned: by
// sweeps until nothing moves, by belief propagation or by linear programming.
//
// The paper's equation (6) has nothing that keeps the metric from shrinking to
// nothing; here −log det A does. A full metric is taken only where the data bear
// it (Complexity), and drawn to a diagonal one (Shrinkage). The paper's weight is 1;
// in a search (normal and high effort) it follows from the data, because φ_max can make
// one violated cannot-link cost as much as dozens of points.
func NewHMRF() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormFull, Penalty: metric.HMRF, Inference: ICM, JointReassign: true,
		Init: Farthest, Weight: cluster.ByRule(cluster.RuleAuto), Closure: Off, Shrinkage: metric.AutoShrink, Complexity: BIC, LogDet: metric.ScaleN}
}

// NewPC returns PC-KMeans (Basu, Bilenko and Mooney 2003, section 2.2): no
// metric is learned, every violated pair costs the same, and what follows from
// the pairs counts too.
//
// The paper's weight is 1, which does nothing on data whose squared distances
// are in the thousands; here the weight follows from the data, at low effort too.
// Weight 1 is the paper's.
func NewPC() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormNone, Penalty: metric.Constant, Inference: ICM, Sweeps: 1, JointReassign: true,
		Init: Farthest, Weight: cluster.ByRule(cluster.RuleAuto), Closure: On, Complexity: BIC, LogDet: metric.ScaleN}
}

// NewMPC returns MPC-KMeans (Basu, Bilenko and Mooney 2003, figure 1): a
// diagonal metric is learned along with the clusters, a violated pair costs by
// the distance of its points, constrained points are assigned in one sweep, and
// entailed pairs count too.
//
// It differs from the paper in six points, each of which can be undone: costs grow
// with distance the way the text and the paper of 2004 say, not the formula (Penalty = "mpc"); the start does not take neighbourhoods of one
// cluster twice, and others may win over it (Init = "largest"); points that hold each other in place
// are reassigned together (JointReassign = false); a richer metric is used
// only if BIC prefers it (Complexity = "none"); and in a search the weight follows from
// the data, and centres and metric are kept only if the constraints speak for them (Weight = 1
// undoes both, see Fallback). As printed, few pairs do more harm than good.
func NewMPC() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormDiagonal, Penalty: metric.HMRF, Inference: ICM, Sweeps: 1, JointReassign: true,
		Init: Farthest, Weight: cluster.ByRule(cluster.RuleAuto), Closure: On, Complexity: BIC, LogDet: metric.ScaleN}
}

// NewM returns M-KMeans (the same paper, section 4.2): pairs shape the metric,
// by the formula of 2003, and nothing else. Points go to their nearest centres,
// unless J would rise by that; then constrained points stay. The start is
// random. Many pairs make the metric collapse, as the paper's curves suggest.
func NewM() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormDiagonal, Penalty: metric.MPC2003, Inference: Nearest,
		Init: Random, Weight: cluster.ByRule(cluster.RuleAuto), Closure: Off, Complexity: NoComplexity, LogDet: metric.ScaleN}
}

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
	for _, err := range []error{
		checkEnum("distortion", a.Distortion), checkEnum("metric", a.Metric), checkEnum("penalty", a.Penalty), checkEnum("inference", a.Inference),
		checkEnum("init", a.Init), checkEnum("closure", a.Closure), checkEnum("complexity", a.Complexity), checkEnum("log_det", a.LogDet),
		a.Weight.Check("weight", 0, cluster.RuleAuto),
	} {
		if err != nil {
			return err
		}
	}
	if form, err := a.Metric.Form(); err != nil {
		return err
	} else if err := checkPairing(a.Distortion, form); err != nil {
		return err
	}
	if err := lloyd.CheckFirst(p, a.Centres); err != nil {
		return err
	}
	if math.IsNaN(a.Shrinkage) || math.IsInf(a.Shrinkage, 0) {
		return fmt.Errorf("shrinkage must be finite, got %v", a.Shrinkage)
	}
	if a.Sweeps < 0 {
		return fmt.Errorf("sweeps must not be negative, got %d", a.Sweeps)
	}
	if c := p.Constraints.Classes(); c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	if a.Closure == On && (a.Inference == BP || a.Inference == LP) {
		if err := pairgraph.CheckEntailed(p); err != nil {
			return err
		}
	}
	if v := divergenceOf(a.Distortion); v != nil {
		if err := v.Check(p.X); err != nil {
			return &cluster.ProblemError{Field: "x", Err: err}
		}
		if a.Centres != nil {
			if err := v.Check(a.Centres); err != nil {
				return &cluster.ProblemError{Field: "init", Err: err}
			}
		}
	}
	return nil
}

// checkPairing refuses metrics that are not learned for a distortion.
func checkPairing(distortion Distortion, f metric.Form) error {
	switch {
	case f.Shape == metric.None || distortion == Euclidean:
		return nil
	case !distortion.weighed():
		return hint.Wrap(fmt.Errorf("no metric is learned for distortion %s, got metric %s", distortion, f), "use {metric=none}")
	case f.Shape == metric.Full:
		return hint.Wrap(fmt.Errorf("distortion %s takes only diagonal metrics, got metric %s", distortion, f), "use {metric=diagonal}")
	}
	return nil
}
