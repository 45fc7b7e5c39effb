package spectral

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// spectralRun is one fit: all its stages, once.
type spectralRun struct {
	problem *cluster.Problem
	env     *cluster.Env
	seed    uint64 // of the eigensolvers
	stages  []cluster.Stage
	started bool

	nodes             *nodeGraph
	embeddings        []*embedding                  // the nodes as points, in one or more ways
	indicatorRows     *embedding                    // the nodes as rows of u, to which k-means goes on; or nil
	indicators        [][]float64                   // indicators for two clusters, or nil
	componentClusters []int                         // clusters made of whole components, or nil
	constraintsToMeet *constraintMatrix             // clusters are chosen by what they violate of it, too; or nil
	otherClusters     []int                         // of the points, found without constraints, to compare with; or nil
	unedited          *data.Graph                   // of the points, that otherClusters are of
	labels            []int                         // of the problem's points
	clustered         bool                          // the labels are clusters, and not the zeros of the start
	report            any                           // what was learned
	placeIsolated     func(of []int, point int) int // where points go that have no edges
}

func newRun(p *cluster.Problem, e *cluster.Env) *spectralRun {
	return &spectralRun{problem: p, env: e, seed: e.Rand.Uint64(), labels: make([]int, p.Len())}
}

// Stages are all stages in the first iteration, and none after.
func (r *spectralRun) Stages() []cluster.Stage {
	if r.started || r.problem.K == 1 {
		return nil
	}
	r.started = true
	return r.stages
}

// graphStage makes the field of the problem's graph, or of one made of its rows.
func (r *spectralRun) graphStage(t graphOptions) cluster.Stage {
	return cluster.Stage{Name: "graph", Do: func(ctx context.Context) (_ int, err error) {
		r.nodes, err = t.buildNodeGraph(ctx, r.problem, r.env)
		return 0, err
	}}
}

func (r *spectralRun) Labels() []int { return r.labels }

// IsStub reports whether the labels are those of the start: all 0.
func (r *spectralRun) IsStub() bool { return !r.clustered && r.problem.K > 1 }

// Model returns nil: a node that is not in the graph has no place in a cut.
func (r *spectralRun) Model() cluster.Model { return nil }

// Objective computes the normalized cut of the labels in the graph as it was given. Of one cluster the
// value is known without a graph, and when time is over.
func (r *spectralRun) Objective(context.Context) (cluster.Terms, error) {
	cut, empty := ncut(r.nodes, r.labels, r.problem.K)
	t := cluster.Terms{{Name: "normalized-cut", Value: cut}}
	if empty > 0 {
		t = append(t, cluster.Term{Name: "empty-clusters", Value: float64(empty)})
	}
	return t, nil
}

// setClusters takes the clusters of the nodes as the result, numbered in the order
// of the points, and returns how many points are elsewhere than before.
func (r *spectralRun) setClusters(of []int) (moved int) {
	labels := r.nodes.clustersOfPoints(of, r.problem.K, r.placeIsolated)
	number := make([]int, r.problem.K)
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
	r.labels, r.clustered = labels, true
	return moved
}

// singletonClusters makes a cluster of each node, if there are no more nodes than
// clusters; done reports whether it did.
func (r *spectralRun) singletonClusters() (moved int, done bool) {
	n := len(r.nodes.points)
	if n == 0 || n > r.problem.K {
		return 0, false
	}
	of := make([]int, n)
	for i := range of {
		of[i] = i
	}
	return r.setClusters(of), true
}

// embed makes points of the nodes by the k lowest eigenvectors, or clusters of
// components where these are enough.
func (r *spectralRun) embed(ctx context.Context, form eigen.Form) error {
	if len(r.nodes.points) == 0 {
		return nil
	}
	if err := r.checkMemory(); err != nil {
		return err
	}
	l, err := eigen.NewLaplacian(r.nodes.graph, form)
	if err != nil {
		return err
	}
	l.Workers = r.env.Workers
	if l.Components >= r.problem.K {
		r.componentClusters = groupComponents(l, r.problem.K)
		return nil
	}
	pairs, err := eigen.Smallest(ctx, l, eigen.Options{K: r.problem.K + extraVectors, Loose: extraVectors, Tol: 1e-4, Seed: r.seed, Workers: r.env.Workers})
	if err != nil {
		return err
	}
	least := min(r.problem.K, len(pairs.Vectors))
	for d := least; d <= len(pairs.Vectors); d++ {
		space := newEmbedding(pairs.Vectors[:d])
		if space.scaleRowsToUnit(); ctx.Err() != nil {
			return ctx.Err()
		}
		r.embeddings = append(r.embeddings, space)
	}
	if form == eigen.Normalised {
		for _, v := range pairs.Vectors {
			for i := range v {
				v[i] /= math.Sqrt(l.Degree[i])
			}
		}
	}
	r.indicatorRows = newEmbedding(pairs.Vectors[:least])
	if r.problem.K == 2 {
		r.indicators = pairs.Vectors[1:]
	}
	return nil
}

