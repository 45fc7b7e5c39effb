// Package lloyd is the engine of k-means: nearest-centre search with bounds, sums
// and costs that follow the rows that move, spherical k-means, the Centres model, the
// run of Lloyd's iteration, and swaps of centres that leave its local minima. A Search knows
// no run, a Run no swaps, and what a swap would gain (estimate) neither. The methods of
// centroid, cop and hmrf are built on it.
//
// Letters as in the papers: n points x_i with weights w_i, k clusters h with
// centres μ_h, labels l_i.
//
// # What an iteration costs
//
// The cost of k-means is the search for the nearest of k centres. Dense rows are
// searched in blocks by package simd, whose labels are proven equal to those of the
// plain distance function. Rows are kept in integers from pass to pass where they
// fit into a quarter of a gigabyte.
//
// Bounds spare rows the search (after Hamerly 2010 and Ding et al. 2015): while an
// upper bound on the distance to a row's own centre is below a lower bound on the
// distance to all others, the label stands and the row is not read. Where it is
// not, the row is searched among the centres that moved furthest, then among all.
// Before each pass a sample of rows decides whether bounds are cheaper than a full
// search.
//
// The sums of clusters are kept in two numbers each: only rows that change their
// cluster are added and subtracted, and the sums are those of the labels whatever
// the way to them. The cost follows the moves too, and is measured at the end.
// Sparse rows meet all centres in one walk through their values.
//
// None of this changes a bit of the result: tests compare with a plain Lloyd
// iteration, and every bound with the distance it is about.
package lloyd
