package csp

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"pgregory.net/rapid"
)

func TestFastGEKeepsTheContract(t *testing.T) { cuttest.Contract(t, NewFastGE()) }

// A path of four nodes whose ends must be apart. Of vectors (a, b, −b, −a),
// L_G gives 2(a − b)² + 4b² and L_H 4a² + 2a² + 4b² for c = 1, so
// (2 − 6λ)(6 − 4λ) = 4. With a must-link in the middle, of weight √(2·2), the
// degrees are 1, 4, 4, 1, and (2 − 6λ)(14 − 8λ) = 4. In the first case the cut
// is 1, the link across 1 and the demand 3·3/6, in the second 3, 1 and 5·5/10,
// or, cutting off an end, 1, 1 and 1·9/10.
func TestFastGEByHand(t *testing.T) {
	g, err := data.NewGraph(4, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	a := NewFastGE()
	a.Demand = cluster.Fixed(1)
	known := &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 3, W: 1}}}
	r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: 2, Constraints: known}, a)
	got := r.Learned.(*GeneralizedCut)
	if want := (11 - math.Sqrt(73)) / 12; math.Abs(got.Lambda[0]-want) > 1e-9 {
		t.Errorf("λ = %v, want %v", got.Lambda[0], want)
	}
	if want := 1 / 2.5; math.Abs(got.Phi-want) > 1e-12 || !slices.Equal(r.Labels, []int{0, 0, 1, 1}) || got.Satisfied != 1 {
		t.Errorf("φ = %v, want %v; labels %v", got.Phi, want, r.Labels)
	}
	known.Must = []constraint.Pair{{I: 1, J: 2, W: 1}}
	r = cuttest.Fit(t, &cluster.Problem{Graph: g, K: 2, Constraints: known}, a)
	got = r.Learned.(*GeneralizedCut)
	if want := (25 - math.Sqrt(337)) / 24; math.Abs(got.Lambda[0]-want) > 1e-9 {
		t.Errorf("with a must-link: λ = %v, want %v", got.Lambda[0], want)
	}
	if want := 1 / 1.9; math.Abs(got.Phi-want) > 1e-12 || r.Labels[1] != r.Labels[2] || r.Labels[0] == r.Labels[3] {
		t.Errorf("with a must-link: φ = %v, want %v; labels %v", got.Phi, want, r.Labels)
	}
}

// tables writes L_G and L_H out, all links one by one.
func tables(t cuttest.T, p *cluster.Problem, factor, c float64) (lg, lh *eigen.Dense) {
	t.Helper()
	n := p.Len()
	lg, lh = eigen.NewDense(n), eigen.NewDense(n)
	join := func(m *eigen.Dense, i, j int, w float64) {
		m.V[i*n+i] += w
		m.V[j*n+j] += w
		m.V[i*n+j] -= w
		m.V[j*n+i] -= w
	}
	d := make([]float64, n)
	for i := range n {
		d[i] = p.Graph.Degree(i)
		to, w := p.Graph.Neighbours(i)
		for q, j := range to {
			if int(j) > i {
				join(lg, i, int(j), w[q])
			}
		}
	}
	put := func(i, j int, w float64) {
		switch y := factor * math.Abs(w) * math.Sqrt(d[i]*d[j]); {
		case i == j:
		case w > 0:
			join(lg, i, j, y)
		case w < 0:
			join(lh, i, j, y)
		}
	}
	for _, l := range p.Constraints.Must {
		put(l.I, l.J, l.W)
	}
	for _, l := range p.Constraints.Cannot {
		put(l.I, l.J, -l.W)
	}
	for _, l := range p.Constraints.Beliefs {
		put(l.I, l.J, l.W)
	}
	class := map[int][]int{}
	for _, l := range p.Constraints.Labels {
		for other, nodes := range class {
			for q, j := range nodes {
				if gap := len(nodes) - q; other == l.Class && gap&(gap-1) == 0 {
					put(l.I, j, 1)
				} else if other != l.Class {
					put(l.I, j, -1)
				}
			}
		}
		class[l.Class] = append(class[l.Class], l.I)
	}
	vol := 0.0
	for i := range n {
		vol += lg.V[i*n+i] + loop(p.Graph, i)
	}
	for i := range n {
		for j := range i {
			join(lh, i, j, c*(lg.V[i*n+i]+loop(p.Graph, i))*(lg.V[j*n+j]+loop(p.Graph, j))/vol)
		}
	}
	return lg, lh
}

func loop(g *data.Graph, i int) float64 {
	to, w := g.Neighbours(i)
	for q, j := range to {
		if int(j) == i {
			return w[q]
		}
	}
	return 0
}

