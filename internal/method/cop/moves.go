package cop

import (
	"github.com/inklinghq/inkling/cluster/data"
)

// leaveCost returns the change of the cost, at most 0, when v of weight w leaves its
// cluster h.
func (s *partition) leaveCost(v data.Vec, w float64, h int) float64 {
	f := s.leaveFactor(w, h)
	if f == 0 {
		return 0
	}
	return f * s.squaredDistance(v, h)
}

// leaveFactor is leaveCost for a squared distance of 1 from the centre.
func (s *partition) leaveFactor(w float64, h int) float64 {
	if s.centresFixed {
		return -w
	}
	m := s.clusterWeight[h]
	if rest := m - w; s.clusterSize[h] > 1 && rest > 1e-12*m {
		return -w * (m / rest)
	}
	return 0 // it is its own centre
}

// joinCost returns the change of the cost when v of weight w joins cluster h.
func (s *partition) joinCost(v data.Vec, w float64, h int) float64 {
	f := s.joinFactor(w, h)
	if f == 0 {
		return 0
	}
	return f * s.squaredDistance(v, h)
}

// joinFactor is joinCost for a squared distance of 1 from the centre.
func (s *partition) joinFactor(w float64, h int) float64 {
	if s.centresFixed {
		return w
	}
	m := s.clusterWeight[h]
	if m == 0 {
		return 0
	}
	return w * (m / (m + w))
}

// scaled returns f·d, 0 where f is: the cost at the squared distance d.
func scaled(f, d float64) float64 {
	if f == 0 {
		return 0
	}
	return f * d
}

// moveChunklet moves q to cluster h and returns the change of the cost.
func (s *partition) moveChunklet(q, h int32) float64 {
	from, w := s.label[q], s.weight[q]
	v := s.position(q, s.buf)
	if s.undo.active {
		s.undo.moves = append(s.undo.moves, loggedMove{q, from, h})
	} else {
		s.changed.markChanged(from)
		s.changed.markChanged(h)
	}
	s.label[q] = h
	if s.centresFixed {
		return w * (s.squaredDistance(v, int(h)) - s.squaredDistance(v, int(from)))
	}
	s.saveCluster(from)
	s.saveCluster(h)
	change := s.leaveCost(v, w, int(from))
	s.shiftCentre(v, -w, int(from))
	change += s.joinCost(v, w, int(h))
	s.shiftCentre(v, w, int(h))
	return change
}

// shiftCentre updates cluster h when v joins it with weight w, or leaves it, w being
// minus the weight.
func (s *partition) shiftCentre(v data.Vec, w float64, h int) {
	s.version[h]++
	before := s.clusterWeight[h]
	after := before + w
	if w < 0 {
		s.clusterSize[h]--
	} else {
		s.clusterSize[h]++
	}
	if s.clusterSize[h] == 0 || after <= 1e-12*before {
		s.clusterWeight[h] = 0
		return
	}
	s.clusterWeight[h] = after
	if w == 0 {
		return
	}
	row := s.centreRow(h)
	keep := before / after
	for f := range row {
		row[f] *= keep
	}
	data.Add(row, v, w/after)
	s.centreNorm[h] = data.Norm2(row)
}

// beginUndo starts to record moves, so that endUndo can take them back.
func (s *partition) beginUndo() {
	t := &s.undo
	t.active = true
	t.moves, t.savedClusters, t.savedCentres = t.moves[:0], t.savedClusters[:0], t.savedCentres[:0]
	t.epoch++
}

// endUndo keeps the moves since beginUndo, or takes all of them back.
func (s *partition) endUndo(keep bool) {
	t := &s.undo
	t.active = false
	if keep {
		for _, m := range t.moves {
			s.changed.markChanged(m.from)
			s.changed.markChanged(m.to)
		}
		return
	}
	for i := len(t.moves) - 1; i >= 0; i-- {
		s.label[t.moves[i].chunklet] = t.moves[i].from
	}
	for i, c := range t.savedClusters {
		s.clusterWeight[c.cluster], s.centreNorm[c.cluster], s.clusterSize[c.cluster] = c.weight, c.norm, c.size
		s.version[c.cluster] = c.version // the centre is again what it was
		copy(s.centreRow(int(c.cluster)), t.savedCentres[i*s.d:(i+1)*s.d])
	}
}

// saveCluster records cluster h, if moves are recorded and it is not yet.
func (s *partition) saveCluster(h int32) {
	t := &s.undo
	if !t.active || t.savedEpoch[h] == t.epoch {
		return
	}
	t.savedEpoch[h] = t.epoch
	t.savedClusters = append(t.savedClusters, savedCluster{h, s.clusterSize[h], s.clusterWeight[h], s.centreNorm[h], s.version[h]})
	t.savedCentres = append(t.savedCentres, s.centreRow(int(h))...)
}

// markBlocked marks the clusters that q cannot join: isForbidden reports those that
// never become possible, isBlocked those that contain a cannot-linked chunklet now.
// The marks hold until the next call.
func (s *partition) markBlocked(q int32) {
	s.currentMark++
	for _, h := range s.forbidden.listOf(q) {
		s.forbiddenMark[h] = s.currentMark
	}
	for _, r := range s.cannotLinked.listOf(q) {
		s.blockedMark[s.label[r]] = s.currentMark
	}
}

func (s *partition) isForbidden(h int) bool { return s.forbiddenMark[h] == s.currentMark }

func (s *partition) isBlocked(h int) bool { return s.blockedMark[h] == s.currentMark }

// refillEmptyClusters moves to each empty cluster the free chunklet that lowers the
// cost most by leaving its cluster.
func (s *partition) refillEmptyClusters() {
	s.centresFixed = false
	for h, c := range s.clusterSize {
		if c > 0 {
			continue
		}
		costliest, most := int32(-1), 0.0
		for q := range int32(len(s.label)) {
			if from := int(s.label[q]); s.isFree(q) && s.clusterSize[from] > 1 {
				if c := s.leaveCost(s.position(q, s.buf), s.weight[q], from); c < most {
					costliest, most = q, c
				}
			}
		}
		if costliest < 0 {
			return
		}
		s.moveChunklet(costliest, int32(h))
	}
}
