// Package affinity turns rows into a kernel or a graph: how similar two points
// are, for methods that need nothing else.
//
// A Kernel says how similar any two rows are. Over prepares it for a table of
// rows; the result is read by tiles, computed on demand or, by Matrix, once and
// for all. KNN finds the nearest neighbours of every row, and Neighbours.Graph
// makes an undirected graph of them, with weights of several kinds.
//
// In comments n is the number of rows, d of features, k of neighbours; i and j
// are rows, f is a feature and ρ the width of a kernel.
//
// All results have the same bits on any number of workers and on every machine.
// The distance of two dense rows is one chain of additions Σ_f (x_f − y_f)² in
// the order of f. That of two sparse rows is ‖x‖² + ‖y‖² − 2x·y, where products
// are added in the order of f, and never below 0: its cost is proportional to the
// values in the rows, and equal rows have distance 0 exactly. Where the
// difference would lose most of its digits, it is computed feature by feature.
//
// Neighbours of dense rows are found by comparing every pair in panels, or, where a
// sample of rows shows that it pays, only the pairs that a k-d tree cannot rule
// out. Bounds are rounded in the order of distances, so the tree loses no neighbour
// to rounding and both give the same lists. An Index has a third way, rings around
// centres (RingBatch), for rows of many features that form groups. Beyond what that can do in seconds,
// random trees and neighbour descent find most neighbours; each row reads only the
// lists of the round before, and the recall is measured on a sample and reported.
package affinity
