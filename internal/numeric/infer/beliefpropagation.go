package infer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// BPOptions are the options of [BeliefPropagation]. The zero value has the usual
// settings.
type BPOptions struct {
	Damping float64 // share of the old message in the new one; 0: 0.3, negative: none
	MaxIter int     // maximum number of rounds; 0: 100
	// Tol stops the rounds when no message changes by more, relative to the
	// largest cost of a link in its core; 0: 1e-9.
	Tol float64
	// Patience stops the rounds, without convergence, when the labels have been the
	// same for so many; 0: never.
	Patience int
	// Polish lets ICM improve the labels found, in the order of Rand (nil: of
	// the variables' numbers). The paper does not.
	Polish bool
	Rand   *rand.Rand
	// Exact solves cores with few cycles exactly, by eliminating one variable after
	// the other, where that takes about as long. The paper does not.
	Exact bool
	// Abandon says that the caller does not want labels found so far when ctx
	// ends: the answer is then empty, and returned immediately.
	Abandon bool
}

func (o BPOptions) orDefaults() BPOptions {
	switch {
	case o.Damping == 0:
		o.Damping = 0.3
	case o.Damping < 0:
		o.Damping = 0
	}
	o.Damping = min(o.Damping, 0.99)
	if o.MaxIter <= 0 {
		o.MaxIter = 100
	}
	if o.Tol <= 0 {
		o.Tol = 1e-9
	}
	return o
}

// BeliefPropagation passes min-sum messages along the links, all at once in each
// round, and takes for each variable the label of its least belief, the lowest on
// ties (section 3.1 of the paper, in logarithms: its tables of exp(−d) underflow
// on real data).
//
// Trees, and trees that are attached to cycles, are passed once up and once down,
// which is exact; the rounds, and the options, concern the rest. On cycles the
// messages need not converge, and the labels need not be the best even if they
// do. There the labels of start are kept unless better ones are found.
//
// When ctx ends it returns the best labels so far with the error of ctx.
func BeliefPropagation(ctx context.Context, f *Field, start []int32, o BPOptions, workers int) (Answer, error) {
	o = o.orDefaults()
	a, err := solveField(ctx, f, start, propagationSolver(o), solveOptions{o.Polish, o.Abandon, o.Exact, o.Rand, workers})
	a.Relaxed = math.NaN()
	return a, err
}

// propagationSolver returns the method of BeliefPropagation for a core.
func propagationSolver(o BPOptions) coreSolver {
	return func(ctx context.Context, p *core, workers int) coreResult {
		return propagateMessages(ctx, p, o, workers)
	}
}

// A propagation holds the messages of a core: 2·l towards J of link l, 2·l+1
// towards I, k numbers each, the least of them 0.
//
// Messages are kept in double precision: single precision would halve the memory,
// but its rounding stops convergence at 1e-7 of the largest cost, and nearly
// equal labels then tie.
type propagation struct {
	*core
	messages []float64
	beliefs  []float64
	damping  float64
	last     []int32 // labels of the last round, with Patience
	standing int     // rounds in which these did not change
}

// labelsStand reports whether the labels have not changed for so many rounds.
func (s *propagation) labelsStand(rounds int) bool {
	labels := s.cheapestLabels(s.beliefs)
	if s.standing++; !slices.Equal(labels, s.last) {
		s.last, s.standing = labels, 0
	}
	return s.standing >= rounds
}

