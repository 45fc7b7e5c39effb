package cop

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
)

// Bounds of one step: longer chains rarely lower the cost.
const (
	maxKempeChain = 256 // chunklets
	maxEjections  = 16
)

// maxPasses bounds the passes of one local search; it is rarely reached.
const maxPasses = 1000

// localSearch improves the given chunklets in random order, until a pass changes no
// cluster or the passes are used up. No constraint is violated after any step. It
// returns the number of steps.
//
// It resolves the components of cannot-linked chunklets that cannot be assigned
// exactly. The paper moves one point at a time and stops where a cannot-link is in
// the way; here the cannot-linked chunklets move too.
func (s *partition) localSearch(ctx context.Context, chunklets []int32, rng *rand.Rand, passes int) (steps int, err error) {
	order := shuffled(chunklets, rng)
	for range passes {
		s.changed.beginPass()
		if len(s.changed.current) == 0 {
			break
		}
		begun, until, before := 0, 0, steps // of what was looked at ahead: where it begins and ends, and the steps before
		for i, q := range order {
			if i%256 == 0 && ctx.Err() != nil {
				return steps, ctx.Err()
			}
			if s.ahead != nil && (i == until || s.ahead.isStale(s, steps-before)) {
				until = s.ahead.next(ctx, s, order, i, i-begun, steps-before)
				begun, before = i, steps
			}
			if s.improveChunklet(q, s.ahead.known(s, i)) {
				steps++
				s.ahead.noteStep(s)
			}
		}
	}
	return steps, nil
}

// improveChunklet makes the move of q that lowers the cost most without a violation.
// If only moves that violate a cannot-link lower it, it tries these by ejection
// chains and Kempe chains. It reports whether q moved.
func (s *partition) improveChunklet(q int32, known knownDistances) bool {
	if s.fixedCluster[q] >= 0 {
		return false
	}
	w, from := s.weight[q], int(s.label[q])
	var v data.Vec
	distance := func(h int) float64 {
		if d, ok := known.at(s, h); ok {
			return d
		}
		if v.Val == nil {
			v = s.position(q, s.buf)
		}
		return s.squaredDistance(v, h)
	}
	leave := scaled(s.leaveFactor(w, from), distance(from))
	if leave >= -s.tolerance {
		return false // nothing to gain by leaving
	}
	if known.settled && known.version[from] == s.version[from] && !slices.ContainsFunc(known.touched, func(g int32) bool {
		return leave+scaled(s.joinFactor(w, int(g)), distance(int(g))) < -s.tolerance
	}) {
		return false // nothing to gain by joining another
	}
	s.markBlocked(q)
	best, to := -s.tolerance, -1
	s.blockedMoves = s.blockedMoves[:0]
	for _, g := range s.targetsOf(from) {
		h := int(g)
		if h == from || s.isForbidden(h) {
			continue
		}
		change := leave + scaled(s.joinFactor(w, h), distance(h))
		switch {
		case change >= -s.tolerance:
		case s.isBlocked(h):
			s.blockedMoves = append(s.blockedMoves, blockedMove{change, int32(h)})
		case change < best || change == best && h < to:
			best, to = change, h
		}
	}
	if to >= 0 {
		s.moveChunklet(q, int32(to))
		return true
	}
	slices.SortFunc(s.blockedMoves, func(a, b blockedMove) int {
		if a.change != b.change {
			return int(math.Copysign(1, a.change-b.change))
		}
		return int(a.cluster - b.cluster)
	})
	for _, x := range s.blockedMoves {
		if s.ejectionChain(q, x.cluster) || s.kempeInterchange(q, x.cluster) {
			return true
		}
	}
	return false
}

// targetsOf returns the clusters that a chunklet of cluster from may gain by joining.
func (s *partition) targetsOf(from int) []int32 {
	if s.changed.inCurrent[from] {
		return s.allClusters
	}
	return s.changed.current
}

