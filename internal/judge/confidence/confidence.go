// Package confidence estimates for each row how likely it belongs in its cluster,
// which cluster would be the next best, and by how much.
//
// A confidence is the probability of the row's own cluster, never below that of another, so at least 1/k; the same in
// a fit, a prediction, an explanation, a report and on the page.
//
// Where labels say what clusters mean, the confidence of a row is the probability
// that its class is that of its cluster, by the posterior of package posterior,
// calibrated on each label given the others; labels that look wrong count less. A third
// of its log-odds comes from the margin, calibrated on the same labels. Where there are no labels, or a saved model places new rows, it is a logistic function of the
// margin: Platt scaling on the labels where there were some, else a heuristic with
// fixed coefficients that were fitted to other data. A method without costs for single rows has margins by neighbours: the
// share of the edge weights of a row that lead into its cluster. A method that grades memberships has these as
// confidences: they are no probabilities, and may be below 1/k.
package confidence

import (
	"context"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// Limits beyond which margins are used in place of the posterior.
const (
	maxRows   = 20000
	maxLabels = 1500
)

// Estimate returns the confidence of the rows of p in the clusters of r, and the
// calibration with which a model places new rows; the latter is nil where the
// method has no costs for single rows.
func Estimate(ctx context.Context, p *cluster.Problem, r *cluster.Result, o Options) (*Rows, *Calibration, error) {
	out, calibration, err := byMargins(ctx, p, r, o)
	if err != nil {
		return nil, nil, err
	}
	if r.Membership != nil {
		out.Source = Membership
		copy(out.Confidence, r.Membership)
		return out, calibration, nil
	}
	defer out.ofOwnCluster(p.K)
	if m, ok := r.Model.(probabilityModel); ok && p.X != nil {
		byModel(m, p.X, r.Labels, o.Workers, out)
		return out, calibration, nil
	}
	if !hasClasses(p, o) || p.Len() > maxRows || len(p.Constraints.Labels) > maxLabels {
		return out, calibration, nil
	}
	return out, calibration, byLabels(ctx, p, r.Labels, o, out)
}

// ofOwnCluster makes confidences probabilities of a row's own cluster among k, of which no other has a higher one: there
// are such probabilities exactly where that of its own is at least 1/k. Below it the evidence speaks for another
// cluster, and the row is as good as undecided: what is below is brought into the first hundredth above 1/k, in its order.
func (r *Rows) ofOwnCluster(k int) {
	const undecided = 0.01
	least := 1 / float64(max(1, k))
	for i, c := range r.Confidence {
		if high := min(1, least+undecided); c < high {
			c = least + (high-least)*max(0, c)/high
		}
		r.Confidence[i] = min(1, c)
	}
}

// A membershipModel says how strongly a point belongs to a cluster.
type membershipModel interface {
	Membership(v data.Vec, h int) float64
}

// A probabilityModel knows the probability of each cluster at a point, calibrated on labels
// that it has not seen.
type probabilityModel interface {
	Probabilities(v data.Vec) []float64
}

// byModel replaces confidences by the probabilities of a model.
func byModel(m probabilityModel, x data.Rows, labels []int, workers int, out *Rows) {
	out.Source = FromLabels
	blocks.Rows(workers, len(labels), func(lo, hi int) {
		buf := make([]float64, x.Dim())
		for i := lo; i < hi; i++ {
			out.Confidence[i] = m.Probabilities(x.Row(i, buf))[labels[i]]
		}
	})
}

// ByMargins returns confidences by margins alone: for comparison, and what Estimate
// returns where there are no labels.
func ByMargins(ctx context.Context, p *cluster.Problem, r *cluster.Result, o Options) (*Rows, error) {
	rows, _, err := byMargins(ctx, p, r, o)
	if err != nil {
		return nil, err
	}
	rows.ofOwnCluster(p.K)
	return rows, nil
}

// marginShare is the share of the confidence by margins in the mean of log-odds with
// the posterior: a clustering knows something that a few labels do not.
const marginShare = 1.0 / 3

// byLabels replaces the confidences of rows in clusters with a class.
func byLabels(ctx context.Context, p *cluster.Problem, clusters []int, o Options, out *Rows) error {
	labels := p.Constraints.Labels
	k, err := posterior.NewKernel(ctx, p, posterior.Options{Seed: o.Seed, Workers: o.Workers})
	if err != nil {
		return err
	}
	g, err := k.Gram(ctx, posterior.LabelledRows(labels))
	if err != nil {
		return err
	}
	fit, calibration, err := fitTrusted(ctx, g, labels, p.Constraints.Classes())
	if err != nil {
		return err
	}
	q, err := fit.Predict(ctx, k)
	if err != nil {
		return err
	}
	out.Source = FromLabels
	for i, h := range clusters {
		if c := o.Class[h]; c >= 0 {
			own := calibration.Probability(q[i*fit.Classes:(i+1)*fit.Classes], c)
			out.Confidence[i] = posterior.Logistic((1-marginShare)*posterior.LogOdds(own) + marginShare*posterior.LogOdds(out.Confidence[i]))
		}
	}
	return nil
}

// fitTrusted fits the posterior of the labels and calibrates its probabilities on each label given
// the others. Labels then count by the probability that they are right, and both are
// done once more.
func fitTrusted(ctx context.Context, g *posterior.Gram, labels []constraint.Label, classes int) (*posterior.LabelFit, posterior.Calibration, error) {
	at := make(map[int]int, len(g.Rows))
	for i, row := range g.Rows {
		at[row] = i
	}
	class, weight := make([]int, len(labels)), make([]float64, len(labels))
	for i, l := range labels {
		class[i], weight[i] = l.Class, labelWeight(l)
	}
	trusted := slices.Clone(labels)
	for round := 0; ; round++ {
		fit, err := posterior.FitLabels(ctx, g, trusted, classes)
		if err != nil {
			return nil, posterior.Calibration{}, err
		}
		q := make([][]float64, len(labels))
		for i, l := range labels {
			q[i] = fit.At(at[l.I])
		}
		calibration := posterior.FitCalibration(q, class, weight, classes)
		if round == 1 {
			return fit, calibration, nil
		}
		for i := range trusted {
			right := 1 - posterior.LabelWrong(calibration.Probability(q[i], class[i]), posterior.PriorWrong, classes)
			trusted[i].W *= right
			weight[i] *= right
		}
	}
}
