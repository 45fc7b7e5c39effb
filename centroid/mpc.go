package centroid

import "github.com/inklinghq/inkling/metric"

// NewMPC returns MPC-KMeans (Basu, Bilenko and Mooney 2003, figure 1).
func NewMPC() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: "diagonal", Potential: metric.HMRF, Inference: "icm", Sweeps: 1,
		Init: "farthest", Weight: "1", Closure: Closed, LogDet: metric.ScaleN}
}

// NewM returns M-KMeans.
func NewM() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: "diagonal", Potential: metric.MPC2003, Inference: "nearest",
		Init: "random", Weight: "1", Closure: Given, LogDet: metric.ScaleN}
}

// NewHMRF returns HMRF-KMeans (Bilenko and Basu 2004, figure 2).
func NewHMRF() *HMRF {
	return &HMRF{Distortion: Euclidean, Metric: "diagonal", Potential: metric.HMRF, Inference: "icm",
		Init: "farthest", Weight: "1", Closure: Given, LogDet: metric.ScaleN}
}
