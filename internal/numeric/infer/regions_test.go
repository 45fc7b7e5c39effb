package infer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// A fieldNetwork is a field as a network.
type fieldNetwork struct {
	f     *Field
	graph *linkGraph
}

func newFieldNetwork(f *Field) *fieldNetwork {
	return &fieldNetwork{f: f, graph: newLinkGraph(f.N, f.Edges)}
}

func (n *fieldNetwork) cheapest() []int32 {
	y := make([]int32, n.f.N)
	for i := range y {
		y[i] = cheapestLabel(labelRow(n.f.Unary, int32(i), n.f.K))
	}
	return y
}

func (n *fieldNetwork) Linked() (list []int32) {
	for i := range int32(n.f.N) {
		if n.graph.degree(i) > 0 {
			list = append(list, i)
		}
	}
	return list
}

func (n *fieldNetwork) EachLink(i int32, y []int32, do func(j int32, violated bool)) {
	for _, h := range n.graph.linksOf(i) {
		do(h.other, n.f.edgeCost(int(h.link), y) > 0)
	}
}

func (n *fieldNetwork) FieldOf(_ context.Context, vars []int32) (*Field, error) {
	f, at := &Field{N: len(vars), K: n.f.K}, map[int32]int32{}
	for v, i := range vars {
		at[i] = int32(v)
		f.Unary = append(f.Unary, labelRow(n.f.Unary, i, f.K)...)
	}
	each := func(costs []float64, e int) []float64 {
		w := len(costs) / len(n.f.Edges)
		return costs[e*w:][:w]
	}
	for e, l := range n.f.Edges {
		i, in := at[l.I]
		j, too := at[l.J]
		if in && too {
			f.Edges = append(f.Edges, Edge{i, j})
			f.Same, f.Differ = append(f.Same, each(n.f.Same, e)...), append(f.Differ, each(n.f.Differ, e)...)
		}
	}
	return f, nil
}

type regionMethod struct {
	name    string
	regions func(ctx context.Context, f *Field, start []int32, workers int) (RegionAnswer, error)
}

func regionMethods(exact bool) []regionMethod {
	return []regionMethod{
		{"bp", func(ctx context.Context, f *Field, start []int32, workers int) (RegionAnswer, error) {
			n := newFieldNetwork(f)
			return PropagateRegions(ctx, n, n.cheapest(), start, BPOptions{Polish: true, Exact: exact, Rand: rand.New(rand.NewPCG(1, 1))}, workers)
		}},
		{"lp", func(ctx context.Context, f *Field, start []int32, workers int) (RegionAnswer, error) {
			n := newFieldNetwork(f)
			return RelaxRegions(ctx, n, n.cheapest(), start, RelaxOptions{Polish: true, Exact: exact, MaxIter: 300, Rand: rand.New(rand.NewPCG(1, 1))}, workers)
		}},
	}
}

// Regions prove no more than is true, never make start worse, leave no single
// move that pays, and find the best labels wherever the whole is a forest, or small
// and to be solved exactly.
func TestRegionsAgainstBruteForce(t *testing.T) {
	r, count := rand.New(rand.NewPCG(11, 1)), 500
	if testing.Short() {
		count = 100
	}
	for range count {
		q := kind{forest: r.IntN(4) == 0, perLabel: r.IntN(2) == 0, mixed: r.IntN(4) == 0, weight: []float64{0.2, 1, 5}[r.IntN(3)]}
		n, k := 1+r.IntN(9), 1+r.IntN(3)
		f := q.draw(r, n, k, 2*n)
		best := brute(f)
		var start []int32
		if r.IntN(2) == 0 {
			for range n {
				start = append(start, int32(r.IntN(k)))
			}
		}
		exact := r.IntN(2) == 0
		for _, m := range regionMethods(exact) {
			a, err := m.regions(background, f, start, 1)
			if err != nil {
				t.Fatal(err)
			}
			energy := f.Energy(a.Labels)
			switch {
			case energy-a.Gap > best+eps:
				t.Fatalf("%s: energy %v, gap %v, the least is %v", m.name, energy, a.Gap, best)
			case a.Exact && energy > best+1e-6:
				t.Fatalf("%s: energy %v is called exact, the least is %v", m.name, energy, best)
			case (q.forest || exact) && !a.Exact:
				t.Fatalf("%s: a forest or a small field is not proved", m.name)
			case start != nil && energy > f.Energy(start)+eps:
				t.Fatalf("%s: energy %v, it began with %v", m.name, energy, f.Energy(start))
			}
			y := slices.Clone(a.Labels)
			for i, was := range a.Labels {
				for h := range k {
					if y[i] = int32(h); f.Energy(y) < energy-eps {
						t.Fatalf("%s: variable %d would rather have label %d: %v, not %v", m.name, i, h, f.Energy(y), energy)
					}
				}
				y[i] = was
			}
		}
	}
}

