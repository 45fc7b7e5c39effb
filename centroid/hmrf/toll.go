package hmrf

import (
	"context"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/metric"
)

// A toll is what violated pairs cost. Assignment, metric step and objective all
// ask it, so that they cannot disagree.
type toll struct {
	w      float64 // of a pair of weight 1
	prices *metric.Penalties
}

// flat reports whether every pair costs the same.
func (t *toll) flat() bool { return t.prices.Penalty == metric.Constant }

// alike reports whether what a pair costs does not depend on the clusters.
func (t *toll) alike() bool { return t.flat() || t.prices.Metric.Metrics() == 1 }

// must returns what it costs that x is in g and y in h.
func (t *toll) must(g, h int32, x, y data.Vec) float64 {
	return t.w * t.prices.MustPairCost(int(g), int(h), x, y)
}

// cannot returns what it costs that both are in h.
func (t *toll) cannot(h int32, x, y data.Vec) float64 {
	return t.w * t.prices.CannotPairCost(int(h), x, y)
}

// label returns what it costs that a point of the class is elsewhere: for
// distances as much as the dearest pair, so that labels count at least as much
// as pairs and keep their scale.
func (t *toll) label(class int) float64 {
	if t.flat() {
		return t.w
	}
	return t.w * t.prices.MaxDist2(class)
}

// under returns the toll under another metric, with new gaps if there are any.
func (t *toll) under(m *metric.Learned, gaps []data.Vec) *toll {
	p := *t.prices
	if gaps != nil {
		p.Gaps = gaps
	}
	return &toll{t.w, p.Under(m)}
}

// tollgate finds the gaps whose length is the dearest price, φ: for HMRF that of
// the farthest rows, for MPC2003 that of the farthest must-link, or where there
// are none of the farthest cannot-link, or of the farthest rows.
type tollgate struct {
	f       *field
	rows    data.Rows
	by      metric.Divergence // nil: squared distances
	workers int
	rim     *metric.Extremes // found when first needed
	more    []int            // points of cannot-links
	rule    string           // what the last gaps are: see HMRFTold
}

// mostMore is up to how many points of cannot-links the farthest rows are looked
// for among them too: beyond, the rim of the data will do.
const mostMore = 256

func (g *tollgate) gaps(ctx context.Context, m *metric.Learned, penalty metric.Penalty) ([]data.Vec, error) {
	if penalty == metric.Constant {
		return nil, nil
	}
	if penalty == metric.MPC2003 {
		for _, must := range []bool{true, false} {
			if gaps, ok := g.farthest(m, must); ok {
				if g.rule = "cannot-links"; must {
					g.rule = "must-links"
				}
				return gaps, nil
			}
		}
	}
	if g.rim == nil {
		rim, err := metric.FindExtremes(ctx, g.workers, g.by, g.rows)
		if err != nil {
			return nil, err
		}
		g.rim = rim
		if len(g.f.points) <= mostMore {
			for _, i := range g.f.points {
				g.more = append(g.more, int(i))
			}
		}
	}
	if g.rule = "far-pair"; g.rim.Exact {
		g.rule = "exact"
	}
	return g.rim.Gaps(ctx, g.workers, m, g.more)
}

// farthest returns the gaps of the farthest pairs of a kind. Of a crowd only
// pairs with its first member and with the farthest from that are looked at: at
// least half as far as the farthest.
func (g *tollgate) farthest(m *metric.Learned, must bool) (gaps []data.Vec, ok bool) {
	var list [][2]int32
	for _, i := range g.f.points {
		g.f.each(int(i), func(j int32, together bool, _ float64) {
			if together == must && i < j {
				list = append(list, [2]int32{i, j})
			}
		})
	}
	if must {
		for _, q := range g.f.crowds {
			list = append(list, g.across(m, g.f.closed.Members(int(q)))...)
		}
	}
	d, at := g.rows.Dim(), 0
	a, b := make([]float64, d), make([]float64, d)
	gaps = metric.FarthestPair(g.by, m, func() (x, y data.Vec, ok bool) {
		if at == len(list) {
			return x, y, false
		}
		x, y = g.rows.Row(int(list[at][0]), a), g.rows.Row(int(list[at][1]), b)
		at++
		return x, y, true
	})
	return gaps, len(list) > 0
}

// across returns the pairs of the first of a crowd with all others, and of the
// farthest of them with all others.
func (g *tollgate) across(m *metric.Learned, crowd []int32) (list [][2]int32) {
	d := g.rows.Dim()
	a, b := make([]float64, d), make([]float64, d)
	by, from := (&metric.Penalties{Divergence: g.by}).Under(m), crowd[0]
	for range 2 {
		x, far, most := g.rows.Row(int(from), a), from, -1.0
		for _, j := range crowd {
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
