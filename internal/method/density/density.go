// Package density finds clusters as branches of a tree: HDBSCAN* with what people know. A cluster is a group of
// points that is denser than what surrounds it. Nobody has to say how many there are, and points between them
// are noise.
package density

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/hierarchy"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// Density is HDBSCAN* (Campello, Moulavi, Zimek and Sander 2015, "Hierarchical density estimates for data clustering,
// visualization, and outlier detection") with the choice of clusters of FOSC (the same authors, 2013). Clusters are nodes
// of the condensed tree of package hierarchy, exactly one on the way from each leaf to the root, that minimise
//
//	J = −Σ_i w_i (λ_i − b(l_i)) / Σ_i w_i λ_i + weight · Σ w   over the violated links
//
// where point i falls out of the tree at density λ_i and its cluster is born at density b. The first sum is over the points of
// clusters: the excess of mass. A must-link is violated unless its points share a cluster, a cannot-link if they
// do: noise satisfies it. The minimum is exact, by dynamic programming (extract.go), for a free number of clusters and
// for exactly K of them. With weight 1 one link counts as much as all mass, so that links decide and mass only
// where they are silent. Where Hard is set all links hold, and clusters are split and merged along the minimum spanning
// tree for that (hardlinks.go); where Weight is auto, links that are held out say how links count (heldout.go).
//
// Labels hold always: a labelled point is never noise, points of two classes never share a cluster, points of one
// class always do. Where no choice of nodes does that, clusters are split, joined and begun along the minimum spanning tree
// (alongtree.go), and the number of clusters counts after that.
//
// Time and memory are those of the tree, and O(nodes · K) where K is given.
type Density struct {
	MinClusterSize cluster.Number `json:"min-cluster-size" rules:"auto" help:"fewest rows of a cluster: a number of at least 2, or auto: half the root of the number of rows, at least 5 but no more than a fifth of the rows, and less where there would be no cluster, or fewer than k"`
	MinPoints      cluster.Number `json:"min-points" rules:"auto" help:"how many nearest rows say how dense it is around a row: more of them make smoother clusters and more noise; auto: 3, and 4 where rows have up to three features"`
	Epsilon        float64        `json:"epsilon" help:"clusters nearer to each other than this distance are one; 0: none"`
	Weight         cluster.Number `json:"weight" rules:"auto" help:"cost of a violated link, beside 1 for the mass of all rows, so that from 1 on links decide which branches are clusters; auto: links that are held out choose between obeying all (hard), 1 and 0"`
	Hard           bool           `json:"hard" help:"all links hold, except those that contradict each other or k: clusters are split and merged along the tree"`
	Selection      Selection      `json:"selection" help:"which branches of the tree are clusters: mass takes the most stable ones, leaves the smallest"`
	Single         bool           `json:"single" help:"all rows may be one cluster"`
	Noise          Noise          `json:"noise" help:"rows between clusters: keep leaves them without one, join gives each to the cluster that it would join first"`
}

// A Selection says which nodes of the tree are preferred.
type Selection string

// The selections.
const (
	ByMass Selection = "mass"
	Leaves Selection = "leaves"
)

// Values returns all selections.
func (Selection) Values() []string { return []string{string(ByMass), string(Leaves)} }

// A Noise says what becomes of noise.
type Noise string

// What becomes of noise.
const (
	KeepNoise Noise = "keep"
	JoinNoise Noise = "join"
)

// Values returns what can become of noise.
func (Noise) Values() []string { return []string{string(KeepNoise), string(JoinNoise)} }

// New returns it with its default parameters.
func New() *Density {
	return &Density{MinClusterSize: cluster.ByRule(cluster.RuleAuto), MinPoints: cluster.ByRule(cluster.RuleAuto),
		Weight: cluster.ByRule(cluster.RuleAuto), Selection: ByMass, Noise: KeepNoise}
}

// Capabilities: rows; labels and links; K may be 0, and points may stay without a cluster.
func (a *Density) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows},
		Uses:   []cluster.Kind{cluster.Labels, cluster.MustLinks, cluster.CannotLinks},
		FindsK: true, LeavesNoise: a.Noise != JoinNoise,
	}
}

// Check refuses parameters out of range, and labels of more classes than clusters.
func (a *Density) Check(p *cluster.Problem) error {
	if err := checkWhole("min-cluster-size", a.MinClusterSize, 2); err != nil {
		return err
	}
	if err := checkWhole("min-points", a.MinPoints, 0); err != nil {
		return err
	}
	if !(a.Epsilon >= 0) || math.IsInf(a.Epsilon, 1) {
		return fmt.Errorf("epsilon must be a finite number of at least 0, got %v", a.Epsilon)
	}
	if err := a.Weight.Check("weight", 0, cluster.RuleAuto); err != nil {
		return err
	}
	if err := enum.Check("selection", a.Selection); err != nil {
		return err
	}
	if err := enum.Check("noise", a.Noise); err != nil {
		return err
	}
	if c := p.Constraints.Classes(); p.K > 0 && c > p.K {
		return cluster.Problemf("constraints", "there are labels of %d classes, but k is %d", c, p.K)
	}
	return nil
}

