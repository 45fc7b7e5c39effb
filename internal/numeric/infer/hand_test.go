package infer

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// figure1 is the field of the paper's figure 1: six points, must-links 1-3 and
// 1-4, a cannot-link 3-6, three clusters, with costs made up here. By itself
// point 4 would go to cluster 2 (saving 0.5) and point 6 to cluster 1 (saving
// 0.3); the links cost 1 and 2. So the figure's labels are the best:
// 0.1 + 0.1 + 0.1 + 0.6 + 0.1 + 0.5 = 1.5.
func figure1() *Field {
	return &Field{N: 6, K: 3,
		Unary: []float64{
			0.1, 1, 1,
			0.1, 1, 1,
			0.1, 1, 1,
			0.6, 0.1, 1,
			1, 1, 0.1,
			0.2, 0.5, 1,
		},
		Edges:  []Edge{{0, 2}, {0, 3}, {2, 5}},
		Same:   []float64{0, 0, 2},
		Differ: []float64{1, 1, 0},
	}
}

func TestFigure1ByHand(t *testing.T) {
	f := figure1()
	for name, ask := range map[string]func() (Answer, error){
		"ICM":   func() (Answer, error) { return ICM(background, f, nil, ICMOptions{}, 1) },
		"BP":    func() (Answer, error) { return BeliefPropagation(background, f, nil, BPOptions{}, 1) },
		"LP":    func() (Answer, error) { return Relax(background, f, nil, RelaxOptions{}, 1) },
		"Solve": func() (Answer, error) { return Solve(background, f, nil, SolveOptions{}, 1) },
	} {
		a, err := ask()
		if err != nil || !slices.Equal(a.Labels, []int32{0, 0, 0, 0, 2, 1}) || math.Abs(a.Energy-1.5) > 1e-12 {
			t.Errorf("%s: labels %v, energy %v, error %v", name, a.Labels, a.Energy, err)
		}
		if a.Violated != 0 || a.Components != 3 || !a.Converged {
			t.Errorf("%s: %+v", name, a)
		}
		if name != "ICM" && (!a.Exact || a.ExactVariables != 6 || a.ExactComponents != 3 || a.Bound != a.Energy) {
			t.Errorf("%s: a forest is not proved: %+v", name, a)
		}
	}
}

// Labels 0 and 1 apart cost what each end pays: 1 + 20; two of label 1 cost 300.
func TestEnergyByHand(t *testing.T) {
	f := &Field{N: 2, K: 2, Unary: []float64{1000, 2000, 5000, 7000}, Edges: []Edge{{0, 1}},
		Same: []float64{0, 300}, Differ: []float64{1, 20}}
	for _, c := range []struct {
		y        []int32
		energy   float64
		violated int
	}{{[]int32{0, 0}, 6000, 0}, {[]int32{0, 1}, 8021, 1}, {[]int32{1, 0}, 7021, 1}, {[]int32{1, 1}, 9300, 1}} {
		if e, v := f.Energy(c.y), f.Violated(c.y); e != c.energy || v != c.violated {
			t.Errorf("%v: energy %v and %d violated, wanted %v and %d", c.y, e, v, c.energy, c.violated)
		}
		if d := newAgreementForm(f).componentEnergies(c.y); d[0] != c.energy {
			t.Errorf("%v: energy %v in diagonal form, wanted %v", c.y, d[0], c.energy)
		}
	}
}

// Three variables that must all differ, with two labels: one pair is equal, at a
// cost of 1. The program sees halves everywhere and pays nothing.
func TestOddCycleIsFractional(t *testing.T) {
	f := &Field{N: 3, K: 2, Unary: make([]float64, 6), Edges: []Edge{{0, 1}, {1, 2}, {2, 0}}, Same: []float64{1, 1, 1}}
	a, err := Relax(background, f, nil, RelaxOptions{Polish: true}, 1)
	if err != nil || a.Energy != 1 || a.Exact || math.Abs(a.Bound) > 1e-9 || math.Abs(a.Relaxed) > 1e-9 || a.Fractional != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	f.Same[2], f.Differ = 0, []float64{0, 0, 1} // a must-link instead: one swap, one flow
	a, err = Relax(background, f, nil, RelaxOptions{}, 1)
	if err != nil || a.Energy != 0 || !a.Exact {
		t.Errorf("%+v, %v", a, err)
	}
}

