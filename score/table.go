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

import (
	"iter"
	"slices"
	"strconv"
)

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

// A group is one side of a table: the sizes of its parts and their labels,
// which are numbers or, from NewTableStrings, names.
type group struct {
	sizes  []int
	values []int
	names  []string
}

type cell struct {
	class, cluster int32
	n              int
}

// A Cell says that N points of class Class are in cluster Cluster.
type Cell struct {
	Class, Cluster, N int
}

// N returns the number of points.
func (t *Table) N() int { return t.n }

// ClassSizes returns how many points each class has.
func (t *Table) ClassSizes() []int { return slices.Clone(t.classes.sizes) }

// ClusterSizes returns how many points each cluster has.
func (t *Table) ClusterSizes() []int { return slices.Clone(t.clusters.sizes) }

// ClassNames returns the label of each class as a string.
func (t *Table) ClassNames() []string { return t.classes.labels() }

// ClusterNames returns the label of each cluster as a string.
func (t *Table) ClusterNames() []string { return t.clusters.labels() }

// Cells yields the cells that are not zero, by class and then by cluster.
func (t *Table) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for _, c := range t.cells {
			if !yield(Cell{int(c.class), int(c.cluster), c.n}) {
				return
			}
		}
	}
}

func (g *group) labels() []string {
	if g.names != nil {
		return slices.Clone(g.names)
	}
	s := make([]string, len(g.values))
	for i, v := range g.values {
		s[i] = strconv.Itoa(v)
	}
	return s
}
