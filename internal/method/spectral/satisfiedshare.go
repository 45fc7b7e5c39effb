package spectral

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// SatisfiedShare returns the share of Q that a clustering of the nodes satisfies: the
// sum of |Q_ij| over pairs that are together where Q_ij is above 0 and apart
// where it is below, by that over all pairs. The diagonal is left out.
func (d *ConstraintMatrix) SatisfiedShare(of []int, k int) float64 {
	good, all := 0.0, 0.0
	for _, i := range d.Support {
		to, w := d.Pairs.Neighbours(int(i))
		for q, j := range to {
			all += math.Abs(w[q])
			if (of[i] == of[j]) == (w[q] > 0) {
				good += math.Abs(w[q])
			}
		}
	}
	// By group and cluster: the weight that is positive, and that which is not.
	pos, neg := make([][]float64, len(d.Groups)), make([][]float64, len(d.Groups))
	for g, m := range d.Groups {
		pos[g], neg[g] = make([]float64, k), make([]float64, k)
		for q, i := range m.Node {
			if w := m.W[q]; w > 0 {
				pos[g][of[i]] += w
			} else {
				neg[g][of[i]] -= w
			}
		}
	}
	for _, t := range d.Couplings {
		a, b := t.G, t.H
		alike, same, mixed, opposite := 0.0, 0.0, 0.0, 0.0 // together and in all, of equal and of unequal signs
		var pa, na, pb, nb float64
		for c := range k {
			alike += pos[a][c]*pos[b][c] + neg[a][c]*neg[b][c]
			mixed += pos[a][c]*neg[b][c] + neg[a][c]*pos[b][c]
			pa, na, pb, nb = pa+pos[a][c], na+neg[a][c], pb+pos[b][c], nb+neg[b][c]
		}
		same, opposite = pa*pb+na*nb, pa*nb+na*pb
		if a == b {
			self := 0.0
			for _, w := range d.Groups[a].W {
				self += w * w
			}
			alike, same = alike-self, same-self
		}
		right := alike + opposite - mixed
		if t.W < 0 {
			right = same - alike + mixed
		}
		weight := math.Abs(t.W)
		if a != b {
			weight *= 2
		}
		good, all = good+weight*right, all+weight*(same+opposite)
	}
	if all == 0 {
		return 1
	}
	return good / all
}

// Fewer than minJudges constraints cannot tell clusterings apart, and are followed; so are more
// constraints than points, which need no neighbours to tell where points belong.
const minJudges = 20

// minPreference is by how many standard errors the constraints must speak for k clusters that were
// made with them. Among more vectors those that satisfy more by chance are more: with one and two
// a standard error is enough, with k−1 it is √((k−1)/2) (go run ./bench/trust harm).
func minPreference(k int) float64 { return math.Sqrt(max(1, float64(k-1)/2)) }

// ConstraintsPrefer reports whether the constraints speak for the clusters of rather than
// for the unconstrained ones, both of all points. Every point is judged by its
// neighbours in g, the graph without constraints, and not by its own cluster: eigenvectors
// can satisfy a constraint by putting its points, and nothing around them, elsewhere. That
// says nothing about the other points, and moving clusters for it does harm.
func (r *Run) ConstraintsPrefer(g *data.Graph, of, unconstrained []int) bool {
	known := r.Problem.Constraints
	if known.Len() < minJudges || known.Len() > len(of) {
		return true
	}
	return known.Preference(r.clustersAround(g, of), r.clustersAround(g, unconstrained)) >= minPreference(r.Problem.K)
}

// clustersAround returns for every point the cluster in which most of its neighbours in g are
// by weight, its own among equals.
func (r *Run) clustersAround(g *data.Graph, of []int) []int {
	out, pull := make([]int, len(of)), make([]float64, r.Problem.K)
	for i, own := range of {
		clear(pull)
		to, w := g.Neighbours(i)
		for q, j := range to {
			if int(j) != i {
				pull[of[j]] += w[q] * r.Problem.W(int(j))
			}
		}
		out[i] = own
		for h, y := range pull {
			if y > pull[out[i]] {
				out[i] = h
			}
		}
	}
	return out
}

// ClusterUnconstrained returns the clusters of the points that a finds without constraints on
// the graph g of the problem: the very ones of a fit without them.
func (r *Run) ClusterUnconstrained(ctx context.Context, a cluster.Algorithm, g *data.Graph) ([]int, error) {
	q := *r.Problem
	q.X, q.Graph, q.Views = nil, g, nil
	res, err := r.Env.FitUnconstrained(ctx, &q, onGraph{a, r.Problem.Graph == nil})
	if err != nil {
		return nil, err
	}
	return res.Labels, nil
}

// onGraph is an algorithm on the graph of a problem, which draws the same random numbers as if it
// had made the graph of rows.
type onGraph struct {
	cluster.Algorithm
	ofRows bool
}

// Deterministic reports that one run is enough, as for Spectral.
func (onGraph) Deterministic(*cluster.Problem) bool { return true }

// Start starts a run and draws what the neighbours of rows take.
func (a onGraph) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r, err := a.Algorithm.Start(ctx, p, e)
	if a.ofRows {
		e.Rand.Uint64()
	}
	return r, err
}
