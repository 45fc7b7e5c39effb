package metric

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
)

// TotalScatter is the scatter of all rows about their mean. It is found once, and gives
// the scatter within clusters, as long as all share one metric, without another
// pass over the rows.
type TotalScatter struct {
	Mean    []float64
	Scatter *Scatter
}

// NewTotalScatter makes two passes over x. A nil weight stands for ones.
func NewTotalScatter(ctx context.Context, workers int, f Form, x data.Rows, weight []float64) (*TotalScatter, error) {
	d := x.Dim()
	t := &TotalScatter{Mean: make([]float64, d), Scatter: NewScatter(Form{Shape: f.Shape}, 1, d)}
	mass, buf := 0.0, make([]float64, d)
	for i := range x.Len() {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w := weightAt(weight, i)
		data.Add(t.Mean, x.Row(i, buf), w)
		mass += w
	}
	for f := range t.Mean {
		t.Mean[f] /= max(mass, 1e-300)
	}
	err := t.Scatter.AddRows(ctx, workers, x, make([]int32, x.Len()), weight, t.Mean)
	return t, err
}

// lostDigits is the share of the total below which a difference from it is not
// trusted: the total is good to about 13 digits, so that 7 are left.
const lostDigits = 1e-6

// Within returns the scatter about centres that are the means of clusters of the
// given mass: S = T − Σ_h N_h (μ_h−g)(μ_h−g)', g being the mean of all rows, in
// O(kd) or O(kd²). ok is false where the clusters leave so little of a feature
// that the difference has lost its digits: then AddRows is needed.
func (t *TotalScatter) Within(mass, centres []float64) (s *Scatter, ok bool) {
	s = t.Scatter.Clone()
	clear(s.Square)
	g := make([]float64, s.D)
	for h, m := range mass {
		for f := range g {
			c := centres[h*s.D+f]
			g[f] = c - t.Mean[f]
			s.Square[f] += float64(m * float64(c*c))
		}
		s.AddGap(0, data.Vec{Val: g}, -m)
	}
	for f := range g {
		now, was := s.S[s.slot(f)], t.Scatter.S[s.slot(f)]
		if was > roundingOf(s.Square[f]) && now < lostDigits*was {
			return nil, false
		}
	}
	return s, true
}
