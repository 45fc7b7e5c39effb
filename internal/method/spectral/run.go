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

// Run is one fit: all its stages, once.
type Run struct {
	Problem *cluster.Problem
	Env     *cluster.Env
	Seed    uint64 // of the eigensolvers
	Steps   []cluster.Stage
	started bool

	Nodes             *NodeGraph
	embeddings        []*Embedding                  // the nodes as points, in one or more ways
	indicatorRows     *Embedding                    // the nodes as rows of u, to which k-means goes on; or nil
	indicators        [][]float64                   // indicators for two clusters, or nil
	componentClusters []int                         // clusters made of whole components, or nil
	constraintsToMeet *ConstraintMatrix             // clusters are chosen by what they violate of it, too; or nil
	otherClusters     []int                         // of the points, found without constraints, to compare with; or nil
	unedited          *data.Graph                   // of the points, that otherClusters are of
	Assigned          []int                         // of the problem's points
	clustered         bool                          // the labels are clusters, and not the zeros of the start
	Report            any                           // what was learned
	PlaceIsolated     func(of []int, point int) int // where points go that have no edges
}

func NewRun(p *cluster.Problem, e *cluster.Env) *Run {
	return &Run{Problem: p, Env: e, Seed: e.Rand.Uint64(), Assigned: make([]int, p.Len())}
}

// Stages are all stages in the first iteration, and none after.
func (r *Run) Stages() []cluster.Stage {
	if r.started || r.Problem.K == 1 {
		return nil
	}
	r.started = true
	return r.Steps
}

// GraphStage makes the field of the problem's graph, or of one made of its rows.
func (r *Run) GraphStage(t GraphOptions) cluster.Stage {
	return cluster.Stage{Name: "graph", Do: func(ctx context.Context) (_ int, err error) {
		r.Nodes, err = t.BuildNodeGraph(ctx, r.Problem, r.Env)
		return 0, err
	}}
}

func (r *Run) Labels() []int { return r.Assigned }

// IsStub reports whether the labels are those of the start: all 0.
func (r *Run) IsStub() bool { return !r.clustered && r.Problem.K > 1 }

// Model returns nil: a node that is not in the graph has no place in a cut.
func (r *Run) Model() cluster.Model { return nil }

// Objective computes the normalized cut of the labels in the graph as it was given. Of one cluster the
// value is known without a graph, and when time is over.
func (r *Run) Objective(context.Context) (cluster.Terms, error) {
	cut, empty := NCut(r.Nodes, r.Assigned, r.Problem.K)
	t := cluster.Terms{{Name: "normalized-cut", Value: cut}}
	if empty > 0 {
		t = append(t, cluster.Term{Name: "empty-clusters", Value: float64(empty)})
	}
	return t, nil
}

// SetClusters takes the clusters of the nodes as the result, numbered in the order
// of the points, and returns how many points are elsewhere than before.
func (r *Run) SetClusters(of []int) (moved int) {
	labels := r.Nodes.ClustersOfPoints(of, r.Problem.K, r.PlaceIsolated)
	number := make([]int, r.Problem.K)
	for c := range number {
		number[c] = -1
	}
	next := 0
	for i, c := range labels {
		if number[c] < 0 {
			number[c] = next
			next++
		}
		if labels[i] = number[c]; labels[i] != r.Assigned[i] {
			moved++
		}
	}
	r.Assigned, r.clustered = labels, true
	return moved
}

// SingletonClusters makes a cluster of each node, if there are no more nodes than
// clusters; done reports whether it did.
func (r *Run) SingletonClusters() (moved int, done bool) {
	n := len(r.Nodes.Points)
	if n == 0 || n > r.Problem.K {
		return 0, false
	}
	of := make([]int, n)
	for i := range of {
		of[i] = i
	}
	return r.SetClusters(of), true
}

