package choose

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// sampleOf returns p on at most size of its points: those in constraints, then
// others at random. Where constraints touch more than four fifths of size, some of
// them are left out at random. A graph is not sampled: its parts would have other
// clusters. at has the points of p that were taken, nil where all were.
func sampleOf(p *cluster.Problem, size int, seed uint64) (q *cluster.Problem, at []int) {
	n := p.Len()
	if n <= size || p.Graph != nil {
		return p, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0xa11))
	known := sampleConstraints(p.Constraints, size*4/5, rng)
	in := map[int]bool{}
	for _, i := range known.Rows() {
		in[i] = true
	}
	need, left := size-len(in), n-len(in)
	at = make([]int, 0, size)
	for i := range n {
		if in[i] {
			at = append(at, i)
			continue
		}
		if rng.IntN(left) < need {
			at = append(at, i)
			need--
		}
		left--
	}
	q = &cluster.Problem{K: p.K, Constraints: renumber(known, at)}
	if p.X != nil {
		q.X = data.Pick(p.X, at)
	}
	if p.Kernel != nil {
		q.Kernel = &data.Dense{Cols: len(at)}
		for _, i := range at {
			for _, j := range at {
				q.Kernel.V = append(q.Kernel.V, p.Kernel.V[i*n+j])
			}
		}
	}
	if p.Weight != nil {
		for _, i := range at {
			q.Weight = append(q.Weight, p.Weight[i])
		}
	}
	return q, at
}

// sampleConstraints returns constraints of s, drawn at random, that touch at most
// so many rows; all of them where that suffices.
func sampleConstraints(s *constraint.Set, rows int, rng *rand.Rand) *constraint.Set {
	if s == nil || len(s.Rows()) <= rows {
		return s
	}
	out, in := &constraint.Set{Names: s.Names}, map[int]bool{}
	take := func(i, j int) bool {
		more := 0
		if !in[i] {
			more++
		}
		if !in[j] && i != j {
			more++
		}
		if len(in)+more > rows {
			return false
		}
		in[i], in[j] = true, true
		return true
	}
	lists := []struct{ from, to *[]constraint.Pair }{{&s.Must, &out.Must}, {&s.Cannot, &out.Cannot}, {&s.Beliefs, &out.Beliefs}}
	sizes := []int{len(s.Labels)}
	for _, l := range lists {
		sizes = append(sizes, len(*l.from))
	}
	total := 0
	for _, m := range sizes {
		total += m
	}
	for _, at := range rng.Perm(total) {
		if at < len(s.Labels) {
			if l := s.Labels[at]; take(l.I, l.I) {
				out.Labels = append(out.Labels, l)
			}
			continue
		}
		at -= len(s.Labels)
		for _, l := range lists {
			if at < len(*l.from) {
				if p := (*l.from)[at]; take(p.I, p.J) {
					*l.to = append(*l.to, p)
				}
				break
			}
			at -= len(*l.from)
		}
	}
	return out
}

// renumber returns s for the rows at, all of whose rows are among them.
func renumber(s *constraint.Set, at []int) *constraint.Set {
	if s == nil {
		return nil
	}
	number := make(map[int]int, len(at))
	for q, i := range at {
		number[i] = q
	}
	out := &constraint.Set{Names: s.Names}
	for _, l := range s.Labels {
		l.I = number[l.I]
		out.Labels = append(out.Labels, l)
	}
	pairs := func(list []constraint.Pair) (to []constraint.Pair) {
		for _, p := range list {
			p.I, p.J = number[p.I], number[p.J]
			to = append(to, p)
		}
		return to
	}
	out.Must, out.Cannot, out.Beliefs = pairs(s.Must), pairs(s.Cannot), pairs(s.Beliefs)
	return out
}
