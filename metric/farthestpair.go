package metric

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// longestGaps returns the longestGaps gap of all rows under each matrix of m.
func (e *Extremes) longestGaps(ctx context.Context, workers int, m *Learned) ([]data.Vec, error) {
	gaps := make([]data.Vec, m.Metrics())
	centre, buf := make([]float64, e.X.Dim()), make([]float64, e.X.Dim())
	for i := range e.X.Len() {
		data.Add(centre, e.X.Row(i, buf), 1/float64(e.X.Len()))
	}
	err := blocks.Tasks(ctx, workers, len(gaps), func(h int) {
		i, j := e.farthestOfAll(ctx, m, h, centre)
		gaps[h] = e.differenceOf(i, j)
	})
	return gaps, err
}

// An outlier is a row by its distance from the centre.
type outlier struct {
	row    int
	radius float64
}

// farthestOfAll returns the two rows that are farthest apart. Two rows are no
// farther apart than their distances from the centre together, so rows are met
// from the outermost inwards, and those that cannot take part in a longer gap
// are passed over: of most data only a rim is looked at.
func (e *Extremes) farthestOfAll(ctx context.Context, m *Learned, h int, centre []float64) (i, j int) {
	rim, buf, c2 := make([]outlier, e.X.Len()), make([]float64, e.X.Dim()), m.Norm2(h, centre)
	for a := range rim {
		rim[a] = outlier{a, math.Sqrt(max(0, m.Dist2(h, e.X.Row(a, buf), centre, c2)))}
	}
	slices.SortStableFunc(rim, func(a, b outlier) int { return cmp.Compare(b.radius, a.radius) })
	const slack = 1 + 1e-9 // for the rounding of radii
	i, j = rim[0].row, rim[0].row
	p, q, most, reach := make([]float64, e.X.Dim()), make([]float64, e.X.Dim()), 0.0, 0.0
	for s, a := range rim {
		if (a.radius+rim[0].radius)*slack <= reach || ctx.Err() != nil {
			break
		}
		x := e.X.Row(a.row, p)
		for _, b := range rim[:s] {
			if (a.radius+b.radius)*slack <= reach {
				break
			}
			if d2 := m.PairDist2(h, x, e.X.Row(b.row, q)); d2 > most {
				i, j, most = a.row, b.row, d2
				reach = math.Sqrt(most)
			}
		}
	}
	return i, j
}
