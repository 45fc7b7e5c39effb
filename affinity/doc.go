// Package affinity turns rows into a kernel or a graph: how alike two points
// are, for methods that ask for nothing else.
//
// A Kernel says how alike any two rows are. Over prepares it for a table of
// rows; the result is asked for by tiles, computed on the fly or, by Matrix,
// once and for all. KNN finds the nearest neighbours of every row, and
// Neighbours.Graph makes an undirected graph of them, with weights of several
// kinds. Pixels.Graph makes one of the pixels of an image.
//
// In comments n is the number of rows, d of features, k of neighbours; i and j
// are rows, f is a feature and ρ the width of a kernel.
//
// Whatever is computed has the same bits on any number of workers and on every
// machine. The distance of two dense rows is one chain of additions
// Σ_f (x_f − y_f)² in the order of f. That of two sparse rows is
// ‖x‖² + ‖y‖² − 2x·y, products being added in the order of f, and never below
// 0: it costs what the rows hold, and equal rows are at 0 exactly, but two rows
// that are nearly equal and far from the origin lose digits.
package affinity
