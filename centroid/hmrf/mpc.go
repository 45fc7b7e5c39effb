package hmrf

import (
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/metric"
)

// NewMPC returns MPC-KMeans (Basu, Bilenko and Mooney 2003, figure 1): a
// diagonal metric is learned along with the clusters, a violated pair costs by
// the distance of its points, constrained points are assigned in one sweep, and
// what follows from the pairs counts too.
//
// It differs from the print in four things, each of which can be had back:
// prices grow with distance the way the text and the paper of 2004 say, not the
// formula (Penalty = "mpc"); the start does not take neighbourhoods of one
// cluster twice, and others may win over it (Init = "largest"); points that hold each other in place may try
// anew together (Thaw = false); and the metric stays round unless the data bear
// more (Complexity = "none"). As printed, few pairs do more harm than good.
func NewMPC() *HMRF {
	return &HMRF{Distortion: lloyd.Euclidean, Metric: metric.FormDiagonal, Penalty: metric.HMRF, Inference: "icm", Sweeps: 1, Thaw: true,
		Init: "farthest", Weight: "1", Closure: On, Complexity: "bic", LogDet: metric.ScaleN}
}

// NewM returns M-KMeans (the same paper, section 4.2): pairs shape the metric,
// by the formula of 2003, and nothing else. Points go to their nearest centres,
// unless J would rise by that; then constrained points stay. The start is
// random. Many pairs make the metric collapse, as the paper's curves suggest.
func NewM() *HMRF {
	return &HMRF{Distortion: lloyd.Euclidean, Metric: metric.FormDiagonal, Penalty: metric.MPC2003, Inference: "nearest",
		Init: "random", Weight: "1", Closure: Off, Complexity: "none", LogDet: metric.ScaleN}
}
