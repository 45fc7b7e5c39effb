// Package score says how good a clustering is: against the truth (mutual
// information, Rand and adjusted Rand, pairwise precision, recall and F,
// homogeneity, completeness, V, purity), against the data (silhouette) and
// against what was known (satisfied constraints, kept labels, violations).
//
// Everything that compares two labellings is read from one Table, counted in
// one pass. Of the two, the first is always the truth and the second the
// prediction; only precision, recall, homogeneity, completeness and purity
// depend on which is which. In comments n is the number of points, a class is
// a group of the truth and a cluster a group of the prediction.
package score

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// A Table counts how two labellings of the same points meet: how many points
// of each class are in each cluster. Classes and clusters are numbered from 0
// in the rising order of their labels; a label that no point has is no class.
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

// NewTable counts the truth against the prediction, two labellings of the same
// points. Labels may be any numbers, also negative ones; each value is a group
// of its own. It costs O(n) time, and on labels that are not wildly spread no
// memory beyond the counts.
func NewTable(truth, pred []int) (*Table, error) {
	if err := checkLengths(len(truth), len(pred)); err != nil {
		return nil, err
	}
	a, b := spanOf(truth), spanOf(pred)
	if dense := denseCells(len(truth)); a.width <= dense && b.width <= dense && a.width*b.width <= dense {
		counts := countDense(truth, pred, a, b)
		return fromDense(len(truth), counts, a.values(), b.values()), nil
	}
	var p, q coded
	both(func() { p = encode(truth, a) }, func() { q = encode(pred, b) })
	return fromCodes(p, q), nil
}

// NewTableStrings is NewTable for labels that are names.
func NewTableStrings(truth, pred []string) (*Table, error) {
	if err := checkLengths(len(truth), len(pred)); err != nil {
		return nil, err
	}
	var p, q coded
	both(func() { p = encodeNames(truth) }, func() { q = encodeNames(pred) })
	return fromCodes(p, q), nil
}

func checkLengths(truth, pred int) error {
	if truth != pred {
		return fmt.Errorf("%d true labels, %d predicted; both must label the same points", truth, pred)
	}
	return nil
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
