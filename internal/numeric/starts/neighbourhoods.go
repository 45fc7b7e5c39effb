package starts

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// neighbourhoods are the sets of points that must be together: components of
// the closure with two points or more, or with a class below k. Their centroids
// are made when asked for, so that memory does not grow with their number.
type neighbourhoods struct {
	p      *cluster.Problem
	e      *cluster.Env
	closed *constraint.Closure
	parts  []int     // components, largest first, then lowest
	mass   []float64 // of each part

	mean    []float64
	touched []int32 // features of mean that are not 0; unused for dense rows
	buf     []float64
}

// Neighbourhoods says which neighbourhoods start a cluster.
type Neighbourhoods string

// The neighbourhoods that start a cluster.
const (
	// Farthest takes the largest first and then the one for which size × distance to the
	// nearest one chosen is greatest, and leaves out those that seem to lie in a cluster
	// that has one already.
	Farthest Neighbourhoods = "farthest"
	// FarthestAlone is Farthest without comparing the start with others.
	FarthestAlone Neighbourhoods = "farthest-alone"
	Largest       Neighbourhoods = "largest" // the k largest
	Random        Neighbourhoods = "random"  // none: k different rows
)

// NeighbourhoodCentres returns the first centres for methods that know pairs
// and classes. Cluster h starts from the points of class h, where there are
// any, and the others from neighbourhoods, as mode says. Where these are too
// few, a point that cannot be with any of them starts one more cluster (the
// first such point, and at most one, by what follows from all that is known),
// and fill says how the rest start: "k-means++", from the centres found, or
// "perturbed-mean", as in the paper.
//
// Restarts after the first differ where the effort asks for a search: every other one
// takes the classes alone and fills the rest, and of the others each draws its
// neighbourhoods. They compete by the objective.
//
// Where the constraints contradict each other, must-links alone make neighbourhoods.
// When ctx ends it settles for what it has, or for random rows.
func NeighbourhoodCentres(ctx context.Context, p *cluster.Problem, e *cluster.Env, mode Neighbourhoods, fill string) *lloyd.Centres {
	if mode == Random || ctx.Err() != nil {
		return RandomRows(p, e)
	}
	closed, err := constraint.Close(p.X.Len(), p.Constraints)
	if err != nil {
		must := &constraint.Set{}
		if p.Constraints != nil {
			must.Must = p.Constraints.Must
		}
		if closed, err = constraint.Close(p.X.Len(), must); err != nil {
			return fillCentres(ctx, p, e, fill, make([][]float64, p.K))
		}
	}
	nb := findNeighbourhoods(p, e, closed)
	at, free := nb.classCentres()
	classes := slices.Clone(at)
	chosen := nb.parts[:len(nb.parts)-len(free)]
	again := mode == Farthest && e.Effort.Searches() && e.Run > 0
	switch {
	case mode == Largest:
		chosen = nb.place(at, free[:min(len(free), empty(at))], chosen)
	case again && e.Run%2 == 1:
		return fillCentres(ctx, p, e, fill, classes)
	case again:
		chosen = nb.place(at, nb.farthest(ctx, at, free, e.Rand.Float64), chosen)
	default:
		chosen = nb.place(at, nb.farthest(ctx, at, free, nil), chosen)
	}
	if i := nb.apartFromAll(chosen); i >= 0 && empty(at) > 0 {
		put(at, data.Copy(p.X, i))
	}
	c := fillCentres(ctx, p, e, fill, at)
	if mode == Largest || mode == FarthestAlone || len(free) == 0 || again {
		return c
	}
	return Contest(ctx, p, e, c, func(q *cluster.Problem) *lloyd.Centres { return sharedFill(ctx, q, e, fill, classes) })
}

// findNeighbourhoods puts those with a class first, in the order of classes,
// then the others by size.
func findNeighbourhoods(p *cluster.Problem, e *cluster.Env, closed *constraint.Closure) *neighbourhoods {
	nb := (&neighbourhoods{p: p, e: e, closed: closed}).another()
	mass := make([]float64, closed.Components())
	for q := range mass {
		for _, i := range closed.Members(q) {
			mass[q] += p.W(int(i))
		}
		if mass[q] > 0 && (nb.classed(q) || closed.Size(q) > 1) {
			nb.parts = append(nb.parts, q)
		}
	}
	slices.SortStableFunc(nb.parts, func(a, b int) int {
		switch ca, cb := nb.classed(a), nb.classed(b); {
		case ca && cb:
			return closed.Class(a) - closed.Class(b)
		case ca:
			return -1
		case cb:
			return 1
		case mass[a] > mass[b]:
			return -1
		case mass[a] < mass[b]:
			return 1
		}
		return 0
	})
	for _, q := range nb.parts {
		nb.mass = append(nb.mass, mass[q])
	}
	return nb
}