// Embed makes points of the nodes by the k lowest eigenvectors, or clusters of
// components where these are enough.
func (r *Run) Embed(ctx context.Context, form eigen.Form) error {
	if len(r.Nodes.Points) == 0 {
		return nil
	}
	if err := r.CheckMemory(); err != nil {
		return err
	}
	l, err := eigen.NewLaplacian(r.Nodes.Graph, form)
	if err != nil {
		return err
	}
	l.Workers = r.Env.Workers
	if l.Components >= r.Problem.K {
		r.componentClusters = groupComponents(l, r.Problem.K)
		return nil
	}
	pairs, err := eigen.Smallest(ctx, l, eigen.Options{K: r.Problem.K + extraVectors, Loose: extraVectors, Tol: 1e-4, Seed: r.Seed, Workers: r.Env.Workers})
	if err != nil {
		return err
	}
	least := min(r.Problem.K, len(pairs.Vectors))
	for d := least; d <= len(pairs.Vectors); d++ {
		space := NewEmbedding(pairs.Vectors[:d])
		if space.ScaleRowsToUnit(); ctx.Err() != nil {
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
	r.indicatorRows = NewEmbedding(pairs.Vectors[:least])
	if r.Problem.K == 2 {
		r.indicators = pairs.Vectors[1:]
	}
	return nil
}

// CheckMemory refuses eigenvectors that do not fit into memory, and says how many would.
func (r *Run) CheckMemory() error {
	n, k := len(r.Nodes.Points), r.Problem.K
	need := eigen.SmallestMemory(n, k+extraVectors)
	advice := hint.Hint("{method=graph-cut} needs memory for the edges alone")
	if r.Env.Settings != nil {
		fits := sort.Search(k, func(few int) bool {
			return eigen.SmallestMemory(n, few+extraVectors) > float64(r.Env.Settings.Memory)
		}) - 1
		if fits >= 2 {
			advice = hint.Sprintf("{k=%d} would fit; ", fits) + advice
		}
	}
	return r.Env.CheckMemory(fmt.Sprintf("the eigenvectors of %d nodes for %d clusters", n, k), need, string(advice))
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

// ClusterEmbeddings makes clusters of the points.
func (r *Run) ClusterEmbeddings(ctx context.Context) (int, error) {
	switch {
	case len(r.Nodes.Points) == 0:
		return 0, nil
	case r.componentClusters != nil && r.otherClusters == nil:
		return r.SetClusters(r.componentClusters), nil
	}
	objective := func(of []int) float64 {
		cut, empty := NCut(r.Nodes, r.Nodes.ClustersOfPoints(of, r.Problem.K, r.PlaceIsolated), r.Problem.K)
		y := cut + float64(empty)
		if r.constraintsToMeet != nil {
			y += float64(r.Problem.K) * (1 - r.constraintsToMeet.SatisfiedShare(of, r.Problem.K))
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
		of, err := space.KMeans(ctx, r.Problem.K, space.KMeansStarts(r.Problem.K, r.Env.Effort), r.Env, objective)
		if err != nil {
			return 0, err
		}
		offer(of)
	}
	if r.indicatorRows != nil {
		of, err := r.indicatorRows.kmeansFrom(ctx, best, r.Problem.K, r.Env)
		if err != nil {
			return 0, err
		}
		offer(of)
	}
	for _, u := range r.indicators {
		offer(SweepNcut(r.Nodes.Graph, u))
	}
	var other []int
	if r.otherClusters != nil {
		other = r.ClustersOfNodes(r.otherClusters)
		offer(other)
	}
	if best == nil {
		return 0, cluster.Problemf("graph", "no cut of this graph has a finite value")
	}
	if other != nil && !SameClusters(best, other, r.Problem.K) && !r.ConstraintsPrefer(r.unedited, r.Nodes.ClustersOfPoints(best, r.Problem.K, r.PlaceIsolated), r.otherClusters) {
		best = other
		r.Report = &KeptClusters{LeftOut: r.Problem.Len() - len(r.Nodes.Points), Unconstrained: true}
	}
	return r.SetClusters(best), nil
}

// SameClusters reports whether a and b are the same up to the numbers of the clusters.
func SameClusters(a, b []int, k int) bool {
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

// ClustersOfNodes returns the clusters of the nodes, given those of the points.
func (r *Run) ClustersOfNodes(labels []int) []int {
	of := make([]int, len(r.Nodes.Points))
	for at, i := range r.Nodes.Points {
		of[at] = labels[i]
	}
	return of
}

// Learned returns the report of the run, or what there is to say about points without edges; nil where there is
// neither.
func (r *Run) Learned() any {
	if r.Report != nil || r.Nodes == nil || len(r.Nodes.Points) == len(r.Nodes.NodeOf) {
		return r.Report
	}
	return &IsolatedPoints{LeftOut: len(r.Nodes.NodeOf) - len(r.Nodes.Points)}
}
