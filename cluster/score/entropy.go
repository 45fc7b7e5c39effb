package score

import "math"

// MI returns the mutual information of truth and prediction in nats (natural
// logarithm), from 0 to the smaller of their entropies. It is symmetric. One
// group on either side, or no points, is 0.
func (t *Table) MI() float64 {
	if t.oneSided() {
		return 0
	}
	n := float64(t.n)
	sum := 0.0
	for _, c := range t.cells {
		m := float64(c.n)
		a, b := float64(t.classes.sizes[c.class]), float64(t.clusters.sizes[c.cluster])
		// One quotient and one logarithm: a difference of logarithms would
		// lose digits where the labellings are nearly independent.
		sum += m / n * math.Log((m*n)/(a*b))
	}
	return max(sum, 0)
}

// NMI returns MI divided by the arithmetic mean of the two entropies, from 0
// to 1. It is symmetric. One class against one cluster is 1, as is no points
// at all; where only one of the two is a single group it is 0.
func (t *Table) NMI() float64 { return t.nmi(t.MI()) }

func (t *Table) nmi(mi float64) float64 {
	if t.pure() && t.whole() {
		return 1
	}
	if t.oneSided() {
		return 0
	}
	mean := (entropy(t.classes.sizes, t.n) + entropy(t.clusters.sizes, t.n)) / 2
	return min(mi/mean, 1)
}

// NMI returns the normalised mutual information of two labellings of the same
// points; see [Table.NMI].
func NMI(truth, pred []int) (float64, error) {
	t, err := NewTable(truth, pred)
	if err != nil {
		return 0, err
	}
	return t.NMI(), nil
}

// Homogeneity returns how far each cluster holds one class only: MI divided by
// the entropy of the truth, from 0 to 1 (Rosenberg and Hirschberg 2007). It is
// 1 where there is one class only, or no point.
func (t *Table) Homogeneity() float64 { return t.homogeneity(t.MI()) }

func (t *Table) homogeneity(mi float64) float64 {
	if t.pure() {
		return 1
	}
	return min(mi/entropy(t.classes.sizes, t.n), 1)
}

// Completeness returns how far each class is in one cluster only: MI divided
// by the entropy of the prediction, from 0 to 1. It is 1 where there is one
// cluster only, or no point.
func (t *Table) Completeness() float64 { return t.completeness(t.MI()) }

func (t *Table) completeness(mi float64) float64 {
	if t.whole() {
		return 1
	}
	return min(mi/entropy(t.clusters.sizes, t.n), 1)
}

// V returns the harmonic mean of Homogeneity and Completeness, from 0 to 1.
// It is symmetric, and the same number as NMI with the arithmetic mean.
func (t *Table) V() float64 { return t.NMI() }

// Purity returns the share of points that are of their cluster's largest
// class, from 0 to 1. It is 1 where there is no point. It grows as clusters
// shrink: every point in a cluster of its own is pure.
func (t *Table) Purity() float64 {
	if t.n == 0 {
		return 1
	}
	largest := make([]int, len(t.clusters.sizes))
	for _, c := range t.cells {
		largest[c.cluster] = max(largest[c.cluster], c.n)
	}
	sum := 0
	for _, m := range largest {
		sum += m
	}
	return float64(sum) / float64(t.n)
}

// pure reports that no cluster has points of two classes: one cell a cluster.
func (t *Table) pure() bool { return len(t.cells) == len(t.clusters.sizes) }

// whole reports that no class is in two clusters: one cell a class.
func (t *Table) whole() bool { return len(t.cells) == len(t.classes.sizes) }

// oneSided reports that one of the labellings has a single group.
func (t *Table) oneSided() bool {
	return len(t.classes.sizes) <= 1 || len(t.clusters.sizes) <= 1
}

// entropy returns −Σ p·log p, with p the sizes' shares of n.
func entropy(sizes []int, n int) float64 {
	sum := 0.0
	for _, m := range sizes {
		p := float64(m) / float64(n)
		sum -= p * math.Log(p)
	}
	return sum
}