// another returns the same neighbourhoods with scratch of their own, for another goroutine.
func (nb *neighbourhoods) another() *neighbourhoods {
	own, d := *nb, nb.p.X.Dim()
	own.mean, own.buf, own.touched = make([]float64, d), make([]float64, d), nil
	return &own
}

func (nb *neighbourhoods) classed(q int) bool {
	c := nb.closed.Class(q)
	return c >= 0 && c < nb.p.K
}

// classCentres returns k places for centres, those of classes filled, and the
// neighbourhoods that have no class, as positions in parts.
func (nb *neighbourhoods) classCentres() (at [][]float64, free []int) {
	at = make([][]float64, nb.p.K)
	for s, q := range nb.parts {
		if nb.classed(q) {
			at[nb.closed.Class(q)] = slices.Clone(nb.centroid(s))
		} else {
			free = append(free, s)
		}
	}
	return at, free
}

// centroid returns the mean of the points of parts[s], good until the next call.
// Sparse rows cost what they hold.
func (nb *neighbourhoods) centroid(s int) []float64 {
	if nb.touched == nil {
		clear(nb.mean)
	}
	for _, f := range nb.touched {
		nb.mean[f] = 0
	}
	nb.touched = nb.touched[:0]
	for _, i := range nb.closed.Members(nb.parts[s]) {
		v := nb.p.X.Row(int(i), nb.buf)
		data.Add(nb.mean, v, nb.p.W(int(i))/nb.mass[s])
		nb.touched = append(nb.touched, v.Idx...)
	}
	return nb.mean
}

// dist2 returns the squared distance of the centroid of parts[s] to c, whose
// squared length is c2.
func (nb *neighbourhoods) dist2(s int, c []float64, c2 float64) float64 {
	m := nb.centroid(s)
	if nb.touched == nil {
		return data.Dist2(data.Vec{Val: m}, c, 0)
	}
	slices.Sort(nb.touched)
	nb.touched = slices.Compact(nb.touched)
	dot, m2 := 0.0, 0.0
	for _, f := range nb.touched {
		dot += float64(m[f] * c[f])
		m2 += float64(m[f] * m[f])
	}
	if d2 := data.SparseDist2(dot, m2, c2); !data.Cancels(d2, m2, c2) {
		return d2
	}
	return data.Dist2(data.Vec{Val: m}, c, 0)
}

// place puts the centroids of the chosen positions into the empty places and
// returns all components that have a centre.
func (nb *neighbourhoods) place(at [][]float64, chosen, before []int) []int {
	out := slices.Clone(before)
	for _, s := range chosen {
		put(at, slices.Clone(nb.centroid(s)))
		out = append(out, nb.parts[s])
	}
	return out
}

