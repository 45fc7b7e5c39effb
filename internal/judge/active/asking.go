package active

import "math/rand/v2"

// A Question asks whether two points belong in one cluster.
type Question struct {
	A, B int
	Why  string // in words
}

// asking is what a procedure works with.
type asking struct {
	pool    *Pool
	k       int
	answers *Answers
	rand    *rand.Rand
	yield   func(Question) bool
	choices map[string]choice // by what is placed; kept when the procedure begins again
}

// ask returns whether points a and b of the pool belong together. What is known is not
// asked. more is false when the procedure must end.
func (s *asking) ask(a, b int, why string) (is Relation, more bool) {
	i, j := s.pool.Points[a], s.pool.Points[b]
	if known := s.answers.Relation(i, j); known != Unknown {
		return known, true
	}
	if s.answers.Asked(i, j) { // unsure
		return Unknown, true
	}
	if !s.yield(Question{i, j, why}) {
		return Unknown, false
	}
	return s.answers.Relation(i, j), true
}

// isAsked reports whether a question about points a and b of the pool would say nothing
// new.
func (s *asking) isAsked(a, b int) bool {
	i, j := s.pool.Points[a], s.pool.Points[b]
	return s.answers.Relation(i, j) != Unknown || s.answers.Asked(i, j)
}

// askRest asks about all pairs of which nothing is known, in a random order: what is left
// when a strategy has done its work.
func (s *asking) askRest(why string) {
	n := s.pool.Len()
	for range 20 * n {
		a, b := s.rand.IntN(n), s.rand.IntN(n)
		if a == b || s.isAsked(a, b) {
			continue
		}
		if _, more := s.ask(a, b, why); !more {
			return
		}
	}
	for a := range n {
		for b := range a {
			if !s.isAsked(a, b) {
				if _, more := s.ask(a, b, why); !more {
					return
				}
			}
		}
	}
}

// askAtRandom asks about two points at random.
func askAtRandom(s *asking) { s.askRest("two rows at random") }
