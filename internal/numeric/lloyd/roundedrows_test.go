package lloyd

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// Rows that were rounded in one run of a fit serve the next, and another fit, or one of
// other rows, rounds its own.
func TestRoundedRowsServeTheNextRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := &data.Dense{Cols: 16}
	for range 16 * 2000 {
		x.V = append(x.V, rng.NormFloat64())
	}
	a := &roundingStarts{}
	s := cluster.Default()
	s.Restarts, s.MaxIter = 2, 1
	for range 2 {
		if _, err := cluster.Fit(context.Background(), &cluster.Problem{X: x, K: 10}, a, s); err != nil {
			t.Fatal(err)
		}
	}
	if a.rounded[0] == nil {
		t.Skip("rows are not rounded without vector instructions")
	}
	if a.rounded[1] != a.rounded[0] || a.rounded[2] == a.rounded[0] {
		t.Errorf("the runs of two fits have %p, want the same in each fit alone", a.rounded)
	}
	c := &roundedCache{of: x, rows: roundedRows{of64: a.rounded[0]}, times: maxRoundings}
	if c.beginRun(x); c.rows.of64 == nil || c.times != 0 {
		t.Errorf("for the same rows there is %+v", c)
	}
	if c.beginRun(&data.Dense{Cols: 16, V: x.V}); c.rows.of64 != nil {
		t.Errorf("for other rows there is %+v", c)
	}
}

// roundingStarts is k-means from the first rows. It notes the rounded rows of each run.
type roundingStarts struct{ rounded []*simd.Rounded[float64] }

func (*roundingStarts) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows}}
}

func (*roundingStarts) Check(*cluster.Problem) error { return nil }

func (a *roundingStarts) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	d, from := p.X.Dim(), 100*e.Run
	r, err := Start(ctx, Space{Problem: p}, e, NewCentres(p.K, d, p.X.(*data.Dense).V[from*d:(from+p.K)*d]), nil)
	if err == nil {
		a.rounded = append(a.rounded, r.rounded.rows.of64)
	}
	return r, err
}
