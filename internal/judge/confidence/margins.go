package confidence

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// A Calibration turns margins into confidences. It is part of a saved model.
type Calibration struct {
	Source Source          `json:"source"`
	Scale  float64         `json:"scale"` // the median margin of the fitted rows
	Platt  posterior.Platt `json:"platt"`
}

// Check refuses numbers that no fit has.
func (c *Calibration) Check() error {
	if !(c.Scale > 0) || !data.Finite(c.Scale) || !data.Finite(c.Platt.Slope) || !data.Finite(c.Platt.Offset) || c.Platt.Slope < 0 {
		return errors.New("the calibration of confidences is not valid")
	}
	return nil
}

// heuristic are the coefficients where there are no labels.
var heuristic = posterior.Platt{Slope: 0.8}

// score is what the Platt scaling of margins reads: near the margin in units of the
// median for small ones, and logarithmic for large ones.
func (c *Calibration) score(margin float64) float64 { return math.Asinh(margin / c.Scale) }

func (c *Calibration) probability(margin float64) float64 {
	return c.Platt.Probability(c.score(margin))
}

// byMargins estimates confidences by margins, or by neighbours where there are
// none.
func byMargins(ctx context.Context, p *cluster.Problem, r *cluster.Result, o Options) (*Rows, *Calibration, error) {
	out := newRows(p.Len())
	m, ok := r.Model.(cluster.PointCoster)
	if !ok || p.X == nil {
		if err := byNeighbours(ctx, p, r.Labels, o, out); err != nil {
			return nil, nil, err
		}
		if p.Len()*p.K <= pricedMoves {
			every := make([]int, p.Len())
			for i := range every {
				every[i] = i
			}
			priceMargins(p, r, every, out)
		}
		return out, nil, ctx.Err()
	}
	rowMargins(m, p.X, r.Labels, p.K, o.Workers, out)
	for i := range out.Margin {
		out.Margin[i] *= p.W(i)
	}
	priceMargins(p, r, p.Constraints.Rows(), out)
	c := Calibrate(p, r, o)
	out.Source = c.Source
	for i, margin := range out.Margin {
		out.Confidence[i] = c.confidence(margin, out.Second[i])
	}
	return out, c, ctx.Err()
}

// scaleRows is on how many rows the median margin is computed.
const scaleRows = 2000

// Calibrate returns how margins become confidences for the model of r; nil where the
// method has no costs for single rows.
func Calibrate(p *cluster.Problem, r *cluster.Result, o Options) *Calibration {
	m, ok := r.Model.(cluster.PointCoster)
	if !ok || p.X == nil {
		return nil
	}
	c := newCalibration(m, p.X, r.Labels, p.K, o.Workers)
	if hasClasses(p, o) {
		c.fitLabels(m, p, o.Class)
	}
	return c
}

// newCalibration returns the heuristic for rows in the given clusters. The scale is the
// median margin of rows spread evenly.
func newCalibration(m cluster.PointCoster, x data.Rows, labels []int, k, workers int) *Calibration {
	step := max(1, len(labels)/scaleRows)
	margins := make([]float64, (len(labels)+step-1)/step)
	const group = 64 // rows of a task
	_ = blocks.Tasks(context.Background(), workers, (len(margins)+group-1)/group, func(t int) {
		buf, cost := make([]float64, x.Dim()), make([]float64, k)
		for at := t * group; at < min(len(margins), (t+1)*group); at++ {
			costs(m, x.Row(at*step, buf), cost)
			_, margins[at] = nextBest(cost, labels[at*step])
		}
	})
	return &Calibration{Source: Heuristic, Scale: medianMargin(margins), Platt: heuristic}
}

// pricedMoves is up to how many moves of single rows are priced one by one.
const pricedMoves = 20000

// priceMargins computes the margins of some rows by what moves cost in the objective,
// every term counted: of rows with constraints, and of methods without a model.
func priceMargins(p *cluster.Problem, r *cluster.Result, rows []int, out *Rows) {
	prices := r.Prices(p)
	if prices == nil {
		return
	}
	for _, i := range rows {
		second, margin := -1, math.NaN()
		for h := range p.K {
			if cost, ok := prices.Move(i, h); ok && h != r.Labels[i] && (second < 0 || cost < margin) {
				second, margin = h, cost
			}
		}
		if second >= 0 {
			out.Second[i], out.Margin[i] = second, margin
		}
	}
}

// confidence returns 1 where there is no other cluster.
func (c *Calibration) confidence(margin float64, second int) float64 {
	if second < 0 {
		return 1
	}
	return c.probability(margin)
}

