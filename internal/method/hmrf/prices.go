package hmrf

import (
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// pricing is what the prices of a run need beside the problem and the labels.
type pricing struct {
	a       *HMRF
	closure Closure
	model   *Model
	penalty *pairPenalty
}

// Pricing returns what the prices of the current labels need. A move changes the
// distortion of the point and all its pairs and labels, entailed pairs included; centres,
// metric and the scale of penalties stay as they are.
func (r *descent) Pricing() cluster.Pricing {
	return &pricing{r.a, r.closureUsed, r.model, r.penalty}
}

// prices are the prices of the labels of a finished run. It has the parts of a labelling
// that penalties need.
type prices struct {
	*labelling
	row []float64
}

// Prices reads the constraints of p as the run did.
func (q *pricing) Prices(p *cluster.Problem, labels []int) cluster.PointPrices {
	var closed *constraint.Closure
	if q.closure == On {
		closed = pairgraph.Close(p)
	}
	d := p.X.Dim()
	r := &labelling{a: q.a, p: q.a.space(p), graph: pairgraph.New(p, closed, q.a.Inference != ICM), model: q.model, penalty: q.penalty,
		labels: make([]int32, len(labels)), pen: make([]float64, p.K), a1: make([]float64, d), a2: make([]float64, d)}
	for i, h := range labels {
		r.labels[i] = int32(h)
	}
	r.counts = pairgraph.NewCounts(r.graph, p.K)
	r.counts.Recount(r.labels)
	return &prices{r, make([]float64, d)}
}

// space returns the space in which the rows of p are clustered.
func (a *HMRF) space(p *cluster.Problem) lloyd.Space {
	s := lloyd.NewSpace(p, a.Distortion.distance())
	if v := divergenceOf(a.Distortion); v != nil {
		q := *p
		q.X = metric.PrepareRows(v, p.X)
		s.Problem = &q
	}
	return s
}

func (s *prices) MoveCost(i, to int) float64 {
	v, from := s.p.X.Row(i, s.row), s.labels[i]
	pen := s.penalties(i)
	return s.p.W(i)*(s.model.PointCost(v, to)-s.model.PointCost(v, int(from))) + (pen[to] - pen[from])
}

// PairPenalty returns the weight of the pair times f_M or f_C if it is violated.
func (s *prices) PairPenalty(kind cluster.Kind, q constraint.Pair) (float64, bool) {
	v := violation{int32(q.I), int32(q.J), kind == cluster.MustLinks || kind == cluster.Beliefs && q.W > 0, math.Abs(q.W)}
	if q.I == q.J || v.must == (s.labels[q.I] == s.labels[q.J]) {
		return 0, true
	}
	return v.w * s.violationCost(s.penalty, v, s.a1, s.a2), true
}

// LabelPenalty returns the weight of the label times f_max if it is overruled.
func (s *prices) LabelPenalty(l constraint.Label) (float64, bool) {
	if int(s.labels[l.I]) == l.Class {
		return 0, true
	}
	return l.W * s.penalty.labelCost(l.Class), true
}
