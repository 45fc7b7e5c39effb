package constraint

import (
	"math/rand/v2"
	"slices"
)

// tabu looks for a colouring of g by repair (Hertz and de Werra, Computing 39,
// 1987): from a full colouring with faults it changes, step by step, the
// vertex at fault whose change leaves fewest faults, and does not change it
// back for a while. It finds what greedy colourings miss and proves nothing;
// nil means that the budget is spent. Its random choices are the same each
// time.
func (g *core) tabu(budget *int) []int32 {
	if len(g.verts)*g.k > 4*maxTable {
		return nil
	}
	r := newRepair(g)
	rng := rand.New(rand.NewPCG(uint64(len(g.verts)), uint64(g.k)))
	for step := int32(1); len(r.faulty) > 0; step++ {
		if *budget < 0 {
			return nil
		}
		*budget -= len(r.faulty) * g.k
		v, h := r.choose(step, rng)
		if v < 0 {
			continue // all changes are ruled out for now
		}
		*budget -= len(g.adj[v])
		r.until[int(v)*g.k+int(r.colour[v])] = step + int32(len(r.faulty))*3/5 + rng.Int32N(10)
		r.change(v, h)
	}
	return r.colour
}

// banned stands for more faults than a core has edges at a vertex: a class.
const banned = 1 << 28

// A repair is a full colouring with its faults.
type repair struct {
	*core
	colour []int32
	clash  []int32 // [v*k+h]: neighbours of v with colour h
	until  []int32 // [v*k+h]: the step up to which v may not take h again
	faulty []int32 // vertices with a neighbour of their colour
	at     []int32 // position in faulty, -1 for none
	faults int     // edges within a colour
	best   int
}

func newRepair(g *core) *repair {
	r := &repair{core: g, colour: make([]int32, len(g.verts)), at: make([]int32, len(g.verts))}
	r.clash = make([]int32, len(g.verts)*g.k)
	r.until = make([]int32, len(r.clash))
	for v := range g.verts {
		r.colour[v], r.at[v] = -1, -1
		for _, h := range g.ban[v] {
			r.clash[v*g.k+int(h)] = banned
		}
	}
	for _, v := range slices.Backward(g.degeneracy()) {
		row := r.row(v)
		r.change(v, int32(slices.Index(row, slices.Min(row))))
	}
	r.best = r.faults
	return r
}

func (r *repair) row(v int32) []int32 { return r.clash[int(v)*r.k : (int(v)+1)*r.k] }

// choose returns the best change that is allowed, ties at random; -1 if none
// is. A change that beats everything so far is always allowed.
func (r *repair) choose(step int32, rng *rand.Rand) (vertex, colour int32) {
	vertex = -1
	least, ties := int32(banned), 0
	for _, v := range r.faulty {
		row, old := r.row(v), r.colour[v]
		until := r.until[int(v)*r.k : (int(v)+1)*r.k]
		for h, x := range row {
			gain := x - row[old]
			if gain > least || int32(h) == old || x >= banned {
				continue
			}
			if until[h] > step && r.faults+int(gain) >= r.best {
				continue
			}
			if gain < least {
				least, ties = gain, 0
			}
			ties++
			if rng.IntN(ties) == 0 {
				vertex, colour = v, int32(h)
			}
		}
	}
	return vertex, colour
}

// change gives v colour h and keeps the counts.
func (r *repair) change(v, h int32) {
	old := r.colour[v]
	r.colour[v] = h
	row := r.row(v)
	if old >= 0 {
		r.faults -= int(row[old])
	}
	r.faults += int(row[h])
	for _, u := range r.adj[v] {
		if old >= 0 {
			r.clash[int(u)*r.k+int(old)]--
		}
		r.clash[int(u)*r.k+int(h)]++
		r.note(u)
	}
	r.note(v)
	r.best = min(r.best, r.faults)
}

// note keeps the list of vertices at fault true for v.
func (r *repair) note(v int32) {
	bad := r.colour[v] >= 0 && r.row(v)[r.colour[v]] > 0
	switch p := r.at[v]; {
	case bad && p < 0:
		r.at[v] = int32(len(r.faulty))
		r.faulty = append(r.faulty, v)
	case !bad && p >= 0:
		last := r.faulty[len(r.faulty)-1]
		r.faulty[p], r.at[last] = last, p
		r.faulty = r.faulty[:len(r.faulty)-1]
		r.at[v] = -1
	}
}
