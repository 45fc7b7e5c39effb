package starts

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/lloyd"
)

// A startKey names centres by their bits, and what they are for.
type startKey struct{ what, centres string }

func newStartKey(what string, centres ...[]float64) startKey {
	var bits []byte
	for _, c := range centres {
		bits = binary.LittleEndian.AppendUint64(bits, uint64(len(c)))
		for _, y := range c {
			bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(y))
		}
	}
	return startKey{what, string(bits)}
}

// sharedFill is fillCentres, which fits that share their results do once.
func sharedFill(ctx context.Context, p *cluster.Problem, e *cluster.Env, fill string, at [][]float64) *lloyd.Centres {
	kept, _ := e.Share(ctx, p.Key(newStartKey("fill by "+fill, at...)), func() (any, error) { return fillCentres(ctx, p, e, fill, at), nil })
	c := kept.(*lloyd.Centres)
	return lloyd.NewCentres(c.K, c.D, slices.Clone(c.C)) // callers may change theirs
}

// sharedTry is try, which fits that share their results do once.
func sharedTry(ctx context.Context, p *cluster.Problem, e *cluster.Env, c *lloyd.Centres) (*trial, error) {
	if e.Settings == nil {
		return try(ctx, p, e, c)
	}
	t, err := e.Settings.Shared.Do(ctx, p.Key(newStartKey("try", c.C)), func() (any, error) { return try(ctx, p, e, c) })
	if err != nil {
		return nil, err
	}
	own := *t.(*trial)
	own.start = c
	return &own, nil
}
