package lloyd

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
	"github.com/inklinghq/inkling/internal/simd"
)

// rounded keeps dense rows in whole numbers, in which centres are searched much
// faster.
type rounded struct {
	rows  roundedRows
	times int // how often rows were rounded
}

// roundedRows are rows of one precision or the other, or none.
type roundedRows struct {
	of64 *simd.Rounded[float64]
	of32 *simd.Rounded[float32]
}

// mostRounded is how much memory the rows may take, mostTimes how often they are
// rounded anew, and tooSingle the share of rows that whole numbers may leave open.
const (
	mostRounded = 1 << 28
	mostTimes   = 4
	tooSingle   = 0.3
)

// turn makes the rows ready to meet the centres.
func (r *rounded) turn(ctx context.Context, s *Search) error {
	if r.rows.serve(s.packedCentres().pack) {
		return nil
	}
	r.rows = roundedRows{}
	if r.times == mostTimes {
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
	rooms := sync.Pool{New: func() any { return new(simd.Block) }}
	n := s.p.X.Len()
	err := blocks.Tasks(ctx, s.e.Workers, (n+simd.RoundedLen-1)/simd.RoundedLen, func(block int) {
		room := rooms.Get().(*simd.Block)
		fill(block, room)
		rooms.Put(room)
	})
	if err == nil {
		r.rows = rows
	}
	return err
}

// serve reports whether c can be searched among.
func (r roundedRows) serve(c *simd.Centres) bool {
	switch {
	case r.of64 != nil:
		return r.of64.Serves(c)
	case r.of32 != nil:
		return r.of32.Serves(c)
	}
	return false
}

// judge gives the rows up where a pass has shown that they prove too little: they
// may be rounded better for other centres.
func (r *rounded) judge(pass *assignment) {
	if float64(pass.single) > tooSingle*float64(pass.asked) {
		r.rows = roundedRows{}
	}
}
