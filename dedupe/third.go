package dedupe

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Inputs of the third stage, see thirdWeights.
const (
	thirdOne = iota
	thirdOwn
	thirdLow
	thirdSupport
	thirdConflict
	thirdMean
	thirdFriends
	thirdShift
	thirdRate
	thirdInputs
)

// Bounds of the third stage, in log-odds.
const (
	seenFrom    = -5.0 // of pairs from which on others are looked at
	mostOwn     = 12.0
	mostOther   = 6.0
	notCompared = -3.0 // taken for a pair that was not compared
	sureFrom    = 2.5  // of what third records say, where it counts as known
	mostFriends = 50   // of a record that are looked at, the likeliest
)

// Bounds of learnShift.
const (
	shiftPairs     = 400_000
	shiftPrecision = 5.0
)

// A neighbour is a record and the log-odds of matching it.
type neighbour struct {
	record int32
	z      float64
}

// A neighbourhood has for each record the others that it may match, ascending, and those that it rather matches than not, the
// likeliest first.
type neighbourhood struct {
	all, friends [][]neighbour
	shift        float64 // see learnShift
	rate         float64 // logarithm of the matches per record that the log-odds let expect, between −3 and 1
}

func newNeighbourhood(n int, pairs []pair, z []float64) *neighbourhood {
	count := make([]int32, n)
	for i, p := range pairs {
		if z[i] > seenFrom {
			count[p.A]++
			count[p.B]++
		}
	}
	h := &neighbourhood{all: make([][]neighbour, n), friends: make([][]neighbour, n)}
	for i, p := range pairs {
		if !(z[i] > seenFrom) {
			continue
		}
		for _, side := range [2]pair{p, {p.B, p.A}} {
			if h.all[side.A] == nil {
				h.all[side.A] = make([]neighbour, 0, count[side.A])
			}
			h.all[side.A] = append(h.all[side.A], neighbour{side.B, z[i]})
		}
	}
	matches := 0.0
	for _, v := range z {
		if v > seenFrom {
			matches += sigmoid(v)
		}
	}
	h.rate = min(max(math.Log((matches+0.5)/(float64(n)+1)), -3), 1)
	for u, list := range h.all {
		slices.SortFunc(list, func(a, b neighbour) int { return cmp.Compare(a.record, b.record) })
		for _, v := range list {
			if v.z > 0 {
				h.friends[u] = append(h.friends[u], v)
			}
		}
		slices.SortFunc(h.friends[u], func(a, b neighbour) int { return cmp.Or(cmp.Compare(b.z, a.z), cmp.Compare(a.record, b.record)) })
		h.friends[u] = h.friends[u][:min(len(h.friends[u]), mostFriends)]
	}
	return h
}

func (h *neighbourhood) between(a, b int32) float64 {
	at, ok := slices.BinarySearchFunc(h.all[a], b, func(v neighbour, b int32) int { return cmp.Compare(v.record, b) })
	if !ok {
		return notCompared
	}
	return h.all[a][at].z
}

// inputs writes what the third stage sees of a pair: its own log-odds, and what the records say that one of the two matches. A record c
// that matches both supports the pair, by the smaller of the two log-odds; one that matches a and not b contradicts it.
func (h *neighbourhood) inputs(p pair, z float64, out []float64) {
	clear(out)
	support, conflict, sum, weight := notCompared, 0.0, 0.0, 0.0
	for _, side := range [2]pair{p, {p.B, p.A}} {
		for _, c := range h.friends[side.A] {
			if c.record == side.B {
				continue
			}
			other := min(max(h.between(side.B, c.record), -mostOther), mostOther)
			near := min(c.z, mostOther)
			w := sigmoid(c.z)
			sum, weight = sum+w*other, weight+w
			support, conflict = max(support, min(near, other)), max(conflict, min(near, -other))
		}
	}
	out[thirdOne], out[thirdOwn], out[thirdLow] = 1, min(max(z, -mostOwn), mostOwn), min(max(z, -mostOwn), 0)
	out[thirdSupport], out[thirdConflict], out[thirdFriends] = support, conflict, math.Log1p(weight)
	if weight > 0 {
		out[thirdMean] = sum / (weight + 1)
	}
	out[thirdShift], out[thirdRate] = h.shift, h.rate
}

