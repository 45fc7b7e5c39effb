package affinity

import (
	"context"
	"math/rand/v2"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// projectedDim is the number of features that random trees use; dense rows of up
// to projectAbove features are used as they are.
const projectedDim, projectAbove = 32, 48

// projectRows returns rows of few features whose distances resemble those of t:
// its own, or random projections of them (Johnson and Lindenstrauss 1984).
func (t *rowTable) projectRows(ctx context.Context, seed uint64, workers int) (flat []float64, m int, err error) {
	if t.dense != nil && t.d <= projectAbove {
		t.denseRow(0)
		return t.denseValues, t.d, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x5e7c))
	axes := make([]float64, t.d*projectedDim)
	for p := range axes { // signs do as well as normal numbers (Achlioptas 2003)
		axes[p] = float64(1 - 2*int(rng.Uint64()>>63))
	}
	flat = make([]float64, t.n*projectedDim)
	err = blocks.Each(ctx, workers, t.n, func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			out := flat[i*projectedDim : (i+1)*projectedDim]
			if t.dense != nil {
				for f, y := range t.denseRow(i) {
					addProjection(out, y, axes[f*projectedDim:(f+1)*projectedDim])
				}
				continue
			}
			idx, val := t.sparseRow(i)
			for p, f := range idx {
				addProjection(out, val[p], axes[int(f)*projectedDim:(int(f)+1)*projectedDim])
			}
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	return flat, projectedDim, err
}

func addProjection(out []float64, y float64, axis []float64) {
	if y == 0 {
		return
	}
	axis = axis[:len(out)]
	for p := range out {
		out[p] += float64(y * axis[p])
	}
}
