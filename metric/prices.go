package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/data"
)

// Penalties by name: what a violated constraint of weight 1 costs, d² being the
// squared distance of its points under the metric of their cluster.
const (
	// HMRF (2004, eq. 3 and 4): f_M = d², f_C = max(0, φ − d²). A must-link of
	// distant points and a cannot-link of near ones cost most.
	HMRF = "hmrf"
	// MPC2003 (2003, section 2.4), the other way round:
	// f_M = max(α, φ − d²), f_C = min(α + d², φ).
	MPC2003 = "mpc"
	// Constant: 1, whatever the distance (PC-KMeans).
	Constant = "constant"
)

var penalties = []string{HMRF, MPC2003, Constant}

// CheckPenalty refuses a name that is no penalty.
func CheckPenalty(name string) error {
	if !slices.Contains(penalties, name) {
		return fmt.Errorf("penalty %q, it must be one of %s", name, strings.Join(penalties, ", "))
	}
	return nil
}

// Prices says what violated constraints cost under a metric. φ = f'A_h f is the
// squared length of a gap f between two points: for HMRF that of the farthest
// pair known, for MPC2003 that of the farthest must-link. The gap stays as it is
// while the metric changes, so φ is linear in A and Gradient is exact; whoever
// learns a new metric then asks for new gaps, and keeps the pair of both only if
// the objective has not risen.
//
// Where φ − d² would be negative the price is 0, and so is its gradient.
//
// Under a metric for each cluster a must-link costs ½ f_M under the one cluster
// and ½ f_M under the other, a cannot-link f_C under the cluster of both.
type Prices struct {
	Metric  *Learned
	Penalty string
	// Gaps holds one gap for each matrix; Constant needs none.
	Gaps []data.Vec
	// Least is α_min of MPC2003, 0 in the paper's experiments.
	Least float64
	// Divergence, if not nil, takes the place of the squared distance of pairs; its
	// gaps must come from it too. The metric is then None or Diagonal.
	Divergence Divergence
	// Literal drops the gradient of φ, as the derivation of 2003 does. Prices and
	// gradient then disagree, and learning may raise the objective.
	Literal bool

	most []float64 // φ for each matrix
}

// NewPrices returns the prices of a penalty under m, with one gap for each
// matrix of m (see Extremes and FarthestPair), or none for Constant.
func NewPrices(m *Learned, penalty string, gaps []data.Vec) (*Prices, error) {
	if err := CheckPenalty(penalty); err != nil {
		return nil, err
	}
	if penalty != Constant && len(gaps) != m.Metrics() {
		return nil, fmt.Errorf("%d gaps for %d matrices", len(gaps), m.Metrics())
	}
	return (&Prices{Penalty: penalty, Gaps: gaps}).Under(m), nil
}

// Under returns the same prices under another metric, the gaps left as they are.
func (p *Prices) Under(m *Learned) *Prices {
	q := *p
	q.Metric, q.most = m, make([]float64, m.Metrics())
	for h, g := range p.Gaps {
		q.most[h] = m.PairDist2(h, g, noVec)
	}
	return &q
}

// Most returns φ under the metric of cluster h.
func (p *Prices) Most(h int) float64 { return p.most[p.Metric.Index(h)] }

// Dist2 returns d² of x and y under the metric of cluster h: what Must and Cannot
// ask for.
func (p *Prices) Dist2(h int, x, y data.Vec) float64 {
	return pairDist2(p.Metric, p.Divergence, h, x, y)
}

func pairDist2(m *Learned, v Divergence, h int, x, y data.Vec) float64 {
	if v != nil {
		x, y = v.Gap(x, y), noVec
	}
	return m.PairDist2(h, x, y)
}

// noVec is the sparse zero vector.
var noVec = data.Vec{Idx: []int32{}}

// Must returns f_M under cluster h for two points at squared distance d2 there.
func (p *Prices) Must(h int, d2 float64) float64 {
	switch p.Penalty {
	case HMRF:
		return d2
	case MPC2003:
		return max(p.Least, p.Most(h)-d2)
	}
	return 1
}

// Cannot returns f_C under cluster h for two points at squared distance d2
// there.
func (p *Prices) Cannot(h int, d2 float64) float64 {
	switch p.Penalty {
	case HMRF:
		return max(0, p.Most(h)-d2)
	case MPC2003:
		return min(p.Least+d2, p.Most(h))
	}
	return 1
}

// MustPair returns what it costs that x is in cluster g and y in cluster h,
// which differ, although they must be together.
func (p *Prices) MustPair(g, h int, x, y data.Vec) float64 {
	switch {
	case p.Penalty == Constant:
		return 1
	case p.Metric.Index(g) == p.Metric.Index(h):
		return p.Must(g, p.Dist2(g, x, y))
	}
	return p.Must(g, p.Dist2(g, x, y))/2 + p.Must(h, p.Dist2(h, x, y))/2
}

// CannotPair returns what it costs that x and y are both in cluster h although
// they cannot be together.
func (p *Prices) CannotPair(h int, x, y data.Vec) float64 {
	if p.Penalty == Constant {
		return 1
	}
	return p.Cannot(h, p.Dist2(h, x, y))
}

