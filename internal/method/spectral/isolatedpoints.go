package spectral

import (
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/support/format"
)

// IsolatedPoints reports points without edges; Result.Learned of Spectral and of
// SpectralLearning is one where there are any.
type IsolatedPoints struct {
	LeftOut int `json:"left_out"`
}

// KeptClusters is Result.Learned of SpectralLearning where the clusters without constraints
// were kept.
type KeptClusters struct {
	LeftOut       int  `json:"left_out,omitempty"` // points without edges
	Unconstrained bool `json:"unconstrained"`
}

// Notes says why the clusters are those without constraints.
func (k *KeptClusters) Notes() []string { return append(IsolatedNotes(k.LeftOut), KeptNote) }

const KeptNote = "the clusters are those without constraints: where every point is judged by its neighbours, no other clusters satisfy clearly more of them ({effort=low} uses the constraints without comparing)"

// Notes says what they mean for the result.
func (s *IsolatedPoints) Notes() []string { return IsolatedNotes(s.LeftOut) }

// IsolatedNotes says what points without edges mean for the result.
func IsolatedNotes(count int) []string {
	if count == 0 {
		return nil
	}
	return []string{format.Count(count, "node") + " without edges: where no constraint places them, their assignment is arbitrary"}
}

// isolatedPoints holds the constraints of points that have no edges.
type isolatedPoints struct {
	nodes         *NodeGraph
	k             int
	pairs         map[int][]constraint.Pair // by the point: J is the other end, W above 0 for together
	class         map[int]constraint.Label
	labelledNodes [][]constraint.Label // the labels of the other points, by class
}

// newIsolatedPoints returns it, nil where every point has edges or there are no constraints.
func newIsolatedPoints(p *cluster.Problem, f *NodeGraph) *isolatedPoints {
	if len(f.Points) == p.Len() || p.Constraints.Empty() {
		return nil
	}
	w := &isolatedPoints{nodes: f, k: p.K, pairs: map[int][]constraint.Pair{}, class: map[int]constraint.Label{}, labelledNodes: make([][]constraint.Label, p.Constraints.Classes())}
	put := func(list []constraint.Pair, factor float64) {
		for _, q := range list {
			for _, e := range [][2]int{{q.I, q.J}, {q.J, q.I}} {
				if f.NodeOf[e[0]] < 0 && f.NodeOf[e[1]] >= 0 {
					w.pairs[e[0]] = append(w.pairs[e[0]], constraint.Pair{I: e[0], J: e[1], W: factor * q.W})
				}
			}
		}
	}
	put(p.Constraints.Must, 1)
	put(p.Constraints.Cannot, -1)
	put(p.Constraints.Beliefs, 1)
	for _, l := range p.Constraints.Labels {
		if f.NodeOf[l.I] < 0 {
			w.class[l.I] = l
		} else {
			w.labelledNodes[l.Class] = append(w.labelledNodes[l.Class], l)
		}
	}
	return w
}

// PlaceIsolatedByConstraints places points without edges by their constraints.
func (r *Run) PlaceIsolatedByConstraints() {
	if w := newIsolatedPoints(r.Problem, r.Nodes); w != nil {
		r.PlaceIsolated = w.clusterOf
	}
}

// clusterOf returns the cluster that the constraints of a point speak for, the nodes
// being in clusters of; -1 if nothing speaks for one.
func (w *isolatedPoints) clusterOf(of []int, point int) int {
	pull := make([]float64, w.k)
	for _, q := range w.pairs[point] {
		pull[of[w.nodes.NodeOf[q.J]]] += q.W
	}
	if l, ok := w.class[point]; ok {
		for _, m := range w.labelledNodes[l.Class] {
			pull[of[w.nodes.NodeOf[m.I]]] += l.W * m.W
		}
	}
	if most := slices.Max(pull); most > 0 || slices.Min(pull) < 0 {
		return slices.Index(pull, most)
	}
	return -1
}
