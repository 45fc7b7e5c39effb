package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// A Network is a field of which only parts are written out, when they are needed.
// No link costs less than 0, and one that is not violated costs 0.
type Network interface {
	// Linked lists the variables that have links, in ascending order.
	Linked() []int32
	// EachLink calls do for every link of variable i with another one, j, and
	// whether labels y violate it. It may be called by several goroutines.
	EachLink(i int32, y []int32, do func(j int32, violated bool))
	// FieldOf returns the field of the listed variables, in their order, with the
	// links between two of them.
	FieldOf(ctx context.Context, vars []int32) (*Field, error)
}

// A RegionAnswer is what a method finds for a Network, and what is proved about it.
type RegionAnswer struct {
	Labels     []int32
	Gap        float64 // how far the energy can at most be from the optimum
	Exact      bool    // no labels have a lower energy, to about 1e-9 of it
	Converged  bool    // as in Answer
	Iterations int     // as in Answer
	Fractional int     // variables without an integral label in the linear program
	Solved     int     // variables in regions, which were not just given their cheapest labels
}

// PropagateRegions is [BeliefPropagation] for a network in which variable i by
// itself costs least with label cheapest[i], and where most links are not violated
// by these labels; see regionSearch. The labels of start, one for each variable or
// nil, are kept unless better ones are found.
//
// When ctx ends it returns the error of ctx and no labels.
func PropagateRegions(ctx context.Context, n Network, cheapest, start []int32, o BPOptions, workers int) (RegionAnswer, error) {
	o = o.orDefaults()
	o.Abandon = true
	return solveRegions(ctx, n, cheapest, start, propagationSolver(o), solveOptions{o.Polish, true, o.Exact, o.Rand, workers})
}

// RelaxRegions is [Relax] for a network; see [PropagateRegions].
func RelaxRegions(ctx context.Context, n Network, cheapest, start []int32, o RelaxOptions, workers int) (RegionAnswer, error) {
	o = o.orDefaults()
	o.Abandon = true
	return solveRegions(ctx, n, cheapest, start, relaxationSolver(o), solveOptions{o.Polish, true, o.Exact, o.Rand, workers})
}

// A regionSearch labels a network by solving only regions of it. The cheapest
// label of each variable, at no cost of links, is a lower bound on the energy. It
// is reached where these labels violate no link. So the first regions are the ends
// of violated links. Each region is solved by itself, without its links to the
// outside. If its labels do not violate these links either, then no other
// labels of the whole network cost less than those of the regions, each as good as
// proved, beside the cheapest labels outside. If they do, the other ends of these
// links are added to the region, which is solved again; regions that meet become
// one.
//
// A region never has a higher energy than its labels in start, and links to the
// outside are not violated in the end: so neither has the whole network.
//
// Regions that message passing or the linear program had to solve at least double
// when they grow, so that solving them again and again takes at most about twice as
// long as solving the last ones. If one of these methods is needed for a large part of
// the network, or many links are violated, all of it becomes one region: there, what is
// far away matters.
type regionSearch struct {
	network   Network
	labels    []int32
	start     []int32
	solver    coreSolver
	options   solveOptions
	inside    []bool  // variables in regions
	resultOf  []int32 // of each variable in a region, the index of its result
	results   []componentResult
	inCurrent []bool // variables in the regions to be solved now; false between rounds
	maxHard   int    // variables that a core may have unless it is solved exactly
}

// solveCore labels a core of a region, or returns errTooHard.
func (s *regionSearch) solveCore(ctx context.Context, p *core, workers int) coreResult {
	if p.n > s.maxHard {
		return coreResult{err: errTooHard}
	}
	return s.solver(ctx, p, workers)
}

const (
	// roundsOfSingles is the number of rounds in which a region that is easy to solve
	// grows only by the ends of violated links. Later it doubles, too, so that there
	// are few rounds.
	roundsOfSingles = 8
	// maxFirstShare is one over the share of variables with links that the first regions
	// may have; beyond, all of them are solved at once.
	maxFirstShare = 2
	// maxHardShare is one over the share of variables with links that a core may have
	// unless it is solved exactly.
	maxHardShare = 50
)

// errTooHard says that a core has more variables than a region may.
var errTooHard = errors.New("too many variables for a region")

