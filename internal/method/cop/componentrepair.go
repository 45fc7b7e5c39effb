package cop

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/compute/combinatorial"
)

// Steps allowed for the repair of a component: at first, and if everything else failed.
const (
	firstRepairBudget = 1 << 26
	lastRepairBudget  = 1 << 30
)

// For a small component that is not repaired after a few thousand steps per label,
// the closure is asked whether a repair exists: with so few chunklets it decides fast,
// and if there is none all further steps are useless.
const (
	smallComponent      = 64   // chunklets at most
	smallComponentSteps = 4096 // per chunklet and cluster
)

// repairComponent finds labels of a component without violations, starting from labels
// that violate some: every chunklet takes its nearest centre, a growing penalty on
// violated cannot-links removes most violations, and tabu search (Hertz and de Werra
// 1987) the rest. It reports whether it succeeded. feasible reports whether the
// closure has a labelling without violations. When ctx ends it gives up.
func (s *partition) repairComponent(ctx context.Context, p cannotComponent, budget int, rng *rand.Rand, feasible func() constraint.Answer) bool {
	if len(p.chunklets)*s.k > 1<<25 {
		return false
	}
	m := newComponentRepair(s, p)
	m.colouring.Stop = func() bool { return ctx.Err() != nil }
	m.raisePenalty(&budget)
	first := budget // for the search before feasible is called
	if len(p.chunklets) <= smallComponent {
		first = min(budget, smallComponentSteps*len(m.costs))
	}
	found := m.tabuSearch(first, rng)
	if !found && first < budget && feasible() != constraint.No {
		found = m.tabuSearch(budget-first, rng)
	}
	if found {
		s.setLabels(p, m.colouring.Colours())
	}
	return found
}

// A componentRepair is a labelling of a component that may violate cannot-links, with
// the cost of every label. Chunklets are given by their index in the component.
type componentRepair struct {
	k          int
	neighbours [][]int32 // by cannot-links
	costs      []float64 // [v·k+h], infinite for forbidden clusters
	colouring  *combinatorial.Recolouring
	costScale  float64 // mean cost of the nearest centres
}

func newComponentRepair(s *partition, p cannotComponent) *componentRepair {
	n := len(p.chunklets)
	m := &componentRepair{k: s.k, neighbours: make([][]int32, n), costs: make([]float64, 0, n*s.k)}
	for v, q := range p.chunklets {
		s.indexInComponent[q] = int32(v)
	}
	for v, q := range p.chunklets {
		for _, r := range s.cannotLinked.listOf(q) {
			m.neighbours[v] = append(m.neighbours[v], s.indexInComponent[r])
		}
		costs := s.assignmentCosts(q)
		m.costs = append(m.costs, costs...)
		m.costScale += slices.Min(costs) / float64(n)
	}
	m.colouring = combinatorial.NewRecolouring(m.neighbours, s.k)
	for v := range int32(n) {
		for h, c := range m.costsOf(v) {
			if math.IsInf(c, 1) {
				m.colouring.Ban(v, int32(h))
			}
		}
	}
	for v := range int32(n) {
		m.colouring.Recolour(v, int32(slices.Index(m.costsOf(v), slices.Min(m.costsOf(v)))))
	}
	return m
}

func (m *componentRepair) costsOf(v int32) []float64 { return m.costs[int(v)*m.k : int(v+1)*m.k] }

// tabuSearch removes the remaining violations, and reports whether it succeeded within
// the budget.
func (m *componentRepair) tabuSearch(budget int, rng *rand.Rand) bool {
	left := budget - 1 // Recolouring stops below 0
	return m.colouring.TabuSearch(&left, rng)
}

// raisePenalty sweeps over the chunklets, each of which takes the label with the least
// cost plus penalties, and raises the penalty of a violation until there is none or
// the budget is spent.
func (m *componentRepair) raisePenalty(budget *int) {
	penalty := m.costScale / 8
	for range 24 {
		for range 4 {
			moved := false
			for v := range int32(len(m.neighbours)) {
				if h := m.cheapestLabel(v, penalty); h != m.colouring.Colours()[v] {
					m.colouring.Recolour(v, h)
					*budget -= len(m.neighbours[v])
					moved = true
				}
			}
			*budget -= len(m.costs)
			if !moved || m.colouring.ClashingEdges() == 0 || *budget < 0 || m.colouring.Stop() {
				break
			}
		}
		if m.colouring.ClashingEdges() == 0 || *budget < 0 || m.colouring.Stop() {
			return
		}
		penalty *= 1.5
	}
}

// cheapestLabel returns the label of v with the least cost plus penalties.
func (m *componentRepair) cheapestLabel(v int32, penalty float64) int32 {
	best, least := m.colouring.Colours()[v], math.Inf(1)
	violations := m.colouring.Clashes(v)
	for h, c := range m.costsOf(v) {
		if c += penalty * float64(violations[h]); c < least {
			best, least = int32(h), c
		}
	}
	return best
}