// kempeInterchange swaps the cluster of q and cluster h on the Kempe chain of q (the
// chunklets of these two clusters connected with q by cannot-links), if this lowers
// the cost.
func (s *partition) kempeInterchange(q, h int32) bool {
	a := s.label[q]
	most := maxKempeChain
	if !s.centresFixed { // a chain of more than half of both clusters: swapping the rest moves less
		most = min(most, int(s.clusterSize[a]+s.clusterSize[h])/2)
	}
	s.currentMark++
	s.chain = append(s.chain[:0], q)
	s.visitedMark[q] = s.currentMark
	for next := 0; next < len(s.chain); next++ {
		u := s.chain[next]
		other := a + h - s.label[u]
		if slices.Contains(s.forbidden.listOf(u), other) {
			return false
		}
		for _, r := range s.cannotLinked.listOf(u) {
			if s.label[r] == other && s.visitedMark[r] != s.currentMark {
				s.visitedMark[r] = s.currentMark
				s.chain = append(s.chain, r)
			}
		}
		if len(s.chain) > most {
			return false
		}
	}
	s.beginUndo()
	total := 0.0
	for _, u := range s.chain {
		total += s.moveChunklet(u, a+h-s.label[u])
	}
	s.endUndo(total < -s.tolerance)
	return total < -s.tolerance
}

// ejectionChain moves q to h, the chunklets there that have a cannot-link with q to
// their ejection targets, the chunklets in their way likewise, and so on. It keeps
// the moves if no violation is left and the cost is lower.
func (s *partition) ejectionChain(q, h int32) bool {
	s.currentMark++
	id := s.currentMark // markBlocked increases currentMark
	s.beginUndo()
	total := s.moveChunklet(q, h)
	s.visitedMark[q] = id
	s.chain = s.appendBlockers(s.chain[:0], q, h)
	for next := 0; next < len(s.chain); next++ {
		u := s.chain[next]
		to := s.ejectionTarget(u, id)
		if to < 0 || next >= maxEjections {
			s.endUndo(false)
			return false
		}
		total += s.moveChunklet(u, to)
		s.visitedMark[u] = id
		if total >= -s.tolerance {
			s.endUndo(false) // further ejections rarely lower the cost
			return false
		}
		s.chain = s.appendBlockers(s.chain, u, to)
	}
	s.endUndo(true)
	return true
}

// appendBlockers appends the chunklets in cluster h that have a cannot-link with q.
func (s *partition) appendBlockers(list []int32, q, h int32) []int32 {
	for _, r := range s.cannotLinked.listOf(q) {
		if s.label[r] == h {
			list = append(list, r)
		}
	}
	return list
}

// ejectionTarget returns the cluster for u in the ejection chain id: the cheapest
// without a cannot-linked chunklet; if there is none the cheapest whose cannot-linked
// chunklets have not moved in this chain; -1 if there is none either.
func (s *partition) ejectionTarget(u int32, id int) int32 {
	s.markBlocked(u)
	for _, r := range s.cannotLinked.listOf(u) {
		if s.visitedMark[r] == id { // it has moved already and stays
			s.forbiddenMark[s.label[r]] = s.currentMark
		}
	}
	v, w, from := s.position(u, s.buf), s.weight[u], int(s.label[u])
	open, occupied := int32(-1), int32(-1)
	least, leastOccupied := math.Inf(1), math.Inf(1)
	for h := range s.k {
		if h == from || s.isForbidden(h) {
			continue
		}
		c := s.joinCost(v, w, h)
		if c < leastOccupied {
			leastOccupied, occupied = c, int32(h)
		}
		if c < least && !s.isBlocked(h) {
			least, open = c, int32(h)
		}
	}
	if open >= 0 {
		return open
	}
	return occupied
}

// shuffled returns a copy of list in random order.
func shuffled(list []int32, rng *rand.Rand) []int32 {
	out := append([]int32(nil), list...)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
