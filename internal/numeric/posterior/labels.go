package posterior

import (
	"context"
	"math"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// noise is the variance that is added to the diagonal of the kernel for an
// observation of weight 1; lessNoise is that of FitClearLabels where classes are clear.
const (
	noise     = 0.5
	lessNoise = 0.125
)

// leastShare is below every class probability before normalisation.
const leastShare = 0.01

// A LabelFit is a Gaussian process on the class indicators of the labelled points.
type LabelFit struct {
	Classes int
	Gram    *Gram     // of the labelled points
	Prior   []float64 // the share of each class
	// LeaveOneOut holds, for each point of the Gram, the probability of each class
	// given the labels of all other points.
	LeaveOneOut []float64

	target []float64 // the observed share of each class, per point
	alpha  []float64
}

// LabelledRows returns the points that have labels, in the order of their first
// labels.
func LabelledRows(labels []constraint.Label) (rows []int) {
	seen := map[int]bool{}
	for _, l := range labels {
		if !seen[l.I] {
			seen[l.I] = true
			rows = append(rows, l.I)
		}
	}
	return rows
}

// FitLabels fits labels of the given number of classes. The points of g are those of
// LabelledRows(labels), in that order. Weights divide the noise; a point with labels of
// several classes counts for each by weight.
func FitLabels(ctx context.Context, g *Gram, labels []constraint.Label, classes int) (*LabelFit, error) {
	return fitLabels(ctx, g, labels, classes, noise)
}

// judgedPoints is the number of points by which FitClearLabels chooses the noise.
const judgedPoints = 400

// FitClearLabels is FitLabels with a quarter of the noise where the labels are likelier so,
// each given the others, by more than one unit of log-likelihood. There is one label for
// each point of g, in the same order.
func FitClearLabels(ctx context.Context, g *Gram, labels []constraint.Label, classes int) (*LabelFit, error) {
	m := len(g.Rows)
	judged, said := g, labels
	if m > judgedPoints { // evenly, since the points of a class may stand together
		at := make([]int, judgedPoints)
		of := make([]constraint.Label, judgedPoints)
		for i := range at {
			at[i] = i * m / judgedPoints
			of[i] = labels[at[i]]
		}
		judged, said = g.Select(at), of
	}
	fit, err := fitLabels(ctx, judged, said, classes, noise)
	if err != nil {
		return nil, err
	}
	less, err := fitLabels(ctx, judged, said, classes, lessNoise)
	if err != nil {
		return nil, err
	}
	chosen := noise
	if float64(len(judged.Rows))*(less.LogLikelihood()-fit.LogLikelihood()) > 1 {
		chosen, fit = lessNoise, less
	}
	if judged == g {
		return fit, nil
	}
	return fitLabels(ctx, g, labels, classes, chosen)
}

// fitLabels is FitLabels with another noise.
func fitLabels(ctx context.Context, g *Gram, labels []constraint.Label, classes int, noise float64) (*LabelFit, error) {
	m := len(g.Rows)
	f := &LabelFit{Classes: classes, Gram: g, Prior: make([]float64, classes), target: make([]float64, m*classes)}
	at := make(map[int]int, m)
	for i, row := range g.Rows {
		at[row] = i
	}
	weight := make([]float64, m)
	for _, l := range labels {
		i := at[l.I]
		w := min(l.W, 1e6) // beyond, the noise is rounding
		f.target[i*classes+l.Class] += w
		weight[i] += w
	}
	for i := range m {
		row := f.target[i*classes : (i+1)*classes]
		for h := range row {
			row[h] /= weight[i]
			f.Prior[h] += row[h]
		}
	}
	for h := range f.Prior {
		f.Prior[h] = (f.Prior[h] + 0.5) / (float64(m) + 0.5*float64(classes))
	}
	inverse, err := invert(ctx, g.V, m, func(i int) float64 { return noise / weight[i] })
	if err != nil {
		return nil, err
	}
	f.alpha, f.LeaveOneOut = make([]float64, m*classes), make([]float64, m*classes)
	for i := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range m {
			c := inverse[i*m+j]
			for h := range classes {
				f.alpha[i*classes+h] += float64(c * (f.target[j*classes+h] - f.Prior[h]))
			}
		}
		for h := range classes {
			f.LeaveOneOut[i*classes+h] = f.target[i*classes+h] - f.alpha[i*classes+h]/inverse[i*m+i]
		}
		normaliseShares(f.LeaveOneOut[i*classes : (i+1)*classes])
	}
	return f, nil
}

