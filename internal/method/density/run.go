package density

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
	"github.com/inklinghq/inkling/internal/support/format"
)

// run holds the tree and the clusters that were chosen.
type run struct {
	*spanned
	a            *Density
	p            *cluster.Problem
	use          linkUse
	must, cannot []constraint.Pair
	known        []constraint.Label // one for each point at most

	condensed *hierarchy.Tree
	shape     *treeShape
	minSize   int
	mass      []float64 // of each node as a cluster
	closed    []bool    // nodes that epsilon makes leaves; nil: none
	anchor    []int32   // from them downwards, the node by which the mass of points counts; -1: none
	total     float64   // what mass is divided by

	labels  []int
	now     *extracted
	stub    bool
	settled bool // the constraints have been looked at
	judged  bool // links that were held out said how links count
	relaxed bool // links should hold exactly, but no K clusters satisfy all
}

// An extracted choice of clusters.
type extracted struct {
	labelling
	selected []int32   // of each node, the node above it, or itself, that is a cluster; -1: none
	credit   []float64 // what each point adds to the mass in its cluster
	cost     float64   // J
}

// condense builds the condensed tree. Where nobody said how small clusters may be, they get smaller until the tree has K
// branches, or, down to 5 points, any.
func (r *run) condense(ctx context.Context, e *cluster.Env) (err error) {
	n := r.p.Len()
	for size := r.a.minClusterSize(n); ; size = r.smaller(size) {
		if r.spanned, err = span(ctx, r.p, e, r.a.minPoints(r.p, size)); err != nil {
			return err
		}
		if err := r.condenseTo(size); err != nil {
			return err
		}
		enough := int(r.shape.leaves[0]) >= r.p.K
		if r.p.K == 0 {
			enough = r.a.Single || r.shape.leaves[0] > 1 || size <= 5
		}
		if enough || r.a.MinClusterSize.Rule == "" || size == 2 {
			return nil
		}
	}
}

// condenseTo builds the condensed tree with clusters of at least size points.
func (r *run) condenseTo(size int) (err error) {
	if r.condensed, err = hierarchy.Condense(r.p.Len(), r.tree.edges, size); err != nil {
		return err
	}
	r.minSize = size
	r.weigh()
	return nil
}

// smaller returns the next size to try.
func (r *run) smaller(size int) int {
	if r.p.K == 0 {
		return max(5, size/2)
	}
	return max(2, size/2)
}

// weigh computes the mass of nodes as clusters.
func (r *run) weigh() {
	t := r.condensed
	size := make([]float64, len(t.Parent))
	mass := make([]float64, len(t.Parent))
	r.total = 0
	for i, v := range t.Node {
		w := r.p.W(i)
		size[v] += w
		mass[v] += float64(w * (t.Lambda[i] - t.Birth[v]))
		r.total += float64(w * t.Lambda[i])
	}
	if !(r.total > 0) {
		r.total = 1
	}
	for v := len(t.Parent) - 1; v > 0; v-- {
		size[t.Parent[v]] += size[v]
	}
	for v := 1; v < len(t.Parent); v++ {
		up := t.Parent[v]
		mass[up] += float64(size[v] * (t.Birth[v] - t.Birth[up]))
	}
	r.mass, r.closed, r.anchor = mass, nil, nil
	whole := newTreeShape(t, nil)
	if r.shape = whole; r.a.Epsilon > 0 {
		r.closeBelow(whole)
	}
	if r.a.Selection == Leaves {
		for v, children := range r.shape.children {
			if len(children) > 0 {
				r.mass[v] = 0
			}
		}
	}
}

// closeBelow makes leaves of the nodes whose children are nearer than epsilon (Malzer and Baum 2020, "A hybrid approach
// to hierarchical density-based cluster selection"). They count with the mass that their branches have.
func (r *run) closeBelow(whole *treeShape) {
	t := r.condensed
	cut := make([]bool, len(t.Parent))
	for v, children := range whole.children {
		cut[v] = len(children) > 0 && (v > 0 || r.a.Single) && float64(t.Birth[children[0]]*r.a.Epsilon) > 1
	}
	best, taken := make([]float64, len(t.Parent)), make([]bool, len(t.Parent))
	for v := len(t.Parent) - 1; v >= 0; v-- {
		for _, u := range whole.children[v] {
			best[v] += best[u]
		}
		if r.mass[v] >= best[v] {
			best[v], taken[v] = r.mass[v], true
		}
	}
	r.shape, r.closed, r.anchor = newTreeShape(t, cut), make([]bool, len(t.Parent)), make([]int32, len(t.Parent))
	for v := range t.Parent {
		up := t.Parent[v]
		hidden := r.shape.leaves[v] == 0
		if r.closed[v] = cut[v] && !hidden; r.closed[v] {
			r.mass[v] = best[v]
		}
		switch {
		case hidden && r.anchor[up] >= 0:
			r.anchor[v] = r.anchor[up]
		case (hidden || r.closed[v]) && taken[v]:
			r.anchor[v] = int32(v)
		default:
			r.anchor[v] = noCluster
		}
	}
}

