package cop

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/constraint"
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
	m.repair(first, rng)
	if m.faults > 0 && first < budget && ask() != constraint.No {
		m.repair(budget-first, rng)
	}
	if m.faults > 0 {
		return false
	}
	s.write(p, m.label)
	return true
}

// mending is a labelling of a tangle that need not be legal. Lumps are known
// by their place in the part.
type mending struct {
	k      int
	next   [][]int32 // lumps apart
	price  []float64 // [v·k+h], infinite where banned
	label  []int32
	clash  []int32 // [v·k+h]: lumps apart from v in h
	faults int     // lumps apart and together
	faulty []int32 // lumps in such a pair,
	at     []int32 // and where they stand in the list, -1 for nowhere
	scale  float64 // a price that matters
}

func newMending(s *layout, p part) *mending {
	n := len(p.lumps)
	m := &mending{k: s.k, next: make([][]int32, n), label: make([]int32, n), at: make([]int32, n),
		price: make([]float64, 0, n*s.k), clash: make([]int32, n*s.k)}
	for v, q := range p.lumps {
		s.place[q] = int32(v)
	}
	for v, q := range p.lumps {
		for _, r := range s.apart.of(q) {
			m.next[v] = append(m.next[v], s.place[r])
		}
		price := s.prices(q)
		m.price = append(m.price, price...)
		m.at[v], m.label[v] = -1, -1
		m.scale += slices.Min(price) / float64(n)
	}
	for v := range int32(n) {
		m.set(v, int32(slices.Index(m.prices(v), slices.Min(m.prices(v)))))
	}
	return m
}

func (m *mending) prices(v int32) []float64 { return m.price[int(v)*m.k : int(v+1)*m.k] }
func (m *mending) row(v int32) []int32      { return m.clash[int(v)*m.k : int(v+1)*m.k] }

// set gives v the label h and keeps the counts.
func (m *mending) set(v, h int32) {
	old, row := m.label[v], m.row(v)
	if old >= 0 {
		m.faults -= int(row[old])
	}
	m.label[v] = h
	for _, u := range m.next[v] {
		if old >= 0 {
			m.row(u)[old]--
		}
		m.row(u)[h]++
		m.note(u)
	}
	m.faults += int(row[h])
	m.note(v)
}

// note keeps the list of faulty lumps true for v.
func (m *mending) note(v int32) {
	h := m.label[v]
	bad := h >= 0 && m.row(v)[h] > 0
	switch p := m.at[v]; {
	case bad && p < 0:
		m.at[v] = int32(len(m.faulty))
		m.faulty = append(m.faulty, v)
	case !bad && p >= 0:
		last := m.faulty[len(m.faulty)-1]
		m.faulty[p], m.at[last] = last, p
		m.faulty = m.faulty[:len(m.faulty)-1]
		m.at[v] = -1
	}
}

// press sweeps the lumps, each taking the label with the least price and
// fines, while the fine for a fault doubles.
func (m *mending) press(budget *int) {
	fine := m.scale / 8
	for range 24 {
		for range 4 {
			moved := false
			for v := range int32(len(m.label)) {
				if h := m.least(v, fine); h != m.label[v] {
					m.set(v, h)
					*budget -= len(m.next[v])
					moved = true
				}
			}
			*budget -= len(m.price)
			if !moved || m.faults == 0 || *budget < 0 {
				break
			}
		}
		if m.faults == 0 || *budget < 0 {
			return
		}
		fine *= 1.5
	}
}

func (m *mending) least(v int32, fine float64) int32 {
	best, least := m.label[v], math.Inf(1)
	row := m.row(v)
	for h, c := range m.prices(v) {
		if c += fine * float64(row[h]); c < least {
			best, least = int32(h), c
		}
	}
	return best
}

// repair changes, step by step, the faulty lump whose change leaves fewest
// faults, and does not change it back for a while.
func (m *mending) repair(budget int, rng *rand.Rand) {
	until := make([]int, len(m.clash))
	best := m.faults
	for now := 1; m.faults > 0 && budget > 0; now++ {
		budget -= len(m.faulty) * m.k
		v, h := m.choose(until, now, best, rng)
		if v < 0 {
			continue // every change is ruled out for now
		}
		until[int(v)*m.k+int(m.label[v])] = now + len(m.faulty)*3/5 + rng.IntN(10)
		budget -= len(m.next[v])
		m.set(v, h)
		best = min(best, m.faults)
	}
}

// choose returns the change that leaves fewest faults, ties at random, -1 for
// none. One that beats all before is always allowed.
func (m *mending) choose(until []int, now, best int, rng *rand.Rand) (lump, label int32) {
	lump = -1
	least, ties := int32(math.MaxInt32), 0
	for _, v := range m.faulty {
		row, old, price := m.row(v), m.label[v], m.prices(v)
		for h, x := range row {
			gain := x - row[old]
			if gain > least || int32(h) == old || math.IsInf(price[h], 1) {
				continue
			}
			if until[int(v)*m.k+h] > now && m.faults+int(gain) >= best {
				continue
			}
			if gain < least {
				least, ties = gain, 0
			}
			if ties++; rng.IntN(ties) == 0 {
				lump, label = v, int32(h)
			}
		}
	}
	return lump, label
}
