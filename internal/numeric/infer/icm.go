package infer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// ICMOptions are the options of [ICM].
type ICMOptions struct {
	// Sweeps is the maximum number of sweeps; 0: until one changes nothing.
	Sweeps int
	// Rand gives each sweep a new order of the variables; nil: the order of
	// their numbers. With Parallel it is not used.
	Rand *rand.Rand
	// Parallel colours the graph and moves all variables of one colour in
	// parallel. No link joins two of them, so that is an ordinary sweep.
	Parallel bool
}

// ICM lowers the energy by iterated conditional modes (Besag 1986; equation (7)
// of the paper): variable by variable it takes the label that costs least while
// all others are fixed, until a sweep changes nothing. A variable moves only if
// that lowers the energy, to the lowest of the best labels. The energy never
// rises.
//
// It begins with start, in which −1 means that a variable has no label yet; nil
// is −1 throughout. Neighbours without a label cost nothing. Variables without
// links get their cheapest label immediately.
//
// When ctx ends it returns the labels so far with the error of ctx; variables not
// yet reached then have the label of their least unary cost. An invalid field, or
// invalid labels to start from, are errors without an answer.
func ICM(ctx context.Context, f *Field, start []int32, o ICMOptions, workers int) (Answer, error) {
	if err := checkInput(f, start); err != nil {
		return Answer{}, err
	}
	g := newLinkGraph(f.N, f.Edges)
	s := &icm{field: f, graph: g, labels: startLabels(f, start)}
	linked := s.labelUnlinked()
	sweeps, quiet, err := s.runSweeps(ctx, linked, o, workers)
	for _, i := range linked {
		if s.labels[i] < 0 {
			s.labels[i] = cheapestLabel(f.Unary[int(i)*f.K:][:f.K])
		}
	}
	a := Answer{Labels: s.labels, Energy: f.Energy(s.labels), Violated: f.Violated(s.labels), Relaxed: math.NaN(),
		Converged: quiet, Iterations: sweeps, ExactVariables: f.N - len(linked)}
	a.ExactComponents = a.ExactVariables
	_, a.Components = g.connectedComponents(nil)
	for i := range f.N {
		row := f.Unary[i*f.K:][:f.K]
		a.Bound += row[cheapestLabel(row)] // links cost nothing at best
	}
	a.Bound = min(a.Bound, a.Energy)
	if a.Exact = len(linked) == 0 || isProved(a.Energy, a.Bound); a.Exact {
		a.ExactComponents, a.ExactVariables = a.Components, f.N
	}
	return a, err
}

// checkInput refuses an invalid field or start.
func checkInput(f *Field, start []int32) error {
	if err := f.Check(); err != nil {
		return err
	}
	return f.checkStart(start)
}

// startLabels returns a copy of start, −1 throughout if it is nil.
func startLabels(f *Field, start []int32) []int32 {
	y := slices.Clone(start)
	if start == nil {
		y = make([]int32, f.N)
		for i := range y {
			y[i] = -1
		}
	}
	return y
}

// An icm is one run of iterated conditional modes.
type icm struct {
	field  *Field
	graph  *linkGraph
	labels []int32
}

// labelUnlinked labels the variables without links and returns the others.
func (s *icm) labelUnlinked() (linked []int32) {
	for i := range s.labels {
		if s.graph.degree(int32(i)) > 0 {
			linked = append(linked, int32(i))
		} else {
			s.labels[i] = cheapestLabel(s.field.Unary[i*s.field.K:][:s.field.K])
		}
	}
	return linked
}

// runSweeps sweeps over vars, and returns how often and whether the last sweep
// changed nothing.
func (s *icm) runSweeps(ctx context.Context, vars []int32, o ICMOptions, workers int) (sweeps int, quiet bool, err error) {
	var classes [][]int32
	if o.Parallel {
		classes = s.graph.colourClasses(vars)
	}
	order := slices.Clone(vars)
	cost := make([]float64, s.field.K)
	for o.Sweeps <= 0 || sweeps < o.Sweeps {
		moved := 0
		if o.Parallel {
			moved, err = s.sweepColours(ctx, classes, workers)
		} else {
			if o.Rand != nil {
				o.Rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
			}
			moved, err = s.sweep(ctx, order, cost)
		}
		if err != nil {
			return sweeps, false, err
		}
		sweeps++
		if moved == 0 {
			return sweeps, true, nil
		}
	}
	return sweeps, false, nil
}

func (s *icm) sweep(ctx context.Context, order []int32, cost []float64) (moved int, err error) {
	for at, i := range order {
		if at%blocks.Len == 0 && ctx.Err() != nil {
			return moved, ctx.Err()
		}
		moved += s.visitVariable(i, cost)
	}
	return moved, nil
}

// sweepColours visits the colours one after another. Within a colour no variable
// reads what another writes.
func (s *icm) sweepColours(ctx context.Context, classes [][]int32, workers int) (moved int, err error) {
	for _, vars := range classes {
		err = blocks.Each(ctx, workers, len(vars), func(lo, hi int) (part int) {
			cost := make([]float64, s.field.K)
			for _, i := range vars[lo:hi] {
				part += s.visitVariable(i, cost)
			}
			return part
		}, func(_, _, part int) { moved += part })
		if err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// roundingError is the relative error of the sums behind a cost. A move has to
// gain more, or rounding could make two variables move back and forth.
const roundingError = 1e-14

// visitVariable moves variable i if that lowers the energy, and returns how often
// it moved.
func (s *icm) visitVariable(i int32, cost []float64) int {
	copy(cost, s.field.Unary[int(i)*s.field.K:])
	most := 0.0 // of what was added up
	for _, h := range s.graph.linksOf(i) {
		if b := s.labels[h.other]; b >= 0 {
			most += s.addLinkCost(int(h.link), b, cost)
		}
	}
	was, best := s.labels[i], cheapestLabel(cost)
	if was >= 0 {
		most += math.Abs(cost[was]) + math.Abs(cost[best])
		if was == best || cost[best] >= cost[was]-roundingError*most {
			return 0
		}
	}
	s.labels[i] = best
	return 1
}

// addLinkCost adds the cost of edge e beside a neighbour with label b, without
// the part that is the same for every label, and returns the size of what it
// added.
func (s *icm) addLinkCost(e int, b int32, cost []float64) float64 {
	if !s.field.splitsDiffer() {
		d := s.field.sameCost(e, b) - s.field.differCost(e, b, b)
		cost[b] += d
		return math.Abs(d)
	}
	share := s.field.Differ[e*s.field.K:][:s.field.K]
	most := 0.0
	for a, d := range share {
		cost[a] += d
		most = max(most, d)
	}
	d := s.field.sameCost(e, b) - 2*share[b]
	cost[b] += d
	return most + math.Abs(d)
}
