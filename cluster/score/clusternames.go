package score

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
)

// NameClusters returns the class after which each of the clusters 0 to k−1 is
// named, or −1 for none. No two clusters get the same class. The naming is the
// one-to-one matching whose labels agree with their clusters by the greatest
// total weight, so every cluster that holds labels gets a name unless others
// agree better with all the classes it holds.
//
// Clusters and classes that share labels, directly or through others, are
// matched exactly; only where so many are connected that this would take
// seconds (about 650 of each) are the heaviest agreements taken first, ties to
// the lower cluster and then the lower class. Labels with a weight that is not
// positive and finite, with a class below 0, or of points in no cluster below
// k are ignored.
func NameClusters(labels []int, k int, s *constraint.Set) []int {
	names := make([]int, max(k, 0))
	for i := range names {
		names[i] = -1
	}
	all := agreements(s, labels)
	all = slices.DeleteFunc(all, func(a agreement) bool { return a.cluster >= k })
	for cluster, class := range matchClasses(all) {
		names[cluster] = class
	}
	return names
}

// ClusterNames returns a name for each of the clusters 0 to k−1: that of the class whose
// labelled points it holds, else cluster-0, cluster-1, …; its number where there are no
// labels.
func ClusterNames(labels []int, k int, s *constraint.Set) []string {
	names := make([]string, max(k, 0))
	if s == nil || len(s.Labels) == 0 {
		for h := range names {
			names[h] = strconv.Itoa(h)
		}
		return names
	}
	next := 0
	for h, class := range NameClusters(labels, k, s) {
		if class >= 0 {
			names[h] = s.Name(class)
			continue
		}
		for names[h] == "" || slices.Contains(s.Names, names[h]) {
			names[h] = "cluster-" + strconv.Itoa(next)
			next++
		}
	}
	return names
}

// An agreement is the total weight of the labels of one class in one cluster.
type agreement struct {
	cluster, class int
	weight         float64
}

// agreements adds up the labels by cluster and class, ascending.
func agreements(s *constraint.Set, labels []int) []agreement {
	if s == nil {
		return nil
	}
	// Far beyond any weight that means something, and far from overflow.
	const most = 1e100
	sum := make(map[[2]int]float64)
	for _, l := range s.Labels {
		c := clusterOf(labels, l.I)
		if c < 0 || l.Class < 0 || !(l.W > 0) || math.IsInf(l.W, 0) {
			continue
		}
		sum[[2]int{c, l.Class}] += min(l.W, most)
	}
	all := make([]agreement, 0, len(sum))
	for at, w := range sum {
		all = append(all, agreement{at[0], at[1], w})
	}
	slices.SortFunc(all, func(a, b agreement) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.class, b.class))
	})
	return all
}

// matchClasses returns the class of each cluster in a one-to-one matching of greatest
// weight, part by connected part.
func matchClasses(all []agreement) map[int]int {
	names := make(map[int]int)
	for _, part := range connected(all) {
		clusters := distinct(part, func(a agreement) int { return a.cluster })
		classes := distinct(part, func(a agreement) int { return a.class })
		rows, cols := min(len(clusters), len(classes)), max(len(clusters), len(classes))
		// The exact matching costs about rows²·cols steps.
		if float64(rows)*float64(rows)*float64(cols) <= 1<<28 {
			matchExactly(part, clusters, classes, names)
		} else {
			matchGreedily(part, names)
		}
	}
	return names
}

func distinct(part []agreement, key func(agreement) int) []int {
	v := make([]int, len(part))
	for i, a := range part {
		v[i] = key(a)
	}
	slices.Sort(v)
	return slices.Compact(v)
}

// connected splits agreements into parts that share neither cluster nor class,
// in the order of their first agreement, order within kept.
func connected(all []agreement) [][]agreement {
	parent := make([]int, len(all))
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	byCluster, byClass := make(map[int]int), make(map[int]int)
	for i, a := range all {
		parent[i] = i
		for _, seen := range []struct {
			at  map[int]int
			key int
		}{{byCluster, a.cluster}, {byClass, a.class}} {
			if j, ok := seen.at[seen.key]; ok {
				r, q := find(i), find(j)
				parent[max(r, q)] = min(r, q) // the root is the part's first agreement
			} else {
				seen.at[seen.key] = i
			}
		}
	}
	at := make(map[int]int)
	var parts [][]agreement
	for i, a := range all {
		r := find(i)
		p, ok := at[r]
		if !ok {
			p = len(parts)
			at[r] = p
			parts = append(parts, nil)
		}
		parts[p] = append(parts[p], a)
	}
	return parts
}

func matchGreedily(part []agreement, names map[int]int) {
	order := slices.Clone(part)
	slices.SortStableFunc(order, func(a, b agreement) int { return cmp.Compare(b.weight, a.weight) })
	taken := make(map[int]bool)
	for _, a := range order {
		if _, named := names[a.cluster]; named || taken[a.class] {
			continue
		}
		names[a.cluster] = a.class
		taken[a.class] = true
	}
}

// tieBreak is the share of the largest weight by which a cluster counts more for the class
// of its own number: methods in which cluster h stands for class h keep that name among
// equals.
const tieBreak = 1e-12

// matchExactly solves the assignment problem with the fewer of clusters and
// classes as rows. Pairs without agreement have weight 0, so a row may be
// assigned to one at no gain; it then stays without a name.
func matchExactly(part []agreement, clusters, classes []int, names map[int]int) {
	flip := len(clusters) > len(classes)
	rows, cols := len(clusters), len(classes)
	if flip {
		rows, cols = cols, rows
	}
	cost, most := make([]float64, rows*cols), 0.0
	for _, a := range part {
		i, _ := slices.BinarySearch(clusters, a.cluster)
		j, _ := slices.BinarySearch(classes, a.class)
		if flip {
			i, j = j, i
		}
		cost[i*cols+j] = -a.weight
		most = max(most, a.weight)
	}
	tied := slices.Clone(cost)
	for _, a := range part {
		if a.cluster == a.class {
			i, _ := slices.BinarySearch(clusters, a.cluster)
			j, _ := slices.BinarySearch(classes, a.class)
			if flip {
				i, j = j, i
			}
			tied[i*cols+j] -= tieBreak * most
		}
	}
	columns, _ := combinatorial.Assign(tied, cols)
	for i, column := range columns {
		j := int(column)
		if cost[i*cols+j] == 0 {
			continue
		}
		if flip {
			i, j = j, i
		}
		names[clusters[i]] = classes[j]
	}
}

// clusterOf returns the cluster of point i, below 0 for none.
func clusterOf(labels []int, i int) int {
	if i < 0 || i >= len(labels) {
		return -1
	}
	return labels[i]
}
