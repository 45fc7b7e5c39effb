package cop

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
)

// findFirstLabelling gives every chunklet a label so that nothing is violated, with
// fixed centres: free chunklets the nearest centre, components the cheapest labels if
// they can be solved exactly, otherwise a greedy colouring that prefers near centres.
// If that fails, labels of nearest centres are repaired; if that fails too, the
// component takes the colouring of the closure. It returns false if there is no such
// labelling, or none was found, perhaps because ctx ended.
func (s *partition) findFirstLabelling(ctx context.Context, rng *rand.Rand) bool {
	s.centresFixed = true
	brief := blocks.Grace(ctx, float64(len(s.label))*float64(s.k)*float64(s.d))
	for q := range s.label {
		s.label[q] = s.fixedCluster[q]
	}
	for q := range int32(len(s.label)) {
		if q%256 == 0 && brief.Err() != nil {
			return false
		}
		if s.isFree(q) {
			s.label[q] = s.nearestCentre(q)
		}
	}
	var colouring []int32 // of the closure, once feasible was called
	answer, isDecided := constraint.Unknown, false
	feasible := func() constraint.Answer {
		if !isDecided {
			var v constraint.Verdict
			colouring, v = s.closed.Colour(ctx, s.k)
			answer, isDecided = v.Answer, true
		}
		return answer
	}
	for _, c := range s.cannotComponents {
		if brief.Err() != nil {
			return false
		}
		if s.labelComponent(c) || c.shape == shapeGeneral && s.repairComponent(ctx, c, firstRepairBudget, rng, feasible) {
			continue
		}
		switch feasible() {
		case constraint.Yes:
			s.followColouring(c, colouring)
		case constraint.No:
			return false
		default:
			if c.shape != shapeGeneral || !s.repairComponent(ctx, c, lastRepairBudget, rng, feasible) {
				return false
			}
		}
	}
	return true
}

// nearestCentre returns the cluster whose centre is nearest to q.
func (s *partition) nearestCentre(q int32) (h int32) {
	v, least := s.position(q, s.buf), math.Inf(1)
	for g := range s.k {
		if d := s.squaredDistance(v, g); d < least {
			h, least = int32(g), d
		}
	}
	return h
}

// labelComponent labels a component exactly or by a greedy colouring, and reports
// whether it succeeded.
func (s *partition) labelComponent(c cannotComponent) bool {
	if c.shape == shapeGeneral {
		return s.colourComponent(c)
	}
	labels, cost := s.solveExactly(c)
	if math.IsInf(cost, 1) {
		return false
	}
	s.setLabels(c, labels)
	return true
}

// followColouring labels a component by a colouring of all chunklets. If no cluster is
// forbidden to any chunklet of the component, colours are interchangeable: they are
// matched with the clusters at the least cost.
func (s *partition) followColouring(c cannotComponent, colouring []int32) {
	costMatrix := make([]float64, s.k*s.k)
	for _, q := range c.chunklets {
		s.label[q] = colouring[q]
		if costMatrix == nil || len(s.forbidden.listOf(q)) > 0 {
			costMatrix = nil
			continue
		}
		for h, cost := range s.assignmentCosts(q) {
			costMatrix[int(colouring[q])*s.k+h] += cost
		}
	}
	if costMatrix == nil {
		return
	}
	if to, cost := combinatorial.Assign(costMatrix, s.k); !math.IsInf(cost, 0) && !math.IsNaN(cost) {
		for _, q := range c.chunklets {
			s.label[q] = to[colouring[q]]
		}
	}
}
