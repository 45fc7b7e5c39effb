// Package hmrf is the family of soft constrained k-means: PC-KMeans, M-KMeans,
// MPC-KMeans and HMRF-KMeans, settings of one algorithm.
//
// # One objective made of parts
//
// The objective is distortion + learned metric + cost of violated constraints.
// Distortion, metric, penalty, inference and start are chosen independently, and the
// four methods are settings with names. An iteration computes means, then the
// metric, then the assignment.
//
// The distortion of a point under a metric that all clusters share is found by the
// search of k-means in the transformed space; bounds are carried from metric to
// metric. Where every cluster has a metric of its own, all k costs are computed.
// Sums and cost follow the points that move; costs under a new metric follow from
// the scatter.
//
// Entailed pairs are walked through, or counted by cluster for components of many
// points, and written out only where there are few.
//
// A run is a descent of five parts: the labelling with centres, metric and prices of pairs; the totals that
// it adds up to; the assignment; the metric step; and the search (state.go).
//
// # Assignment
//
// Points without constraints take the nearest centre. The others are visited one
// after the other (ICM), but only those that are not at their nearest centre,
// violate a constraint, or are linked to one that moved: penalties are never
// negative, so nothing is cheaper than the nearest centre without penalty. Many
// points are visited in rounds: all compute in parallel where they would go, those
// whose partners stay move at once, the rest waits for the next round. That too is
// a sweep one by one in some order, and the same on any number of workers. When few
// points still move, those that block one another are reassigned
// jointly; the outcome is kept if the objective is lower. Belief
// propagation and linear programming propose labels for all constrained points,
// kept on the same condition. They are asked only for the points around pairs that
// the nearest centres violate: elsewhere the nearest centres are the best labels.
//
// # Metric
//
// A richer metric is used only if BIC prefers it: each of its numbers costs log N,
// and the metric step takes the cheapest of the identity, the diagonal, the full one and
// the one asked for. This keeps few pairs from doing harm.
//
// # Start
//
// A start from the constraints competes with starts that ignore them; each makes
// a few steps of k-means on a sample. The difference in distortion and the
// difference in violated pairs are both measured in their own standard errors, and
// the sum decides. So a few constraints do no harm where the rows distinguish the
// starts, and decide where the rows do not. papers/evidence/CURVES.md has what was
// measured.
//
// In a search the restarts after the first differ: they start from rows alone, or from
// neighbourhoods that are drawn, and the last one from the labels found without
// constraints. The lowest J wins, so that it is never above that of those labels.
//
// Then, with a diagonal metric, the constraints judge: where every point goes to its nearest
// centre, they must speak for the centres and the metric of the winner, rather than for
// those without constraints, by a standard error. J cannot tell: a pair is honoured by
// moving its two points alone, and centres follow them. If they do not, centres and
// metric stay those of the labels without constraints, and only constrained points
// are assigned as their pairs ask (Fallback). The papers do not compare. With a given
// weight, with fewer than twenty constraints and with more than points there is no
// comparison either.
//
// # Weight
//
// A violated pair of weight 1 costs w. In a search w is by default a share of the
// median margin of the points, by how much their second nearest centre is farther than the
// nearest: so pairs decide about points between clusters, whatever φ_max is.
//
// # Search
//
// Where the effort asks for it, a run leaves local minima of its own objective: when an
// iteration gains little, centres whose removal costs little are used to split other
// clusters, and after a few iterations the result is kept if the objective has fallen.
// Labels that ICM left are compared with those of belief propagation. There is no
// search with a metric for each cluster or with divergences.
package hmrf
