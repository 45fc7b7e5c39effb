package cop

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// chunklets are the points with every must-link component contracted: chunklet q
// has the total weight of its points and lies at their mean y_q. If no chunklet is
// divided among clusters,
//
//	Σ_i w_i ‖x_i − μ_{l_i}‖² = Σ_q w_q ‖y_q − μ_{l_q}‖² + a constant,
//
// so that the contracted problem has the same minima. Chunklets are the components
// of the closure; all points of one class are one chunklet, and a point without
// must-links is a chunklet by itself. The struct is read only, and shared by all
// partitions of a run.
type chunklets struct {
	rows             data.Rows
	k, d             int
	closed           *constraint.Closure
	weight           []float64
	meanIndex        []int32           // index in means of chunklet q, -1 for a single row
	means            []float64         // y_q of chunklets of several points
	fixedCluster     []int32           // the cluster of a labelled chunklet, -1 for others
	cannotLinked     chunkletLists     // chunklets without a label that have a cannot-link with q
	forbidden        chunkletLists     // clusters of labelled chunklets that have a cannot-link with q
	constrained      []int32           // chunklets without a label that have cannot-links
	freeGroups       []int32           // free chunklets of several points
	cannotComponents []cannotComponent // of the graph cannotLinked, in the order of constrained
}

func newChunklets(p *cluster.Problem, closed *constraint.Closure) *chunklets {
	n := closed.Components()
	l := &chunklets{rows: p.X, k: p.K, d: p.X.Dim(), closed: closed, weight: make([]float64, n), meanIndex: make([]int32, n), fixedCluster: make([]int32, n)}
	buf := make([]float64, l.d)
	for q := range n {
		l.fixedCluster[q] = int32(closed.Class(q))
		l.meanIndex[q] = -1
		for _, i := range closed.Members(q) {
			l.weight[q] += p.W(int(i))
		}
		if closed.Size(q) > 1 {
			l.meanIndex[q] = int32(len(l.means) / l.d)
			l.means = append(l.means, weightedMean(p, closed.Members(q), l.weight[q], buf)...)
		}
	}
	l.sortCannotLinks()
	l.cannotComponents = findCannotComponents(l.constrained, l.cannotLinked, l.k)
	return l
}

// weightedMean returns the weighted mean of the points, the unweighted mean if
// their weights are 0.
func weightedMean(p *cluster.Problem, members []int32, mass float64, buf []float64) []float64 {
	m := make([]float64, len(buf))
	for _, i := range members {
		w := 1 / float64(len(members))
		if mass > 0 {
			w = p.W(int(i)) / mass
		}
		data.Add(m, p.X.Row(int(i), buf), w)
	}
	return m
}

// sortCannotLinks fills cannotLinked and forbidden, and lists the constrained chunklets
// and the free ones of several points.
func (l *chunklets) sortCannotLinks() {
	n := int32(len(l.weight))
	l.cannotLinked.starts, l.forbidden.starts = make([]int32, n+1), make([]int32, n+1)
	lastForbidden := make([]int32, l.k) // by cluster: the last chunklet that it was forbidden for, plus one
	for q := range n {
		if l.fixedCluster[q] < 0 {
			for _, r := range l.closed.CannotLinked(int(q)) {
				switch h := l.fixedCluster[r]; {
				case h < 0:
					l.cannotLinked.values = append(l.cannotLinked.values, r)
				case lastForbidden[h] != q+1:
					lastForbidden[h] = q + 1
					l.forbidden.values = append(l.forbidden.values, h)
				}
			}
		}
		l.cannotLinked.starts[q+1], l.forbidden.starts[q+1] = int32(len(l.cannotLinked.values)), int32(len(l.forbidden.values))
		if l.fixedCluster[q] < 0 && len(l.cannotLinked.listOf(q))+len(l.forbidden.listOf(q)) > 0 {
			l.constrained = append(l.constrained, q)
		}
		if l.meanIndex[q] >= 0 && l.isFree(q) {
			l.freeGroups = append(l.freeGroups, q)
		}
	}
}

// isFree reports whether q may be in any cluster, whatever the labels of others.
func (l *chunklets) isFree(q int32) bool {
	return l.fixedCluster[q] < 0 && l.cannotLinked.starts[q] == l.cannotLinked.starts[q+1] && l.forbidden.starts[q] == l.forbidden.starts[q+1]
}

// position returns y_q; it may use buf.
func (l *chunklets) position(q int32, buf []float64) data.Vec {
	if s := int(l.meanIndex[q]); s >= 0 {
		return data.Vec{Val: l.means[s*l.d : (s+1)*l.d]}
	}
	return l.rows.Row(int(l.closed.Members(int(q))[0]), buf)
}
