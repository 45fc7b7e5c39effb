// Package metric holds distances that are learned while points are clustered:
// squared Euclidean distances under positive definite matrices A (Basu, Bilenko
// and Mooney 2003; Bilenko and Basu 2004), the penalties of violated constraints
// that go with them, and divergences with learned weights.
//
// A Learned is one matrix for all clusters or one for each. A Scatter is what it
// is estimated from: weighted sums of (x−y)(x−y)'. Estimate turns the one into
// the other. Penalties says what a violated constraint costs under a Learned, and
// what it adds to the Scatter: the same penalties serve assignment, metric step
// and objective, so that these cannot disagree.
//
// In comments n is the number of points, d of features, k of clusters; x, y are
// points, μ_h is a centre, A_h a metric, S_h a scatter, N_h the weight of the
// points of cluster h and N that of all. A cluster h of a metric that all
// clusters share is any number: every method takes the label of a cluster.
package metric
