package lloyd

import (
	"fmt"
	"slices"
	"strings"
)

// A Distortion is a measure of how far a point is from a centre.
type Distortion string

// The distortions of k-means. Methods with more of them have a type of their own.
const (
	Euclidean = "euclidean" // ‖x − μ‖²
	Cosine    = "cosine"    // 1 − x'μ / ‖x‖, with ‖μ‖ = 1
)

// Values returns all distortions.
func (Distortion) Values() []string { return []string{Euclidean, Cosine} }

// Check returns an error if d is none of Values.
func (d Distortion) Check() error { return CheckValue("distortion", d) }

// CheckValue returns an error if the parameter called name has a value that is not
// one of its type's.
func CheckValue[T interface {
	~string
	Values() []string
}](name string, value T) error {
	if all := value.Values(); !slices.Contains(all, string(value)) {
		return fmt.Errorf("%s must be one of %s, got %q", name, strings.Join(all, ", "), string(value))
	}
	return nil
}
