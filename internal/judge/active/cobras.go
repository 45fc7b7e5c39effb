package active

import (
	"math"
	"slices"
)

// askBySuperInstances is COBRAS (Van Craenendonck, Dumančić and Blockeel 2018). Points are
// divided into super-instances, each of which is taken to lie in one cluster; questions
// are about their medoids. The largest super-instance is divided: how often is asked by
// halving it until the medoids of two halves belong together. Then clusters of
// super-instances are merged, the closest first, until all are known to be apart. Means
// and distances are those of the pool's kernel.
func askBySuperInstances(s *asking) {
	c := &superInstances{asking: s}
	all := make([]int, s.pool.Len())
	for a := range all {
		all[a] = a
	}
	c.clusters = [][]superInstance{{c.make(all)}}
	for c.refine() {
	}
}

// A superInstance is points of the pool, and the one nearest to their mean.
type superInstance struct {
	points []int
	medoid int
}

type superInstances struct {
	*asking
	clusters [][]superInstance
}

func (c *superInstances) make(points []int) superInstance {
	best, most := points[0], math.Inf(-1)
	for _, a := range points {
		sum := 0.0
		for _, b := range points {
			sum += c.pool.similarity(a, b)
		}
		if sum > most {
			best, most = a, sum
		}
	}
	return superInstance{points, best}
}

// refine divides the largest super-instance and merges clusters; false when nothing is
// left to divide or the questions have ended.
func (c *superInstances) refine() bool {
	at, in := -1, -1
	for g, list := range c.clusters {
		for i, s := range list {
			if len(s.points) > 1 && (at < 0 || len(s.points) > len(c.clusters[at][in].points)) {
				at, in = g, i
			}
		}
	}
	if at < 0 {
		return false
	}
	large := c.clusters[at][in]
	level, more := c.level(large)
	if !more {
		return false
	}
	if c.clusters[at] = slices.Delete(c.clusters[at], in, in+1); len(c.clusters[at]) == 0 {
		c.clusters = slices.Delete(c.clusters, at, at+1)
	}
	for _, part := range c.divide(large.points, level) {
		c.clusters = append(c.clusters, []superInstance{c.make(part)})
	}
	return c.merge()
}

// level returns into how many parts a super-instance is divided.
func (c *superInstances) level(s superInstance) (parts int, more bool) {
	for parts = 2; ; parts *= 2 {
		halves := c.divide(s.points, 2)
		if len(halves) < 2 {
			return parts, true
		}
		a, b := c.make(halves[0]), c.make(halves[1])
		is, more := c.ask(a.medoid, b.medoid, "is this group of rows one cluster, or more?")
		if !more {
			return 0, false
		}
		if is != Apart {
			return parts, true
		}
		if s = a; len(b.points) > len(a.points) {
			s = b
		}
	}
}

// merge asks about the two closest clusters of which nothing is known, until there are
// none.
func (c *superInstances) merge() (more bool) {
	for {
		g, h, a, b := -1, -1, 0, 0
		most := math.Inf(-1)
		for i := range c.clusters {
			for j := range i {
				if x, y, near, open := c.closest(c.clusters[i], c.clusters[j]); open && near > most {
					g, h, a, b, most = i, j, x, y, near
				}
			}
		}
		if g < 0 {
			return true
		}
		is, more := c.ask(a, b, "do these two groups of rows belong together?")
		if !more {
			return false
		}
		if is == Together {
			c.clusters[h] = append(c.clusters[h], c.clusters[g]...)
			c.clusters = slices.Delete(c.clusters, g, g+1)
		}
	}
}

// closest returns the most similar medoids of two clusters; open is false where they are
// known to be apart, or nobody could say.
func (c *superInstances) closest(g, h []superInstance) (a, b int, near float64, open bool) {
	near = math.Inf(-1)
	for _, s := range g {
		for _, t := range h {
			i, j := c.pool.Points[s.medoid], c.pool.Points[t.medoid]
			if c.answers.Relation(i, j) == Apart || c.answers.Asked(i, j) && c.answers.Relation(i, j) == Unknown {
				return 0, 0, 0, false
			}
			if y := c.pool.similarity(s.medoid, t.medoid); y > near {
				a, b, near = s.medoid, t.medoid, y
			}
		}
	}
	return a, b, near, true
}

// divide clusters points into at most k parts by kernel k-means.
func (c *superInstances) divide(points []int, k int) [][]int {
	k = min(k, len(points))
	label := make([]int, len(points))
	// The first centres: a random point, then each time the least similar one.
	centres := []int{points[c.rand.IntN(len(points))]}
	for len(centres) < k {
		best, least := points[0], math.Inf(1)
		for _, a := range points {
			near := math.Inf(-1)
			for _, b := range centres {
				near = max(near, c.pool.similarity(a, b))
			}
			if near < least {
				best, least = a, near
			}
		}
		centres = append(centres, best)
	}
	for i, a := range points {
		most := math.Inf(-1)
		for h, b := range centres {
			if y := c.pool.similarity(a, b); y > most {
				label[i], most = h, y
			}
		}
	}
	to := c.sumsToParts(points, label, k)
	for range 30 {
		if !c.reassign(points, label, k, to) {
			break
		}
	}
	parts := make([][]int, k)
	for i, a := range points {
		parts[label[i]] = append(parts[label[i]], a)
	}
	return slices.DeleteFunc(parts, func(p []int) bool { return len(p) == 0 })
}

// sumsToParts returns the sum of similarities of each point to each part.
func (c *superInstances) sumsToParts(points, label []int, k int) []float64 {
	to := make([]float64, len(points)*k)
	for i, a := range points {
		for j, b := range points {
			to[i*k+label[j]] += c.pool.similarity(a, b)
		}
	}
	return to
}

// reassign is one iteration of kernel k-means; false where nothing moves. Of the sums to
// parts only those that a move changes are computed again.
func (c *superInstances) reassign(points, label []int, k int, to []float64) bool {
	count, within := make([]float64, k), make([]float64, k)
	for i := range points {
		count[label[i]]++
		within[label[i]] += to[i*k+label[i]]
	}
	type move struct{ i, part int }
	var moves []move
	for i := range points {
		best, least := label[i], math.Inf(1)
		for h := range k {
			if count[h] == 0 {
				continue
			}
			if d := within[h]/(count[h]*count[h]) - 2*to[i*k+h]/count[h]; d < least-1e-12 {
				best, least = h, d
			}
		}
		if best != label[i] {
			moves = append(moves, move{i, best})
		}
	}
	for _, m := range moves {
		from := label[m.i]
		for i, a := range points {
			y := c.pool.similarity(points[m.i], a)
			to[i*k+from] -= y
			to[i*k+m.part] += y
		}
		label[m.i] = m.part
	}
	return len(moves) > 0
}
