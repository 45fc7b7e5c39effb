package infer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawField draws a field with costs of any kind, edges between the same two
// variables included.
func drawField(t *rapid.T) *Field {
	n, k := rapid.IntRange(1, 7).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "k")
	f := &Field{N: n, K: k, Unary: make([]float64, n*k)}
	for p := range f.Unary {
		f.Unary[p] = rapid.Float64Range(-3, 3).Draw(t, "unary")
	}
	if n == 1 {
		return f
	}
	m := rapid.IntRange(0, 12).Draw(t, "m")
	for range m {
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		j := (i + rapid.IntRange(1, n-1).Draw(t, "step")) % n
		f.Edges = append(f.Edges, Edge{int32(i), int32(j)})
	}
	costs := func(name string) []float64 {
		p := make([]float64, m*rapid.SampledFrom([]int{0, 1, k}).Draw(t, name))
		for at := range p {
			p[at] = rapid.Float64Range(0, 4).Draw(t, name)
		}
		if len(p) == 0 {
			return nil
		}
		return p
	}
	f.Same, f.Differ = costs("same"), costs("differ")
	return f
}

// The bound of the program is below every labelling, its fractional point above
// the bound, and no method finds less than there is.
func TestBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		best := brute(f)
		steps := rapid.IntRange(1, 200).Draw(t, "steps")
		a, err := Relax(background, f, nil, RelaxOptions{MaxIter: steps}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if a.Bound > best+1e-9 || a.Energy < best-1e-9 || a.Relaxed < a.Bound-1e-9 {
			t.Fatalf("bound %v, program %v, energy %v, least energy %v", a.Bound, a.Relaxed, a.Energy, best)
		}
		b, err := BeliefPropagation(background, f, nil, BPOptions{}, 1)
		if err != nil || b.Bound > best+1e-9 || b.Energy < best-1e-9 || b.Exact && b.Energy > best+1e-7 {
			t.Fatalf("bound %v, energy %v, exact %v, least energy %v, error %v", b.Bound, b.Energy, b.Exact, best, err)
		}
	})
}

func drawLabels(t *rapid.T, f *Field) []int32 {
	labels := make([]int32, f.N)
	for i := range labels {
		labels[i] = int32(rapid.IntRange(0, f.K-1).Draw(t, "label"))
	}
	return labels
}

// ICM never raises the energy, and where it ends no single move pays.
func TestICMDescends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		start := drawLabels(t, f)
		a, err := ICM(background, f, start, ICMOptions{Parallel: rapid.Bool().Draw(t, "parallel")}, 1)
		if err != nil || !a.Converged || a.Energy > f.Energy(start)+1e-9 {
			t.Fatalf("energy %v from %v, error %v", a.Energy, f.Energy(start), err)
		}
		for i := range a.Labels {
			for h := range f.K {
				y := slices.Clone(a.Labels)
				if y[i] = int32(h); f.Energy(y) < a.Energy-1e-9 {
					t.Fatalf("variable %d would rather have label %d: %v, not %v", i, h, f.Energy(y), a.Energy)
				}
			}
		}
	})
}

func TestSimplex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(-1e18, 1e18), 1, 9).Draw(t, "y")
		if rapid.Bool().Draw(t, "small") {
			for a := range y {
				y[a] /= 1e18
			}
		}
		p := slices.Clone(y)
		projectToSimplex(p)
		sum := 0.0
		for a, v := range p {
			sum += v
			for b, w := range p { // whoever has something is as far above t as the others
				if scale := 1e-12 * max(1, math.Abs(y[a]), math.Abs(y[b])); v > scale && (y[a]-v)+scale < y[b]-w {
					t.Fatalf("%v is projected to %v", y, p)
				}
			}
		}
		if math.Abs(sum-1) > 1e-9 || slices.Min(p) < 0 {
			t.Fatalf("%v is projected to %v, which sums to %v", y, p, sum)
		}
	})
}

// A polished answer is one that no single move makes better, and never worse than
// the labels it began with, however good these are.
func TestNoMoveBeatsAPolishedAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawField(t)
		start := drawLabels(t, f)
		bp, err := BeliefPropagation(background, f, start, BPOptions{Polish: true, MaxIter: rapid.IntRange(1, 9).Draw(t, "rounds")}, 1)
		if err != nil {
			t.Fatal(err)
		}
		lp, err := Relax(background, f, start, RelaxOptions{Polish: true, MaxIter: rapid.IntRange(1, 50).Draw(t, "steps")}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for name, a := range map[string]Answer{"bp": bp, "lp": lp} {
			if a.Energy > f.Energy(start)+1e-9 {
				t.Fatalf("%s: energy %v, it began with %v", name, a.Energy, f.Energy(start))
			}
			y := slices.Clone(a.Labels)
			for i, was := range a.Labels {
				for h := range f.K {
					if y[i] = int32(h); f.Energy(y) < a.Energy-1e-9 {
						t.Fatalf("%s: variable %d would rather have label %d: %v, not %v", name, i, h, f.Energy(y), a.Energy)
					}
				}
				y[i] = was
			}
		}
	})
}

// Message passing on cycles may end above what ICM finds by itself; then that is kept.
func TestAPolishedAnswerIsNoWorseThanICM(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	for trial := range 200 {
		n, k := 20+r.IntN(40), 2+r.IntN(3)
		f := kind{mixed: true, weight: []float64{0.5, 1, 3}[trial%3]}.draw(r, n, k, 3*n)
		var start []int32
		if trial%2 == 0 {
			for range n {
				start = append(start, int32(r.IntN(k)))
			}
		}
		alone, err := ICM(background, f, start, ICMOptions{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		bp, err := BeliefPropagation(background, f, start, BPOptions{Polish: true}, 1)
		if err != nil {
			t.Fatal(err)
		}
		lp, err := Relax(background, f, start, RelaxOptions{Polish: true, MaxIter: 50}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for name, a := range map[string]Answer{"bp": bp, "lp": lp} {
			if a.Energy > alone.Energy+1e-9*math.Abs(alone.Energy) {
				t.Fatalf("trial %d: %s ends at %v, icm at %v", trial, name, a.Energy, alone.Energy)
			}
		}
	}
}