// rowMargins computes the next best cluster of each row and the difference in cost.
func rowMargins(m cluster.PointCoster, x data.Rows, labels []int, k, workers int, out *Rows) {
	blocks.Rows(workers, len(labels), func(lo, hi int) {
		buf, cost := make([]float64, x.Dim()), make([]float64, k)
		for i := lo; i < hi; i++ {
			costs(m, x.Row(i, buf), cost)
			out.Second[i], out.Margin[i] = nextBest(cost, labels[i])
		}
	})
}

// nextBest returns the cheapest cluster but own, −1 where there is no other, and by
// how much it costs more.
func nextBest(cost []float64, own int) (second int, margin float64) {
	second = -1
	for h := range cost {
		if h != own && (second < 0 || cost[h] < cost[second]) {
			second = h
		}
	}
	if second < 0 {
		return -1, math.NaN()
	}
	return second, cost[second] - cost[own]
}

// medianMargin returns the median of the margins that are positive, 1 where none is.
func medianMargin(margins []float64) float64 {
	var positive []float64
	for _, y := range margins {
		if y > 0 && data.Finite(y) {
			positive = append(positive, y)
		}
	}
	if len(positive) == 0 {
		return 1
	}
	slices.Sort(positive)
	return positive[len(positive)/2]
}

// fitLabels calibrates margins on the labels: a labelled row counts as placed right if
// the cluster where it costs least is that of its class, whatever the constraints made
// of it.
func (c *Calibration) fitLabels(m cluster.PointCoster, p *cluster.Problem, class []int) {
	var scores, outcomes, weights []float64
	buf, cost := make([]float64, p.X.Dim()), make([]float64, p.K)
	for _, l := range p.Constraints.Labels {
		if !slices.Contains(class, l.Class) {
			continue
		}
		costs(m, p.X.Row(l.I, buf), cost)
		best := cheapest(cost)
		if class[best] < 0 {
			continue
		}
		_, margin := nextBest(cost, best)
		outcome := 0.0
		if class[best] == l.Class {
			outcome = 1
		}
		scores, outcomes, weights = append(scores, c.score(margin)), append(outcomes, outcome), append(weights, labelWeight(l))
	}
	if len(scores) == 0 || p.K < 2 {
		return
	}
	c.Source, c.Platt = FromMargins, posterior.FitPlatt(scores, outcomes, weights, heuristic.Slope)
}

func labelWeight(l constraint.Label) float64 { return min(l.W, 1) }

func cheapest(cost []float64) (best int) {
	for h := range cost {
		if cost[h] < cost[best] {
			best = h
		}
	}
	return best
}

// Predict returns the confidence of rows that m placed in the given clusters. A nil
// calibration, as of a model that was saved without one, stands for the heuristic with the
// median margin of these rows. m must have costs for single rows; else confidences are ½.
func (c *Calibration) Predict(m cluster.Model, x data.Rows, labels []int, workers int) *Rows {
	out := newRows(len(labels))
	if graded, ok := m.(membershipModel); ok {
		predictMemberships(graded, x, labels, workers, out)
		return out
	}
	defer out.ofOwnCluster(m.Clusters())
	coster, ok := m.(cluster.PointCoster)
	if !ok {
		for i := range labels {
			out.Second[i], out.Margin[i], out.Confidence[i] = -1, math.NaN(), 0.5
		}
		return out
	}
	if c == nil {
		c = newCalibration(coster, x, labels, m.Clusters(), workers)
	}
	out.Source = c.Source
	rowMargins(coster, x, labels, m.Clusters(), workers, out)
	for i := range out.Margin {
		out.Confidence[i] = c.confidence(out.Margin[i], out.Second[i])
	}
	if p, ok := m.(probabilityModel); ok {
		byModel(p, x, labels, workers, out)
	}
	return out
}

// predictMemberships grades rows by a model.
func predictMemberships(m membershipModel, x data.Rows, labels []int, workers int, out *Rows) {
	out.Source = Membership
	blocks.Rows(workers, len(labels), func(lo, hi int) {
		buf := make([]float64, x.Dim())
		for i := lo; i < hi; i++ {
			out.Second[i], out.Margin[i], out.Confidence[i] = -1, math.NaN(), m.Membership(x.Row(i, buf), labels[i])
		}
	})
}

// Costs returns what each row of x costs in each cluster of a model, row after row; nil for models
// that do not say it.
func Costs(model cluster.Model, x data.Rows, workers int) []float64 {
	m, ok := model.(cluster.PointCoster)
	if !ok {
		return nil
	}
	k := model.Clusters()
	out := make([]float64, x.Len()*k)
	blocks.Rows(workers, x.Len(), func(lo, hi int) {
		buf := make([]float64, x.Dim())
		for i := lo; i < hi; i++ {
			costs(m, x.Row(i, buf), out[i*k:(i+1)*k])
		}
	})
	return out
}

// costs returns the cost of v in every cluster.
func costs(m cluster.PointCoster, v data.Vec, out []float64) {
	for h := range out {
		out[h] = m.PointCost(v, h)
	}
}
