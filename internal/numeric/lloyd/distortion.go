package lloyd

import "github.com/inklinghq/inkling/internal/support/enum"

// A Distortion is a measure of how far a point is from a centre.
type Distortion string

// The distortions of k-means. Methods with more of them have a type of their own.
const (
	Euclidean Distortion = "euclidean" // ‖x − μ‖²
	Cosine    Distortion = "cosine"    // 1 − x'μ / ‖x‖, with ‖μ‖ = 1
)

// Values returns all distortions.
func (Distortion) Values() []string { return []string{string(Euclidean), string(Cosine)} }

// Check returns an error if d is not one of Values.
func (d Distortion) Check() error { return enum.Check("distortion", d) }
