package eigen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawnDefinite returns a positive definite matrix of n rows.
func drawnDefinite(n int, seed uint64) *Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := NewDense(n)
	for i := range n {
		for j := range i {
			v := rng.NormFloat64() / float64(n)
			m.V[i*n+j], m.V[j*n+i] = v, v
		}
		m.V[i*n+i] = 2 + rng.Float64()
	}
	return m
}

// The product of a matrix with its inverse is the identity, and the inverse has the same bits on any number of workers.
func TestInverseTimesTheMatrix(t *testing.T) {
	for _, n := range []int{1, 2, 31, 32, 33, 65, 150} {
		m := drawnDefinite(n, uint64(n))
		f, err := NewCholesky(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		all, err := f.Inverse(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		column := make([]float64, n)
		for j := range n {
			m.Apply(column, all.V[j*n:(j+1)*n]) // symmetric: row j is column j
			for i, v := range column {
				if want := float64(max(0, 1-max(i-j, j-i))); math.Abs(v-want) > 1e-12 {
					t.Fatalf("%d rows: entry %d, %d of the product is %v", n, i, j, v)
				}
			}
		}
		for _, workers := range []int{2, 3, 16} {
			again, err := f.Inverse(context.Background(), workers)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(all.V, again.V) {
				t.Errorf("%d rows: other bits on %d workers", n, workers)
			}
		}
	}
}

func TestInverseStops(t *testing.T) {
	f, err := NewCholesky(context.Background(), drawnDefinite(100, 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if all, err := f.Inverse(ctx, 2); !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("after an end Inverse returns %v, %v", all, err)
	}
}

// A number of the diagonal alone has the bits that it has in its column.
func TestDiagonalOfTheInverse(t *testing.T) {
	for _, n := range []int{1, 5, 16, 17, 60, 133} {
		f, err := NewCholesky(context.Background(), drawnDefinite(n, uint64(n)))
		if err != nil {
			t.Fatal(err)
		}
		scratch := make([]float64, n)
		for i := range n {
			column := make([]float64, n)
			column[i] = 1
			f.Solve(column)
			if got := f.InverseAt(i, scratch); got != column[i] {
				t.Fatalf("number %d of %d is %v, in its column %v", i, n, got, column[i])
			}
		}
	}
}