// On a chain of must-links with a cannot-link in the middle of it, only the
// neighbourhood of the cannot-link is solved. Variable 5 leaves label 0, which
// variable 4 has, for label 1; then its must-link to variable 6 is violated, which
// costs less.
func TestRegionsGrowOnlyWhereTheyMust(t *testing.T) {
	f := &Field{N: 10, K: 2}
	for i := range int32(10) {
		f.Unary = append(f.Unary, 0, 3)
		if i == 5 {
			f.Unary[11] = 1
		}
		if i == 0 {
			continue
		}
		same, differ := 0.0, 1.0
		if i == 5 {
			same, differ = 4, 0
		}
		f.Edges = append(f.Edges, Edge{i - 1, i})
		f.Same, f.Differ = append(f.Same, same), append(f.Differ, differ)
	}
	for _, m := range regionMethods(false) {
		a, err := m.regions(background, f, nil, 1)
		if err != nil || !a.Exact || !slices.Equal(a.Labels, []int32{0, 0, 0, 0, 0, 1, 0, 0, 0, 0}) || a.Solved != 3 {
			t.Errorf("%s: %+v, %v", m.name, a, err)
		}
	}
}

// Large regions, with cycles, on any number of workers.
func TestWorkersDoNotMatterToRegions(t *testing.T) {
	f := kind{weight: 1}.draw(rand.New(rand.NewPCG(12, 1)), 3000, 4, 4000)
	for _, m := range regionMethods(false) {
		one, err1 := m.regions(background, f, nil, 1)
		many, err2 := m.regions(background, f, nil, 5)
		if err1 != nil || err2 != nil || one.Gap != many.Gap || one.Solved != many.Solved || !slices.Equal(one.Labels, many.Labels) {
			t.Errorf("%s: gap %v on one worker, %v on five, %v, %v", m.name, one.Gap, many.Gap, err1, err2)
		}
		for _, looks := range []int{0, 1, 3, 20} {
			if a, err := m.regions(&late{background, looks}, f, nil, 1); !errors.Is(err, context.Canceled) || a.Labels != nil {
				t.Errorf("%s, %d looks: %d labels, %v", m.name, looks, len(a.Labels), err)
			}
		}
	}
}

// A long chain of must-links that one end pulls along: the region grows until it
// has all of it, in few rounds.
func TestRegionsOfALongChain(t *testing.T) {
	const n = 2000
	f := &Field{N: n, K: 2}
	for i := range int32(n) {
		f.Unary = append(f.Unary, 0, 0.001)
		if i > 0 {
			f.Edges = append(f.Edges, Edge{i - 1, i})
			f.Same, f.Differ = append(f.Same, 0), append(f.Differ, 10)
		}
	}
	f.Unary[0] = 100
	for _, m := range regionMethods(false) {
		a, err := m.regions(background, f, nil, 1)
		if err != nil || !a.Exact || a.Solved != n || f.Violated(a.Labels) != 0 {
			t.Errorf("%s: %d solved, exact %v, %v", m.name, a.Solved, a.Exact, err)
		}
	}
}

// A network full of conflicts is solved as one field.
func TestHardNetworksAreSolvedAsAWhole(t *testing.T) {
	f := kind{weight: 3}.draw(rand.New(rand.NewPCG(14, 1)), 300, 4, 900)
	for e := range f.Edges { // a cycle through all, so that none is without links
		if e < f.N {
			f.Edges[e] = Edge{int32(e), int32((e + 1) % f.N)}
		}
	}
	o := func() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
	want, err := BeliefPropagation(background, f, nil, BPOptions{Polish: true, Rand: o()}, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := newFieldNetwork(f)
	got, err := PropagateRegions(background, n, n.cheapest(), nil, BPOptions{Polish: true, Rand: o()}, 1)
	if err != nil || got.Solved != f.N || !slices.Equal(got.Labels, want.Labels) {
		t.Errorf("%d of %d solved, energy %v, as a whole %v, %v", got.Solved, f.N, f.Energy(got.Labels), want.Energy, err)
	}
}

// Labels that stand for some rounds end belief propagation.
func TestPatienceEndsTheRounds(t *testing.T) {
	f := kind{weight: 0.1}.draw(rand.New(rand.NewPCG(15, 1)), 500, 3, 700)
	all, err1 := BeliefPropagation(background, f, nil, BPOptions{Tol: 1e-300, MaxIter: 400}, 1)
	few, err2 := BeliefPropagation(background, f, nil, BPOptions{Tol: 1e-300, MaxIter: 400, Patience: 10}, 1)
	if err1 != nil || err2 != nil || few.Iterations >= all.Iterations || few.Converged || few.Energy > 1.01*all.Energy {
		t.Errorf("%d rounds and energy %v, without patience %d and %v", few.Iterations, few.Energy, all.Iterations, all.Energy)
	}
}
