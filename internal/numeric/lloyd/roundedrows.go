package lloyd

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// roundedCache keeps dense rows as integers, by which centres are searched much
// faster.
type roundedCache struct {
	of    data.Rows
	rows  roundedRows
	times int // number of times that rows were rounded in this run
}

// beginRun keeps what there is for rows x, and drops it for others.
func (r *roundedCache) beginRun(x data.Rows) {
	if r.of != x {
		r.of, r.rows = x, roundedRows{}
	}
	r.times = 0
}

// roundedRows are rows of one precision or the other as integers, or none.
type roundedRows struct {
	of64 *simd.Rounded[float64]
	of32 *simd.Rounded[float32]
}

// Limits of rounding: the memory that rounded rows may take, how often rows are
// rounded, and the share of rows that integer scores may leave undecided.
const (
	maxRoundedBytes = 1 << 28
	maxRoundings    = 4
	maxSingledShare = 0.3
)

// prepareFor rounds the rows, if they cannot be searched among the current centres
// as they are.
func (r *roundedCache) prepareFor(ctx context.Context, s *Search) error {
	if r.rows.canSearch(s.packedCentres().pack) {
		return nil
	}
	r.rows = roundedRows{}
	if r.times == maxRoundings {
		return nil
	}
	r.times++
	var rows roundedRows
	var fill func(int, *simd.Block)
	switch x := s.p.X.(type) {
	case *data.Dense:
		if rows.of64 = simd.Round(s.packedCentres().pack, x.V); rows.of64 != nil {
			fill = rows.of64.Fill
		}
	case *data.Dense32:
		if rows.of32 = simd.Round(s.packedCentres().pack, x.V); rows.of32 != nil {
			fill = rows.of32.Fill
		}
	}
	if fill == nil {
		return nil
	}
	blockPool := sync.Pool{New: func() any { return new(simd.Block) }}
	n := s.p.X.Len()
	err := blocks.Tasks(ctx, s.e.Workers, (n+simd.RoundedLen-1)/simd.RoundedLen, func(block int) {
		scratch := blockPool.Get().(*simd.Block)
		fill(block, scratch)
		blockPool.Put(scratch)
	})
	if err == nil {
		r.rows = rows
	}
	return err
}

// canSearch reports whether the rounded rows can be searched among c.
func (r roundedRows) canSearch(c *simd.Centres) bool {
	switch {
	case r.of64 != nil:
		return r.of64.Serves(c)
	case r.of32 != nil:
		return r.of32.Serves(c)
	}
	return false
}

// dropIfPoor drops the rounded rows if a pass left too many rows undecided: they may
// be rounded better for later centres.
func (r *roundedCache) dropIfPoor(pass *assignment) {
	if float64(pass.singled) > maxSingledShare*float64(pass.searched) {
		r.rows = roundedRows{}
	}
}
