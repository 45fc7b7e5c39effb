package spectral

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/support/longtest"
	"pgregory.net/rapid"
)

func TestSpectralLearningKeepsTheContract(t *testing.T) {
	for n, kind := range []Normalisation{Additive, Laplacian, None} {
		t.Run(string(kind), func(t *testing.T) {
			a := NewSpectralLearning()
			a.Normalise = kind
			if n == 0 || testing.Short() || longtest.Full() {
				cuttest.Contract(t, a)
				return
			}
			t.Parallel()
			for at, c := range clustertest.Checks() { // the others in turn
				if at%2 == n%2 || c.Name == "DegenerateInputHasAnAnswer" {
					if err := c.Do(a); err != nil {
						t.Errorf("%s: %v", c.Name, err)
					}
				}
			}
		})
	}
}

// Two edges of the six nodes are turned around by hand: must-links 2-4 and
// cannot-link 2-3 leave the triangle and a pair, or four nodes, on each side.
func TestEditedByHand(t *testing.T) {
	g, _, err := example.SixNodes()
	if err != nil {
		t.Fatal(err)
	}
	known := &constraint.Set{
		Must:    []constraint.Pair{{I: 4, J: 2, W: 1}, {I: 0, J: 1, W: 5}},
		Cannot:  []constraint.Pair{{I: 3, J: 2, W: 1}, {I: 0, J: 5, W: 1}},
		Beliefs: []constraint.Pair{{I: 5, J: 4, W: -0.25}, {I: 1, J: 5, W: 0.5}},
		Labels:  []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 2, Class: 1, W: 1}, {I: 3, Class: 0, W: 1}},
	}
	got, err := editAffinities(g, known)
	if err != nil {
		t.Fatal(err)
	}
	want := map[[2]int]float64{{0, 1}: 1, {1, 2}: 1, {2, 4}: 1, {3, 4}: 1, {3, 5}: 1, {4, 5}: 0.75, {1, 5}: 0.5, {0, 3}: 1}
	for i := range 6 {
		for j := i + 1; j < 6; j++ {
			if w := edgeWeight(got, i, j); w != want[[2]int{i, j}] || w != edgeWeight(got, j, i) {
				t.Errorf("%d-%d weighs %v, want %v", i, j, w, want[[2]int{i, j}])
			}
		}
	}
}

// The bottom of D − A spans what the top of N does.
func TestAdditiveNormalisation(t *testing.T) {
	g, _, err := example.PlantedPartition(60, 3, 8, 2, cuttest.Rand(4))
	if err != nil {
		t.Fatal(err)
	}
	l, err := eigen.NewLaplacian(g, eigen.Plain)
	if err != nil {
		t.Fatal(err)
	}
	n, most := eigen.ToDense(context.Background(), eigen.Adjacency(g)), slices.Max(l.Degree)
	for i, d := range l.Degree {
		n.V[i*60+i] += most - d
	}
	for i := range n.V {
		n.V[i] /= most
	}
	top, err := eigen.Symmetric(background, n, eigen.Options{K: 3, End: eigen.High})
	if err != nil {
		t.Fatal(err)
	}
	low, err := eigen.Smallest(background, l, eigen.Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	for c := range 3 {
		if math.Abs(top.Values[c]-(1-low.Values[c]/most)) > 1e-10 {
			t.Errorf("eigenvalue %d: %v of N, %v of L", c, top.Values[c], low.Values[c])
		}
		if c == 0 {
			continue // the null vector may be of several components
		}
		dot := 0.0
		for i, y := range top.Vectors[c] {
			dot += y * low.Vectors[c][i]
		}
		if math.Abs(math.Abs(dot)-1) > 1e-8 {
			t.Errorf("vector %d: product %v", c, dot)
		}
	}
}

// Six nodes are told to part otherwise than their edges do.
func TestSpectralLearningOnSixNodes(t *testing.T) {
	p, truth := cuttest.Six(t)
	for _, kind := range []Normalisation{Additive, Laplacian, None} {
		a := NewSpectralLearning()
		a.Normalise = kind
		if r := cuttest.Fit(t, p, a); !slices.Equal(r.Labels, truth) {
			t.Errorf("%s: %v, want %v", kind, r.Labels, truth)
		}
	}
}

// Whatever is known, edited weights are symmetric, in range, and of
// must-linked pairs as large as can be.
func TestEditedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := cuttest.Rand(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(2, 20).Draw(t, "n")
		var edges []data.Edge
		for range 3 * n {
			edges = append(edges, data.Edge{U: r.IntN(n), V: r.IntN(n), W: r.Float64()})
		}
		g, err := data.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		truth := make([]int, n)
		for i := range truth {
			truth[i] = r.IntN(3)
		}
		known := constraint.RandomPairs(truth, r.IntN(2*n), r)
		for i := range r.IntN(n) {
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: truth[i], W: 1})
		}
		got, err := editAffinities(g, known)
		if err != nil {
			t.Fatal(err)
		}
		top := 1.0
		for _, w := range g.W {
			top = max(top, w)
		}
		for i := range n {
			to, w := got.Neighbours(i)
			for q, j := range to {
				if w[q] < 0 || w[q] > top*(1+1e-12) || w[q] != edgeWeight(got, int(j), i) {
					t.Fatalf("%d-%d weighs %v", i, j, w[q])
				}
			}
		}
		for _, p := range known.Must {
			if w := edgeWeight(got, p.I, p.J); math.Abs(w-top) > 1e-12 {
				t.Fatalf("must-link %v weighs %v, not %v", p, w, top)
			}
		}
		for _, p := range known.Cannot {
			if w := edgeWeight(got, p.I, p.J); w != 0 {
				t.Fatalf("cannot-link %v weighs %v", p, w)
			}
		}
	})
}