// extract chooses clusters, with link as the cost of a violated link, changed as labels demand. Where withLabels is
// false the choice ignores labels, and only the changes obey them.
func (r *run) extract(link float64, withLabels bool) (*extracted, error) {
	label := 0.0
	if withLabels {
		label = 2
		for _, list := range [][]constraint.Pair{r.must, r.cannot} {
			for _, q := range list {
				label += float64(link * q.W)
			}
		}
	}
	costs := newNodeScores(r.condensed, r.mass, r.must, r.cannot, r.known).costs(link*r.total, label*r.total)
	k := r.p.K
	if k == 0 {
		nodes, _ := r.shape.choose(costs, r.a.Single)
		return r.extracted(nodes, link), nil
	}
	most := min(int(r.shape.leaves[0]), k)
	exact := len(r.known) == 0 && !r.obeys()
	if !exact { // clusters are joined and split
		most = min(int(r.shape.leaves[0]), 2*k+len(r.known)+len(r.must))
	}
	counted := r.shape.chooseCounted(costs, r.a.Single || k == 1, max(most, 1))
	var best *extracted
	for m := range most + 1 {
		if exact && m != k {
			continue
		}
		if nodes, _, ok := counted.best(m); ok {
			if found := r.extracted(nodes, link); found.clusters == k && (best == nil || found.cost < best.cost) {
				best = found
			}
		}
	}
	if best == nil {
		return nil, r.noSuchNumber()
	}
	return best, nil
}

// noSuchNumber says that there are no K clusters.
func (r *run) noSuchNumber() error {
	branches := fmt.Sprintf("%d branches", r.shape.leaves[0])
	if r.shape.leaves[0] == 1 {
		branches = "one branch"
	}
	err := fmt.Errorf("k is %d, but the tree has only %s of at least %s", r.p.K, branches, format.Count(r.minSize, "point"))
	hint := "a smaller {k}, or none: this method finds the number"
	if r.minSize > 2 {
		hint += "; or a smaller {min-cluster-size}"
	}
	return &cluster.ProblemError{Field: "k", Err: err, Hint: hint}
}

// extracted returns the clusters of the nodes, changed as labels demand, and as links do where link is above 0.
func (r *run) extracted(nodes []int32, link float64) *extracted {
	t := r.condensed
	x := &extracted{selected: make([]int32, len(t.Parent)), credit: make([]float64, len(t.Node))}
	x.clusters = len(nodes)
	number := make([]int, len(t.Parent)) // of the cluster of a node
	for v := range number {
		number[v] = noCluster
	}
	for h, v := range nodes {
		number[v] = h
	}
	leaves := make([]float64, len(t.Parent)) // the λ at which the points of a node leave what their mass counts in
	by := make([]int32, len(t.Parent))       // that node; -1: their mass does not count
	for v := range t.Parent {
		up := t.Parent[v]
		if x.selected[v] = noCluster; number[v] >= 0 {
			x.selected[v] = int32(v)
		} else if v > 0 && x.selected[up] >= 0 {
			x.selected[v], number[v] = x.selected[up], number[up]
		}
		if by[v] = x.selected[v]; by[v] >= 0 && r.closed != nil && r.closed[by[v]] {
			by[v] = r.anchor[v]
		}
		if v > 0 && by[v] >= 0 && by[v] == by[up] {
			if leaves[v] = leaves[up]; by[up] == int32(up) {
				leaves[v] = t.Birth[v]
			}
		}
	}
	x.labels = make([]int, len(t.Node))
	for i, v := range t.Node {
		x.labels[i] = number[v]
		b := by[v]
		if b < 0 || r.a.Selection == Leaves && len(r.shape.children[b]) > 0 {
			continue
		}
		l := t.Lambda[i]
		if b != v {
			l = leaves[v]
		}
		x.credit[i] = float64(r.p.W(i) * (l - t.Birth[b]))
	}
	r.tree.satisfyLabels(&x.labelling, r.known)
	switch {
	case r.obeys():
		r.obeyLinks(x)
	default:
		r.mergeToNumber(x)
		if link > 0 {
			r.joinLinked(x)
		}
	}
	if r.a.Noise == JoinNoise && !r.obeys() {
		if x.clusters == 0 {
			clear(x.labels)
			x.clusters = 1
		}
		r.tree.joinAll(x.labels)
	}
	x.renumber()
	x.cost = r.objective(x.labels, x.credit).Sum()
	return x
}

