package kernel

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
)

// farthestFirst is the paper's algorithm 3. Points that must be together form
// components. The first cluster starts from the largest component, each further
// one from the component with the largest total distance, in kernel space, to the
// points chosen before. If fewer than k components have two points, single points
// are taken; without constraints the first of them is random. Of components at
// the same distance, frequent in sparse graphs, the largest is taken, as with any
// positive shift. Then every point joins the nearest mean; a point without edges
// to any cluster joins once its neighbours have.
//
// If some points must be together, nothing of this is random (see startDecided). Where
// several starts compete, it is one of them.
//
// Step 3 of the algorithm (components cut at cannot-links) changes nothing: a
// component of consistent constraints holds no cannot-link.
func (f *weightedKMeans) farthestFirst(ctx context.Context, known *constraint.Set, rng *rand.Rand) error {
	n := f.numNodes()
	closed, err := mustComponents(n, known)
	if err != nil {
		return err
	}
	seeds := &farthestSelection{weightedKMeans: f, closed: closed, taken: make([]bool, closed.Components()), similarity: make([]float64, n), row: make([]float64, n), everyone: make([]int32, n)}
	for i := range f.label {
		f.label[i], seeds.everyone[i] = -1, int32(i)
	}
	for c := range f.k {
		q := seeds.nextComponent(c, rng)
		if q < 0 || ctx.Err() != nil {
			break
		}
		seeds.takeComponent(q, int32(c))
	}
	return f.assignRemaining(ctx)
}

// mustComponents returns the closure of the constraints; if they contradict
// themselves, of the must-links alone, which never do.
func mustComponents(n int, known *constraint.Set) (*constraint.Closure, error) {
	closed, err := constraint.Close(n, known)
	if err != nil {
		closed, err = constraint.Close(n, &constraint.Set{Must: known.Must})
	}
	return closed, err
}

// startDecided reports whether all runs start alike: farthest-first if some
// points must be together, unless a shift is estimated.
func startDecided(p *cluster.Problem, init Init, shift cluster.Number, objective Objective) bool {
	if init != InitFarthest || p.Constraints.Empty() || needsExactShift(shift, objective) {
		return false
	}
	closed, err := mustComponents(p.Len(), p.Constraints)
	return err == nil && closed.Size(closed.Largest()) > 1
}

// A farthestSelection is a farthest-first selection in progress.
type farthestSelection struct {
	*weightedKMeans
	closed     *constraint.Closure
	taken      []bool
	similarity []float64 // Σ K_iy over the chosen points y
	chosen     int
	norms      float64   // Σ K_yy over them
	row        []float64 // of B + W, zero between uses
	everyone   []int32   // 0 to n−1
}

// kernelEntry turns B_ij into K_ij.
func (f *weightedKMeans) kernelEntry(b float64, i, j int) float64 {
	if a := f.alpha[i] * f.alpha[j]; a > 0 {
		return b / a
	}
	return 0
}

// ownAffinity returns B_ii + σα_i, without what must-links cost a point.
func (f *weightedKMeans) ownAffinity(i int32) float64 {
	if f.pairCosts == nil {
		return f.selfWeight[i]
	}
	return f.selfWeight[i] + f.pairCosts[i]
}

// nextComponent returns the component to start cluster c from, −1 if none is
// left.
func (s *farthestSelection) nextComponent(c int, rng *rand.Rand) int {
	if c == 0 {
		if q := s.closed.Largest(); s.closed.Size(q) > 1 {
			return q
		}
		return s.closed.Component(rng.IntN(s.numNodes()))
	}
	best, size, far, most := -1, 0, math.Inf(-1), 0
	for q := range s.taken {
		if s.taken[q] {
			continue
		}
		total := 0.0
		for _, i := range s.closed.Members(q) {
			total += float64(s.chosen)*s.kernelEntry(s.ownAffinity(i), int(i), int(i)) + s.norms - 2*s.similarity[i]
		}
		all := s.closed.Size(q)
		big := min(2, all)
		if big > size || big == size && (total > far || total == far && all > most) {
			best, size, far, most = q, big, total, all
		}
	}
	return best
}

// takeComponent makes component q the start of cluster c.
func (s *farthestSelection) takeComponent(q int, c int32) {
	s.taken[q] = true
	for _, i := range s.closed.Members(q) {
		s.matrix.AddRow(int(i), 1, s.row)
		s.row[i] = s.ownAffinity(i)
		to, w := s.pairWeights.neighbours(i)
		for p, j := range to {
			s.row[j] += w[p]
		}
		if g, ok := s.matrix.(graphMatrix); ok {
			near, _ := g.graph.neighbours(i)
			s.takeEntries(i, near)
			s.takeEntries(i, to)
			s.takeEntries(i, []int32{i})
		} else {
			s.takeEntries(i, s.everyone)
		}
		s.chosen++
		s.norms += s.kernelEntry(s.ownAffinity(i), int(i), int(i))
		s.label[i] = c
	}
}

// takeEntries adds the entries of the row of i in these columns to the
// similarities, and clears them.
func (s *farthestSelection) takeEntries(i int32, columns []int32) {
	for _, j := range columns {
		s.similarity[j] += s.kernelEntry(s.row[j], int(i), int(j))
		s.row[j] = 0
	}
}

// assignRemaining assigns every point without a label to the nearest mean, in
// rounds: at first only points with edges to a cluster.
func (f *weightedKMeans) assignRemaining(ctx context.Context) error {
	const rounds = 100
	for range rounds {
		left, joined, err := f.assignRound(ctx, false)
		if err != nil {
			return err
		}
		if left == 0 || joined == 0 {
			break
		}
	}
	if _, _, err := f.assignRound(ctx, true); err != nil {
		return err
	}
	return f.recompute(ctx)
}

// assignRound assigns the points with edges to a cluster, or all.
func (f *weightedKMeans) assignRound(ctx context.Context, all bool) (left, joined int, err error) {
	// One more cluster holds the points that wait; its mean is not used.
	wide := *f
	wide.k, wide.clusterSum = f.k+1, nil
	wide.label = append([]int32(nil), f.label...)
	for i, c := range f.label {
		if c < 0 {
			wide.label[i] = int32(f.k)
			left++
		}
	}
	if left == 0 {
		return 0, 0, nil
	}
	if err := wide.recompute(ctx); err != nil {
		return 0, 0, err
	}
	wide.k = f.k
	norms, sums := wide.meanNorms(), wide.sumBuffer()
	for i, c := range f.label {
		if c >= 0 {
			continue
		}
		wide.nodeSums(i, sums)
		c = wide.nearestMean(i, sums, norms, !all)
		if int(c) == f.k { // no edges to any cluster
			if !all {
				continue
			}
			c = wide.lightestCluster()
		}
		f.label[i] = c
		joined++
	}
	return left - joined, joined, nil
}

// lightestCluster returns the cluster with the least mass.
func (f *weightedKMeans) lightestCluster() int32 {
	best := 0
	for c := range f.k {
		if f.mass[c] < f.mass[best] {
			best = c
		}
	}
	return int32(best)
}

// randomStart makes k random points clusters of their own, and assigns the others
// at random.
func (f *weightedKMeans) randomStart(ctx context.Context, rng *rand.Rand) error {
	for at, i := range rng.Perm(f.numNodes()) {
		f.label[i] = int32(at)
		if at >= f.k {
			f.label[i] = int32(rng.IntN(f.k))
		}
	}
	return f.recompute(ctx)
}
