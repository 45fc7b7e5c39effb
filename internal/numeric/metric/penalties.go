package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
)

// A Penalty says what a violated constraint of weight 1 costs, d² being the
// squared distance of its points under the metric of their cluster.
type Penalty string

// The penalties.
const (
	// Constant: 1, whatever the distance (PC-KMeans).
	Constant Penalty = "constant"
	// HMRF (2004, eq. 3 and 4): f_M = d², f_C = max(0, φ − d²). A must-link of
	// distant points and a cannot-link of near ones cost most.
	HMRF Penalty = "hmrf"
	// MPC2003 (2003, section 2.4), the other way round:
	// f_M = max(α, φ − d²), f_C = min(α + d², φ). mpc-kmeans takes HMRF unless
	// this one is asked for.
	MPC2003 Penalty = "mpc"
)

// Values returns all penalties.
func (Penalty) Values() []string {
	return []string{string(Constant), string(HMRF), string(MPC2003)}
}

// Penalties says what violated constraints cost under a metric. φ = f'A_h f is the
// squared length of a gap f between two points: for HMRF that of the farthest
// pair known, for MPC2003 that of the farthest must-link. The gap stays as it is
// while the metric changes, so φ is linear in A and Gradient is exact; whoever
// learns a new metric then asks for new gaps, and keeps the pair of both only if
// the objective has not risen.
//
// Where φ − d² would be negative the cost is 0, and so is its gradient.
//
// Under a metric for each cluster a must-link costs ½ f_M under the one cluster
// and ½ f_M under the other, a cannot-link f_C under the cluster of both.
type Penalties struct {
	Metric  *Learned
	Penalty Penalty
	// Gaps holds one gap for each matrix; Constant needs none.
	Gaps []data.Vec
	// AlphaMin is α_min of MPC2003, 0 in the paper's experiments.
	AlphaMin float64
	// Divergence, if not nil, takes the place of the squared distance of pairs; its
	// gaps must come from it too. The metric is then None or Diagonal.
	Divergence Divergence
	// Literal drops the gradient of φ, as the derivation of 2003 does. Penalties and
	// gradient then disagree, and learning may raise the objective.
	Literal bool

	most []float64 // φ for each matrix
}

// NewPenalties returns the costs of a penalty under m, with one gap for each
// matrix of m (see Extremes and FarthestPair), or none for Constant.
func NewPenalties(m *Learned, penalty Penalty, gaps []data.Vec) (*Penalties, error) {
	if !slices.Contains(penalty.Values(), string(penalty)) {
		return nil, fmt.Errorf("penalty must be one of %s, got %q", strings.Join(penalty.Values(), ", "), string(penalty))
	}
	if penalty != Constant && len(gaps) != m.Metrics() {
		return nil, fmt.Errorf("%d gaps for %d matrices", len(gaps), m.Metrics())
	}
	return (&Penalties{Penalty: penalty, Gaps: gaps}).Under(m), nil
}

// Under returns the same penalties under another metric, the gaps left as they are.
func (p *Penalties) Under(m *Learned) *Penalties {
	q := *p
	q.Metric, q.most = m, make([]float64, m.Metrics())
	for h, g := range p.Gaps {
		q.most[h] = m.PairDist2(h, g, noVec)
	}
	return &q
}

// MaxDist2 returns φ under the metric of cluster h.
func (p *Penalties) MaxDist2(h int) float64 { return p.most[p.Metric.Index(h)] }

// Dist2 returns d² of x and y under the metric of cluster h: the distance that
// MustCost and CannotCost take.
func (p *Penalties) Dist2(h int, x, y data.Vec) float64 {
	return pairDist2(p.Metric, p.Divergence, h, x, y)
}

func pairDist2(m *Learned, v Divergence, h int, x, y data.Vec) float64 {
	if v != nil {
		x, y = v.Gap(x, y), noVec
	}
	return m.PairDist2(h, x, y)
}

// MustCost returns f_M under cluster h for two points at squared distance d2 there.
func (p *Penalties) MustCost(h int, d2 float64) float64 {
	switch p.Penalty {
	case HMRF:
		return d2
	case MPC2003:
		return max(p.AlphaMin, p.MaxDist2(h)-d2)
	}
	return 1
}

// CannotCost returns f_C under cluster h for two points at squared distance d2
// there.
func (p *Penalties) CannotCost(h int, d2 float64) float64 {
	switch p.Penalty {
	case HMRF:
		return max(0, p.MaxDist2(h)-d2)
	case MPC2003:
		return min(p.AlphaMin+d2, p.MaxDist2(h))
	}
	return 1
}

// MustPairCost returns what it costs that x is in cluster g and y in cluster h,
// which differ, although they must be together.
func (p *Penalties) MustPairCost(g, h int, x, y data.Vec) float64 {
	switch {
	case p.Penalty == Constant:
		return 1
	case p.Metric.Index(g) == p.Metric.Index(h):
		return p.MustCost(g, p.Dist2(g, x, y))
	}
	return p.MustCost(g, p.Dist2(g, x, y))/2 + p.MustCost(h, p.Dist2(h, x, y))/2
}

