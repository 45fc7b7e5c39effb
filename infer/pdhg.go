package infer

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/blocks"
)

// A descent solves a program by the primal-dual hybrid gradient method
// (Chambolle and Pock 2011) in the form that serves linear programs best (Lu
// and Yang 2024): each step is reflected and drawn back towards an anchor, and
// the anchor moves, which is a restart, when the gap has shrunk enough. Steps
// are scaled by the number of links of a variable (Pock and Chambolle 2011), so
// no norm has to be guessed and no step is ever too long.
type descent struct {
	*program
	workers int
	y, p    []float64 // the iterate
	y0, p0  []float64 // the anchor
	turned  []float64 // y reflected: 2·(its step) − y
	ys, ps  []float64 // the step itself; written when it is looked at
	weight  float64   // of p against y: their steps are 1/(weight·degree) and weight/2
	steps   int
	epoch   int // steps since the last restart

	best     []float64 // the fractional point of the least value
	value    float64   // of it
	bound    float64   // the best that was proved
	atAnchor float64   // gap there
	last     float64   // gap at the last look
}

func newDescent(q *program, workers int) *descent {
	nk, mk := q.n*q.k, len(q.links)*q.k
	s := &descent{program: q, workers: workers, value: inf, bound: -inf, atAnchor: inf, last: inf,
		y: make([]float64, nk), turned: make([]float64, nk), ys: make([]float64, nk),
		p: make([]float64, mk), p0: make([]float64, mk), ps: make([]float64, mk)}
	for i := range int32(q.n) {
		row(s.y, i, q.k)[cheapest(row(q.u, i, q.k))] = 1
	}
	s.y0, s.best = slices.Clone(s.y), slices.Clone(s.y)
	for _, c := range q.c {
		s.weight += math.Abs(c) / float64(len(q.c))
	}
	if s.weight == 0 {
		s.weight = 1
	}
	return s
}

// solve steps until the gap is small enough beside the value, for at most most
// steps, and says whether it is.
func (s *descent) solve(ctx context.Context, gap float64, most int) (converged bool, err error) {
	for {
		look := s.steps%every == 0 || s.steps >= most
		if err := s.step(ctx, look); err != nil {
			return false, err
		}
		if !look {
			continue
		}
		now, err := s.look(ctx)
		if err != nil {
			return false, err
		}
		if s.value-s.bound <= gap*max(math.Abs(s.value+s.paid), math.Abs(s.bound+s.paid)) {
			return true, nil
		}
		if s.steps >= most {
			return false, nil
		}
		if s.stale(now) {
			s.restart(now)
		}
		s.last = now
	}
}

// every is the number of steps from one look to the next. A look costs about
// as much as a step.
const every = 20

// look takes the values of the step that was just made, and returns their gap.
func (s *descent) look(ctx context.Context) (gap float64, err error) {
	value, err := s.primal(ctx, s.ys, s.workers)
	if err != nil {
		return 0, err
	}
	bound, err := s.dual(ctx, s.ps, s.workers)
	if err != nil {
		return 0, err
	}
	if value < s.value {
		s.value = value
		copy(s.best, s.ys)
	}
	s.bound = max(s.bound, bound)
	return value - bound, nil
}

// stale reports whether to restart: the gap has shrunk to a fifth, or somewhat
// and grows again, or the anchor is old.
func (s *descent) stale(now float64) bool {
	return now <= 0.2*s.atAnchor || now <= 0.8*s.atAnchor && now > s.last || 3*s.epoch >= s.steps
}

// restart moves the anchor to the step just made, and weighs p against y by how
// far both went since the last one.
func (s *descent) restart(now float64) {
	farY, farP := 0.0, 0.0
	for i := range int32(s.n) {
		d := 0.0
		from := row(s.y0, i, s.k)
		for a, v := range row(s.ys, i, s.k) {
			d += float64((v - from[a]) * (v - from[a]))
		}
		farY += d * float64(s.g.degree(i))
	}
	for at, v := range s.ps {
		farP += float64((v - s.p0[at]) * (v - s.p0[at]))
	}
	if farY > 0 && farP > 0 {
		s.weight = math.Sqrt(s.weight * math.Sqrt(2*farP/farY))
	}
	copy(s.y0, s.ys)
	copy(s.y, s.ys)
	copy(s.p0, s.ps)
	copy(s.p, s.ps)
	s.epoch, s.atAnchor = 0, now
}

// step makes one step. With look it leaves the step itself, before it is
// reflected, in ys and ps.
func (s *descent) step(ctx context.Context, look bool) error {
	pull := 1 / float64(s.epoch+2)
	if err := s.stepY(ctx, pull, look); err != nil {
		return err
	}
	if err := s.stepP(ctx, pull, look); err != nil {
		return err
	}
	s.epoch++
	s.steps++
	return nil
}

func (s *descent) stepY(ctx context.Context, pull float64, look bool) error {
	k := s.k
	return blocks.Each(ctx, s.workers, s.n, func(lo, hi int) struct{} {
		g := make([]float64, k)
		for i := int32(lo); i < int32(hi); i++ {
			y, to, y0 := row(s.y, i, k), row(s.turned, i, k), row(s.y0, i, k)
			s.slope(g, i, s.p)
			tau := 1 / (s.weight * float64(s.g.degree(i)))
			for a, v := range y {
				to[a] = v - float64(tau*g[a])
			}
			toSimplex(to)
			if look {
				copy(row(s.ys, i, k), to)
			}
			for a, v := range y {
				turned := 2*to[a] - v
				to[a] = turned
				y[a] = turned + float64(pull*(y0[a]-turned))
			}
		}
		return struct{}{}
	}, nothing)
}

func nothing(int, int, struct{}) {}

func (s *descent) stepP(ctx context.Context, pull float64, look bool) error {
	k, sigma := s.k, s.weight/2
	return blocks.Each(ctx, s.workers, len(s.links), func(lo, hi int) struct{} {
		for l := int32(lo); l < int32(hi); l++ {
			yi, yj := row(s.turned, s.links[l].I, k), row(s.turned, s.links[l].J, k)
			p, p0, ps := row(s.p, l, k), row(s.p0, l, k), row(s.ps, l, k)
			low, high, sign, off := limits(s.c[int(l)*s.width])
			for a, v := range p {
				if s.width > 1 {
					low, high, sign, off = limits(s.c[int(l)*k+a])
				}
				to := v + float64(sigma*(yi[a]+float64(sign*yj[a])-off))
				to = min(high, max(low, to))
				if look {
					ps[a] = to
				}
				turned := 2*to - v
				p[a] = turned + float64(pull*(p0[a]-turned))
			}
		}
		return struct{}{}
	}, nothing)
}
