package active

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// askByUncertainty is NPU, the normalised point-based uncertainty of Xiong, Azimi and Fern
// (2014): the next point is the one whose group is least certain, by entropy, divided by
// the number of questions that it is expected to take. The paper takes the probabilities
// from a random forest on the current clusters; these are those of a Gaussian process on
// the groups (package posterior).
func askByUncertainty(s *asking) {
	byEntropy := func(_ int, p []float64) float64 { return entropy(p) / expectedQuestions(p) }
	placeByScore(s, nil, func(*neighbourhoods) score { return byEntropy })
}

// A score says how much point a of the pool is worth a question; p holds the probability
// of each group for it.
type score func(a int, p []float64) float64

// placeByScore places points one after the other: the one that explore names, and where it
// names none (-1) the one of the highest score, by what is known then.
func placeByScore(s *asking, explore func(*neighbourhoods) int, scoring func(*neighbourhoods) score) {
	b := newNeighbourhoods(s)
	if !b.place(highest(s.pool.density(), func(int) bool { return true }), nil, "the row that most others are similar to") {
		return
	}
	for {
		c, ok := b.chosen(explore, scoring)
		if !ok {
			break
		}
		why := "its cluster is uncertain, and the answer says something about many rows"
		if c.explored {
			why = "its part of the data may be a cluster that nobody has named yet"
		}
		if !b.place(c.point, c.share, why) {
			return
		}
	}
	s.askRest("nothing else is left")
}

// A choice is the point that is placed next, and the probability of each group for it.
type choice struct {
	point    int
	share    []float64
	explored bool
}

// chosen returns the point to be placed next; false where there is none. What was chosen
// once for the same placed points is chosen again without a computation: after an answer
// was taken back the procedure runs through those before it.
func (b *neighbourhoods) chosen(explore func(*neighbourhoods) int, scoring func(*neighbourhoods) score) (choice, bool) {
	key := b.placement()
	if c, ok := b.choices[key]; ok {
		return c, c.point >= 0
	}
	p := b.posterior()
	c := choice{point: -1}
	if explore != nil {
		c.point = explore(b)
		c.explored = c.point >= 0
	}
	if !c.explored {
		scores, of := make([]float64, len(p)), scoring(b)
		for a := range p {
			if b.isOpen(a) {
				scores[a] = of(a, p[a])
			}
		}
		c.point = highest(scores, b.isOpen)
	}
	if c.point >= 0 {
		c.share = p[c.point]
	}
	b.choices[key] = c
	return c, c.point >= 0
}

// placement is the group of every point that is not open, as bytes.
func (b *neighbourhoods) placement() string {
	var key []byte
	for a := range b.of {
		if !b.isOpen(a) {
			key = binary.AppendUvarint(key, uint64(a))
			key = binary.AppendVarint(key, int64(b.of[a]))
		}
	}
	return string(key)
}

// highest returns the point with the highest score among those that may be taken; -1 where
// there is none.
func highest(scores []float64, may func(a int) bool) int {
	best := -1
	for a, y := range scores {
		if may(a) && (best < 0 || y > scores[best]) {
			best = a
		}
	}
	return best
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
	fit, err := posterior.FitLabels(context.Background(), b.pool.gram.Select(placed), labels, classes)
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
