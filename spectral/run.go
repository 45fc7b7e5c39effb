package spectral

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/eigen"
)

// run is one fit: all its stages, once.
type run struct {
	p      *cluster.Problem
	e      *cluster.Env
	seed   uint64 // of the eigensolvers
	stages []cluster.Stage
	begun  bool

	field  *field
	spaces []*points                     // the nodes as points, in one or more ways
	splits [][]float64                   // indicators for two clusters, or nil
	pieces []int                         // clusters made of whole components, or nil
	labels []int                         // of the problem's points
	told   any                           // what was learned
	say    func(of []int, point int) int // where points go that have no edges
}

func newRun(p *cluster.Problem, e *cluster.Env) *run {
	return &run{p: p, e: e, seed: e.Rand.Uint64(), labels: make([]int, p.Len())}
}

// Stages are all stages in the first iteration, and none after.
func (r *run) Stages() []cluster.Stage {
	if r.begun || r.p.K == 1 {
		return nil
	}
	r.begun = true
	return r.stages
}

// graphStage makes the field of the problem's graph, or of one made of its rows.
func (r *run) graphStage(t terrain) cluster.Stage {
	return cluster.Stage{Name: "graph", Do: func(ctx context.Context) (_ int, err error) {
		r.field, err = t.field(ctx, r.p, r.e)
		return 0, err
	}}
}

func (r *run) Labels() []int { return r.labels }

// Model returns nil: a node that is not in the graph has no place in a cut.
func (r *run) Model() cluster.Model { return nil }

// Objective prices the labels by the graph as it was given. Of one cluster the
// price is known without a graph, and when time is over.
func (r *run) Objective(context.Context) (cluster.Terms, error) {
	cut, empty := ncut(r.field, r.labels, r.p.K)
	t := cluster.Terms{{Name: "normalized-cut", Value: cut}}
	if empty > 0 {
		t = append(t, cluster.Term{Name: "empty-clusters", Value: float64(empty)})
	}
	return t, nil
}

// ncut returns Σ_c cut(c)/vol(c) and the number of empty clusters, each of
// which counts as 1 in the sum. A nil field stands for any graph and is for
// clusterings of one cluster.
func ncut(f *field, labels []int, k int) (cut float64, empty int) {
	size, vol, in := make([]int, k), make([]float64, k), make([]float64, k)
	for _, c := range labels {
		size[c]++
	}
	if f != nil {
		for at, i := range f.at {
			c := labels[i]
			to, w := f.g.Neighbours(at)
			for q, j := range to {
				vol[c] += w[q]
				if labels[f.at[j]] == c {
					in[c] += w[q]
				}
			}
		}
	}
	for c := range k {
		switch {
		case vol[c] > 0:
			cut += (vol[c] - in[c]) / vol[c]
		case size[c] == 0:
			cut++
			empty++
		}
	}
	return cut, empty
}

// settle takes the clusters of the nodes as the result, numbered in the order
// of the points, and returns how many points are elsewhere than before.
func (r *run) settle(of []int) (moved int) {
	labels := r.field.spread(of, r.p.K, r.say)
	number := make([]int, r.p.K)
	for c := range number {
		number[c] = -1
	}
	next := 0
	for i, c := range labels {
		if number[c] < 0 {
			number[c] = next
			next++
		}
		if labels[i] = number[c]; labels[i] != r.labels[i] {
			moved++
		}
	}
	r.labels = labels
	return moved
}

// eachAlone makes a cluster of each node, if there are no more nodes than
// clusters; done says whether it did.
func (r *run) eachAlone() (moved int, done bool) {
	n := len(r.field.at)
	if n == 0 || n > r.p.K {
		return 0, false
	}
	of := make([]int, n)
	for i := range of {
		of[i] = i
	}
	return r.settle(of), true
}

// embed makes points of the nodes by the k lowest eigenvectors, or clusters of
// components where these are enough.
func (r *run) embed(ctx context.Context, form eigen.Form) error {
	if len(r.field.at) == 0 {
		return nil
	}
	l, err := eigen.NewLaplacian(r.field.g, form)
	if err != nil {
		return err
	}
	l.Workers = r.e.Workers
	if l.Components >= r.p.K {
		r.pieces = gather(l, r.p.K)
		return nil
	}
	o := eigen.Options{K: r.p.K + more, Tol: 1e-4, Seed: r.seed, Workers: r.e.Workers}
	if l.Dim() >= orderFrom { // they would take longer than all others
		o.Loose = more
	}
	pairs, err := eigen.Smallest(ctx, l, o)
	if err != nil {
		return err
	}
	for d := min(r.p.K, len(pairs.Vectors)); d <= len(pairs.Vectors); d++ {
		space := newPoints(pairs.Vectors[:d])
		space.unit()
		r.spaces = append(r.spaces, space)
	}
	if r.p.K != 2 {
		return nil
	}
	for _, v := range pairs.Vectors[1:] {
		if form == eigen.Normalised {
			for i := range v {
				v[i] /= math.Sqrt(l.Degree[i])
			}
		}
		r.splits = append(r.splits, v)
	}
	return nil
}

// more is how many eigenvectors beyond k clusters are looked for in. A cluster
// that is long has low eigenvectors of its own, and they may come before those
// that tell clusters apart.
const more = 2

// gather makes k clusters of the components: the largest by volume are
// clusters, and the others join the one that is then smallest.
func gather(l *eigen.Laplacian, k int) []int {
	vol := make([]float64, l.Components)
	for i, c := range l.Component {
		vol[c] += l.Degree[i]
	}
	of, mass := make([]int, l.Components), make([]float64, k)
	for _, c := range falling(vol) {
		least := 0
		for h := range mass {
			if mass[h] < mass[least] {
				least = h
			}
		}
		of[c] = least
		mass[least] += vol[c]
	}
	out := make([]int, l.Dim())
	for i, c := range l.Component {
		out[i] = of[c]
	}
	return out
}

// byRows makes clusters of the points.
func (r *run) byRows(ctx context.Context) (int, error) {
	switch {
	case len(r.field.at) == 0:
		return 0, nil
	case r.pieces != nil:
		return r.settle(r.pieces), nil
	}
	price := func(of []int) float64 {
		cut, empty := ncut(r.field, r.field.spread(of, r.p.K, r.say), r.p.K)
		return cut + float64(empty)
	}
	var best []int
	least := math.Inf(1)
	offer := func(of []int) {
		if y := price(of); y < least {
			best, least = of, y
		}
	}
	for _, space := range r.spaces {
		of, err := space.cluster(ctx, r.p.K, space.starts(r.p.K), r.e, price)
		if err != nil {
			return 0, err
		}
		offer(of)
	}
	for _, u := range r.splits {
		offer(sweep(r.field.g, u))
	}
	return r.settle(best), nil
}
