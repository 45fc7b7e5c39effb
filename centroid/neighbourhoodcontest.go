package centroid

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/constraint"
	"github.com/inklinghq/inkling/data"
)

// contestRows and contestPairs bound what a contest looks at, contestSteps how
// far each start goes; rivals is the number of starts without knowledge.
const (
	contestRows  = 20_000
	contestPairs = 20_000
	contestSteps = 10
	rivals       = 3
)

// contest returns the start that promises the lowest objective, first or one of
// those that rival makes. Each makes a few steps of plain k-means, and the one is
// kept whose distortion plus violated pairs is least, a pair of weight 1 costing
// as much as a point does on average; the first on ties. The start itself is
// returned, not where it led.
//
// Few must-links make small neighbourhoods, whose centroids start worse than no
// knowledge at all. The contest sees to it that knowledge does not lose: where
// starts without it are better, one of them is taken. It costs some forty passes
// over at most 20,000 rows. Five steps tell starts apart less well: of 40 draws
// of overlapping blobs with 100 pairs, the one taken then ended above a start by
// k-means++ in 8, after ten steps in 4 (by more than 0.2 %, without restarts).
func contest(ctx context.Context, p *cluster.Problem, e *cluster.Env, first *Centres, rival func(*cluster.Problem) *Centres) *Centres {
	q := *p
	q.X, q.Weight = sampleRows(p, e)
	starts := []*Centres{first}
	for range rivals {
		starts = append(starts, rival(&q))
	}
	n, share := float64(p.X.Len()), float64(p.X.Len())/float64(q.X.Len())
	cost, broken, least := make([]float64, len(starts)), make([]float64, len(starts)), math.Inf(1)
	for s, c := range starts {
		sum, m, err := shortDescent(ctx, &q, e, c)
		if err != nil {
			return starts[0]
		}
		cost[s], broken[s] = sum*share, violated(p, m)
		least = min(least, cost[s])
	}
	best, most := 0, math.Inf(1)
	for s := range starts {
		if j := cost[s] + float64(least/n*broken[s]); j < most {
			best, most = s, j
		}
	}
	return starts[best]
}

// shortDescent returns the distortion after a few steps from c, and the centres
// there.
func shortDescent(ctx context.Context, p *cluster.Problem, e *cluster.Env, c *Centres) (float64, *Centres, error) {
	run, err := startLloyd(ctx, space{Problem: p}, e, c, nil)
	if err != nil {
		return 0, nil, err
	}
	r := run.(*lloyd)
	for range contestSteps {
		for _, st := range r.Stages() {
			if _, err := st.Do(ctx); err != nil {
				return 0, nil, err
			}
		}
	}
	return r.cost, r.centres, nil
}

// sampleRows returns at most contestRows rows and their weights: all of them, or
// a random choice in rising order.
func sampleRows(p *cluster.Problem, e *cluster.Env) (data.Rows, []float64) {
	n := p.X.Len()
	if n <= contestRows {
		return p.X, p.Weight
	}
	var w []float64
	dense := &data.Dense{Cols: p.X.Dim()}
	sparse := &data.Sparse{Cols: p.X.Dim(), Start: []int{0}}
	buf := make([]float64, p.X.Dim())
	for s := range contestRows { // one of each stretch of rows
		lo, hi := s*n/contestRows, (s+1)*n/contestRows
		i := lo + e.Rand.IntN(hi-lo)
		v := p.X.Row(i, buf)
		if v.Idx == nil {
			dense.V = append(dense.V, v.Val...)
		} else {
			sparse.Idx, sparse.Val = append(sparse.Idx, v.Idx...), append(sparse.Val, v.Val...)
			sparse.Start = append(sparse.Start, len(sparse.Idx))
		}
		if p.Weight != nil {
			w = append(w, p.Weight[i])
		}
	}
	if len(sparse.Start) > 1 {
		return sparse, w
	}
	return dense, w
}

// violated returns the weight of the pairs that the nearest centres violate,
// from at most contestPairs of each kind, evenly chosen.
func violated(p *cluster.Problem, m *Centres) (s float64) {
	if p.Known == nil {
		return 0
	}
	x, y := make([]float64, p.X.Dim()), make([]float64, p.X.Dim())
	count := func(pairs []constraint.Pair, together bool) {
		asked := min(len(pairs), contestPairs)
		share := float64(len(pairs)) / math.Max(1, float64(asked))
		for t := range asked {
			pair := pairs[t*len(pairs)/asked]
			g, _ := m.Nearest(p.X.Row(pair.I, x))
			h, _ := m.Nearest(p.X.Row(pair.J, y))
			if (g == h) != together {
				s += float64(pair.W * share)
			}
		}
	}
	count(p.Known.Must, true)
	count(p.Known.Cannot, false)
	return s
}