// checkWhole refuses a number that is not whole.
func checkWhole(name string, n cluster.Number, least float64) error {
	if err := n.Check(name, least, cluster.RuleAuto); err != nil {
		return err
	}
	if n.Rule == "" && n.Value != math.Trunc(n.Value) {
		return fmt.Errorf("%s must be a whole number, got %v", name, n.Value)
	}
	return nil
}

// Deterministic: all runs are equal.
func (a *Density) Deterministic(*cluster.Problem) bool { return true }

// minClusterSize is the fewest points of a cluster among n where k may ask for less.
func (a *Density) minClusterSize(n int) int {
	if a.MinClusterSize.Rule == "" {
		return int(min(a.MinClusterSize.Value, math.MaxInt32))
	}
	return min(max(5, int(math.Round(math.Sqrt(float64(n))/2))), max(2, n/5))
}

// fewFeatures is in how many dimensions more neighbours are asked.
const fewFeatures = 3

// minPoints is the number of neighbours that say how dense it is around a point, itself not counted. In a plane three leave gaps
// along thin clusters, which four do not; in many dimensions distances to further ones say less.
func (a *Density) minPoints(p *cluster.Problem, minSize int) int {
	n := p.Len()
	if a.MinPoints.Rule == "" {
		return int(min(a.MinPoints.Value, float64(n)))
	}
	if p.X != nil && p.X.Dim() <= fewFeatures {
		return min(minSize, 4)
	}
	return min(minSize, 3)
}

// linkUse is how links count where nothing has been judged.
func (a *Density) linkUse() linkUse {
	if a.Weight.Rule != "" {
		return linkUse{weight: 1, obeyed: a.Hard}
	}
	return linkUse{weight: a.Weight.Value, obeyed: a.Hard}
}

// Start builds the tree and takes the clusters that have the most mass, changed as labels demand. Where ctx ends
// before there is a tree, every point is noise.
func (a *Density) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := &run{a: a, p: p, use: a.linkUse(), labels: make([]int, p.Len())}
	r.takeConstraints()
	if err := r.condense(ctx, e); err != nil {
		if ctx.Err() != nil {
			return r.startUninformed(), nil
		}
		return nil, &cluster.ProblemError{Field: "x", Err: err}
	}
	if a.Weight.Rule != "" && !a.Hard {
		r.use, r.judged = r.chooseLinkUse(ctx, e)
	}
	if r.obeys() {
		if found := r.extractHard(); found != nil {
			r.settled = true
			r.take(found)
			return r, nil
		}
		r.relaxed, r.use.obeyed = true, false // no K clusters satisfy all links: as many as can be
	}
	found, err := r.extract(0, false)
	if err != nil { // no number of nodes gives K clusters: perhaps one that uses the labels does
		if found, err = r.extract(0, true); err != nil {
			return nil, err
		}
	}
	r.take(found)
	return r, nil
}

// obeys reports whether links hold exactly.
func (r *run) obeys() bool { return r.use.obeyed && len(r.must)+len(r.cannot) > 0 }

// startUninformed makes every point noise, or all one cluster where there is none.
func (r *run) startUninformed() *run {
	r.stub = true
	if r.a.Noise != JoinNoise {
		for i := range r.labels {
			r.labels[i] = noCluster
		}
	}
	return r
}

// spanned is what does not depend on the constraints.
type spanned struct {
	core []float64
	tree *spanningTree
	x    *storedRows
}

// treeShare is how much of a start is the tree; the rest is the choice of clusters.
const treeShare = 0.9

// span computes the core distances and the minimum spanning tree, once for all fits on the same points.
func span(ctx context.Context, p *cluster.Problem, e *cluster.Env, points int) (*spanned, error) {
	report := func(share float64) { e.Report(float64(treeShare * share)) }
	compute := func() (any, error) {
		core, edges, err := hierarchy.Build(ctx, p.X, points+1, e.Workers, report)
		if err != nil {
			return nil, err
		}
		return &spanned{core, newSpanningTree(p.Len(), edges), storeRows(p.X)}, ctx.Err()
	}
	var failed error
	kept := e.Once(fmt.Sprint("density ", points), func() any {
		type key struct {
			points any
			min    int
		}
		unweighted := *p
		unweighted.Weight, unweighted.K = nil, 0
		of := key{unweighted.Key("density"), points}
		value, err := p.Derived.Get(of, compute)
		if err != nil {
			failed = err
			return (*spanned)(nil)
		}
		return value
	})
	if failed != nil {
		return nil, failed
	}
	if t := kept.(*spanned); t != nil {
		return t, nil
	}
	value, err := compute() // the run before ran out of time
	if err != nil {
		return nil, err
	}
	return value.(*spanned), nil
}

// takeConstraints takes the links, and the labels without those that contradict each other.
func (r *run) takeConstraints() {
	s := r.p.Constraints
	if s.Empty() {
		return
	}
	r.must, r.cannot = s.Must, s.Cannot
	soft := s.SoftSeeds()
	only := &constraint.Set{}
	for _, l := range s.Labels {
		if !soft[l.I] {
			only.Labels = append(only.Labels, l)
		}
	}
	seen := map[int]bool{}
	for _, l := range constraint.Repaired(r.p.Len(), only).Labels {
		if !seen[l.I] {
			seen[l.I] = true
			r.known = append(r.known, l)
		}
	}
}
