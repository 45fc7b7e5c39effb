// Package score measures how good a clustering is: against the truth (mutual
// information, Rand and adjusted Rand, pairwise precision, recall and F,
// homogeneity, completeness, V, purity), against the data (silhouette) and
// against the constraints (how many are satisfied, which are violated).
//
// Everything that compares two labellings is computed from one Table, counted in
// one pass. The first labelling is always the truth and the second the
// prediction; only precision, recall, homogeneity, completeness and purity
// depend on which is which. In comments n is the number of points, a class is
// a group of the truth and a cluster a group of the prediction.
package score

// A Table counts how two labellings of the same points meet: how many points
// of each class are in each cluster. Classes and clusters are numbered from 0
// in the ascending order of their labels; a label that no point has is not a
// class.
// Only cells that are not zero are kept, so memory is linear in n at worst.
type Table struct {
	n                 int
	classes, clusters group
	cells             []cell // by class, then by cluster
}

// A group is one side of a table: the sizes of its parts and their labels.
type group struct {
	sizes  []int
	values []int
}

type cell struct {
	class, cluster int32
	n              int
}
