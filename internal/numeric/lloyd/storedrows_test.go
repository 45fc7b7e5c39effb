package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// unitsOfRows are rows in memory that pretend to be stored: they are assigned unit by
// unit, the last unit first.
type unitsOfRows struct {
	*data.Dense32
	unit  int
	exact bool
	last  *Assigned
}

func (u *unitsOfRows) Load(lo, hi int) data.Rows {
	return &data.Dense32{Cols: u.Cols, V: slices.Clone(u.V[lo*u.Cols : hi*u.Cols])}
}
func (u *unitsOfRows) NearestDistances(_ context.Context, c *Centres) ([]float64, error) {
	return NearestDistances(u.Dense32, c), nil
}
func (u *unitsOfRows) LastAssigned() *Assigned { return u.last }
func (u *unitsOfRows) ExactSums() bool         { return u.exact }

func (u *unitsOfRows) Assign(ctx context.Context, c *Centres, m *metric.Learned) (*Assigned, error) {
	out := &Assigned{Centres: c, Metric: m, Labels: make([]int32, u.Len()), Sums: NewKeptSums(c.K, c.D), Distortion: make([]float64, (u.Len()+1023)/1024)}
	for lo := (u.Len() - 1) / u.unit * u.unit; lo >= 0; lo -= u.unit {
		part, err := AssignRows(ctx, 1, u.Load(lo, min(u.Len(), lo+u.unit)), c, m)
		if err != nil {
			return nil, err
		}
		copy(out.Labels[lo:], part.Labels)
		copy(out.Distortion[lo/1024:], part.Distortion)
		out.Sums.Add(part.Sums.Sum, part.Sums.Errors(), part.Sums.Count)
	}
	u.last = out
	return out, nil
}

// A run on stored rows has the bits of a run on the same rows in memory, with and
// without fixed labels, whether or not sums of units may be used.
func TestStoredRowsHaveTheBitsOfRowsInMemory(t *testing.T) {
	const n, d, k = 9000, 5, 9
	rng := rand.New(rand.NewPCG(1, 2))
	x := &data.Dense32{Cols: d, V: make([]float32, n*d)}
	fixed := make([]int32, n)
	for i := range n {
		fixed[i] = -1
		if rng.IntN(50) == 0 {
			fixed[i] = int32(rng.IntN(k))
		}
		for f := range d {
			x.V[i*d+f] = float32(float64(rng.IntN(4)) + rng.NormFloat64()*math.Pow(10, -6*rng.Float64()))
		}
	}
	for _, f := range [][]int32{nil, fixed} {
		want := runOn(t, x, f)
		for _, exact := range []bool{true, false} {
			got := runOn(t, &unitsOfRows{Dense32: x, unit: 2048, exact: exact}, f)
			if !slices.Equal(got.labels, want.labels) || !slices.Equal(got.centres.C, want.centres.C) || got.Cost() != want.Cost() {
				t.Errorf("fixed %v, exact %v: cost %v, in memory %v", f != nil, exact, got.Cost(), want.Cost())
			}
		}
	}
}

func runOn(t *testing.T, x data.Rows, fixed []int32) *Run {
	t.Helper()
	ctx, p := context.Background(), &cluster.Problem{X: x, K: 9}
	first := make([]float64, 0, 9*x.Dim())
	for h := range 9 {
		first = append(first, data.Copy(x, h*31)...)
	}
	r, err := Start(ctx, Space{Problem: p}, &cluster.Env{Workers: 2}, NewCentres(9, x.Dim(), first), fixed)
	for i := 0; err == nil && i < 12; i++ {
		for _, st := range r.Stages() {
			if _, err = st.Do(ctx); err != nil {
				break
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}
