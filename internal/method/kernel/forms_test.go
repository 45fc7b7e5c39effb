package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

var objectives = []Objective{RatioAssociation, RatioCut, NormalizedCut}

// A small problem with everything: weighted edges, loops, pairs of both kinds.
func smallProblem(rng *rand.Rand, n, k int) *cluster.Problem {
	var edges []data.Edge
	for i := range n {
		edges = append(edges, data.Edge{U: i, V: (i + 1) % n, W: 0.1 + rng.Float64()}) // nobody is isolated
		for j := range i + 1 {
			if rng.Float64() < 0.4 {
				edges = append(edges, data.Edge{U: i, V: j, W: rng.Float64()})
			}
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	s := &constraint.Set{}
	for range rng.IntN(4) {
		s.Must = append(s.Must, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 0.5 + rng.Float64()})
		s.Cannot = append(s.Cannot, constraint.Pair{I: rng.IntN(n), J: rng.IntN(n), W: 0.5 + rng.Float64()})
	}
	return &cluster.Problem{Graph: g, K: k, Constraints: s}
}

// dense returns A, W, the degrees and the node weights as tables.
func dense(p *cluster.Problem, objective Objective, weight float64) (a, w [][]float64, degree, alpha []float64) {
	n := p.Len()
	a, w, degree, alpha = square(n), square(n), make([]float64, n), make([]float64, n)
	for i := range n {
		to, x := p.Graph.Neighbours(i)
		for q, j := range to {
			a[i][j] = x[q]
			degree[i] += x[q]
		}
		if alpha[i] = 1; objective == NormalizedCut {
			alpha[i] = degree[i]
		}
	}
	for sign, list := range map[float64][]constraint.Pair{1: p.Constraints.Must, -1: p.Constraints.Cannot} {
		for _, q := range list {
			if q.I != q.J {
				w[q.I][q.J] += sign * weight * q.W
				w[q.J][q.I] += sign * weight * q.W
			}
		}
	}
	return a, w, degree, alpha
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// byLinks is table 1 and equations (7) to (9): links, degrees and sizes.
func byLinks(p *cluster.Problem, objective Objective, weight float64, label []int) (j float64) {
	a, w, degree, alpha := dense(p, objective, weight)
	for c := range p.K {
		var inside, outside, mass, pairs, all float64
		for i := range label {
			if label[i] != c {
				continue
			}
			mass += alpha[i]
			all += degree[i]
			for h := range label {
				if label[h] == c {
					inside += a[i][h]
					pairs += w[i][h]
				} else {
					outside += a[i][h]
				}
			}
		}
		if mass == 0 {
			if objective == NormalizedCut {
				j++
			}
			continue
		}
		if objective == RatioAssociation {
			outside = -inside
		}
		j += (outside - pairs) / mass
	}
	return j
}

// kernelOf is table 3: K = σ diag(α)⁻¹ + diag(α)⁻¹(B + W)diag(α)⁻¹.
func kernelOf(p *cluster.Problem, objective Objective, weight, sigma float64) (k [][]float64, alpha []float64) {
	a, w, degree, alpha := dense(p, objective, weight)
	k = square(p.Len())
	for i := range k {
		if objective == RatioCut {
			a[i][i] -= degree[i]
		}
		for j := range k {
			k[i][j] = (a[i][j] + w[i][j]) / (alpha[i] * alpha[j])
		}
		k[i][i] += sigma / alpha[i]
	}
	return k, alpha
}

// byTrace is k − trace(Y'α^½Kα^½Y) and the like, with the shift taken out.
func byTrace(k [][]float64, alpha []float64, clusters int, objective Objective, sigma float64, label []int) float64 {
	j, filled := objectiveConstant(objective, clusters), 0
	for c := range clusters {
		num, mass := 0.0, 0.0
		for i := range label {
			if label[i] != c {
				continue
			}
			mass += alpha[i]
			for h := range label {
				if label[h] == c {
					num += math.Sqrt(alpha[i]*alpha[h]) * k[i][h] * math.Sqrt(alpha[i]*alpha[h])
				}
			}
		}
		if mass > 0 {
			filled++
			j -= num / mass
		}
	}
	return j + sigma*float64(filled)
}

// byDistance is the objective of weighted kernel k-means, Σ α_i d(i, m_c) by
// equation (1), less what does not depend on the labels.
func byDistance(k [][]float64, alpha []float64, clusters int, objective Objective, sigma float64, label []int) float64 {
	j, trace, filled := objectiveConstant(objective, clusters), 0.0, map[int]bool{}
	for i := range label {
		trace += alpha[i] * k[i][i]
		filled[label[i]] = true
		var one, two, mass float64
		for h := range label {
			if label[h] != label[i] {
				continue
			}
			mass += alpha[h]
			one += alpha[h] * k[i][h]
			for g := range label {
				if label[g] == label[i] {
					two += alpha[h] * alpha[g] * k[h][g]
				}
			}
		}
		j += alpha[i] * (k[i][i] - 2*one/mass + two/(mass*mass))
	}
	return j - trace + sigma*float64(len(filled))
}

// Tables 2 and 3: three forms of each objective agree, and so does the code, at
// any labels, with or without a shift.
func TestTheThreeFormsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, k := 3+rng.IntN(10), 1+rng.IntN(3)
		p := smallProblem(rng, n, k)
		label := make([]int, n)
		for i := range label {
			label[i] = rng.IntN(k)
		}
		sigma := float64(rng.IntN(3))
		for _, objective := range objectives {
			const weight = 0.7
			want := byLinks(p, objective, weight, label)
			kernel, alpha := kernelOf(p, objective, weight, sigma)
			forms := map[string]float64{
				"trace":    byTrace(kernel, alpha, k, objective, sigma, label),
				"distance": byDistance(kernel, alpha, k, objective, sigma, label),
			}
			f, err := newGraphProblem(context.Background(), 1, p, objective, pairOptions{weight: cluster.Fixed(weight), term: PairReward})
			if err != nil {
				t.Fatal(err)
			}
			terms, err := f.objectiveTerms(context.Background(), 1, label)
			if err != nil {
				t.Fatal(err)
			}
			forms["code"] = terms.Sum()
			forms["flat"] = objectiveByKMeans(t, f, objective, sigma, label)
			for name, got := range forms {
				if math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
					t.Fatalf("%s by %s is %v, by links %v (n = %d, k = %d, labels %v)", objective, name, got, want, n, k, label)
				}
			}
		}
	})
}

