package infer

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/blocks"
)

var inf = math.Inf(1)

// A finding is what a method says about one piece.
type finding struct {
	labels     []int32
	bound      float64 // on the energy of the piece
	relaxed    float64 // value of a fractional point, NaN without one
	exact      bool
	converged  bool
	iterations int
	fractional int // variables
	err        error
}

// A method answers one piece. It must give the same bits on any number of
// workers, and labels also when ctx has ended.
type method func(ctx context.Context, p *piece, workers int) finding

// large is the number of prices from which a piece is worth several workers.
const large = 1 << 15

// A manner is how a field is answered, whatever the method.
type manner struct {
	polish, abandon bool
	rand            *rand.Rand // of polish
	workers         int
}

// over reports whether there is no sense in going on.
func (w manner) over(ctx context.Context) bool { return w.abandon && ctx.Err() != nil }

// compose answers a field: trees and what hangs on the core by peeling, the
// pieces of the core by m. Components that m could not prove are polished by
// ICM if asked, and then give way to start where start is better; that is
// polished too, lest an answer be left that one move makes better.
func compose(ctx context.Context, f *Field, start []int32, m method, w manner) (Answer, error) {
	if err := check(f, start); err != nil {
		return Answer{}, err
	}
	d := newDiagonal(f)
	if w.over(ctx) {
		return Answer{}, ctx.Err()
	}
	p := peel(d)
	if w.over(ctx) {
		return Answer{}, ctx.Err()
	}
	y := make([]int32, f.N)
	for i := range y {
		y[i] = cheapest(row(p.h, int32(i), p.k))
	}
	vars, links := p.cores()
	found, err := p.answerAll(ctx, y, vars, links, m, w.workers)
	if w.over(ctx) {
		return Answer{}, ctx.Err()
	}
	p.unpeel(y)

	s := &summary{p: p, f: f, found: found, open: make([]bool, p.comps)}
	for q := range found {
		s.open[p.comp[vars[q][0]]] = !found[q].exact
	}
	polish := func(vars []int32) {
		if w.polish && err == nil && len(vars) > 0 {
			d := &icm{f: f, g: newGraph(f.N, f.Edges), y: y}
			_, _, err = d.run(ctx, vars, ICMOptions{Rand: w.rand}, w.workers)
		}
	}
	polish(s.openVars())
	if w.over(ctx) {
		return Answer{}, ctx.Err()
	}
	polish(s.keepBetter(y, start))
	if w.over(ctx) {
		return Answer{}, ctx.Err()
	}
	return s.answer(y, vars), err
}

// answerAll asks m about every piece: about the large ones one after another,
// about the small ones side by side.
func (p *peeling) answerAll(ctx context.Context, y []int32, vars, links [][]int32, m method, workers int) ([]finding, error) {
	found := make([]finding, len(vars))
	local := make([]int32, p.n)
	ask := func(q, workers int) {
		found[q] = m(ctx, p.piece(vars[q], links[q], local), workers)
		for at, h := range found[q].labels { // none where the method was abandoned
			y[vars[q][at]] = h
		}
	}
	var small []int
	for q := range vars {
		if len(links[q])*p.k < large {
			small = append(small, q)
		} else if ctx.Err() == nil {
			ask(q, workers)
		}
	}
	err := blocks.Tasks(ctx, workers, len(small), func(t int) { ask(small[t], 1) })
	for q := range found {
		if found[q].labels == nil { // never reached
			found[q] = finding{bound: -inf, relaxed: math.NaN()}
		}
		if err == nil {
			err = found[q].err
		}
	}
	return found, err
}

// A summary turns findings into an answer.
type summary struct {
	p     *peeling
	f     *Field
	found []finding
	open  []bool // components that are not proved
}

func (s *summary) openVars() (vars []int32) {
	for i, q := range s.p.comp {
		if s.open[q] {
			vars = append(vars, int32(i))
		}
	}
	return vars
}

// keepBetter puts start back in open components in which nothing better was
// found, and in which start has a label for everybody. It returns their variables.
func (s *summary) keepBetter(y, start []int32) (back []int32) {
	if start == nil {
		return nil
	}
	full, other := make([]bool, s.p.comps), append([]int32(nil), start...)
	for q := range full {
		full[q] = s.open[q]
	}
	for i, h := range start {
		if h < 0 {
			full[s.p.comp[i]], other[i] = false, 0
		}
	}
	now, then := s.p.energies(y), s.p.energies(other)
	for i, q := range s.p.comp {
		if full[q] && then[q] <= now[q] {
			y[i] = start[i]
			back = append(back, int32(i))
		}
	}
	return back
}

// answer adds everything up.
func (s *summary) answer(y []int32, vars [][]int32) Answer {
	f, p := s.f, s.p
	a := Answer{Labels: y, Energy: f.Energy(y), Violated: f.Violated(y), Components: p.comps, Converged: true, Relaxed: math.NaN()}
	bound, relaxed, fractional := append([]float64(nil), p.offset...), 0.0, 0
	energy := p.energies(y)
	for q, found := range s.found {
		c := p.comp[vars[q][0]]
		bound[c] += found.bound
		fractional += found.fractional
		a.Iterations = max(a.Iterations, found.iterations)
		a.Converged = a.Converged && found.converged
		if s.open[c] = s.open[c] && !proved(energy[c], bound[c]); s.open[c] {
			relaxed += found.relaxed - found.bound
		}
	}
	a.Bound = 0
	for c, b := range bound {
		if !s.open[c] {
			b = energy[c]
			a.ExactComponents++
		}
		a.Bound += b
	}
	for _, c := range p.comp {
		if !s.open[c] {
			a.ExactVariables++
		}
	}
	a.Bound = min(a.Bound, a.Energy)
	if a.Exact = a.ExactComponents == a.Components; a.Exact {
		a.Bound = a.Energy
	}
	a.Relaxed = a.Bound + relaxed
	if f.N > 0 {
		a.Fractional = float64(fractional) / float64(f.N)
	}
	return a
}