// checkMemory refuses eigenvectors that do not fit into memory, and says how many would.
func (r *spectralRun) checkMemory() error {
	n, k := len(r.nodes.points), r.problem.K
	need := eigen.SmallestMemory(n, k+extraVectors)
	advice := hint.Hint("{method=graph-cut} needs memory for the edges alone")
	if r.env.Settings != nil {
		fits := sort.Search(k, func(few int) bool {
			return eigen.SmallestMemory(n, few+extraVectors) > float64(r.env.Settings.Memory)
		}) - 1
		if fits >= 2 {
			advice = hint.Sprintf("{k=%d} would fit; ", fits) + advice
		}
	}
	return r.env.CheckMemory(fmt.Sprintf("the eigenvectors of %d nodes for %d clusters", n, k), need, string(advice))
}

// extraVectors is how many eigenvectors beyond k clusters are looked for in. A cluster
// that is long has low eigenvectors of its own, and they may come before those
// that tell clusters apart. They are taken as they are when the others are found: no
// gap follows them, and they would take longer than all others.
const extraVectors = 2

// groupComponents makes k clusters of the components: the largest by volume are
// clusters, and the others join the one that is then smallest.
func groupComponents(l *eigen.Laplacian, k int) []int {
	vol := make([]float64, l.Components)
	for i, c := range l.Component {
		vol[c] += l.Degree[i]
	}
	of, mass := make([]int, l.Components), make([]float64, k)
	for _, c := range descendingOrder(vol) {
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

// clusterEmbeddings makes clusters of the points.
func (r *spectralRun) clusterEmbeddings(ctx context.Context) (int, error) {
	switch {
	case len(r.nodes.points) == 0:
		return 0, nil
	case r.componentClusters != nil && r.otherClusters == nil:
		return r.setClusters(r.componentClusters), nil
	}
	objective := func(of []int) float64 {
		cut, empty := ncut(r.nodes, r.nodes.clustersOfPoints(of, r.problem.K, r.placeIsolated), r.problem.K)
		y := cut + float64(empty)
		if r.constraintsToMeet != nil {
			y += float64(r.problem.K) * (1 - r.constraintsToMeet.satisfiedShare(of, r.problem.K))
		}
		return y
	}
	var best []int
	least := math.Inf(1)
	offer := func(of []int) {
		if y := objective(of); y < least {
			best, least = of, y
		}
	}
	if r.componentClusters != nil {
		offer(r.componentClusters)
	}
	for _, space := range r.embeddings {
		of, err := space.kmeans(ctx, r.problem.K, space.kmeansStarts(r.problem.K, r.env.Effort), r.env, objective)
		if err != nil {
			return 0, err
		}
		offer(of)
	}
	if r.indicatorRows != nil {
		of, err := r.indicatorRows.kmeansFrom(ctx, best, r.problem.K, r.env)
		if err != nil {
			return 0, err
		}
		offer(of)
	}
	for _, u := range r.indicators {
		offer(sweepNcut(r.nodes.graph, u))
	}
	var other []int
	if r.otherClusters != nil {
		other = r.clustersOfNodes(r.otherClusters)
		offer(other)
	}
	if best == nil {
		return 0, cluster.Problemf("graph", "no cut of this graph has a finite value")
	}
	if other != nil && !sameClusters(best, other, r.problem.K) && !r.constraintsPrefer(r.unedited, r.nodes.clustersOfPoints(best, r.problem.K, r.placeIsolated), r.otherClusters) {
		best = other
		r.report = &KeptClusters{LeftOut: r.problem.Len() - len(r.nodes.points), Unconstrained: true}
	}
	return r.setClusters(best), nil
}

// sameClusters reports whether a and b are the same up to the numbers of the clusters.
func sameClusters(a, b []int, k int) bool {
	inB, inA := make([]int, k), make([]int, k) // one more than the number in the other, 0: not seen
	for i, h := range a {
		if inB[h] == 0 && inA[b[i]] == 0 {
			inB[h], inA[b[i]] = b[i]+1, h+1
		}
		if inB[h] != b[i]+1 || inA[b[i]] != h+1 {
			return false
		}
	}
	return true
}

// clustersOfNodes returns the clusters of the nodes, given those of the points.
func (r *spectralRun) clustersOfNodes(labels []int) []int {
	of := make([]int, len(r.nodes.points))
	for at, i := range r.nodes.points {
		of[at] = labels[i]
	}
	return of
}