func objectiveByKMeans(t *rapid.T, f *graphProblem, objective Objective, sigma float64, label []int) float64 {
	l := f.finest
	fl := &weightedKMeans{matrix: graphMatrix{l.affinity}, pairWeights: l.pairWeights, k: f.k, alpha: l.alpha, selfWeight: append([]float64(nil), l.selfWeight...), sigma: sigma, label: make([]int32, len(label))}
	for i, c := range label {
		fl.label[i] = int32(c)
		fl.selfWeight[i] += sigma * fl.alpha[i]
	}
	if err := fl.recompute(context.Background()); err != nil {
		t.Fatal(err)
	}
	r := &kmeansRun{weightedKMeans: fl, runOptions: runOptions{termName: "cut", constant: objectiveConstant(objective, f.k)}}
	sum := 0.0
	for _, term := range r.objectiveTerms(fl) {
		if term.Name != "shift" {
			sum += term.Value
		}
	}
	return sum
}

// A move's gain is the difference of two objectives computed from nothing, and
// refinement, on a graph, contracted or not, never raises J.
func TestGainsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, k := 4+rng.IntN(20), 2+rng.IntN(3)
		p := smallProblem(rng, n, k)
		ctx := context.Background()
		for _, objective := range objectives {
			f, err := newGraphProblem(context.Background(), 1, p, objective, pairOptions{weight: cluster.Fixed(0), term: PairReward})
			if err != nil {
				t.Fatal(err)
			}
			label, group := make([]int32, n), make([]int32, n)
			for i := range label {
				label[i], group[i] = int32(rng.IntN(k)), int32(i/2)
			}
			coarse, err := f.finest.contractGroups(ctx, 1, group, (n+1)/2)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range []*level{f.finest, coarse} {
				part, err := newPartition(ctx, 1, l, k, append([]int32(nil), label[:l.numNodes()]...))
				if err != nil {
					t.Fatal(err)
				}
				r := newNodeLinks(k)
				for i := range int32(l.numNodes()) {
					before := part.quality()
					to, gain := part.bestMove(i, r)
					if to == part.label[i] {
						continue
					}
					part.moveNode(i, to, r)
					fresh, err := newPartition(ctx, 1, l, k, append([]int32(nil), part.label...))
					if err != nil {
						t.Fatal(err)
					}
					if got := fresh.quality() - before; gain <= 0 || math.Abs(got-gain) > 1e-10*(1+math.Abs(before)) {
						t.Fatalf("%s: a move claims %v and gains %v", objective, gain, got)
					}
				}
			}
		}
	})
}