// Flows answer all that they say they can, and all that has no odd cycle.
func TestFlowsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	answered := 0
	for range 500 {
		q := kind{perLabel: r.IntN(2) == 0, mixed: r.IntN(4) == 0, weight: 2}
		f := q.draw(r, 3+r.IntN(7), 2, 12)
		if r.IntN(2) == 0 && !q.perLabel { // must-links only
			for e := range f.Edges {
				f.Same[e], f.Differ[e] = 0, f.Same[e]+f.Differ[e]
			}
		}
		p := eliminateLeaves(newAgreementForm(f))
		vars, links := p.coreComponents()
		flows := true
		for c := range vars {
			_, ok := solveByFlow(background, p.extractCore(vars[c], links[c], make([]int32, f.N)))
			flows = flows && ok
		}
		a, err := Relax(background, f, nil, RelaxOptions{}, 1)
		best := brute(f)
		hold(t, f, a, err, best)
		if flows {
			answered++
			if !a.Exact || a.Energy > best+eps {
				t.Fatalf("energy %v, exact %v, the least is %v", a.Energy, a.Exact, best)
			}
		}
	}
	if answered < 150 || answered == 500 {
		t.Errorf("%d of 500 fields had flows throughout", answered)
	}
}

func TestStartIsKeptWhereItIsBetter(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		f := kind{weight: 5}.draw(r, 9, 3, 14)
		start := make([]int32, f.N)
		for i := range start {
			start[i] = int32(r.IntN(3))
		}
		for _, ask := range []func() (Answer, error){
			func() (Answer, error) { return ICM(background, f, start, ICMOptions{Rand: r}, 1) },
			func() (Answer, error) { return BeliefPropagation(background, f, start, BPOptions{MaxIter: 2}, 1) },
			func() (Answer, error) { return Relax(background, f, start, RelaxOptions{MaxIter: 3}, 1) },
		} {
			if a, err := ask(); err != nil || a.Energy > f.Energy(start)+eps {
				t.Fatalf("energy %v, at the start %v, error %v", a.Energy, f.Energy(start), err)
			}
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	n, steps := 6000, 60
	if testing.Short() {
		n, steps = 3000, 10 // in three blocks
	}
	for _, perLabel := range []bool{false, true} {
		f := kind{weight: 1, perLabel: perLabel}.draw(rand.New(rand.NewPCG(5, 1)), n, 4, 2*n)
		for name, ask := range map[string]func(workers int) (Answer, error){
			"ICM": func(w int) (Answer, error) { return ICM(background, f, nil, ICMOptions{Parallel: true}, w) },
			"BP": func(w int) (Answer, error) {
				return BeliefPropagation(background, f, nil, BPOptions{MaxIter: steps / 2}, w)
			},
			"LP": func(w int) (Answer, error) {
				return Relax(background, f, nil, RelaxOptions{MaxIter: steps, Polish: true, Rand: rand.New(rand.NewPCG(1, 1))}, w)
			},
		} {
			one, err1 := ask(1)
			many, err2 := ask(5)
			if err1 != nil || err2 != nil || one.Energy != many.Energy || one.Bound != many.Bound || !slices.Equal(one.Labels, many.Labels) {
				t.Errorf("%s: energy %v and bound %v on one worker, %v and %v on five", name, one.Energy, one.Bound, many.Energy, many.Bound)
			}
		}
	}
}

// late is a context that ends after some looks.
type late struct {
	context.Context
	left int
}

func (c *late) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelledMethodsReturnLabels(t *testing.T) {
	f := kind{weight: 1}.draw(rand.New(rand.NewPCG(6, 1)), 600, 3, 1200)
	for _, looks := range []int{0, 1, 2, 5, 20, 60} {
		for name, ask := range map[string]func(ctx context.Context) (Answer, error){
			"ICM":   func(ctx context.Context) (Answer, error) { return ICM(ctx, f, nil, ICMOptions{}, 1) },
			"ICM2":  func(ctx context.Context) (Answer, error) { return ICM(ctx, f, nil, ICMOptions{Parallel: true}, 1) },
			"BP":    func(ctx context.Context) (Answer, error) { return BeliefPropagation(ctx, f, nil, BPOptions{}, 1) },
			"LP":    func(ctx context.Context) (Answer, error) { return Relax(ctx, f, nil, RelaxOptions{}, 1) },
			"Solve": func(ctx context.Context) (Answer, error) { return Solve(ctx, f, nil, SolveOptions{}, 1) },
		} {
			a, err := ask(&late{background, looks})
			if looks < 5 && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d looks: error %v", name, looks, err)
			}
			if len(a.Labels) != f.N || a.Energy != f.Energy(a.Labels) || a.Bound > a.Energy || err != nil && (a.Exact || a.Converged) {
				t.Errorf("%s, %d looks: %d labels, energy %v, bound %v, exact %v", name, looks, len(a.Labels), a.Energy, a.Bound, a.Exact)
			}
		}
	}
}

