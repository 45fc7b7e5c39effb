package simd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/compute/simd"
)

// A sieve keeps every row within the radius, however far the rows are from the origin and however small, and rules out rows that
// are clearly farther.
func TestSieveKeepsWhatIsNear(t *testing.T) {
	defer simd.Force(simd.Force(simd.Plain))
	rng := rand.New(rand.NewPCG(3, 5))
	for _, d := range []int{1, 3, 4, 7, 64, 70} {
		for _, scale := range []float64{1e-8, 1, 1e12} {
			for _, offset := range []float64{0, 1e4} {
				const n = 40
				rows, centre := make([][]float64, n), make([]float64, d)
				for f := range centre {
					centre[f] = scale * (offset + rng.NormFloat64())
				}
				radius, length := 0.0, 0.0
				for i := range rows {
					rows[i] = make([]float64, d)
					for f := range rows[i] {
						rows[i][f] = scale * (offset + rng.NormFloat64()*math.Exp(rng.NormFloat64()))
					}
					radius, length = max(radius, distance(rows[i], centre)), max(length, distance(rows[i], make([]float64, d)))
				}
				s := simd.NewSieve(n, centre, radius, length+distance(centre, make([]float64, d)))
				if s == nil {
					t.Fatalf("no sieve at scale %v and offset %v", scale, offset)
				}
				for i, row := range rows {
					s.Set(i, row)
				}
				x := make([]float32, d)
				s.Round(rows[7], x)
				for level := simd.Plain; level <= simd.Highest(); level++ {
					simd.Force(level)
					for _, to := range rows {
						limit := distance(rows[7], to)
						for i, row := range rows {
							has := s.Near(x, i/simd.PanelRows, s.Limit(limit))>>(i%simd.PanelRows)&1 == 1
							if y := distance(rows[7], row); y <= limit && !has || y > 1.01*limit+1e-5*radius*(1+offset) && has {
								t.Fatalf("%v, %d features, scale %v, offset %v: a row at %v of %v is kept: %v", level, d, scale, offset, y, limit, has)
							}
						}
					}
					if mask := s.Near(x, n/simd.PanelRows, float32(math.Inf(1))); mask != 1<<(n%simd.PanelRows)-1 {
						t.Fatalf("%v: rows that do not exist are near: %b", level, mask)
					}
				}
			}
		}
	}
	for _, bad := range []float64{0, 1e-20, 1e20, math.Inf(1), math.NaN()} {
		if simd.NewSieve(3, make([]float64, 2), bad, bad) != nil {
			t.Errorf("a sieve of radius %v", bad)
		}
	}
	if simd.NewSieve(3, make([]float64, 2), 1, 1e9) != nil {
		t.Error("a sieve far from the origin")
	}
}

func distance(a, b []float64) float64 {
	s := 0.0
	for f, y := range a {
		s += (y - b[f]) * (y - b[f])
	}
	return math.Sqrt(s)
}