func propagateMessages(ctx context.Context, p *core, o BPOptions, workers int) coreResult {
	s := &propagation{core: p, damping: o.Damping,
		messages: make([]float64, 2*len(p.links)*p.k), beliefs: make([]float64, p.n*p.k)}
	result := coreResult{bound: p.lowerBound(), relaxed: math.NaN()}
	most := 0.0
	for _, c := range p.linkCost {
		most = max(most, math.Abs(c))
	}
	for result.iterations < o.MaxIter && !result.converged && result.err == nil {
		if result.err = s.updateBeliefs(ctx, workers); result.err != nil {
			break
		}
		if o.Patience > 0 && s.labelsStand(o.Patience) {
			break
		}
		var change float64
		if change, result.err = s.messageRound(ctx, workers); result.err == nil {
			result.iterations++
			result.converged = change <= o.Tol*most
		}
	}
	if o.Abandon && result.err != nil {
		return result
	}
	// The messages of an incomplete round serve as well.
	_ = s.updateBeliefs(context.WithoutCancel(ctx), workers)
	result.labels = p.cheapestLabels(s.beliefs)
	return result
}

// updateBeliefs adds up, for each variable, its costs and the messages that it
// received.
func (s *propagation) updateBeliefs(ctx context.Context, workers int) error {
	k := s.k
	return blocks.Each(ctx, workers, s.n, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			belief := labelRow(s.beliefs, int32(i), k)
			copy(belief, labelRow(s.unary, int32(i), k))
			for _, h := range s.graph.linksOf(int32(i)) {
				for a, m := range s.messageTo(h.link, int32(i)) {
					belief[a] += m
				}
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
}

// messageTo returns the message along link l towards its end i.
func (s *propagation) messageTo(l, i int32) []float64 {
	at := 2 * int(l)
	if s.links[l].I == i {
		at++
	}
	return s.messages[at*s.k:][:s.k]
}

// messageRound updates all messages at once and returns the largest change. The
// two messages of a link depend on each other and on beliefs, which do not change
// meanwhile: so links are updated in place, one at a time.
func (s *propagation) messageRound(ctx context.Context, workers int) (change float64, err error) {
	k := s.k
	err = blocks.Each(ctx, workers, len(s.links), func(lo, hi int) (most float64) {
		hI, hJ := make([]float64, k), make([]float64, k)
		for l := lo; l < hi; l++ {
			e, c := s.links[l], s.linkCost[l*s.costWidth:][:s.costWidth]
			toJ, toI := s.messages[2*l*k:][:k], s.messages[(2*l+1)*k:][:k]
			for a, b := range labelRow(s.beliefs, e.I, k) {
				hI[a] = b - toI[a]
			}
			for a, b := range labelRow(s.beliefs, e.J, k) {
				hJ[a] = b - toJ[a]
			}
			most = max(most, s.updateMessage(toJ, hI, c), s.updateMessage(toI, hJ, c))
		}
		return most
	}, func(_, _ int, part float64) { change = max(change, part) })
	return change, err
}

// updateMessage replaces message m by the one that costs h and a link of cost c
// imply, and returns the largest change of an entry.
func (s *propagation) updateMessage(m, h, c []float64) (change float64) {
	keep, take := s.damping, 1-s.damping
	if len(c) == 1 && c[0] <= 0 { // a must-link: no label costs more than violating it
		most, least := -c[0], h[cheapestLabel(h)]
		for b, v := range h {
			fresh := float64(take*min(v-least, most)) + float64(keep*m[b])
			if d := math.Abs(fresh - m[b]); d > change {
				change = d
			}
			m[b] = fresh
		}
		return change
	}
	best, least, second := twoBest(h)
	if len(c) == 1 { // a cannot-link: only the neighbour's best label costs anything
		peak := min(c[0], second-least)
		for b := range m {
			fresh := float64(keep * m[b])
			if b == best {
				fresh += float64(take * peak)
			}
			if d := math.Abs(fresh - m[b]); d > change {
				change = d
			}
			m[b] = fresh
		}
		return change
	}
	lowest := inf
	for b, v := range h {
		other := least
		if b == best {
			other = second
		}
		h[b] = min(other, v+c[b])
		lowest = min(lowest, h[b])
	}
	for b, v := range h {
		fresh := float64(take*(v-lowest)) + float64(keep*m[b])
		if d := math.Abs(fresh - m[b]); d > change {
			change = d
		}
		m[b] = fresh
	}
	return change
}