func solveRegions(ctx context.Context, n Network, cheapest, start []int32, m coreSolver, w solveOptions) (RegionAnswer, error) {
	size := len(cheapest)
	s := &regionSearch{network: n, labels: slices.Clone(cheapest), start: start, solver: m, options: w,
		inside: make([]bool, size), resultOf: make([]int32, size), inCurrent: make([]bool, size)}
	next, err := s.violatedEnds(ctx)
	linked := n.Linked()
	if s.maxHard = len(linked) / maxHardShare; maxFirstShare*len(next) > len(linked) {
		next, s.maxHard = linked, len(linked)
	}
	for round := 0; err == nil && len(next) > 0; round++ {
		current := s.regionsOf(next)
		if err = s.solveRound(ctx, current); err == nil {
			next = s.outsideConflicts(current, round >= roundsOfSingles)
		} else if errors.Is(err, errTooHard) {
			clear(s.inCurrent)
			next, s.maxHard, err = linked, len(linked), nil
		}
	}
	if err != nil {
		return RegionAnswer{}, err
	}
	return s.makeAnswer(), nil
}

// violatedEnds returns the ends of the links that the cheapest labels violate, in
// ascending order.
func (s *regionSearch) violatedEnds(ctx context.Context) (ends []int32, err error) {
	linked := s.network.Linked()
	err = blocks.Each(ctx, s.options.workers, len(linked), func(lo, hi int) (part []int32) {
		for _, i := range linked[lo:hi] {
			found := false
			s.network.EachLink(i, s.labels, func(_ int32, violated bool) { found = found || violated })
			if found {
				part = append(part, i)
			}
		}
		return part
	}, func(_, _ int, part []int32) { ends = append(ends, part...) })
	return ends, err
}

// regionsOf adds variables to regions, and returns all variables of the regions in
// which they are, in ascending order.
func (s *regionSearch) regionsOf(added []int32) (vars []int32) {
	for _, i := range added {
		s.inside[i] = true
	}
	visit := func(i int32) {
		if s.inside[i] && !s.inCurrent[i] {
			s.inCurrent[i] = true
			vars = append(vars, i)
		}
	}
	for _, i := range added {
		visit(i)
	}
	for at := 0; at < len(vars); at++ {
		s.network.EachLink(vars[at], s.labels, func(j int32, _ bool) { visit(j) })
	}
	slices.Sort(vars)
	return vars
}

// solveRound labels the variables of some regions.
func (s *regionSearch) solveRound(ctx context.Context, vars []int32) error {
	f, err := s.network.FieldOf(ctx, vars)
	if err != nil {
		return err
	}
	var start []int32
	if s.start != nil {
		start = make([]int32, len(vars))
		for at, i := range vars {
			start[at] = s.start[i]
		}
	}
	r, err := solveComponents(ctx, f, start, s.solveCore, s.options)
	if err != nil {
		return err
	}
	first := int32(len(s.results))
	s.results = append(s.results, r.components()...)
	for at, i := range vars {
		s.labels[i], s.resultOf[i] = r.labels[at], first+r.elimination.componentOf[at]
		s.inCurrent[i] = false
	}
	return nil
}

// outsideConflicts lists the variables outside that the labels of regions are in
// conflict with, in ascending order. Around those of regions that double, which are
// those that were hard to solve or all, it adds as many as these regions have.
func (s *regionSearch) outsideConflicts(vars []int32, allDouble bool) (list []int32) {
	sizes := make(map[int32]int) // of the regions that double and are in conflict
	var around []int32           // where these double
	add := func(to []int32, j int32) []int32 {
		if s.inside[j] || s.inCurrent[j] {
			return to
		}
		s.inCurrent[j] = true
		return append(to, j)
	}
	for _, i := range vars {
		q := s.resultOf[i]
		doubles := allDouble || s.results[q].iterations > 0
		s.network.EachLink(i, s.labels, func(j int32, violated bool) {
			switch {
			case !violated || s.inside[j]:
			case doubles:
				sizes[q] = s.results[q].size
				around = add(around, j)
			default:
				list = add(list, j)
			}
		})
	}
	want := 0
	for _, size := range sizes {
		want += size
	}
	for at := 0; at < len(around) && len(around) < want; at++ {
		s.network.EachLink(around[at], s.labels, func(j int32, _ bool) { around = add(around, j) })
	}
	list = append(list, around...)
	for _, j := range list {
		s.inCurrent[j] = false
	}
	slices.Sort(list)
	return list
}

// makeAnswer adds up the results of all regions.
func (s *regionSearch) makeAnswer() RegionAnswer {
	a := RegionAnswer{Labels: s.labels, Exact: true, Converged: true}
	counted := make([]bool, len(s.results))
	for i, in := range s.inside {
		if !in {
			continue
		}
		a.Solved++
		q := s.resultOf[i]
		if counted[q] {
			continue
		}
		counted[q] = true
		r := &s.results[q]
		a.Gap += max(0, r.energy-r.bound)
		a.Exact = a.Exact && r.exact
		a.Converged = a.Converged && r.converged
		a.Iterations = max(a.Iterations, r.iterations)
		a.Fractional += r.fractional
	}
	if math.IsNaN(a.Gap) {
		a.Gap = inf
	}
	return a
}