// Abandoned methods return an error and nothing else, and otherwise what they
// always return.
func TestAbandonedMethodsReturnNothing(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 200
	}
	f := kind{weight: 1}.draw(rand.New(rand.NewPCG(6, 1)), n, 3, 2*n)
	for name, ask := range map[string]func(ctx context.Context, abandon bool) (Answer, error){
		"BP": func(ctx context.Context, abandon bool) (Answer, error) {
			return BeliefPropagation(ctx, f, nil, BPOptions{Polish: true, Abandon: abandon}, 1)
		},
		"LP": func(ctx context.Context, abandon bool) (Answer, error) {
			return Relax(ctx, f, nil, RelaxOptions{Polish: true, Abandon: abandon}, 1)
		},
	} {
		want, _ := ask(background, false)
		if got, err := ask(background, true); err != nil || !slices.Equal(got.Labels, want.Labels) {
			t.Errorf("%s: with time the labels differ, %v", name, err)
		}
		for _, looks := range []int{0, 1, 2, 5, 20} {
			if a, err := ask(&late{background, looks}, true); !errors.Is(err, context.Canceled) || a.Labels != nil {
				t.Errorf("%s, %d looks: %d labels, %v", name, looks, len(a.Labels), err)
			}
		}
	}
}

func TestBadFieldsAreRefused(t *testing.T) {
	for says, spoil := range map[string]func(f *Field){
		"variables must be from 0":   func(f *Field) { f.N = -1 },
		"labels must be at least 1":  func(f *Field) { f.K = 0 },
		"17 unary costs":             func(f *Field) { f.Unary = f.Unary[1:] },
		"links 0 and 6":              func(f *Field) { f.Edges[1].J = 6 },
		"links variable 5 to":        func(f *Field) { f.Edges[2].I = 5 },
		"label 1 must be finite":     func(f *Field) { f.Unary[4] = math.NaN() },
		"same cost of edge 2":        func(f *Field) { f.Same[2] = -1 },
		"differ cost of edge 0":      func(f *Field) { f.Differ[0] = math.Inf(1) },
		"same costs must be":         func(f *Field) { f.Same = f.Same[:2] },
		"for each of 3 edges, got 8": func(f *Field) { f.Differ = make([]float64, 8) },
		"for each of 0 edges":        func(f *Field) { f.Edges = nil },
	} {
		f := figure1()
		spoil(f)
		for _, err := range []error{f.Check(), second(ICM(background, f, nil, ICMOptions{}, 1)), second(Relax(background, f, nil, RelaxOptions{}, 1))} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("wanted %q, got %v", says, err)
			}
		}
	}
	for says, start := range map[string][]int32{"2 labels to start": {0, 1}, "label of variable 1 must be from -1 to 2, got 3": {0, 3, 0, 0, 0, 0}} {
		if err := second(BeliefPropagation(background, figure1(), start, BPOptions{}, 1)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("wanted %q, got %v", says, err)
		}
	}
}

func second(_ Answer, err error) error { return err }

func TestNothingToLabel(t *testing.T) {
	for _, f := range []*Field{{K: 1}, {N: 2, K: 1, Unary: []float64{1, 2}, Edges: []Edge{{0, 1}, {1, 0}}, Same: []float64{3, 4}}} {
		for _, ask := range []func() (Answer, error){
			func() (Answer, error) { return ICM(background, f, nil, ICMOptions{}, 1) },
			func() (Answer, error) { return Solve(background, f, nil, SolveOptions{}, 1) },
			func() (Answer, error) { return Relax(background, f, nil, RelaxOptions{}, 1) },
		} {
			if a, err := ask(); err != nil || len(a.Labels) != f.N || a.Energy != float64(5*f.N) {
				t.Errorf("%+v, %v", a, err)
			}
		}
	}
}
