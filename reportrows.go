package inkling

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/metric"
	"github.com/inklinghq/inkling/report"
	"github.com/inklinghq/inkling/score"
)

// borderlineShown is how many rows with low silhouettes a page lists.
const borderlineShown = 12

// drawRows adds what can be said of rows of numbers: where they lie, what each
// cluster is like, and how well rows fit.
func (o *assignment) drawRows(ctx context.Context, p *report.Page, s *Result) error {
	rows, by, err := o.transformed(ctx)
	if err != nil {
		return err
	}
	plainMap, err := report.PCA(ctx, o.p.X, o.workers)
	if err != nil {
		return err
	}
	plainMap.Name = "Two principal components of the rows"
	if rows != o.p.X {
		m, err := report.PCA(ctx, rows, o.workers)
		if err != nil {
			return err
		}
		m.Name = "Two principal components under " + by
		plainMap.Name = "The same without learning: two principal components of the rows as they were given"
		p.Maps = append(p.Maps, m)
	}
	p.Maps = append(p.Maps, plainMap)
	own := newMeans(o.p.X, o.fitted.Labels, s.K)
	if err := o.weigh(ctx, p, own.spread); err != nil {
		return err
	}
	near := own
	if rows != o.p.X {
		near = newMeans(rows, o.fitted.Labels, s.K)
	}
	for h := range p.Clusters {
		if o.t.ds.Docs == nil && s.Sizes[h] > 0 {
			p.Clusters[h].Features = own.distinctive(h, o.columnNames())
		}
		for _, i := range near.nearest(rows, o.fitted.Labels, h) {
			p.Clusters[h].Exemplars = append(p.Clusters[h].Exemplars, o.known.name(i))
		}
	}
	if err := o.outline(ctx, p, s, rows, near); err != nil || p.Silhouette == nil {
		return err
	}
	p.Silhouette.Note = o.silhouetteNote(by, s.Method)
	return nil
}

// silhouetteNote says how silhouettes were measured where that is not how the method
// measures, so that they say less about its clusters.
func (o *assignment) silhouetteNote(by, method string) string {
	model, ok := o.fitted.Model.(cluster.DistanceModel)
	if !ok {
		return "Measured by Euclidean distances, which " + method + " does not use: clusters of irregular shape have low silhouettes."
	}
	if m, _ := o.learned(); m != nil && m.Metrics() > 1 && by != "" {
		return "Measured under " + by + ", while every cluster has its own distance."
	}
	if d := model.Distance(); d != cluster.EuclideanDistance && d != cluster.CosineDistance {
		return "Measured by Euclidean distances, while the method uses the " + d + " distortion."
	}
	if o.t.ds.Docs != nil {
		return "Texts share few words: their silhouettes are low even in good clusters."
	}
	return ""
}

// outline adds silhouettes, and the rows with the lowest.
func (o *assignment) outline(ctx context.Context, p *report.Page, s *Result, rows data.Rows, near *means) error {
	sil, err := score.Silhouette(ctx, rows, o.fitted.Labels, score.SilhouetteOptions{Sample: 5000, Seed: s.Seed, Workers: o.workers})
	if errors.Is(err, score.ErrUndefined) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Silhouette = &report.Silhouettes{Mean: sil.Mean, Sampled: sil.Sampled, Values: make([][]float64, s.K)}
	order := make([]int, len(sil.Rows))
	for at, i := range sil.Rows {
		h := o.fitted.Labels[i]
		p.Silhouette.Values[h] = append(p.Silhouette.Values[h], sil.Values[at])
		order[at] = at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sil.Values[a], sil.Values[b]) })
	for _, at := range order[:min(borderlineShown, len(order))] {
		i := sil.Rows[at]
		next := near.second(rows, i, o.fitted.Labels[i])
		p.Borderline = append(p.Borderline, report.Borderline{ID: o.known.name(i), Own: s.Clusters[o.fitted.Labels[i]], Next: s.Clusters[next], Silhouette: sil.Values[at]})
	}
	return nil
}

// learned returns the metric of the model, and the distortion that it is part
// of; nil where none was learned.
func (o *assignment) learned() (cluster.Metric, string) {
	m, ok := o.fitted.Model.(cluster.MetricModel)
	if !ok {
		return nil, ""
	}
	return m.LearnedMetric(), m.Distance()
}

// transformed returns the rows as a learned distance sees them, and the name of that
// distance: Euclidean distances between them are the learned ones, where every
// cluster has its own those of the mean metric. Without one these are the rows
// themselves.
func (o *assignment) transformed(ctx context.Context) (x data.Rows, by string, err error) {
	m, distortion := o.learned()
	if m == nil || distortion != cluster.EuclideanDistance {
		return o.p.X, "", nil
	}
	by = "the learned distance"
	if m.Metrics() > 1 {
		by = "the mean of the clusters' learned distances"
		if m, err = meanMetric(m); err != nil {
			return nil, "", err
		}
	}
	x, err = m.TransformRows(ctx, o.workers, 0, o.p.X)
	return x, by, err
}

// meanMetric returns the mean of the matrices of m.
func meanMetric(m cluster.Metric) (cluster.Metric, error) {
	entries, shape := m.Matrix, metric.Full
	if m.Diagonal() {
		entries, shape = m.Weights, metric.Diagonal
	}
	sum := entries(0)
	for h := 1; h < m.Metrics(); h++ {
		for at, x := range entries(h) {
			sum[at] += x
		}
	}
	for at := range sum {
		sum[at] /= float64(m.Metrics())
	}
	return metric.New(metric.Form{Shape: shape}, len(m.Weights(0)), sum)
}

// weigh adds what a learned metric makes of the features.
func (o *assignment) weigh(ctx context.Context, p *report.Page, spread []float64) (err error) {
	m, distortion := o.learned()
	switch {
	case m == nil:
		return nil
	case distortion != cluster.EuclideanDistance:
		spread = nil
	}
	p.Weights, err = report.NewWeights(ctx, m, spread, o.columnNames(), o.names)
	return err
}
