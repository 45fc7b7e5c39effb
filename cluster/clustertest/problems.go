package clustertest

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// blobs makes k unit Gaussians in d dimensions, each apart from the origin along
// an axis of its own, and so in direction too, with n/10 true pairs and n/50
// true labels. Values are multiples of 1/64, so that single
// precision holds them exactly.
func blobs(n, k, d int, apart float64) (p *cluster.Problem, truth []int) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	x := &data.Dense{Cols: d}
	truth = make([]int, n)
	for i := range n {
		truth[i] = r.IntN(k)
		for f := range d {
			v := r.NormFloat64()
			if f == truth[i]%d {
				v += apart * float64(1-2*(truth[i]/d%2))
			}
			x.V = append(x.V, float64(int(v*64))/64)
		}
	}
	return &cluster.Problem{X: x, Constraints: trueConstraints(r, truth, n/10, n/50), K: k}, truth
}

func trueConstraints(r *rand.Rand, truth []int, pairs, labels int) *constraint.Set {
	s := &constraint.Set{}
	for range pairs {
		i, j := r.IntN(len(truth)), r.IntN(len(truth))
		if i == j {
			continue
		}
		link := constraint.Pair{I: i, J: j, W: 1}
		if truth[i] == truth[j] {
			s.Must = append(s.Must, link)
		} else {
			s.Cannot = append(s.Cannot, link)
		}
	}
	for _, i := range r.Perm(len(truth))[:labels] {
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
	}
	return s
}

// easy is a problem that every method solves.
func easy() (*cluster.Problem, []int) { return blobs(900, 3, 5, 12) }

// hard has overlapping clusters and consistent constraints. It has more rows than those up to which methods take
// other ways: eigenvectors of whole matrices, and sweeps over one row after another.
func hard() *cluster.Problem {
	p, _ := blobs(560, 4, 3, 2)
	return p
}

// blocked is hard with rows in three blocks of work, the fewest that can be added
// up in an order that shows.
func blocked() *cluster.Problem {
	p, _ := blobs(2060, 4, 3, 2)
	return p
}

// small returns n rows of d numbers without constraints.
func small(k, d int, v ...float64) *cluster.Problem {
	return &cluster.Problem{X: &data.Dense{Cols: d, V: v}, K: k}
}

// free reports for each point whether no constraint is on it.
func free(p *cluster.Problem) []bool {
	f := make([]bool, p.Len())
	for i := range f {
		f[i] = true
	}
	if p.Constraints == nil {
		return f
	}
	for _, list := range [][]constraint.Pair{p.Constraints.Must, p.Constraints.Cannot, p.Constraints.Beliefs} {
		for _, q := range list {
			f[q.I], f[q.J] = false, false
		}
	}
	for _, l := range p.Constraints.Labels {
		f[l.I] = false
	}
	return f
}

// sparse returns the same rows in CSR form.
func sparse(x *data.Dense) *data.Sparse {
	s := &data.Sparse{Cols: x.Cols, Start: []int{0}}
	for i, v := range x.V {
		if v != 0 {
			s.Idx, s.Val = append(s.Idx, int32(i%x.Cols)), append(s.Val, v)
		}
		if i%x.Cols == x.Cols-1 {
			s.Start = append(s.Start, len(s.Idx))
		}
	}
	return s
}

// single returns the same rows in single precision.
func single(x *data.Dense) *data.Dense32 {
	s := &data.Dense32{Cols: x.Cols, V: make([]float32, len(x.V))}
	for i, v := range x.V {
		s.V[i] = float32(v)
	}
	return s
}