// Contraction leaves J as it is.
func TestContractionKeepsTheObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	p := smallProblem(rng, 12, 3)
	ctx := context.Background()
	for _, objective := range objectives {
		f, err := newGraphProblem(context.Background(), 1, p, objective, pairOptions{weight: cluster.Fixed(0), term: PairReward})
		if err != nil {
			t.Fatal(err)
		}
		group := []int32{0, 1, 1, 2, 0, 3, 3, 3, 4, 5, 5, 2}
		coarse, err := f.finest.contractGroups(ctx, 1, group, 6)
		if err != nil {
			t.Fatal(err)
		}
		label := []int32{0, 1, 2, 0, 1, 2}
		wide := make([]int32, 12)
		for i, g := range group {
			wide[i] = label[g]
		}
		a, _ := newPartition(ctx, 1, coarse, 3, label)
		b, _ := newPartition(ctx, 1, f.finest, 3, wide)
		if math.Abs(a.quality()-b.quality()) > 1e-12 {
			t.Errorf("%s is %v when contracted, %v before", objective, a.quality(), b.quality())
		}
	}
}

// Two triangles joined by an edge, cut there: by hand.
func TestCutsByHand(t *testing.T) {
	g, err := data.NewGraph(6, []data.Edge{{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 1, V: 2, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}, {U: 4, V: 5, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	got := Cuts(g, []int{0, 0, 0, 1, 1, 1}, 2)
	want := Values{RatioAssociation: 6.0/3 + 6.0/3, RatioCut: 1.0/3 + 1.0/3, NormalizedCut: 1.0/7 + 1.0/7}
	if got != want {
		t.Errorf("got %+v, wanted %+v", got, want)
	}
	// A must-link across the cut and a cannot-link inside a triangle: each costs
	// nothing or 2w over the degree 7 of its cluster (ordered pairs).
	p := &cluster.Problem{Graph: g, K: 2, Constraints: &constraint.Set{
		Must: []constraint.Pair{{I: 0, J: 1, W: 1}}, Cannot: []constraint.Pair{{I: 3, J: 4, W: 1}},
	}}
	f, err := newGraphProblem(context.Background(), 1, p, NormalizedCut, pairOptions{weight: cluster.Fixed(3), term: PairReward})
	if err != nil {
		t.Fatal(err)
	}
	terms, err := f.objectiveTerms(context.Background(), 1, []int{0, 0, 0, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2.0/7 - 2*3.0/7 + 2*3.0/7; math.Abs(terms.Sum()-want) > 1e-15 || math.Abs(terms[1].Value) > 1e-15 {
		t.Errorf("the objective is %v, by hand %v", terms, want)
	}
}
