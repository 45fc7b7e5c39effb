package infer

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

var inf = math.Inf(1)

// A coreResult is what a method finds for one core.
type coreResult struct {
	labels     []int32
	bound      float64 // on the energy of the core
	relaxed    float64 // value of a fractional point, NaN without one
	exact      bool
	converged  bool
	iterations int
	fractional int // variables
	err        error
}

// A coreSolver labels one core. It must give the same bits on any number of
// workers, and labels even if ctx has ended.
type coreSolver func(ctx context.Context, p *core, workers int) coreResult

// parallelFrom is the number of costs from which a core is worth several workers.
const parallelFrom = 1 << 15

// solveOptions are the options that all methods share.
type solveOptions struct {
	polishICM, abandon bool
	exact              bool       // cores of few cycles are solved by variableElimination
	rand               *rand.Rand // of polish
	workers            int
}

// abandoned reports whether the caller no longer wants an answer.
func (w solveOptions) abandoned(ctx context.Context) bool { return w.abandon && ctx.Err() != nil }

// solveField labels a field: trees and what is attached to cores by
// leafElimination, the cores by m. Components that m could not prove optimal are
// polished by ICM if asked for, and then replaced by start if that is better, or by
// what ICM makes of start if that is better still: so the answer never has a higher
// energy than ICM alone, and no single move improves it.
func solveField(ctx context.Context, f *Field, start []int32, m coreSolver, w solveOptions) (Answer, error) {
	s, err := solveComponents(ctx, f, start, m, w)
	if s == nil {
		return Answer{}, err
	}
	return s.makeAnswer(), err
}

// solveComponents is solveField with the results of each component; nil if the
// input is wrong or the method was abandoned.
func solveComponents(ctx context.Context, f *Field, start []int32, m coreSolver, w solveOptions) (*fieldResult, error) {
	if err := checkInput(f, start); err != nil {
		return nil, err
	}
	d := newAgreementForm(f)
	if w.abandoned(ctx) {
		return nil, ctx.Err()
	}
	p := eliminateLeaves(d)
	if w.abandoned(ctx) {
		return nil, ctx.Err()
	}
	y := make([]int32, f.N)
	for i := range y {
		y[i] = cheapestLabel(labelRow(p.costs, int32(i), p.k))
	}
	vars, links := p.coreComponents()
	if w.exact {
		m = eliminationFirst(m)
	}
	results, err := p.solveCores(ctx, y, vars, links, m, w.workers)
	if w.abandon && err != nil {
		return nil, err
	}
	p.labelLeaves(y)

	s := &fieldResult{elimination: p, field: f, labels: y, results: results, unproved: make([]bool, p.numComponents)}
	for q := range results {
		s.coreOf = append(s.coreOf, p.componentOf[vars[q][0]])
		s.unproved[s.coreOf[q]] = !results[q].exact
	}
	polish := func(vars []int32) {
		if w.polishICM && err == nil && len(vars) > 0 {
			d := &icm{field: f, graph: newLinkGraph(f.N, f.Edges), labels: y}
			_, _, err = d.runSweeps(ctx, vars, ICMOptions{Rand: w.rand}, w.workers)
		}
	}
	polish(s.unprovedVariables())
	if w.abandoned(ctx) {
		return nil, ctx.Err()
	}
	polish(s.keepBetter(y, start, true))
	if w.polishICM && err == nil {
		var alone []int32
		if alone, err = s.runICM(ctx, start, w.workers); err == nil {
			s.keepBetter(y, alone, false)
		}
	}
	if w.abandoned(ctx) {
		return nil, ctx.Err()
	}
	return s, err
}

// eliminationFirst returns a method that solves cores exactly where that is cheap,
// and others by m.
func eliminationFirst(m coreSolver) coreSolver {
	return func(ctx context.Context, p *core, workers int) coreResult {
		if y, ok := solveByElimination(p); ok {
			e := p.energyOf(y)
			return coreResult{labels: y, bound: e, relaxed: e, exact: true, converged: true}
		}
		return m(ctx, p, workers)
	}
}

