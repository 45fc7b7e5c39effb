package cop

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/internal/combinatorial"
)

// Steps that mending a tangle may take: at first, and when nothing else helps.
const (
	mendSoon = 1 << 26
	mendLate = 1 << 30
)

// A small tangle is asked whether it can be mended at all when a few thousand
// steps for each of its labels have not: of so few lumps the closure knows at
// once, and where they cannot, all further steps are in vain.
const (
	smallTangle = 64
	smallSteps  = 4096
)

// mend looks for legal labels of a tangle from the other side: every lump
// starts with its nearest centre, and being together with a lump that it is
// apart from gets dearer until nothing is (where labels follow the distances,
// most of them are right by then); what is left is mended by tabu search
// (Hertz and de Werra 1987). It reports whether the labels are legal. ask tells
// whether the closure has any.
func (s *layout) mend(p part, budget int, rng *rand.Rand, ask func() constraint.Answer) bool {
	if len(p.lumps)*s.k > 1<<25 {
		return false
	}
	m := newMending(s, p)
	m.press(&budget)
	first := budget
	if len(p.lumps) <= smallTangle {
		first = min(budget, smallSteps*len(m.price))
	}
	found := m.tabuSearch(first, rng)
	if !found && first < budget && ask() != constraint.No {
		found = m.tabuSearch(budget-first, rng)
	}
	if found {
		s.write(p, m.labels.Colours())
	}
	return found
}

// mending is a labelling of a tangle that need not be legal: a colouring of the
// graph of lumps that are apart, with what each label costs. Lumps are known by
// their place in the part.
type mending struct {
	k      int
	next   [][]int32 // lumps apart
	price  []float64 // [v·k+h], infinite where banned
	labels *combinatorial.Recolouring
	scale  float64 // a price that matters
}

func newMending(s *layout, p part) *mending {
	n := len(p.lumps)
	m := &mending{k: s.k, next: make([][]int32, n), price: make([]float64, 0, n*s.k)}
	for v, q := range p.lumps {
		s.place[q] = int32(v)
	}
	for v, q := range p.lumps {
		for _, r := range s.apart.of(q) {
			m.next[v] = append(m.next[v], s.place[r])
		}
		price := s.prices(q)
		m.price = append(m.price, price...)
		m.scale += slices.Min(price) / float64(n)
	}
	m.labels = combinatorial.NewRecolouring(m.next, s.k)
	for v := range int32(n) {
		for h, c := range m.prices(v) {
			if math.IsInf(c, 1) {
				m.labels.Ban(v, int32(h))
			}
		}
	}
	for v := range int32(n) {
		m.labels.Recolour(v, int32(slices.Index(m.prices(v), slices.Min(m.prices(v)))))
	}
	return m
}

func (m *mending) prices(v int32) []float64 { return m.price[int(v)*m.k : int(v+1)*m.k] }

// tabuSearch removes what is left of faults, and reports whether it could. It
// stops when the budget is 0.
func (m *mending) tabuSearch(budget int, rng *rand.Rand) bool {
	left := budget - 1 // Recolouring stops below 0
	return m.labels.TabuSearch(&left, rng)
}

// press sweeps the lumps, each taking the label with the least price and
// fines, while the fine for a fault doubles.
func (m *mending) press(budget *int) {
	fine := m.scale / 8
	for range 24 {
		for range 4 {
			moved := false
			for v := range int32(len(m.next)) {
				if h := m.least(v, fine); h != m.labels.Colours()[v] {
					m.labels.Recolour(v, h)
					*budget -= len(m.next[v])
					moved = true
				}
			}
			*budget -= len(m.price)
			if !moved || m.labels.ClashingEdges() == 0 || *budget < 0 {
				break
			}
		}
		if m.labels.ClashingEdges() == 0 || *budget < 0 {
			return
		}
		fine *= 1.5
	}
}

func (m *mending) least(v int32, fine float64) int32 {
	best, least := m.labels.Colours()[v], math.Inf(1)
	row := m.labels.Clashes(v)
	for h, c := range m.prices(v) {
		if c += fine * float64(row[h]); c < least {
			best, least = int32(h), c
		}
	}
	return best
}
