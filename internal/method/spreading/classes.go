package spreading

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// maxPoints is the largest number of points of constraints from which labels spread.
const maxPoints = 1500

// trust is how much the clusters of the cut say about the class of a component, and
// apartCost what two cannot-linked components of one class cost, in units of the
// smoothness of classes.
const (
	trust     = 0.5
	apartCost = 4
)

// known are the points of constraints from which labels spread, by component.
type known struct {
	component []int // of the closure, by number
	rows      []int // the points, component by component
	of        []int // by point of rows: its number
	class     []int // by number
}

// knownPoints returns the components that are in constraints, and up to maxPoints of their
// points: in turns one of each component.
func (r *run) knownPoints() *known {
	f := &known{}
	for c := range r.closed.Components() {
		if r.closed.Size(c) > 1 || r.closed.Class(c) >= 0 || len(r.apart[c]) > 0 {
			f.component = append(f.component, c)
		}
	}
	// Large components first: they say most.
	slices.SortStableFunc(f.component, func(a, b int) int { return cmp.Compare(r.closed.Size(b), r.closed.Size(a)) })
	take := make([]int, len(f.component))
	for left, more := maxPoints, true; left > 0 && more; {
		more = false
		for q, c := range f.component {
			if left > 0 && take[q] < r.closed.Size(c) {
				take[q]++
				left--
				more = true
			}
		}
	}
	f.component = f.component[:len(f.component):len(f.component)]
	for q := range take {
		if take[q] == 0 { // beyond maxPoints
			f.component = f.component[:q]
			break
		}
		members := r.closed.Members(f.component[q])
		for t := range take[q] {
			f.rows = append(f.rows, int(members[t*len(members)/take[q]]))
			f.of = append(f.of, q)
		}
	}
	return f
}

// rowsAtOnce is how many points get their costs in one task.
const rowsAtOnce = 256

// spread computes the costs of all points.
func (r *run) spread(ctx context.Context, kern *posterior.Kernel, workers int) error {
	n, k := len(r.labels), r.p.K
	cut := kern.Clusters()
	f := r.knownPoints()
	gram, err := kern.Gram(ctx, f.rows)
	if err != nil {
		return err
	}
	if err := r.chooseClasses(ctx, f, gram, cut); err != nil {
		return err
	}
	// Classes that have points, numbered without gaps.
	number, classes := make([]int, k), []int(nil)
	for h := range number {
		number[h] = -1
	}
	for _, h := range f.class {
		if number[h] < 0 {
			number[h] = len(classes)
			classes = append(classes, h)
		}
	}
	var of []float64 // of each point and each of the classes
	if len(classes) > 0 {
		labels := make([]constraint.Label, len(f.rows))
		for i, row := range f.rows {
			labels[i] = constraint.Label{I: row, Class: number[f.class[f.of[i]]], W: 1}
		}
		fit, err := posterior.FitClearLabels(ctx, gram, labels, len(classes))
		if err != nil {
			return err
		}
		if of, err = fit.Predict(ctx, kern); err != nil {
			return err
		}
	}
	filled := r.fillClasses(f, number, cut)
	q := make([]float64, n*k)
	err = blocks.Tasks(ctx, workers, (n+rowsAtOnce-1)/rowsAtOnce, func(task int) {
		for i := task * rowsAtOnce; i < min(n, (task+1)*rowsAtOnce); i++ {
			row := q[i*k : (i+1)*k]
			for h := range row {
				row[h] = leastProbability
			}
			if own := filled[cut[i]]; own >= 0 {
				row[own] = 1
			} else {
				for c, h := range classes {
					row[h] = max(leastProbability, of[i*len(classes)+c])
				}
			}
			normalise(row)
			toCosts(row, r.p.W(i))
		}
	})
	if err != nil {
		return err
	}
	r.cost = q
	copy(r.labels, cut)
	for c := range r.closed.Components() {
		r.move(c, r.allowed(c, cut[r.closed.Members(c)[0]]))
	}
	for q, c := range f.component {
		r.move(c, f.class[q])
	}
	return nil
}

// leastProbability is below every probability before normalisation.
const leastProbability = 0.01

func normalise(q []float64) {
	sum := 0.0
	for _, y := range q {
		sum += y
	}
	for h := range q {
		q[h] /= sum
	}
}

// fillClasses gives the classes of which nothing is known to the largest clusters of the
// cut of which no point is known: their points belong there. It returns the class of each
// cluster, -1 for none.
func (r *run) fillClasses(f *known, number, cut []int) []int {
	k := r.p.K
	size, isKnown := make([]int, k), make([]bool, k)
	for _, h := range cut {
		size[h]++
	}
	for _, i := range f.rows {
		isKnown[cut[i]] = true
	}
	var open []int
	for h := range k {
		if !isKnown[h] {
			open = append(open, h)
		}
	}
	slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	class, taken := make([]int, k), make([]bool, k)
	for h := range class {
		class[h], taken[h] = -1, number[h] >= 0
	}
	free := 0
	for _, is := range taken {
		if !is {
			free++
		}
	}
	open = open[:min(len(open), free)]
	for _, h := range open { // its own number where that is free
		if !taken[h] {
			class[h], taken[h] = h, true
		}
	}
	next := 0
	for _, h := range open {
		for next < k && taken[next] {
			next++
		}
		if class[h] < 0 && next < k {
			class[h], taken[next] = next, true
		}
	}
	return class
}

