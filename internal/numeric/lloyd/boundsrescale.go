package lloyd

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// RescaleBounds carries the bounds over to a space with other weights of the
// features: squared distances were weighted by was, and are weighted by now. A
// distance shrinks at most by the square root of the smallest ratio of weights, and
// grows at most by that of the largest. Where was or now is nil the features are
// mixed, and the bounds are lost. The centres must be those of the new space already.
func (s *Search) RescaleBounds(ctx context.Context, was, now []float64) error {
	b, least, most := s.bounds, math.Inf(1), 0.0
	if b == nil || b.centres == nil {
		return nil
	}
	if was == nil || now == nil {
		b.centres = nil
		return nil
	}
	for f := range was {
		least, most = min(least, now[f]/was[f]), max(most, now[f]/was[f])
	}
	shrink, grow := math.Sqrt(least)/RoundingMargin, math.Sqrt(most)*RoundingMargin
	slack := 0.0 // for the rounding of the centres
	for h := range b.centres.K {
		slack = max(slack, 1e-14*math.Sqrt(data.Norm2(s.centres.At(h))))
	}
	err := LongBlocks(ctx, s.e.Workers, len(b.lower), func(lo, hi int) struct{} {
		for i := lo; i < hi; i++ {
			h := s.labels[i]
			b.setLower(i, h, max(b.lowerAt(i, h), 0)*shrink-slack)
			b.setUpper(i, h, b.upperAt(i, h)*grow+slack)
		}
		return struct{}{}
	}, func(int, int, struct{}) {})
	if err != nil {
		return err
	}
	last := make([]float64, len(b.centres.C))
	for f := range was {
		r := math.Sqrt(now[f] / was[f])
		for at := f; at < len(last); at += len(was) {
			last[at] = b.centres.C[at] * r
		}
	}
	b.centres = NewCentres(b.centres.K, b.centres.D, last)
	return nil
}
