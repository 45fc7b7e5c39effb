package hmrf

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/metric"
)

// NewPC returns PC-KMeans (Basu, Bilenko and Mooney 2003, section 2.2): no
// metric is learned, every violated pair costs the same, and what follows from
// the pairs counts too.
//
// The paper's weight is 1, which does nothing on data whose squared distances
// are in the thousands; here the weight follows from the data. Weight 1 is the
// paper's.
func NewPC() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormNone, Penalty: metric.Constant, Inference: ICM, Sweeps: 1, JointReassign: true,
		Init: Farthest, Weight: cluster.ByRule(cluster.RuleAuto), Closure: On, Complexity: BIC, LogDet: metric.ScaleN}
}

// NewMPC returns MPC-KMeans (Basu, Bilenko and Mooney 2003, figure 1): a
// diagonal metric is learned along with the clusters, a violated pair costs by
// the distance of its points, constrained points are assigned in one sweep, and
// entailed pairs count too.
//
// It differs from the paper in four points, each of which can be undone: costs grow
// with distance the way the text and the paper of 2004 say, not the formula (Penalty = "mpc"); the start does not take neighbourhoods of one
// cluster twice, and others may win over it (Init = "largest"); points that hold each other in place
// are reassigned together (JointReassign = false); and a richer metric is used
// only if BIC prefers it (Complexity = "none"). As printed, few pairs do more harm than good.
func NewMPC() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormDiagonal, Penalty: metric.HMRF, Inference: ICM, Sweeps: 1, JointReassign: true,
		Init: Farthest, Weight: cluster.Fixed(1), Closure: On, Complexity: BIC, LogDet: metric.ScaleN}
}

// NewM returns M-KMeans (the same paper, section 4.2): pairs shape the metric,
// by the formula of 2003, and nothing else. Points go to their nearest centres,
// unless J would rise by that; then constrained points stay. The start is
// random. Many pairs make the metric collapse, as the paper's curves suggest.
func NewM() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: metric.FormDiagonal, Penalty: metric.MPC2003, Inference: Nearest,
		Init: Random, Weight: cluster.Fixed(1), Closure: Off, Complexity: NoComplexity, LogDet: metric.ScaleN}
}