// chooseClasses gives every component a class. Those with a label have one. The others
// get the classes that minimise
//
//	Σ_h (y_h − m_h)ᵀ (K + σ²)⁻¹ (y_h − m_h) + apartCost Σ w s   over cannot-links within a class
//
// where y_h indicates the points of class h and m_h is the mean of the process: trust for
// the points of the cluster of the cut that is called h, and the rest equally for all
// classes, and s is the number of points of the smaller of the two components. Components are placed one after the other, large ones first, then moved and
// exchanged while that lowers the sum.
func (r *run) chooseClasses(ctx context.Context, f *known, gram *posterior.Gram, cut []int) error {
	k, number := r.p.K, len(f.component)
	f.class = make([]int, number)
	if number == 0 {
		return nil
	}
	name := r.nameClusters(f, cut)
	inverse, err := gram.Precision(ctx)
	if err != nil {
		return err
	}
	m := len(f.rows)
	s := &smoothness{k: k, couple: make([]float64, number*number), gain: make([]float64, number*k), class: f.class, apart: make([][]int, number)}
	for i := range m {
		for j := range m {
			v := inverse[i*m+j]
			s.couple[f.of[i]*number+f.of[j]] += v
			s.gain[f.of[i]*k+name[cut[f.rows[j]]]] += trust * v
		}
	}
	size := make([]int, number)
	for _, q := range f.of {
		size[q]++
	}
	at := make(map[int]int, number)
	for q, c := range f.component {
		at[c] = q
		f.class[q] = -1
		s.fixed = append(s.fixed, r.closed.Class(c) >= 0)
		if s.fixed[q] {
			f.class[q] = r.closed.Class(c)
		}
	}
	for q, c := range f.component {
		for _, l := range r.apart[c] {
			if p, ok := at[l.to]; ok {
				s.couple[q*number+p] += apartCost / 2 * l.weight * float64(min(size[q], size[p]))
				s.apart[q] = append(s.apart[q], p)
			}
		}
	}
	s.place()
	return s.improve(ctx)
}

// nameClusters returns the class that each cluster of the cut stands for: that of most of
// its labelled points, all clusters different.
func (r *run) nameClusters(f *known, cut []int) []int {
	k := r.p.K
	cost := make([]float64, k*k)
	for h := range k {
		cost[h*k+h] = -0.5 // its own number, where labels do not say another
	}
	for i, row := range f.rows {
		if h := r.closed.Class(f.component[f.of[i]]); h >= 0 {
			cost[cut[row]*k+h]--
		}
	}
	column, _ := combinatorial.Assign(cost, k)
	name := make([]int, k)
	for h, c := range column {
		name[h] = int(c)
	}
	return name
}

// smoothness is the sum that chooseClasses minimises: 2 couple for two components of
// one class, minus 2 gain for a component in a class.
type smoothness struct {
	k            int
	couple, gain []float64
	class        []int // -1: not placed
	fixed        []bool
	apart        [][]int // by component: those that it is cannot-linked with
}

// costs returns for component q what each class costs, halved.
func (s *smoothness) costs(q int) []float64 {
	n := len(s.class)
	out := make([]float64, s.k)
	for h := range out {
		out[h] = -s.gain[q*s.k+h]
	}
	for p, h := range s.class {
		if p != q && h >= 0 {
			out[h] += s.couple[q*n+p]
		}
	}
	return out
}

func (s *smoothness) place() {
	for q := range s.class {
		if !s.fixed[q] {
			s.class[q] = lowest(s.costs(q), -1)
		}
	}
}

func lowest(costs []float64, was int) int {
	best, least := was, math.Inf(1)
	if was >= 0 {
		least = costs[was] - 1e-12
	}
	for h, y := range costs {
		if y < least {
			best, least = h, y
		}
	}
	return best
}

// improve moves components and exchanges the classes of two while that lowers the sum.
func (s *smoothness) improve(ctx context.Context) error {
	n := len(s.class)
	for range 50 {
		changed := false
		for q := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if s.fixed[q] {
				continue
			}
			costs := s.costs(q)
			was := s.class[q]
			if best := lowest(costs, was); best != was {
				s.class[q], changed = best, true
				continue
			}
			changed = s.exchange(q, costs) || changed
		}
		if !changed {
			break
		}
	}
	return nil
}

// exchange swaps the class of q with that of the cannot-linked component for which that
// lowers the sum most: where there are as many classes as components that are apart, no
// single one can move. Exchanging q, in class a, with p, in class b, changes it by what both moves change
// by themselves, without the coupling that they have in each other's old classes.
func (s *smoothness) exchange(q int, costs []float64) bool {
	n, a := len(s.class), s.class[q]
	best, least := -1, -1e-12
	for _, p := range s.apart[q] {
		b, c := s.class[p], s.couple[q*n+p]
		if s.fixed[p] || b == a {
			continue
		}
		other := s.costs(p)
		if y := costs[b] - costs[a] + other[a] - other[b] - 2*c; y < least {
			best, least = p, y
		}
	}
	if best < 0 {
		return false
	}
	s.class[q], s.class[best] = s.class[best], a
	return true
}
