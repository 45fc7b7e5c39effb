package hmrf

import (
	"github.com/inklinghq/inkling/internal/lloyd"
	"github.com/inklinghq/inkling/metric"
)

// NewPC returns PC-KMeans (Basu, Bilenko and Mooney 2003, section 2.2): no
// metric is learned, every violated pair costs the same, and what follows from
// the pairs counts too.
//
// The paper's weight is 1, which does nothing on data whose squared distances
// are in the thousands; here the weight follows from the data. Weight = "1" is
// the paper's.
func NewPC() *HMRF {
	return &HMRF{Distortion: lloyd.Euclidean, Metric: metric.FormNone, Penalty: metric.Constant, Inference: "icm", Sweeps: 1, Thaw: true,
		Init: "farthest", Weight: Auto, Closure: On, Complexity: "bic", LogDet: metric.ScaleN}
}
