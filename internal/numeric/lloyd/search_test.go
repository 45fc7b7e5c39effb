package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// mixed makes n rows around k places that overlap. On a grid many rows are as
// near to one centre as to another.
func mixed(r *rand.Rand, n, d, k int, grid bool) *data.Dense {
	at := make([]float64, k*d)
	for i := range at {
		at[i] = r.NormFloat64()
	}
	x := &data.Dense{Cols: d}
	for range n {
		h := r.IntN(k)
		for f := range d {
			y := 10 + at[h*d+f] + r.NormFloat64()
			if grid {
				y = math.Round(2*y) / 2
			}
			x.V = append(x.V, y)
		}
	}
	return x
}

// wander moves some centres far and the others little or not at all, as centres
// do when k-means goes on.
func wander(r *rand.Rand, c *Centres, far int, little float64) *Centres {
	next := append([]float64(nil), c.C...)
	for h := range c.K {
		by := little
		if h%7 == far%7 {
			by = 0.5
		}
		for f := h * c.D; f < (h+1)*c.D; f++ {
			next[f] += by * r.NormFloat64()
		}
	}
	return NewCentres(c.K, c.D, next)
}

// However centres move, every row has the label of its nearest centre after each
// pass, the bounds that are kept hold, and the moves are those of the labels.
func TestSearchKeepsItsBounds(t *testing.T) {
	defer simd.Force(simd.Highest())
	for level := simd.Plain; level <= simd.Highest(); level++ {
		if testing.Short() && level != simd.Highest() {
			continue
		}
		simd.Force(level)
		for _, c := range []struct {
			n, d, k int
			little  float64
			grid    bool
		}{{2500, 6, 40, 0.01, false}, {1200, 33, 70, 0.001, false}, {1500, 4, 50, 0, true}, {1100, 12, 9, 0.02, false}} {
			if testing.Short() {
				c.n /= 2
			}
			r := rand.New(rand.NewPCG(71, uint64(c.d)))
			wide := mixed(r, c.n, c.d, c.k, c.grid)
			for _, x := range []data.Rows{wide, denseOf(wide, true)} {
				searches(t, r, x, c.k, c.little)
			}
		}
	}
}

func searches(t *testing.T, r *rand.Rand, x data.Rows, k int, little float64) {
	t.Helper()
	n, d := x.Len(), x.Dim()
	var first []float64
	for h := range k {
		first = append(first, data.Copy(x, h*n/k)...)
	}
	p := &cluster.Problem{X: x, K: k}
	s := NewSearch(Space{Problem: p}, &cluster.Env{Workers: 2}, NewCentres(k, d, first))
	s.KeepRounded()
	s.fixed = make([]int32, n)
	for i := range s.fixed {
		if s.fixed[i] = -1; i%50 == 7 {
			s.fixed[i] = int32(i % k)
		}
	}
	for iter := range 30 {
		pass := &assignment{First: iter == 0, parts: new(sync.Pool)}
		before := append([]int32(nil), s.labels...)
		runBounded(t, s, pass, iter)
		listed := 0
		for i := range n {
			checkRow(t, s, i)
			if iter > 0 && before[i] != s.labels[i] {
				if m := pass.moves[listed]; int(m.Row) != i || m.From != before[i] {
					t.Fatalf("pass %d: move %d is %v, but row %d comes from %d", iter, listed, m, i, before[i])
				}
				listed++
			}
		}
		if listed != len(pass.moves) {
			t.Fatalf("pass %d: %d moves, want %d", iter, len(pass.moves), listed)
		}
		s.centres = wander(r, s.centres, iter, little)
	}
}

// runBounded is run, but for the choice of what is cheapest: bounds are used as
// long as they can be, with movers or without.
func runBounded(t *testing.T, s *Search, pass *assignment, iter int) {
	t.Helper()
	b := s.bounds
	if s.hasBounds = true; iter%8 == 0 {
		b.reset()
	} else {
		pass.CentreMoves = b.addMoves(s.centres)
		if iter%3 > 0 {
			pass.CentreMoves.setMovers(s.centres, pass.CentreMoves.byDistanceMoved(), min(s.centres.K/2, moversStep))
		}
	}
	b.centres = s.centres
	if err := s.rounded.prepareFor(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	pass.Centres, pass.Fixed, pass.Labels, pass.Bounds, pass.Rounded = s.packedCentres(), s.fixed, s.labels, b, s.rounded.rows
	if err := cluster.Sweep(context.Background(), s.e, s.p.X, pass); err != nil {
		t.Fatal(err)
	}
}

// A pass that was cut short leaves nothing that a later one would take for true.
func TestSearchAfterACut(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	const n, d, k = 9000, 8, 20
	x := mixed(r, n, d, k, false)
	s := NewSearch(Space{Problem: &cluster.Problem{X: x, K: k}}, &cluster.Env{Workers: 1}, NewCentres(k, d, x.V[:k*d]))
	s.fixed = make([]int32, n)
	for i := range s.fixed {
		s.fixed[i] = -1
	}
	for iter := range 12 {
		if iter%4 == 0 || iter%4 == 3 { // the very first, and one by bounds
			ctx := &cut{Context: context.Background(), after: 4}
			if err := s.runPass(ctx, &assignment{First: true}); err == nil {
				t.Fatal("the pass was not cut short")
			}
			s.centres = wander(r, s.centres, iter, 0.3)
		}
		if err := s.runPass(context.Background(), &assignment{First: true}); err != nil { // moves are not asked for
			t.Fatal(err)
		}
		s.hasBounds = false // bounds are checked elsewhere
		for i := range n {
			checkRow(t, s, i)
		}
		s.centres = wander(r, s.centres, iter, 0.0001)
	}
}

// cut is a context that ends when it has been looked at a few times.
type cut struct {
	context.Context
	after int
}

func (c *cut) Err() error {
	if c.after--; c.after < 0 {
		return context.Canceled
	}
	return nil
}

// checkRow checks the label and the bounds of row i.
func checkRow(t *testing.T, s *Search, i int) {
	t.Helper()
	v := s.p.X.Row(i, make([]float64, s.p.X.Dim()))
	want, own := s.centres.Nearest(v)
	h := s.labels[i]
	if f := s.fixed[i]; f >= 0 {
		want = int(f)
	} else if s.hasBounds {
		others := math.Inf(1)
		for g := range s.centres.K {
			if g != want {
				others = min(others, s.centres.Dist2(v, g))
			}
		}
		if u, l := s.bounds.upperAt(i, h), s.bounds.lowerAt(i, h); u < math.Sqrt(own) || l > math.Sqrt(others) {
			t.Fatalf("row %d: at most %.17g for %.17g, at least %.17g for %.17g", i, u, math.Sqrt(own), l, math.Sqrt(others))
		}
	}
	if int(h) != want {
		t.Fatalf("row %d has label %d, want %d", i, h, want)
	}
}
