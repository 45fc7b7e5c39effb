package hmrf

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// From a long chain follow more pairs than there are moments to look at them:
// prices by distance then take the given ones, and say so.
func TestLongChainsArePricedAsGiven(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(1, 1))
	p := &cluster.Problem{X: &data.Dense{Cols: 2}, K: 3, Constraints: &constraint.Set{}}
	for i := range n {
		p.X.(*data.Dense).V = append(p.X.(*data.Dense).V, rng.NormFloat64()+float64(8*(i%3)), rng.NormFloat64())
		if i > 0 {
			p.Constraints.Must = append(p.Constraints.Must, constraint.Pair{I: i - 1, J: i, W: 1})
		}
	}
	for _, c := range []struct {
		a    *HMRF
		want Closure
	}{{NewMPC(), Off}, {NewPC(), On}} {
		run, err := c.a.Start(context.Background(), p, &cluster.Env{Rand: rng, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		info := run.(cluster.Reporter).Learned().(*Info)
		if info.Closure != c.want || (len(info.Notes()) > 0) != (c.want == Off) {
			t.Errorf("penalty %s: closure %s, notes %q", c.a.Penalty, info.Closure, info.Notes())
		}
	}
}
