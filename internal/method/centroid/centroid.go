// Package centroid holds the k-means methods that use no constraints or labels
// alone: KMeans, Seeded and Constrained. The methods that use pairs are in
// centroid/cop and centroid/hmrf, the engine of all of them in internal/lloyd.
//
// Letters as in the papers: n points x_i with weights w_i, k clusters h with
// centres μ_h, labels l_i.
package centroid

import "github.com/inklinghq/inkling/internal/numeric/lloyd"

// Centres is the model of the k-means methods: a point belongs to the nearest of
// K centres, the lowest on ties.
type Centres = lloyd.Centres

// A Distortion is a measure of how far a point is from a centre.
type Distortion = lloyd.Distortion

// The distortions.
const (
	Euclidean = lloyd.Euclidean // ‖x − μ‖²
	Cosine    = lloyd.Cosine    // 1 − x'μ / ‖x‖, with ‖μ‖ = 1
)