// farthest chooses among the free neighbourhoods by weighted farthest-first,
// as many as there are empty places and seem to be of different clusters.
//
// Two neighbourhoods of one cluster, of a and b points, have centroids about
// s²(1/a + 1/b) apart (squared), s² being the mean squared distance of a point
// to the mean of its cluster. Only one that is more than twice as far from all
// chosen ones, or cannot be with any of them, opens a cluster: with few
// constraints most neighbourhoods are pairs, and several of them in one cluster
// take away the centres that other clusters need. With draw, numbers from 0 to 1, each is
// drawn with a probability that grows with its size and distance, instead of the farthest.
func (nb *neighbourhoods) farthest(ctx context.Context, at [][]float64, free []int, draw func() float64) (chosen []int) {
	near, same := make([]float64, len(free)), make([]bool, len(free))
	for j := range near {
		near[j] = math.Inf(1)
	}
	spread := nb.spread()
	meet := func(c []float64, mass float64, q int) { // one that is the same as another is not chosen any more
		c2 := data.Norm2(c)
		blocks.Rows(nb.e.Workers, len(free), func(lo, hi int) {
			own := nb.another()
			for j := lo; j < hi; j++ {
				if same[j] {
					continue
				}
				s := free[j]
				d2 := own.dist2(s, c, c2)
				near[j] = min(near[j], math.Sqrt(d2))
				same[j] = d2 <= 2*spread*(1/mass+1/nb.mass[s]) && !nb.closed.MustApart(int(nb.closed.Members(q)[0]), int(nb.closed.Members(nb.parts[s])[0]))
			}
		})
	}
	for s, q := range nb.parts[:len(nb.parts)-len(free)] {
		meet(at[nb.closed.Class(q)], nb.mass[s], q)
	}
	first := len(free) == len(nb.parts)
	for range empty(at) {
		best, most := -1, 0.0
		for j, s := range free {
			worth := nb.mass[s] * near[j]
			if first {
				worth = nb.mass[s]
			}
			if same[j] || !(worth > 0) {
				continue
			}
			if draw != nil {
				worth = math.Log(draw()) / worth // the largest is drawn with a probability in proportion to worth
			}
			if best < 0 || worth > most {
				best, most = j, worth
			}
		}
		if best < 0 || ctx.Err() != nil {
			break
		}
		first, same[best] = false, true
		chosen = append(chosen, free[best])
		meet(slices.Clone(nb.centroid(free[best])), nb.mass[free[best]], nb.parts[free[best]])
	}
	return chosen
}

// spread returns the mean squared distance of a point to the mean of its
// cluster, as the neighbourhoods show it: Σ w‖x−m‖² over the weight less one
// point for each mean.
func (nb *neighbourhoods) spread() float64 {
	sum, mass := 0.0, 0.0
	for s, q := range nb.parts {
		members := nb.closed.Members(q)
		if len(members) < 2 {
			continue
		}
		c := nb.centroid(s)
		c2 := data.Norm2(c)
		for _, i := range members {
			sum += nb.p.W(int(i)) * data.Dist2(nb.p.X.Row(int(i), nb.buf), c, c2)
		}
		mass += nb.mass[s] * float64(len(members)-1) / float64(len(members))
	}
	if mass == 0 {
		return 0
	}
	return sum / mass
}

// apartFromAll returns the first point that cannot be with any of the given
// components, -1 if there is none or there are no components.
func (nb *neighbourhoods) apartFromAll(parts []int) int {
	if len(parts) == 0 {
		return -1
	}
	for _, q := range nb.closed.CannotLinked(parts[0]) {
		i := int(nb.closed.Members(int(q))[0])
		apart := func(r int) bool { return nb.closed.MustApart(i, int(nb.closed.Members(r)[0])) }
		if nb.closed.Size(int(q)) == 1 && !slices.Contains(parts, int(q)) && !slices.ContainsFunc(parts, func(r int) bool { return !apart(r) }) {
			return i
		}
	}
	return -1
}

func empty(at [][]float64) (n int) {
	for _, c := range at {
		if c == nil {
			n++
		}
	}
	return n
}

// put gives c the first empty place.
func put(at [][]float64, c []float64) {
	at[slices.IndexFunc(at, func(c []float64) bool { return c == nil })] = c
}

// fillCentres starts the clusters that have no centre yet.
func fillCentres(ctx context.Context, p *cluster.Problem, e *cluster.Env, fill string, at [][]float64) *lloyd.Centres {
	d := p.X.Dim()
	var found []float64
	for _, c := range at {
		found = append(found, c...)
	}
	var rest []float64
	switch left := empty(at); {
	case left == 0:
	case fill == "perturbed-mean":
		rest = PerturbedMeans(p, e, left)
	default:
		rest = FittedCentres(ctx, lloyd.Space{Problem: p}, e, found).C[len(found):]
	}
	all := make([]float64, 0, p.K*d)
	for _, c := range at {
		if c == nil {
			c, rest = rest[:d], rest[d:]
		}
		all = append(all, c...)
	}
	return lloyd.NewCentres(p.K, d, all)
}

// sharedFill is fillCentres, which fits that share their results do once.
func sharedFill(ctx context.Context, p *cluster.Problem, e *cluster.Env, fill string, at [][]float64) *lloyd.Centres {
	kept, _ := e.Share(ctx, p.Key(newStartKey("fill by "+fill, at...)), func() (any, error) { return fillCentres(ctx, p, e, fill, at), nil })
	c := kept.(*lloyd.Centres)
	return lloyd.NewCentres(c.K, c.D, slices.Clone(c.C)) // callers may change theirs
}