// At returns the leave-one-out probabilities of point i of the Gram.
func (f *LabelFit) At(i int) []float64 { return f.LeaveOneOut[i*f.Classes : (i+1)*f.Classes] }

// LogLikelihood returns the mean log-probability of the labels, each given the
// others.
func (f *LabelFit) LogLikelihood() float64 {
	sum := 0.0
	for i, q := range f.LeaveOneOut {
		sum += f.target[i] * math.Log(q)
	}
	return sum / float64(max(len(f.Gram.Rows), 1))
}

// Predict returns the probability of each class for all points, given all labels:
// Classes numbers for each point.
func (f *LabelFit) Predict(ctx context.Context, k *Kernel) ([]float64, error) {
	out, err := k.Expand(ctx, f.Gram, f.alpha, f.Classes)
	if err != nil {
		return nil, err
	}
	for i := range k.Len() {
		f.finish(out[i*f.Classes : (i+1)*f.Classes])
	}
	return out, nil
}

// PredictIn returns the same as Predict for the points of a larger Gram, in which at
// gives the position of each point of f.Gram.
func (f *LabelFit) PredictIn(g *Gram, at []int) []float64 {
	out := make([]float64, len(g.Rows)*f.Classes)
	for i := range g.Rows {
		row := out[i*f.Classes : (i+1)*f.Classes]
		for p, j := range at {
			v := g.At(i, j)
			for h := range row {
				row[h] += float64(v * f.alpha[p*f.Classes+h])
			}
		}
		f.finish(row)
	}
	return out
}

func (f *LabelFit) finish(row []float64) {
	for h := range row {
		row[h] += f.Prior[h]
	}
	normaliseShares(row)
}

// normaliseShares raises shares to leastShare and divides them by their sum.
func normaliseShares(row []float64) {
	sum := 0.0
	for h, y := range row {
		row[h] = max(y, leastShare)
		sum += row[h]
	}
	for h := range row {
		row[h] /= sum
	}
}

// factor returns the Cholesky factor of V + diag for a symmetric positive semidefinite V of
// m rows.
func factor(ctx context.Context, v []float64, m int, diagonal func(i int) float64) (*eigen.Cholesky, *eigen.Dense, error) {
	a := &eigen.Dense{N: m, V: append([]float64(nil), v...)}
	for i := range m {
		a.V[i*m+i] += diagonal(i) + 1e-9
	}
	c, err := eigen.NewCholesky(ctx, a)
	return c, a, err
}

// invert returns (V + diag)⁻¹.
func invert(ctx context.Context, v []float64, m int, diagonal func(i int) float64) ([]float64, error) {
	if m == 0 {
		return nil, nil
	}
	c, a, err := factor(ctx, v, m, diagonal)
	if err != nil {
		return nil, err
	}
	for i := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := a.V[i*m : (i+1)*m]
		clear(row)
		row[i] = 1
		c.Solve(row)
	}
	return a.V, nil
}

// Precision returns (K + σ²)⁻¹ among the points of g, with the noise of observations of
// weight 1, row by row.
func (g *Gram) Precision(ctx context.Context) ([]float64, error) {
	return invert(ctx, g.V, len(g.Rows), noiseOfOne)
}

// Solve overwrites b with (K + σ²)⁻¹ b, with the same noise.
func (g *Gram) Solve(b []float64) error {
	if len(b) == 0 {
		return nil
	}
	c, _, err := factor(context.Background(), g.V, len(g.Rows), noiseOfOne)
	if err != nil {
		return err
	}
	c.Solve(b)
	return nil
}

// noiseOfOne is the noise of an observation of weight 1.
func noiseOfOne(int) float64 { return noise }