// The pencil that is solved is that of the matrices written out, and no part
// has a lower φ than λ₁. Over all parts of tiny graphs, the one that is found
// is mostly the best.
func TestFastGEAgainstAllParts(t *testing.T) {
	best, rounds := 0, 60
	for seed := range uint64(rounds) {
		n := 4 + int(seed)%6
		p := cuttest.Random(t, n, 2, seed)
		a := NewFastGE()
		a.Demand, a.LinkWeight = number([]string{"1", "0.1", "0.01"}[seed%3]), []float64{1, 0.3}[seed%2]
		c := a.Demand.Value
		r := cuttest.Fit(t, p, a)
		got, ok := r.Learned.(*GeneralizedCut)
		if !ok || got.Demand == 0 {
			continue
		}
		lg, lh := tables(t, p, a.LinkWeight, c)
		phi := func(of []int) float64 {
			x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
			for i, h := range of {
				x[i] = float64(h)
			}
			lg.Apply(y, x)
			lh.Apply(z, x)
			return inner(x, y) / inner(x, z)
		}
		least := math.Inf(1)
		for set := 1; set < 1<<(n-1); set++ {
			of := make([]int, n)
			for i := range of {
				of[i] = set >> i & 1
			}
			least = min(least, phi(of))
		}
		mine := phi(r.Labels)
		if math.Abs(mine-got.Phi) > 1e-9*mine {
			t.Errorf("seed %d: φ is %v, written out %v", seed, got.Phi, mine)
		}
		if got.Lambda[0] > least*(1+1e-9) || mine < least*(1-1e-9) || mine > 3*least {
			t.Errorf("seed %d: λ %v, φ %v, lowest %v", seed, got.Lambda[0], mine, least)
		}
		if mine <= least*(1+1e-9) {
			best++
		}
	}
	if t.Logf("%d of %d are the best", best, rounds); best < rounds*7/10 {
		t.Errorf("%d of %d are the best", best, rounds)
	}
}

// Vectors solve L_G x = λ L_H x, dense and by iteration, and λ is scale free.
func TestFastGEPencil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		n := rapid.IntRange(6, 40).Draw(t, "n")
		c := rapid.SampledFrom([]float64{0.01, 0.3, 2}).Draw(t, "c")
		p := cuttest.Random(t, n, 3, seed)
		f := spectral.NewNodeGraph(p.Graph, nil)
		f.Scale, f.Graph = 1, p.Graph
		l := newLinkEdges(f, p.Constraints, 1)
		g, err := data.NewGraph(n, append(spectral.EdgesOf(p.Graph), l.mustEdges(p.Constraints)...))
		if err != nil {
			t.Fatal(err)
		}
		lap, err := eigen.NewLaplacian(g, eigen.Normalised)
		if err != nil {
			t.Fatal(err)
		}
		h, err := l.cannotLaplacian(p.Constraints, lap.Degree)
		if err != nil {
			t.Fatal(err)
		}
		s := newPencil(lap, h).withShift(-c)
		dense, err := s.solveDense(background, 2)
		if err != nil {
			t.Fatal(err)
		}
		start := make([][]float64, 4)
		for k, r := 0, cuttest.Rand(seed); k < len(start); k++ {
			start[k] = make([]float64, n)
			for i := range start[k] {
				start[k][i] = r.NormFloat64()
			}
		}
		found, done, err := s.solveIteratively(background, start, 1, 300, 1e-8)
		if err != nil || !done {
			t.Fatalf("iterations: done %v, %v", done, err)
		}
		if math.Abs(found[0].lambda-dense[0].lambda) > 1e-6*dense[0].lambda {
			t.Fatalf("λ by iteration %v, dense %v", found[0].lambda, dense[0].lambda)
		}
		lg, lh := tables(t, p, 1, c)
		for _, y := range dense {
			x, gx, hx := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = y.v[i] * h.InvSqrtDegree[i]
			}
			lg.Apply(gx, x)
			lh.Apply(hx, x)
			off, size := 0.0, 0.0
			for i := range gx {
				off, size = max(off, math.Abs(gx[i]-y.lambda*hx[i])), max(size, math.Abs(gx[i]))
			}
			if off > 1e-6*size {
				t.Fatalf("L_G x − λ L_H x is %v beside %v", off, size)
			}
		}
	})
}

// Moons are found with pairs, four blocks with labels.
func TestFastGEFinds(t *testing.T) {
	p, truth := cuttest.Moons(t, 400, 120)
	if got := cuttest.Agree(truth, cuttest.Fit(t, p, NewFastGE()).Labels); got < 0.98 {
		t.Errorf("two moons: %v right", got)
	}
}

func TestFastGEParameters(t *testing.T) {
	p, _ := cuttest.Six(t)
	for _, c := range []string{"", "much", "-1", "0", "NaN", "1e300"} {
		a := NewFastGE()
		if a.Demand = number(c); a.Check(p) == nil {
			t.Errorf("demand %q was taken", c)
		}
	}
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		a := NewFastGE()
		if a.LinkWeight = w; a.Check(p) == nil {
			t.Errorf("links of %v were taken", w)
		}
	}
	g, err := data.NewGraph(2, []data.Edge{{U: 0, V: 1, W: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var bad *cluster.ProblemError
	if err := NewFastGE().Check(&cluster.Problem{Graph: g, K: 2}); !errors.As(err, &bad) {
		t.Errorf("a negative weight: %v", err)
	}
}
