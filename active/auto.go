package active

import "slices"

// askForInfluence is ours: the next point is the one whose placing is expected to change
// the most other rows for a question. That is its uncertainty (the probability that it
// is not in its likeliest group) times the number of points that are similar to it and
// not yet known, divided by the questions that placing it is expected to take.
func askForInfluence(s *asking) {
	density := s.pool.density()
	askByScore(s, func(a int, p []float64) float64 {
		return (1 - slices.Max(p)) * density[a] / expectedQuestions(p)
	})
}
