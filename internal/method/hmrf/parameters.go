package hmrf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A Distortion names the distance (metric.Distance) of a row from a centre.
type Distortion string

// The distortions.
const (
	Euclidean    Distortion = metric.Euclidean
	Cosine       Distortion = metric.Cosine
	KL           Distortion = metric.KL
	IDivergence  Distortion = metric.IDivergence
	ItakuraSaito Distortion = metric.ItakuraSaito
)

// Values returns the names of all distortions.
func (Distortion) Values() []string { return metric.DistanceNames(nil) }

// An Inference says how constrained points are assigned.
type Inference string

// The kinds of inference.
const (
	ICM     Inference = "icm"     // iterated conditional modes, one point after the other
	BP      Inference = "bp"      // belief propagation
	LP      Inference = "lp"      // linear programming
	Nearest Inference = "nearest" // to the nearest centre, unless the objective would rise
)

// Values returns the names of all kinds of inference.
func (Inference) Values() []string {
	return []string{string(ICM), string(BP), string(LP), string(Nearest)}
}

// An Init says how the first centres are chosen (Basu, Bilenko and Mooney 2003,
// section 3.1).
type Init string

// The ways to choose the first centres.
const (
	// Farthest takes the largest neighbourhood first and then the one for which
	// size × distance to the nearest one chosen is greatest, leaves out those that
	// seem to lie in a cluster that has one already, and is kept unless rows and
	// pairs favour a start without constraints (see starts.Contest).
	Farthest Init = "farthest"
	// Largest takes the k largest neighbourhoods, as the paper does. Several may
	// lie in one cluster.
	Largest Init = "largest"
	// Random takes k different rows and uses no constraints.
	Random Init = "random"
	// KMeansPlusPlus uses no constraints either.
	KMeansPlusPlus Init = "k-means++"
)

// Values returns the names of all ways to choose the first centres.
func (Init) Values() []string {
	return []string{string(Farthest), string(Largest), string(Random), string(KMeansPlusPlus)}
}

// Closure says whether entailed pairs count: each as much as the weakest link of the
// strongest chain that entails it. Beliefs entail nothing.
type Closure string

// What Closure can be.
const (
	On  Closure = "on"  // pairs that follow from the given ones count too
	Off Closure = "off" // only the given pairs count
)

// Values returns the names of both.
func (Closure) Values() []string { return []string{string(On), string(Off)} }

// Complexity says whether a simpler metric than the one asked for may be used.
type Complexity string

// What Complexity can be.
const (
	BIC          Complexity = "bic"  // a richer metric is used only if BIC prefers it
	NoComplexity Complexity = "none" // always the metric asked for
)

// Values returns the names of both.
func (Complexity) Values() []string { return []string{string(BIC), string(NoComplexity)} }

// checkEnum refuses a value that is not among those of its type.
func checkEnum[T interface {
	~string
	Values() []string
}](name string, value T) error {
	if all := value.Values(); !slices.Contains(all, string(value)) {
		return fmt.Errorf("%s must be one of %s, got %q", name, strings.Join(all, ", "), string(value))
	}
	return nil
}

// distance returns the distance of that name.
func (d Distortion) distance() metric.Distance {
	by, _ := metric.FindDistance(string(d))
	return by
}

// searched reports whether d is Euclidean, perhaps of rows of length 1.
func (d Distortion) searched() bool { return d.distance().Searched }

// weighed reports whether weights of features can be learned for d.
func (d Distortion) weighed() bool { return d.distance().Weighed }

// divergenceOf returns the divergence that a distortion is, nil for those that are Euclidean, as the
// cosine is among rows of length 1.
func divergenceOf(distortion Distortion) metric.Divergence {
	if distortion.searched() {
		return nil
	}
	v, err := metric.ParseDivergence(string(distortion), 0)
	if err != nil {
		return nil // Check has refused it
	}
	return v
}
