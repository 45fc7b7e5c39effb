package cop

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// A partition is a labelling of all chunklets without violations, and its clusters.
// While centresFixed is set, the cost of a move is the difference of the distances
// to the centres, as in Lloyd's iteration. Otherwise every centre is the mean of its
// cluster and follows each move, and the cost is the exact change of J (Hartigan):
// it falls by w·m/(m−w)·‖y−μ‖² when chunklet y of weight w leaves a cluster of weight
// m and centre μ, and rises by w·m/(m+w)·‖y−μ‖² when it joins one.
type partition struct {
	*chunklets
	centresFixed  bool
	label         []int32   // of each chunklet
	centre        []float64 // k rows
	centreNorm    []float64 // ‖μ‖² of each centre, for sparse rows
	clusterWeight []float64
	clusterSize   []int32 // chunklets in each cluster
	version       []int   // of each centre: another number after it has followed a move

	buf           []float64
	blockedMark   []int // by cluster: equal to currentMark where a cannot-linked chunklet is in it
	forbiddenMark []int // by cluster: equal to currentMark where it is forbidden
	currentMark   int

	undo             undoLog
	changed          changedClusters
	allClusters      []int32   // 0 … k−1
	costScratch      []float64 // scratch of assignmentCosts, one for each cluster
	visitedMark      []int     // scratch, by chunklet: the mark of the last chain that contained it
	chain            []int32
	blockedMoves     []blockedMove
	indexInComponent []int32 // scratch, by chunklet: its index in its component
	tolerance        float64 // a smaller decrease of the cost counts as rounding
	ahead            *lookahead
}

// undoLog records the moves since beginUndo, and the clusters as they were.
type undoLog struct {
	active        bool
	moves         []loggedMove
	savedClusters []savedCluster
	savedCentres  []float64
	savedEpoch    []int // by cluster: the epoch in which it was last saved
	epoch         int
}

type loggedMove struct{ chunklet, from, to int32 }

type savedCluster struct {
	cluster, size int32
	weight, norm  float64
	version       int
}

func newPartition(l *chunklets, label []int32, centre []float64) *partition {
	s := &partition{
		chunklets: l, label: label, centre: centre, centreNorm: make([]float64, l.k), clusterWeight: make([]float64, l.k), clusterSize: make([]int32, l.k), version: make([]int, l.k),
		buf: make([]float64, l.d), blockedMark: make([]int, l.k), forbiddenMark: make([]int, l.k), costScratch: make([]float64, l.k), visitedMark: make([]int, len(l.weight)), indexInComponent: make([]int32, len(l.weight)),
	}
	s.undo.savedEpoch = make([]int, l.k)
	for h := range int32(l.k) {
		s.allClusters = append(s.allClusters, h)
	}
	s.changed = changedClusters{inCurrent: make([]bool, l.k), inNext: make([]bool, l.k), dirty: make([]bool, l.k)}
	for h := range l.k {
		s.centreNorm[h] = data.Norm2(s.centreRow(h))
	}
	return s
}

func (s *partition) centreRow(h int) []float64 { return s.centre[h*s.d : (h+1)*s.d : (h+1)*s.d] }

func (s *partition) squaredDistance(v data.Vec, h int) float64 {
	return data.Dist2(v, s.centreRow(h), s.centreNorm[h])
}

// markAllChanged makes the next pass consider every cluster for every chunklet.
func (s *partition) markAllChanged() {
	for h := range int32(s.k) {
		s.changed.markChanged(h)
	}
}

// updateCentres recomputes weights and sizes, and moves the centre of every cluster
// with weight to its mean.
func (s *partition) updateCentres() {
	s.countClusters()
	sum := make([]float64, s.k*s.d)
	for q, h := range s.label {
		data.Add(sum[int(h)*s.d:int(h+1)*s.d], s.position(int32(q), s.buf), s.weight[q])
	}
	for h, m := range s.clusterWeight {
		if m == 0 {
			continue
		}
		row := s.centreRow(h)
		for f := range row {
			row[f] = sum[h*s.d+f] / m
		}
		s.centreNorm[h] = data.Norm2(row)
	}
	for h, isDirty := range s.changed.dirty {
		if isDirty {
			s.changed.markChanged(int32(h))
			s.changed.dirty[h] = false
		}
	}
}

// countClusters recomputes the weights and sizes of the clusters.
func (s *partition) countClusters() {
	clear(s.clusterWeight)
	clear(s.clusterSize)
	for q, h := range s.label {
		s.clusterWeight[h] += s.weight[q]
		s.clusterSize[h]++
	}
}

// totalCost returns Σ_q w_q ‖y_q − μ‖².
func (s *partition) totalCost() (sum float64) {
	for q, h := range s.label {
		sum += s.weight[q] * s.squaredDistance(s.position(int32(q), s.buf), int(h))
	}
	return sum
}

// copyFrom makes s a copy of t, a partition of the same chunklets.
func (s *partition) copyFrom(t *partition) {
	copy(s.label, t.label)
	copy(s.centre, t.centre)
	copy(s.centreNorm, t.centreNorm)
	copy(s.clusterWeight, t.clusterWeight)
	copy(s.clusterSize, t.clusterSize)
	s.centresFixed, s.tolerance = t.centresFixed, t.tolerance
	s.changed.forgetChanges()
}

// setLabels gives the chunklets of a component their labels, in the order of the
// component.
func (s *partition) setLabels(c cannotComponent, labels []int32) {
	for v, q := range c.chunklets {
		s.label[q] = labels[v]
	}
}

// A blockedMove is a move to a cluster that would lower the cost, but violate a
// cannot-link.
type blockedMove struct {
	change  float64 // of the cost, below 0
	cluster int32
}
