package cop

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Bounds of one step: a chain longer than maxChain or a cascade of more than
// maxCascade moves hardly ever pays.
const (
	maxChain   = 256
	maxCascade = 16
)

// descend improves the lumps in who, in random order, until no cluster is hot
// or the passes are over. Labels are legal after every step. It returns the
// number of steps.
func (s *layout) descend(ctx context.Context, who []int32, rng *rand.Rand, passes int) (steps int, err error) {
	order := shuffled(who, rng)
	for range passes {
		s.heat.turn()
		if len(s.heat.now) == 0 {
			break
		}
		for at, q := range order {
			if at%256 == 0 && ctx.Err() != nil {
				return steps, ctx.Err()
			}
			if s.improve(q) {
				steps++
			}
		}
	}
	return steps, nil
}

// improve makes the best legal move of q that lowers the cost. Where only
// illegal ones would, it tries to make them legal by moving others as well.
func (s *layout) improve(q int32) bool {
	if s.fixed[q] >= 0 {
		return false
	}
	w, from := s.weight[q], int(s.label[q])
	look := s.heat.now
	if s.heat.isNow[from] {
		look = s.every
	}
	v := s.at(q, s.buf)
	leave := s.leave(v, w, from)
	if leave >= -s.eps {
		return false // nothing to gain by leaving
	}
	s.look(q)
	best, to := -s.eps, -1
	s.wanted = s.wanted[:0]
	for _, g := range look {
		h := int(g)
		if h == from || s.banned(h) {
			continue
		}
		change := leave + s.join(v, w, h)
		switch {
		case change >= -s.eps:
		case s.blocked(h):
			s.wanted = append(s.wanted, want{change, int32(h)})
		case change < best || change == best && h < to:
			best, to = change, h
		}
	}
	if to >= 0 {
		s.move(q, int32(to))
		return true
	}
	slices.SortFunc(s.wanted, func(a, b want) int {
		if a.change != b.change {
			return int(math.Copysign(1, a.change-b.change))
		}
		return int(a.h - b.h)
	})
	for _, x := range s.wanted {
		if s.cascade(q, x.h) || s.interchange(q, x.h) {
			return true
		}
	}
	return false
}

// want is a cluster that would be better if nobody in it were apart.
type want struct {
	change float64
	h      int32
}

// interchange swaps the two clusters, that of q and h, on all lumps that hang
// together with q by being apart (a Kempe chain), if this lowers the cost.
func (s *layout) interchange(q, h int32) bool {
	a := s.label[q]
	most := maxChain
	if !s.frozen { // beyond half of the two clusters, it is the other half that moves
		most = min(most, int(s.count[a]+s.count[h])/2)
	}
	s.turn++
	s.chain = append(s.chain[:0], q)
	s.mark[q] = s.turn
	for at := 0; at < len(s.chain); at++ {
		u := s.chain[at]
		other := a + h - s.label[u]
		if slices.Contains(s.ban.of(u), other) {
			return false
		}
		for _, r := range s.apart.of(u) {
			if s.label[r] == other && s.mark[r] != s.turn {
				s.mark[r] = s.turn
				s.chain = append(s.chain, r)
			}
		}
		if len(s.chain) > most {
			return false
		}
	}
	s.begin()
	total := 0.0
	for _, u := range s.chain {
		total += s.move(u, a+h-s.label[u])
	}
	s.end(total < -s.eps)
	return total < -s.eps
}

// cascade moves q to h, whoever is apart from it there to the best legal
// cluster, and where there is none to the best of all, and so on. It keeps
// this if it lowers the cost.
func (s *layout) cascade(q, h int32) bool {
	s.turn++
	id := s.turn // look uses later turns
	s.begin()
	total := s.move(q, h)
	s.mark[q] = id
	s.chain = s.push(s.chain[:0], q, h)
	for at := 0; at < len(s.chain); at++ {
		u := s.chain[at]
		to := s.refuge(u, id)
		if to < 0 || at >= maxCascade {
			s.end(false)
			return false
		}
		total += s.move(u, to)
		s.mark[u] = id
		if total >= -s.eps {
			s.end(false) // those who flee seldom gain by it
			return false
		}
		s.chain = s.push(s.chain, u, to)
	}
	s.end(true)
	return true
}

// push adds those apart from q in cluster h.
func (s *layout) push(list []int32, q, h int32) []int32 {
	for _, r := range s.apart.of(q) {
		if s.label[r] == h {
			list = append(list, r)
		}
	}
	return list
}

// refuge returns where u goes in the cascade id: the cheapest cluster in which
// nobody is apart from it, else the cheapest in which all who are can still
// flee, -1 for none.
func (s *layout) refuge(u int32, id int) int32 {
	s.look(u)
	for _, r := range s.apart.of(u) {
		if s.mark[r] == id { // it stays where it has just gone
			s.bans[s.label[r]] = s.turn
		}
	}
	v, w, from := s.at(u, s.buf), s.weight[u], int(s.label[u])
	legal, crowded := int32(-1), int32(-1)
	least, leastCrowded := math.Inf(1), math.Inf(1)
	for h := range s.k {
		if h == from || s.banned(h) {
			continue
		}
		c := s.join(v, w, h)
		if c < leastCrowded {
			leastCrowded, crowded = c, int32(h)
		}
		if c < least && !s.blocked(h) {
			least, legal = c, int32(h)
		}
	}
	if legal >= 0 {
		return legal
	}
	return crowded
}
