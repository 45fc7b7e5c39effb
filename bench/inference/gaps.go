package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/numeric/infer"
)

// draw makes a field of n variables with k labels, unary costs up to 1 and the
// given numbers of must-links and cannot-links, all of one weight.
func draw(r *rand.Rand, n, k, must, cannot int, weight float64) *infer.Field {
	f := &infer.Field{N: n, K: k, Unary: make([]float64, n*k)}
	for p := range f.Unary {
		f.Unary[p] = r.Float64()
	}
	for e := range must + cannot {
		i, j := int32(r.IntN(n)), int32(r.IntN(n-1))
		if j >= i {
			j++
		}
		same, differ := 0.0, weight
		if e >= must {
			same, differ = weight, 0
		}
		f.Edges = append(f.Edges, infer.Edge{I: i, J: j})
		f.Same, f.Differ = append(f.Same, same), append(f.Differ, differ)
	}
	return f
}

// least returns the energy of the best labels, by trying all.
func least(f *infer.Field) float64 {
	y, best := make([]int32, f.N), math.Inf(1)
	for {
		best = min(best, f.Energy(y))
		i := 0
		for ; i < f.N; i++ {
			if y[i]++; int(y[i]) < f.K {
				break
			}
			y[i] = 0
		}
		if i == f.N {
			return best
		}
	}
}

// A column of the table is a method.
type column struct {
	name string
	ask  func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error)
}

var columns = []column{
	{"ICM", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.ICM(ctx, f, nil, infer.ICMOptions{Rand: r}, 1)
	}},
	{"BP", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.BeliefPropagation(ctx, f, nil, infer.BPOptions{}, 1)
	}},
	{"BP + ICM", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.BeliefPropagation(ctx, f, nil, infer.BPOptions{Polish: true, Rand: r}, 1)
	}},
	{"LP", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.Relax(ctx, f, nil, infer.RelaxOptions{Rand: r}, 1)
	}},
	{"LP + ICM", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.Relax(ctx, f, nil, infer.RelaxOptions{Polish: true, Rand: r}, 1)
	}},
	{"Solve", func(ctx context.Context, f *infer.Field, r *rand.Rand) (infer.Answer, error) {
		return infer.Solve(ctx, f, nil, infer.SolveOptions{Rand: r}, 1)
	}},
}

// totals adds up the gaps of a method.
type totals struct {
	sum, most, fractional float64
	best, proved, n       int
}

func (t *totals) add(a infer.Answer, optimum float64) {
	gap := max(0, a.Energy-optimum)
	t.n++
	t.sum += gap
	t.most = max(t.most, gap)
	t.fractional += a.Fractional
	if gap < 1e-9 {
		t.best++
	}
	if a.Exact {
		t.proved++
	}
}

// gaps prints how far each method is from the optimum, by labels and weight.
func gaps(ctx context.Context, w io.Writer, seed uint64, count int) error {
	const n, must, cannot = 9, 5, 7
	fmt.Fprintf(w, "%d fields per row: %d variables, unary costs up to 1, %d must-links and %d cannot-links.\n\n", count, n, must, cannot)
	fmt.Fprintln(w, "| k | weight | method | mean gap | largest gap | optimal | proved | fractional |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	for _, k := range []int{2, 3, 4} {
		for at, weight := range []float64{0.2, 1, 5} {
			r := rand.New(rand.NewPCG(seed, uint64(10*k+at)))
			sums := make([]totals, len(columns))
			for range count {
				f := draw(r, n, k, must, cannot, weight)
				optimum := least(f)
				for c, method := range columns {
					a, err := method.ask(ctx, f, r)
					if err != nil {
						return fmt.Errorf("%s: %w", method.name, err)
					}
					sums[c].add(a, optimum)
				}
			}
			for c, t := range sums {
				fmt.Fprintln(w, t.line(k, weight, columns[c].name))
			}
		}
	}
	return nil
}

func (t *totals) line(k int, weight float64, name string) string {
	percent := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x/float64(t.n)) }
	return fmt.Sprintf("| %d | %g | %s | %.3f | %.3f | %s | %s | %s |", k, weight, name, t.sum/float64(t.n), t.most,
		percent(float64(t.best)), percent(float64(t.proved)), percent(t.fractional))
}