// joinLinked gives noise that must be with points of clusters to the one where it violates the least, while that is
// less than as noise. It is never in the mass of a cluster.
func (r *run) joinLinked(x *extracted) {
	links := map[int][]constraint.Pair{} // of noise: J is the other end, W below 0 for a cannot-link
	for sign, list := range [][]constraint.Pair{r.cannot, r.must} {
		for _, q := range list {
			w := float64(2*sign-1) * q.W
			if x.labels[q.I] < 0 {
				links[q.I] = append(links[q.I], constraint.Pair{I: q.I, J: q.J, W: w})
			}
			if x.labels[q.J] < 0 {
				links[q.J] = append(links[q.J], constraint.Pair{I: q.J, J: q.I, W: w})
			}
		}
	}
	points := slices.Sorted(maps.Keys(links))
	for moved := true; moved; {
		moved = false
		for _, i := range points {
			if x.labels[i] < 0 {
				x.labels[i] = bestLinked(links[i], x.labels)
				moved = moved || x.labels[i] >= 0
			}
		}
	}
}

// bestLinked returns the cluster where a point satisfies more than as noise, the most of all, by its links.
func bestLinked(links []constraint.Pair, labels []int) int {
	gain := map[int]float64{}
	for _, q := range links {
		if h := labels[q.J]; h >= 0 {
			gain[h] += q.W
		}
	}
	best, most := noCluster, 0.0
	for _, h := range slices.Sorted(maps.Keys(gain)) {
		if gain[h] > most {
			best, most = h, gain[h]
		}
	}
	return best
}

// mergeToNumber merges clusters without labels, the one with the least mass first, until there are K: each with the
// cluster that it would join first. Without labels there are never more than K.
func (r *run) mergeToNumber(x *extracted) {
	if r.p.K == 0 || len(r.known) == 0 || x.clusters <= r.p.K {
		return
	}
	mass, labelled := make([]float64, x.clusters), make([]bool, x.clusters)
	for i, h := range x.labels {
		if h >= 0 {
			mass[h] += x.credit[i]
		}
	}
	for _, l := range r.known {
		labelled[x.labels[l.I]] = true
	}
	for left := x.clusters - r.p.K; left > 0; left-- {
		least := noCluster
		for h := range mass {
			if !labelled[h] && (least < 0 || mass[h] < mass[least]) {
				least = h
			}
		}
		if least < 0 {
			break
		}
		joined := slices.Clone(x.labels)
		for i, h := range joined {
			if h == least {
				joined[i] = noCluster
			}
		}
		r.tree.joinAll(joined)
		for i, h := range x.labels {
			if h == least {
				x.labels[i], x.credit[i] = joined[i], 0
			}
		}
		labelled[least] = true // it is gone
	}
	x.renumber()
}

// take makes the clusters those of the run.
func (r *run) take(x *extracted) (moved int) {
	for i, h := range x.labels {
		if r.labels[i] != h {
			moved++
		}
	}
	r.now, r.labels = x, x.labels
	return moved
}

// Stages: where there are constraints, the clusters that cost least with them.
func (r *run) Stages() []cluster.Stage {
	if r.stub || r.settled || len(r.must)+len(r.cannot)+len(r.known) == 0 {
		return nil
	}
	return []cluster.Stage{{Name: "constraints", Do: func(context.Context) (int, error) {
		r.settled = true
		x, err := r.extract(r.use.weight, true)
		if err != nil || x.cost >= r.now.cost {
			return 0, nil // the clusters that there are stay
		}
		return r.take(x), nil
	}}}
}

// IsStub reports whether ctx ended before there was a tree.
func (r *run) IsStub() bool { return r.stub }

func (r *run) Labels() []int { return r.labels }

// Objective computes J.
func (r *run) Objective(context.Context) (cluster.Terms, error) {
	if r.stub {
		return r.objective(r.labels, nil), nil
	}
	return r.objective(r.labels, r.now.credit), nil
}

func (r *run) objective(labels []int, credit []float64) cluster.Terms {
	terms := cluster.Terms{{Name: "mass"}}
	for _, y := range credit {
		terms[0].Value -= y
	}
	if len(credit) > 0 {
		terms[0].Value /= r.total
	}
	if len(r.must) > 0 {
		terms = append(terms, cluster.Term{Name: "must-links", Value: r.violated(r.must, labels, false)})
	}
	if len(r.cannot) > 0 {
		terms = append(terms, cluster.Term{Name: "cannot-links", Value: r.violated(r.cannot, labels, true)})
	}
	return terms
}

// violated is what the links cost that are together, or not.
func (r *run) violated(links []constraint.Pair, labels []int, together bool) (sum float64) {
	for _, q := range links {
		if areTogether(labels[q.I], labels[q.J]) == together {
			sum += float64(r.use.weight * q.W)
		}
	}
	return sum
}

// areTogether reports whether points of two clusters are in one: noise is with nobody.
func areTogether(a, b int) bool { return a == b && a >= 0 }