// solveCores labels every core by m: the large ones one after another, the small
// ones in parallel.
func (p *leafElimination) solveCores(ctx context.Context, y []int32, vars, links [][]int32, m coreSolver, workers int) ([]coreResult, error) {
	results := make([]coreResult, len(vars))
	local := make([]int32, p.n)
	solveCore := func(q, workers int) {
		results[q] = m(ctx, p.extractCore(vars[q], links[q], local), workers)
		for at, h := range results[q].labels { // none if the method was abandoned
			y[vars[q][at]] = h
		}
	}
	var small []int
	for q := range vars {
		if len(links[q])*p.k < parallelFrom {
			small = append(small, q)
		} else if ctx.Err() == nil {
			solveCore(q, workers)
		}
	}
	err := blocks.Tasks(ctx, workers, len(small), func(t int) { solveCore(small[t], 1) })
	for q := range results {
		if err == nil {
			err = results[q].err
		}
		if results[q].labels == nil { // never reached
			results[q] = coreResult{bound: -inf, relaxed: math.NaN()}
		}
	}
	return results, err
}

// A fieldResult makes an answer of the results of the cores.
type fieldResult struct {
	elimination *leafElimination
	field       *Field
	labels      []int32
	results     []coreResult // of the cores
	coreOf      []int32      // the component in which each core is
	unproved    []bool       // components that are not proved
}

// unprovedVariables returns the variables of components that are not proved
// optimal.
func (s *fieldResult) unprovedVariables() (vars []int32) {
	for i, q := range s.elimination.componentOf {
		if s.unproved[q] {
			vars = append(vars, int32(i))
		}
	}
	return vars
}

// runICM returns what ICM makes of start, in the order of the variables' numbers, in
// unproved components; the labels of all others are of no use. It is nil where all
// components are proved.
func (s *fieldResult) runICM(ctx context.Context, start []int32, workers int) ([]int32, error) {
	vars := s.unprovedVariables()
	if len(vars) == 0 {
		return nil, nil
	}
	d := &icm{field: s.field, graph: newLinkGraph(s.field.N, s.field.Edges), labels: startLabels(s.field, start)}
	_, _, err := d.runSweeps(ctx, vars, ICMOptions{}, workers)
	return d.labels, err
}

// keepBetter takes the labels of start in unproved components in which those of y are
// worse, or with ties no better, and in which start labels every variable. It returns
// their variables.
func (s *fieldResult) keepBetter(y, start []int32, ties bool) (back []int32) {
	if start == nil {
		return nil
	}
	full, other := make([]bool, s.elimination.numComponents), append([]int32(nil), start...)
	for q := range full {
		full[q] = s.unproved[q]
	}
	for i, h := range start {
		if h < 0 {
			full[s.elimination.componentOf[i]], other[i] = false, 0
		}
	}
	now, then := s.elimination.componentEnergies(y), s.elimination.componentEnergies(other)
	for i, q := range s.elimination.componentOf {
		if full[q] && (then[q] < now[q] || ties && then[q] == now[q]) {
			y[i] = start[i]
			back = append(back, int32(i))
		}
	}
	return back
}

// A componentResult is what is found for one connected component of a field.
type componentResult struct {
	energy, bound float64
	relaxedGap    float64 // of the linear program, NaN without one
	exact         bool
	converged     bool
	iterations    int
	size          int // variables
	fractional    int // variables
}

// components returns the result of each component.
func (s *fieldResult) components() []componentResult {
	p := s.elimination
	list := make([]componentResult, p.numComponents)
	for c, e := range p.componentEnergies(s.labels) {
		list[c] = componentResult{energy: e, bound: p.offset[c], converged: true}
	}
	for _, c := range p.componentOf {
		list[c].size++
	}
	for q, core := range s.results {
		r := &list[s.coreOf[q]] // a component has at most one core
		r.bound += core.bound
		r.relaxedGap = core.relaxed - core.bound
		r.converged, r.iterations, r.fractional = core.converged, core.iterations, core.fractional
	}
	for c := range list {
		r := &list[c]
		if r.exact = !s.unproved[c] || isProved(r.energy, r.bound); r.exact {
			r.bound, r.relaxedGap = r.energy, 0
		}
	}
	return list
}

// makeAnswer adds up the results of all components.
func (s *fieldResult) makeAnswer() Answer {
	f, p := s.field, s.elimination
	a := Answer{Labels: s.labels, Energy: f.Energy(s.labels), Violated: f.Violated(s.labels), Components: p.numComponents, Converged: true}
	relaxed, fractional := 0.0, 0
	list := s.components()
	for _, r := range list {
		a.Bound += r.bound
		relaxed += r.relaxedGap
		fractional += r.fractional
		a.Iterations = max(a.Iterations, r.iterations)
		a.Converged = a.Converged && r.converged
		if r.exact {
			a.ExactComponents++
		}
	}
	for _, c := range p.componentOf {
		if list[c].exact {
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