// learnShift compares the log-odds of pairs with what third records say about them where these are sure, and keeps the shift of the
// log-odds that makes the two agree in number, with a normal prior around 0: a table says in this way how its matches look, without links.
func (h *neighbourhood) learnShift(pairs []pair, z []float64) {
	var own []float64
	matches := 0.0
	in := make([]float64, thirdInputs)
	step := max(1, len(pairs)/shiftPairs)
	for i := 0; i < len(pairs); i += step {
		if !(z[i] > seenFrom) {
			continue
		}
		h.inputs(pairs[i], z[i], in)
		switch support, conflict := in[thirdSupport], in[thirdConflict]; {
		case support > sureFrom:
			matches++
		case !(conflict > sureFrom && support < 0):
			continue
		}
		own = append(own, in[thirdOwn])
	}
	h.shift = 0
	for range newtonSteps {
		gradient, curve := matches-shiftPrecision*h.shift, shiftPrecision
		for _, v := range own {
			p := sigmoid(v + h.shift)
			gradient -= p
			curve += p * (1 - p)
		}
		h.shift += min(max(gradient/curve, -1), 1)
	}
}

// thirdWeights are the weights of the third stage, a logistic regression on the same tables as the second.
var thirdWeights = [thirdInputs]float64{
	thirdOne: 3.7381, thirdOwn: 0.7336, thirdLow: 0.0761, thirdSupport: 0.7677, thirdConflict: -0.34, thirdMean: -0.0501, thirdFriends: -2.5246, thirdShift: 0.9316, thirdRate: 1.0385,
}

// together replaces the log-odds of pairs by those given what is known of other pairs: matches are transitive, so a third record
// that matches both or only one of two says much about them. Links count as certain. What a table says about all of its pairs, the shift
// and the threshold, is taken from the log-odds without them: a few certain pairs are no sample of the others.
func (j *job) together(ctx context.Context) error {
	links := j.linkSigns()
	own := j.logOdds
	plain := newNeighbourhood(j.d.len(), j.pairs, own)
	plain.learnShift(j.pairs, own)
	j.logOdds = j.third(plain, own, nil)
	j.tabulate()
	j.Threshold = j.bestThreshold()
	if len(links) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	certain := slices.Clone(own)
	for i, p := range j.pairs {
		if sign := links[p]; sign != 0 {
			certain[i] = sign * mostOwn
		}
	}
	h := newNeighbourhood(j.d.len(), j.pairs, certain)
	h.shift, h.rate = plain.shift, plain.rate
	j.logOdds = j.third(h, certain, links)
	return ctx.Err()
}

// third returns the log-odds of the third stage.
func (j *job) third(h *neighbourhood, z []float64, links map[pair]float64) []float64 {
	out := slices.Clone(z)
	blocks.Rows(j.o.Workers, len(j.pairs), func(lo, hi int) {
		in := make([]float64, thirdInputs)
		for i := lo; i < hi; i++ {
			if links[j.pairs[i]] == 0 && z[i] > seenFrom {
				h.inputs(j.pairs[i], z[i], in)
				out[i] = dot(thirdWeights[:], in)
			}
		}
	})
	return out
}

// linkSigns returns 1 for pairs of distinct records that links join and −1 for those that links keep apart.
func (j *job) linkSigns() map[pair]float64 {
	out := map[pair]float64{}
	if j.known == nil {
		return out
	}
	note := func(a, b int, sign float64) {
		if p := orderedPair(j.d.of[a], j.d.of[b]); p.A != p.B {
			out[p] = sign
		}
	}
	for _, l := range j.known.Must {
		note(l.I, l.J, 1)
	}
	for _, l := range j.known.Cannot {
		note(l.I, l.J, -1)
	}
	return out
}
