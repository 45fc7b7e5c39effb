package active

import (
	"cmp"
	"math"
	"slices"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/posterior"
)

// askByUncertainty is NPU, the normalised point-based uncertainty of Xiong, Azimi and Fern
// (2014): the next point is the one whose group is least certain, by entropy, divided by
// the number of questions that it is expected to take. The paper takes the probabilities
// from a random forest on the current clusters; these are those of a Gaussian process on
// the groups (package posterior).
func askByUncertainty(s *asking) {
	askByScore(s, func(_ int, p []float64) float64 { return entropy(p) / expectedQuestions(p) })
}

// askByScore places points, the one of the highest score first.
func askByScore(s *asking, score func(a int, p []float64) float64) {
	b := newNeighbourhoods(s)
	first, most := 0, math.Inf(-1)
	for a, y := range s.pool.density() {
		if y > most {
			first, most = a, y
		}
	}
	if !b.place(first, nil, "the row that most others are similar to") {
		return
	}
	for {
		p := b.posterior()
		best, most := -1, math.Inf(-1)
		for a := range b.of {
			if !b.isOpen(a) {
				continue
			}
			if y := score(a, p[a]); y > most {
				best, most = a, y
			}
		}
		if best < 0 {
			break
		}
		if !b.place(best, p[best], "its cluster is uncertain, and the answer says something about many rows") {
			return
		}
	}
	s.askRest("nothing else is left")
}

// posterior returns for each point of the pool the probability of each group, and, where
// there may be more groups, of a new one in the end.
func (b *neighbourhoods) posterior() [][]float64 {
	placed := b.placed()
	labels := make([]constraint.Label, len(placed))
	classes := len(b.groups)
	for i, a := range placed {
		labels[i] = constraint.Label{I: b.pool.gram.Rows[a], Class: b.of[a], W: 1}
	}
	open := b.k == 0 || classes < b.k
	out := make([][]float64, len(b.of))
	fit, err := posterior.FitLabels(b.pool.gram.Select(placed), labels, classes)
	var all []float64
	if err == nil {
		all = fit.PredictIn(b.pool.gram, placed)
	}
	for a := range out {
		p := make([]float64, classes, classes+1)
		if err != nil { // the kernel is singular: nothing is known
			for h := range p {
				p[h] = 1 / float64(classes)
			}
		} else {
			copy(p, all[a*classes:(a+1)*classes])
		}
		if open { // as likely as the point is unlike all that were placed
			near := 0.0
			for _, c := range placed {
				near = max(near, b.pool.similarity(a, c))
			}
			fresh := (1 - min(1, near)) / 2
			for h := range p {
				p[h] *= 1 - fresh
			}
			p = append(p, fresh)
		}
		out[a] = p
	}
	return out
}

func entropy(p []float64) (sum float64) {
	for _, y := range p {
		if y > 0 {
			sum -= y * math.Log(y)
		}
	}
	return sum
}

// expectedQuestions returns how many questions placing a point takes on average, if the
// likeliest group comes first.
func expectedQuestions(p []float64) (sum float64) {
	sorted := sortedDown(p)
	for i, y := range sorted {
		sum += y * float64(min(i+1, max(1, len(sorted)-1)))
	}
	return max(sum, 1)
}

func sortedDown(p []float64) []float64 {
	out := slices.Clone(p)
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}