// MustSlope returns by how much Must changes with d² (pair) and with φ (most).
func (p *Prices) MustSlope(h int, d2 float64) (pair, most float64) {
	switch {
	case p.Penalty == HMRF:
		return 1, 0
	case p.Penalty == MPC2003 && p.Most(h)-d2 > p.Least:
		return -1, p.slopeOfMost()
	}
	return 0, 0
}

// CannotSlope is MustSlope for Cannot.
func (p *Prices) CannotSlope(h int, d2 float64) (pair, most float64) {
	switch {
	case p.Penalty == HMRF && p.Most(h) > d2:
		return -1, p.slopeOfMost()
	case p.Penalty == MPC2003 && p.Least+d2 < p.Most(h):
		return 1, 0
	case p.Penalty == MPC2003:
		return 0, p.slopeOfMost()
	}
	return 0, 0
}

func (p *Prices) slopeOfMost() float64 {
	if p.Literal {
		return 0
	}
	return 1
}

// A Gradient adds up what violated constraints add to the scatter: their prices
// are tr(A_h S_h) plus what does not depend on A, so that the metric step
// minimises them along with the distances.
type Gradient struct {
	Prices  *Prices
	Scatter *Scatter
	most    []float64 // how often f f' enters, for each matrix
}

// NewGradient returns a gradient that adds to s, which must have the form of
// the prices' metric.
func (p *Prices) NewGradient(s *Scatter) *Gradient {
	return &Gradient{Prices: p, Scatter: s, most: make([]float64, p.Metric.Metrics())}
}

// Must adds a violated must-link of weight w between x in cluster g and y in
// cluster h.
func (g *Gradient) Must(c, h int, x, y data.Vec, w float64) {
	if g.Prices.Penalty == Constant {
		return
	}
	m := g.Prices.Metric
	if m.Index(c) == m.Index(h) {
		g.must(c, x, y, w)
		return
	}
	g.must(c, x, y, w/2)
	g.must(h, x, y, w/2)
}

func (g *Gradient) must(h int, x, y data.Vec, w float64) {
	pair, most := g.Prices.MustSlope(h, g.Prices.Dist2(h, x, y))
	g.add(h, x, y, w*pair, w*most)
}

// Cannot adds a violated cannot-link of weight w within cluster h.
func (g *Gradient) Cannot(h int, x, y data.Vec, w float64) {
	if g.Prices.Penalty == Constant {
		return
	}
	pair, most := g.Prices.CannotSlope(h, g.Prices.Dist2(h, x, y))
	g.add(h, x, y, w*pair, w*most)
}

func (g *Gradient) add(h int, x, y data.Vec, pair, most float64) {
	switch {
	case pair == 0:
	case g.Prices.Divergence != nil:
		g.Scatter.AddGap(h, g.Prices.Divergence.Gap(x, y), pair)
	default:
		g.Scatter.AddPair(h, x, y, pair)
	}
	g.most[g.Prices.Metric.Index(h)] += most
}

// AddMost says that φ under cluster h enters w times: for pairs that were added
// to the scatter by their moments.
func (g *Gradient) AddMost(h int, w float64) {
	g.most[g.Prices.Metric.Index(h)] += w * g.Prices.slopeOfMost()
}

// Merge adds what h, a gradient of the same prices, has added up. Blocks of
// pairs merged in a fixed order give the same bits on any number of workers.
func (g *Gradient) Merge(h *Gradient) {
	add(g.Scatter.S, h.Scatter.S)
	add(g.most, h.most)
}

// Finish adds the f f' terms; call it once, after the last pair.
func (g *Gradient) Finish() {
	for h, w := range g.most {
		if w != 0 {
			g.Scatter.AddGap(h, g.Prices.Gaps[h], w)
		}
		g.most[h] = 0
	}
}

// FarthestPair returns for each matrix of m the gap of the pair that is farthest
// apart under it, the first on ties, of those that next gives until it returns
// false; and no gap (of length 0) where there is no pair. It is α_max of the 2003
// paper, over must-links, or over cannot-links where there are none.
func FarthestPair(m *Learned, next func() (x, y data.Vec, ok bool)) []data.Vec {
	return FarthestPairBy(nil, m, next)
}

// FarthestPairBy is FarthestPair by the divergence v, if it is not nil.
func FarthestPairBy(v Divergence, m *Learned, next func() (x, y data.Vec, ok bool)) []data.Vec {
	gaps := make([]data.Vec, m.Metrics())
	most := make([]float64, m.Metrics())
	for h := range gaps {
		gaps[h], most[h] = noVec, math.Inf(-1)
	}
	for x, y, ok := next(); ok; x, y, ok = next() {
		for h := range gaps {
			if d2 := pairDist2(m, v, h, x, y); d2 > most[h] {
				gaps[h], most[h] = gapOf(v, x, y), d2
			}
		}
	}
	return gaps
}

// gapOf returns a gap as v has it, or x − y.
func gapOf(v Divergence, x, y data.Vec) data.Vec {
	if v != nil {
		return v.Gap(x, y)
	}
	return gap(x, y)
}
