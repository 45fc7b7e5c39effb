package infer

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A primalDual solves a linearProgram by the primal-dual hybrid gradient method
// (Chambolle and Pock 2011) in the form that suits linear programs best (Lu and
// Yang 2024): each step is reflected and drawn back towards an anchor, and the
// anchor moves, which is a restart, when the gap has shrunk enough. Steps are
// scaled by the number of links of a variable (Pock and Chambolle 2011), so no
// norm has to be estimated and no step is too long.
type primalDual struct {
	*linearProgram
	workers          int
	y, p             []float64 // the iterate
	anchorY, anchorP []float64 // the anchor
	reflected        []float64 // y reflected: 2·(its step) − y
	stepY, stepP     []float64 // the step itself; written only for a check of the gap
	dualWeight       float64   // of p against y: their steps are 1/(weight·degree) and weight/2
	steps            int
	sinceRestart     int // steps since the last restart

	bestPoint []float64 // the fractional point of the least value
	bestValue float64   // of it
	bestBound float64   // the best bound so far
	anchorGap float64   // gap at the anchor
	lastGap   float64   // gap at the last check
}

func newPrimalDual(q *linearProgram, workers int) *primalDual {
	nk, mk := q.n*q.k, len(q.links)*q.k
	s := &primalDual{linearProgram: q, workers: workers, bestValue: inf, bestBound: -inf, anchorGap: inf, lastGap: inf,
		y: make([]float64, nk), reflected: make([]float64, nk), stepY: make([]float64, nk),
		p: make([]float64, mk), anchorP: make([]float64, mk), stepP: make([]float64, mk)}
	for i := range int32(q.n) {
		labelRow(s.y, i, q.k)[cheapestLabel(labelRow(q.unaryCosts, i, q.k))] = 1
	}
	s.anchorY, s.bestPoint = slices.Clone(s.y), slices.Clone(s.y)
	for _, c := range q.linkCost {
		s.dualWeight += math.Abs(c) / float64(len(q.linkCost))
	}
	if s.dualWeight == 0 {
		s.dualWeight = 1
	}
	return s
}

// solveToGap steps until the gap is small enough relative to the value, for at
// most most steps, and reports whether it is.
func (s *primalDual) solveToGap(ctx context.Context, gap float64, most int) (converged bool, err error) {
	for {
		check := s.steps%stepsPerCheck == 0 || s.steps >= most
		if err := s.takeStep(ctx, check); err != nil {
			return false, err
		}
		if !check {
			continue
		}
		now, err := s.checkGap(ctx)
		if err != nil {
			return false, err
		}
		if s.bestValue-s.bestBound <= gap*max(math.Abs(s.bestValue+s.offset), math.Abs(s.bestBound+s.offset)) {
			return true, nil
		}
		if s.steps >= most {
			return false, nil
		}
		if s.shouldRestart(now) {
			s.restartAt(now)
		}
		s.lastGap = now
	}
}

// stepsPerCheck is the number of steps between two checks of the gap. A check
// costs about as much as a step.
const stepsPerCheck = 20

// checkGap computes value and bound of the last step, and returns their gap.
func (s *primalDual) checkGap(ctx context.Context) (gap float64, err error) {
	value, err := s.primalValue(ctx, s.stepY, s.workers)
	if err != nil {
		return 0, err
	}
	bound, err := s.dualBound(ctx, s.stepP, s.workers)
	if err != nil {
		return 0, err
	}
	if value < s.bestValue {
		s.bestValue = value
		copy(s.bestPoint, s.stepY)
	}
	s.bestBound = max(s.bestBound, bound)
	return value - bound, nil
}

// shouldRestart reports whether to restart: the gap has shrunk to a fifth, or somewhat
// and grows again, or the anchor is old.
func (s *primalDual) shouldRestart(now float64) bool {
	return now <= 0.2*s.anchorGap || now <= 0.8*s.anchorGap && now > s.lastGap || 3*s.sinceRestart >= s.steps
}

// restartAt moves the anchor to the last step, and weights p against y by how far
// both moved since the last restart.
func (s *primalDual) restartAt(now float64) {
	farY, farP := 0.0, 0.0
	for i := range int32(s.n) {
		d := 0.0
		from := labelRow(s.anchorY, i, s.k)
		for a, v := range labelRow(s.stepY, i, s.k) {
			d += float64((v - from[a]) * (v - from[a]))
		}
		farY += d * float64(s.graph.degree(i))
	}
	for at, v := range s.stepP {
		farP += float64((v - s.anchorP[at]) * (v - s.anchorP[at]))
	}
	if farY > 0 && farP > 0 {
		s.dualWeight = math.Sqrt(s.dualWeight * math.Sqrt(2*farP/farY))
	}
	copy(s.anchorY, s.stepY)
	copy(s.y, s.stepY)
	copy(s.anchorP, s.stepP)
	copy(s.p, s.stepP)
	s.sinceRestart, s.anchorGap = 0, now
}

// takeStep makes one step. With check it leaves the step itself, before it is
// reflected, in stepY and stepP.
func (s *primalDual) takeStep(ctx context.Context, check bool) error {
	pull := 1 / float64(s.sinceRestart+2)
	if err := s.stepPrimal(ctx, pull, check); err != nil {
		return err
	}
	if err := s.stepDual(ctx, pull, check); err != nil {
		return err
	}
	s.sinceRestart++
	s.steps++
	return nil
}

func (s *primalDual) stepPrimal(ctx context.Context, pull float64, check bool) error {
	k := s.k
	return blocks.Each(ctx, s.workers, s.n, func(lo, hi int) struct{} {
		g := make([]float64, k)
		for i := int32(lo); i < int32(hi); i++ {
			y, to, y0 := labelRow(s.y, i, k), labelRow(s.reflected, i, k), labelRow(s.anchorY, i, k)
			s.reducedCosts(g, i, s.p)
			tau := 1 / (s.dualWeight * float64(s.graph.degree(i)))
			for a, v := range y {
				to[a] = v - float64(tau*g[a])
			}
			projectToSimplex(to)
			if check {
				copy(labelRow(s.stepY, i, k), to)
			}
			for a, v := range y {
				turned := 2*to[a] - v
				to[a] = turned
				y[a] = turned + float64(pull*(y0[a]-turned))
			}
		}
		return struct{}{}
	}, noMerge)
}

func noMerge(int, int, struct{}) {}

func (s *primalDual) stepDual(ctx context.Context, pull float64, check bool) error {
	k, sigma := s.k, s.dualWeight/2
	return blocks.Each(ctx, s.workers, len(s.links), func(lo, hi int) struct{} {
		for l := int32(lo); l < int32(hi); l++ {
			yi, yj := labelRow(s.reflected, s.links[l].I, k), labelRow(s.reflected, s.links[l].J, k)
			p, p0, ps := labelRow(s.p, l, k), labelRow(s.anchorP, l, k), labelRow(s.stepP, l, k)
			low, high, sign, off := dualLimits(s.linkCost[int(l)*s.costWidth])
			for a, v := range p {
				if s.costWidth > 1 {
					low, high, sign, off = dualLimits(s.linkCost[int(l)*k+a])
				}
				to := v + float64(sigma*(yi[a]+float64(sign*yj[a])-off))
				to = min(high, max(low, to))
				if check {
					ps[a] = to
				}
				turned := 2*to - v
				p[a] = turned + float64(pull*(p0[a]-turned))
			}
		}
		return struct{}{}
	}, noMerge)
}
