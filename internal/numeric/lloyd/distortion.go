package lloyd

import (
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// A Distortion names the distance (metric.Distance) of a point from a centre that k-means uses: those that it
// searches by bounds. Methods that take all distances have a type of their own.
type Distortion string

// The distortions of k-means.
const (
	Euclidean Distortion = metric.Euclidean // ‖x − μ‖²
	Cosine    Distortion = metric.Cosine    // 1 − x'μ / ‖x‖, with ‖μ‖ = 1
)

// Values returns all distortions.
func (Distortion) Values() []string {
	return metric.DistanceNames(func(d metric.Distance) bool { return d.Searched })
}

// Distance returns the distance of that name.
func (d Distortion) Distance() metric.Distance {
	by, _ := metric.FindDistance(string(d))
	return by
}

// Check returns an error if d is not one of Values.
func (d Distortion) Check() error { return enum.Check("distortion", d) }