// CannotPairCost returns what it costs that x and y are both in cluster h although
// they cannot be together.
func (p *Penalties) CannotPairCost(h int, x, y data.Vec) float64 {
	if p.Penalty == Constant {
		return 1
	}
	return p.CannotCost(h, p.Dist2(h, x, y))
}

// mustDerivative returns the derivatives of MustCost by d² (pair) and by φ (most).
func (p *Penalties) mustDerivative(h int, d2 float64) (pair, most float64) {
	switch {
	case p.Penalty == HMRF:
		return 1, 0
	case p.Penalty == MPC2003 && p.MaxDist2(h)-d2 > p.AlphaMin:
		return -1, p.maxDist2Derivative()
	}
	return 0, 0
}

// cannotDerivative returns the derivatives of CannotCost by d² (pair) and by φ
// (most).
func (p *Penalties) cannotDerivative(h int, d2 float64) (pair, most float64) {
	switch {
	case p.Penalty == HMRF && p.MaxDist2(h) > d2:
		return -1, p.maxDist2Derivative()
	case p.Penalty == MPC2003 && p.AlphaMin+d2 < p.MaxDist2(h):
		return 1, 0
	case p.Penalty == MPC2003:
		return 0, p.maxDist2Derivative()
	}
	return 0, 0
}

func (p *Penalties) maxDist2Derivative() float64 {
	if p.Literal {
		return 0
	}
	return 1
}

// A Gradient adds up what violated constraints add to the scatter: their costs
// are tr(A_h S_h) plus what does not depend on A, so that the metric step
// minimises them along with the distances.
type Gradient struct {
	Penalties *Penalties
	Scatter   *Scatter
	most      []float64 // how often f f' enters, for each matrix
}

// NewGradient returns a gradient that adds to s, which must have the form of
// the metric of the penalties.
func (p *Penalties) NewGradient(s *Scatter) *Gradient {
	return &Gradient{Penalties: p, Scatter: s, most: make([]float64, p.Metric.Metrics())}
}

// AddMust adds a violated must-link of weight w between x in cluster c and y in
// cluster h.
func (g *Gradient) AddMust(c, h int, x, y data.Vec, w float64) {
	if g.Penalties.Penalty == Constant {
		return
	}
	m := g.Penalties.Metric
	if m.Index(c) == m.Index(h) {
		g.addMustUnder(c, x, y, w)
		return
	}
	g.addMustUnder(c, x, y, w/2)
	g.addMustUnder(h, x, y, w/2)
}

func (g *Gradient) addMustUnder(h int, x, y data.Vec, w float64) {
	pair, most := g.Penalties.mustDerivative(h, g.Penalties.Dist2(h, x, y))
	g.addPair(h, x, y, w*pair, w*most)
}

// AddCannot adds a violated cannot-link of weight w within cluster h.
func (g *Gradient) AddCannot(h int, x, y data.Vec, w float64) {
	if g.Penalties.Penalty == Constant {
		return
	}
	pair, most := g.Penalties.cannotDerivative(h, g.Penalties.Dist2(h, x, y))
	g.addPair(h, x, y, w*pair, w*most)
}

func (g *Gradient) addPair(h int, x, y data.Vec, pair, most float64) {
	switch {
	case pair == 0:
	case g.Penalties.Divergence != nil:
		g.Scatter.AddGap(h, g.Penalties.Divergence.Gap(x, y), pair)
	default:
		g.Scatter.AddPair(h, x, y, pair)
	}
	g.most[g.Penalties.Metric.Index(h)] += most
}

// AddMaxDist2 reports that φ under cluster h enters w times: for pairs that were added
// to the scatter by their moments.
func (g *Gradient) AddMaxDist2(h int, w float64) {
	g.most[g.Penalties.Metric.Index(h)] += w * g.Penalties.maxDist2Derivative()
}

// Merge adds what h, a gradient of the same penalties, has added up. Blocks of
// pairs merged in a fixed order give the same bits on any number of workers.
func (g *Gradient) Merge(h *Gradient) {
	addTo(g.Scatter.S, h.Scatter.S)
	addTo(g.most, h.most)
}

// Finish adds the f f' terms; call it once, after the last pair.
func (g *Gradient) Finish() {
	for h, w := range g.most {
		if w != 0 {
			g.Scatter.AddGap(h, g.Penalties.Gaps[h], w)
		}
		g.most[h] = 0
	}
}

// FarthestPair returns for each matrix of m the gap of the pair that is farthest
// apart under it, the first on ties, of those that next gives until it returns
// false; and no gap (of length 0) where there is no pair. It is α_max of the 2003
// paper, over must-links, or over cannot-links where there are none. Distances
// are those of the divergence v, if it is not nil.
func FarthestPair(v Divergence, m *Learned, next func() (x, y data.Vec, ok bool)) []data.Vec {
	gaps := make([]data.Vec, m.Metrics())
	most := make([]float64, m.Metrics())
	for h := range gaps {
		gaps[h], most[h] = noVec, math.Inf(-1)
	}
	for x, y, ok := next(); ok; x, y, ok = next() {
		for h := range gaps {
			if d2 := pairDist2(m, v, h, x, y); d2 > most[h] {
				gaps[h], most[h] = differenceBy(v, x, y), d2
			}
		}
	}
	return gaps
}
