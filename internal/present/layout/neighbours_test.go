package layout_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/present/layout"
)

// kinds are groups around random places in many dimensions, of which a plane cannot show all.
func kinds(n, d, k int) data.Rows {
	r := rand.New(rand.NewPCG(3, 4))
	centre := make([]float64, k*d)
	for i := range centre {
		centre[i] = 4 * r.NormFloat64()
	}
	v := make([]float64, n*d)
	for i := range v {
		v[i] = centre[i/d%k*d+i%d] + r.NormFloat64()
	}
	x, err := data.NewDense(d, v)
	if err != nil {
		panic(err)
	}
	return x
}

// ranks returns for each row the place of every other one by distance, from 1.
func ranks(n int, distance func(i, j int) float64) [][]int {
	out := make([][]int, n)
	for i := range out {
		order := make([]int, 0, n-1)
		for j := range n {
			if j != i {
				order = append(order, j)
			}
		}
		d := make([]float64, n)
		for j := range d {
			d[j] = distance(i, j)
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if d[a] < d[b] {
				return -1
			}
			if d[a] > d[b] {
				return 1
			}
			return 0
		})
		out[i] = make([]int, n)
		for at, j := range order {
			out[i][j] = at + 1
		}
	}
	return out
}

// faithful returns trustworthiness and continuity (Venna and Kaski 2001) of a picture, by its k nearest points.
func faithful(x data.Rows, p *layout.Projection, k int) (trust, continuity float64) {
	n := x.Len()
	bufA, bufB := make([]float64, x.Dim()), make([]float64, x.Dim())
	there := ranks(n, func(i, j int) float64 {
		a, b, sum := x.Row(i, bufA).Val, x.Row(j, bufB).Val, 0.0
		for f := range a {
			sum += (a[f] - b[f]) * (a[f] - b[f])
		}
		return sum
	})
	here := ranks(n, func(i, j int) float64 { return math.Hypot(p.X[i]-p.X[j], p.Y[i]-p.Y[j]) })
	scale := 2 / (float64(n*k) * float64(2*n-3*k-1))
	trust, continuity = 1, 1
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			if here[i][j] <= k && there[i][j] > k {
				trust -= scale * float64(there[i][j]-k)
			}
			if there[i][j] <= k && here[i][j] > k {
				continuity -= scale * float64(here[i][j]-k)
			}
		}
	}
	return trust, continuity
}

func TestNeighboursAreNearInThePicture(t *testing.T) {
	const groups = 16
	ctx, x := context.Background(), kinds(400, 16, groups)
	linear, err := layout.PCA(ctx, x, 2)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	near, err := layout.Neighbours(ctx, x, layout.NeighbourOptions{Workers: 2, Show: func(p *layout.Projection) { shown++ }})
	if err != nil {
		t.Fatal(err)
	}
	if shown < 5 {
		t.Errorf("it was shown %d times while it settled", shown)
	}
	lt, lc := faithful(x, linear, 12)
	nt, nc := faithful(x, near, 12)
	if nt < 0.98 || nt <= lt || nc < lc {
		t.Errorf("trustworthiness %.3f and continuity %.3f, of the linear picture %.3f and %.3f", nt, nc, lt, lc)
	}
	// Sixteen kinds that lie on one another in the linear picture are islands here: a point's nearest is of its kind.
	wrong := 0
	for i := range near.X {
		best, at := math.Inf(1), -1
		for j := range near.X {
			if d := math.Hypot(near.X[i]-near.X[j], near.Y[i]-near.Y[j]); j != i && d < best {
				best, at = d, j
			}
		}
		if at%groups != i%groups {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of 400 points lie beside another kind", wrong)
	}
}

// A cloud of eight dimensions, of which a sixth of the rows are equal, as those of a table with missing cells may be.
func TestFewRowsAreLaidOutFaithfully(t *testing.T) {
	const n, d = 360, 8
	r := rand.New(rand.NewPCG(5, 6))
	v := make([]float64, n*d)
	for i := range v {
		if i/d%6 != 0 {
			v[i] = r.NormFloat64() / float64(1+i%d)
		}
	}
	x, err := data.NewDense(d, v)
	if err != nil {
		t.Fatal(err)
	}
	p, err := layout.Neighbours(context.Background(), x, layout.NeighbourOptions{})
	if err != nil {
		t.Fatal(err)
	}
	trust, continuity := faithful(x, p, 15)
	if trust < 0.941 || continuity < 0.952 {
		t.Errorf("trustworthiness %.4f and continuity %.4f, of one picture by the 15 nearest 0.940 and 0.945", trust, continuity)
	}
}

func TestNeighboursHaveTheSameBits(t *testing.T) {
	for _, n := range []int{300, 1300} {
		ctx, x := context.Background(), kinds(n, 6, 5)
		var first *layout.Projection
		for _, workers := range []int{1, 3} {
			p, err := layout.Neighbours(ctx, x, layout.NeighbourOptions{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = p
			}
			if !slices.Equal(p.X, first.X) || !slices.Equal(p.Y, first.Y) {
				t.Errorf("the picture of %d rows differs with %d workers", n, workers)
			}
		}
	}
}

func TestNeighboursOfFewOrEqualRows(t *testing.T) {
	ctx := context.Background()
	for n := range 8 {
		x, err := data.NewDense(2, slices.Repeat([]float64{1, 2}, n))
		if err != nil {
			t.Fatal(err)
		}
		p, err := layout.Neighbours(ctx, x, layout.NeighbourOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if !p.HasPlace(i) || math.IsInf(p.X[i], 0) || math.IsInf(p.Y[i], 0) {
				t.Errorf("of %d equal rows one has the place %v, %v", n, p.X[i], p.Y[i])
			}
		}
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	if _, err := layout.Neighbours(ended, kinds(50, 3, 2), layout.NeighbourOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v", err)
	}
}
