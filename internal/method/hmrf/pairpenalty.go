package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A pairPenalty weighs what violated pairs and labels cost: the terms f_M, f_C
// and f_max of the objective (see HMRF), whose formulas are in metric.Penalties.
// Assignment, metric step and objective all use it, so that they cannot disagree.
type pairPenalty struct {
	w         float64 // of a pair of weight 1
	penalties *metric.Penalties
}

// isConstant reports whether every violated pair costs the same.
func (t *pairPenalty) isConstant() bool { return t.penalties.Penalty == metric.Constant }

// sameForAllClusters reports whether the cost of a violated pair does not depend
// on the clusters of its points.
func (t *pairPenalty) sameForAllClusters() bool {
	return t.isConstant() || t.penalties.Metric.Metrics() == 1
}

// mustCost returns the cost of a violated must-link: x is in cluster g and y in
// h.
func (t *pairPenalty) mustCost(g, h int32, x, y data.Vec) float64 {
	return t.w * t.penalties.MustPairCost(int(g), int(h), x, y)
}

// cannotCost returns the cost of a violated cannot-link: x and y are both in
// cluster h.
func (t *pairPenalty) cannotCost(h int32, x, y data.Vec) float64 {
	return t.w * t.penalties.CannotPairCost(int(h), x, y)
}

// labelCost returns the cost of a labelled point outside the cluster of its
// class: where costs depend on distance, as much as the costliest pair, so that
// labels count at least as much as pairs and keep their scale.
func (t *pairPenalty) labelCost(class int) float64 {
	if t.isConstant() {
		return t.w
	}
	return t.w * t.penalties.MaxDist2(class)
}

// underMetric returns the penalty under another metric, with new gaps if given.
func (t *pairPenalty) underMetric(m *metric.Learned, gaps []data.Vec) *pairPenalty {
	p := *t.penalties
	if gaps != nil {
		p.Gaps = gaps
	}
	return &pairPenalty{t.w, p.Under(m)}
}

// penaltyScale finds the largest possible cost of a pair, φ_max, as the squared
// length of a gap between two points: for HMRF the two farthest rows, for MPC2003
// the farthest must-link, or without must-links the farthest cannot-link, or
// without either the two farthest rows.
type penaltyScale struct {
	graph       *pairgraph.Graph
	rows        data.Rows
	divergence  metric.Divergence // nil: squared distances
	workers     int
	extremes    *metric.Extremes // computed when first needed
	constrained []int            // points with constraints, looked at beside the extreme rows; none where there are many
	rule        string           // what the last gaps are: see Info.PhiMaxRule
}

// maxConstrained is up to how many constrained points the farthest rows are
// searched among these too; beyond, the extreme rows of the data are enough.
const maxConstrained = 256

func (g *penaltyScale) findGaps(ctx context.Context, m *metric.Learned, penalty metric.Penalty) ([]data.Vec, error) {
	if penalty == metric.Constant {
		return nil, nil
	}
	if penalty == metric.MPC2003 {
		for _, must := range []bool{true, false} {
			if gaps, ok := g.farthestPairs(m, must); ok {
				if g.rule = "cannot-links"; must {
					g.rule = "must-links"
				}
				return gaps, nil
			}
		}
	}
	if g.extremes == nil {
		extremes, err := metric.FindExtremes(ctx, g.workers, g.divergence, g.rows)
		if err != nil {
			return nil, err
		}
		g.extremes = extremes
		if len(g.graph.Constrained) <= maxConstrained {
			for _, i := range g.graph.Constrained {
				g.constrained = append(g.constrained, int(i))
			}
		}
	}
	if g.rule = "far-pair"; g.extremes.Exact {
		g.rule = "exact"
	}
	return g.extremes.Gaps(ctx, g.workers, m, g.constrained)
}

// farthestPairs returns the gaps of the farthest pairs of a kind. Of a large
// component only pairs with its first member and with the member farthest from
// that are considered: the farthest of these are at least half as far apart as
// any.
func (g *penaltyScale) farthestPairs(m *metric.Learned, must bool) (gaps []data.Vec, ok bool) {
	var list [][2]int32
	for _, i := range g.graph.Constrained {
		g.graph.EachPair(int(i), func(j int32, together bool, _ float64) {
			if together == must && i < j {
				list = append(list, [2]int32{i, j})
			}
		})
	}
	if must {
		for _, q := range g.graph.LargeComponents {
			list = append(list, g.pairsOfComponent(m, g.graph.Closed.Members(int(q)))...)
		}
	}
	d, at := g.rows.Dim(), 0
	a, b := make([]float64, d), make([]float64, d)
	gaps = metric.FarthestPair(g.divergence, m, func() (x, y data.Vec, ok bool) {
		if at == len(list) {
			return x, y, false
		}
		x, y = g.rows.Row(int(list[at][0]), a), g.rows.Row(int(list[at][1]), b)
		at++
		return x, y, true
	})
	return gaps, len(list) > 0
}

// pairsOfComponent returns the pairs of the first member of a component with all
// others, and of the member farthest from it with all others.
func (g *penaltyScale) pairsOfComponent(m *metric.Learned, members []int32) (list [][2]int32) {
	d := g.rows.Dim()
	a, b := make([]float64, d), make([]float64, d)
	by, from := (&metric.Penalties{Divergence: g.divergence}).Under(m), members[0]
	for range 2 {
		x, far, most := g.rows.Row(int(from), a), from, -1.0
		for _, j := range members {
			if j == from {
				continue
			}
			list = append(list, [2]int32{from, j})
			if y := by.Dist2(0, x, g.rows.Row(int(j), b)); y > most {
				far, most = j, y
			}
		}
		from = far
	}
	return list
}