// With constraints, cut and violations add up to no more than those of the clusters that
// the same fit finds without them.
func TestSpectralLearningAgainstUnconstrainedClusters(t *testing.T) {
	graphs := longtest.Size[uint64](40, 60, 200)
	for seed := range graphs {
		p := cuttest.Random(t, 20+int(seed)%50, 2+int(seed)%3, seed)
		plain := *p
		plain.Constraints = nil
		s := cluster.Default()
		s.Effort, s.Seed = cluster.EffortNormal, seed
		with, err := cluster.Fit(background, p, NewSpectralLearning(), s)
		if err != nil {
			t.Fatal(err)
		}
		without, err := cluster.Fit(background, &plain, NewSpectralLearning(), s)
		if err != nil {
			t.Fatal(err)
		}
		g, err := editAffinities(p.Graph, p.Constraints)
		if err != nil {
			t.Fatal(err)
		}
		f := NewNodeGraph(g, nil)
		if len(f.Points) < p.Len() {
			continue // where isolated nodes go depends on the others
		}
		q, err := NewConstraintMatrix(f, p.Constraints, nil, p.K, make([]float64, len(f.Points)))
		if err != nil {
			t.Fatal(err)
		}
		score := func(labels []int) float64 {
			return f.NormalizedCut(labels, p.K) + float64(p.K)*(1-q.SatisfiedShare(labels, p.K))
		}
		if a, b := score(with.Labels), score(without.Labels); a > b+1e-9 {
			t.Errorf("seed %d: cut and violations are %v, of the clusters without constraints %v", seed, a, b)
		}
	}
}

// A point counts for the cluster of its neighbours: constraints that are satisfied by
// their points alone speak for nothing, those that whole neighbourhoods satisfy do.
func TestConstraintsPreferNeighbourhoods(t *testing.T) {
	// Three cliques of ten; the middle one may go to either side.
	const size = 10
	var edges []data.Edge
	for c := range 3 {
		for i := range size {
			for j := range i {
				edges = append(edges, data.Edge{U: c*size + j, V: c*size + i, W: 1})
			}
		}
	}
	g, err := data.NewGraph(3*size, edges)
	if err != nil {
		t.Fatal(err)
	}
	left, right, alone, known := make([]int, 3*size), make([]int, 3*size), make([]int, 3*size), &constraint.Set{}
	for i := range left {
		left[i], right[i], alone[i] = i/(2*size), (i+size)/(2*size), i/(2*size)
	}
	for i := range 3 { // three points of the middle with the right, and apart from the left
		alone[size+i] = 1
		for j := range size / 2 {
			known.Must = append(known.Must, constraint.Pair{I: size + i, J: 2*size + j, W: 1})
			known.Cannot = append(known.Cannot, constraint.Pair{I: size + i, J: j, W: 1})
		}
	}
	r := &Run{Problem: &cluster.Problem{Graph: g, K: 2, Constraints: known}}
	if r.ConstraintsPrefer(g, alone, left) {
		t.Error("three points alone satisfy the constraints, and that counted")
	}
	if !r.ConstraintsPrefer(g, right, left) {
		t.Error("the whole middle satisfies the constraints, and that did not count")
	}
	known.Must, known.Cannot = known.Must[:2], nil
	if !r.ConstraintsPrefer(g, alone, left) {
		t.Error("two constraints are too few to judge")
	}
	known.Must = nil
	for i := range 24 { // sixteen speak for the right, eight for the left: by 1.6 standard errors
		side := 2 * size
		if i%3 == 0 {
			side = 0
		}
		known.Must = append(known.Must, constraint.Pair{I: size + i%size, J: side + i/size, W: 1})
	}
	for k, want := range map[int]bool{2: true, 3: true, 6: true, 7: false, 20: false} {
		if r.Problem.K = k; r.ConstraintsPrefer(g, right, left) != want {
			t.Errorf("among %d clusters the constraints prefer those they were made with: %v, wanted %v", k, !want, want)
		}
	}
}

func TestSameClusters(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		want bool
	}{
		{[]int{0, 0, 1, 2}, []int{2, 2, 0, 1}, true},
		{[]int{0, 0, 1, 2}, []int{2, 2, 0, 0}, false},
		{[]int{0, 0, 1, 1}, []int{2, 1, 0, 0}, false},
		{[]int{1, 0, 0}, []int{1, 1, 0}, false},
		{nil, nil, true},
	} {
		if SameClusters(c.a, c.b, 3) != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, !c.want)
		}
	}
}
