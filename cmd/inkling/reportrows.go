package main

import (
	"context"
	"errors"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/metric"
	"github.com/inklinghq/inkling/report"
	"github.com/inklinghq/inkling/score"
)

// drawRows adds what can be said of rows of numbers: where they lie, what each
// cluster is like, and how well rows fit.
func (o *outcome) drawRows(ctx context.Context, p *report.Page, s *summary) error {
	seen, by, err := o.seen(ctx)
	if err != nil {
		return err
	}
	plainMap, err := report.PCA(ctx, o.p.X, o.workers)
	if err != nil {
		return err
	}
	plainMap.Name = "Two principal components of the rows"
	if seen != o.p.X {
		m, err := report.PCA(ctx, seen, o.workers)
		if err != nil {
			return err
		}
		m.Name = "Two principal components under " + by
		plainMap.Name = "The same without learning: two principal components of the rows as they were given"
		p.Maps = append(p.Maps, m)
	}
	p.Maps = append(p.Maps, plainMap)
	own := newMeans(o.p.X, o.r.Labels, s.K)
	if err := o.weigh(ctx, p, own.spread); err != nil {
		return err
	}
	near := own
	if seen != o.p.X {
		near = newMeans(seen, o.r.Labels, s.K)
	}
	for h := range p.Clusters {
		if o.ds.Docs == nil && s.Sizes[h] > 0 {
			p.Clusters[h].Features = own.apart(h, o.columns())
		}
		for _, i := range near.nearest(seen, o.r.Labels, h) {
			p.Clusters[h].Exemplars = append(p.Clusters[h].Exemplars, o.know.name(i))
		}
	}
	if err := o.outline(ctx, p, s, seen, near); err != nil || p.Silhouette == nil {
		return err
	}
	p.Silhouette.Note = o.measured(by)
	return nil
}

// measured says how silhouettes were measured where that is not how the method
// measures, so that they say less about its clusters.
func (o *outcome) measured(by string) string {
	model, ok := o.r.Model.(cluster.DistanceModel)
	if !ok {
		return "Measured by straight distances, which " + o.method + " does not go by: clusters of odd shapes have low ones."
	}
	if m, _ := o.learned(); m != nil && m.Metrics() > 1 && by != "" {
		return "Measured under " + by + ", while every cluster measures in its own way."
	}
	if d := model.Distance(); d != cluster.EuclideanDistance && d != cluster.CosineDistance {
		return "Measured by straight distances, while the method uses the " + d + " distortion."
	}
	if o.ds.Docs != nil {
		return "Documents share few words: theirs are low in good clusters, too."
	}
	return ""
}

// outline adds silhouettes, and the rows with the lowest.
func (o *outcome) outline(ctx context.Context, p *report.Page, s *summary, seen data.Rows, near *means) error {
	sil, err := score.Silhouette(ctx, seen, o.r.Labels, score.SilhouetteOptions{Sample: 5000, Seed: o.seed, Workers: o.workers})
	if errors.Is(err, score.ErrUndefined) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Silhouette = &report.Silhouettes{Mean: sil.Mean, Sampled: sil.Sampled, Values: make([][]float64, s.K)}
	order := make([]int, len(sil.Rows))
	for at, i := range sil.Rows {
		h := o.r.Labels[i]
		p.Silhouette.Values[h] = append(p.Silhouette.Values[h], sil.Values[at])
		order[at] = at
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(sil.Values[a], sil.Values[b]) })
	for _, at := range order[:min(nearShown, len(order))] {
		i := sil.Rows[at]
		next := near.second(seen, i, o.r.Labels[i])
		p.Borderline = append(p.Borderline, report.Borderline{ID: o.know.name(i), Own: s.Clusters[o.r.Labels[i]], Next: s.Clusters[next], Silhouette: sil.Values[at]})
	}
	return nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// learned returns the metric of the model, and the distortion that it is part
// of; nil where none was learned.
func (o *outcome) learned() (cluster.Metric, string) {
	m, ok := o.r.Model.(cluster.MetricModel)
	if !ok {
		return nil, ""
	}
	return m.LearnedMetric(), m.Distance()
}

// seen returns the rows as a learned distance sees them, and the name of that
// distance: Euclidean distances between them are the learned ones, where every
// cluster has its own those of the mean metric. Without one these are the rows
// themselves.
func (o *outcome) seen(ctx context.Context) (rows data.Rows, by string, err error) {
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
	rows, err = m.TransformRows(ctx, o.workers, 0, o.p.X)
	return rows, by, err
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
func (o *outcome) weigh(ctx context.Context, p *report.Page, spread []float64) (err error) {
	m, distortion := o.learned()
	switch {
	case m == nil:
		return nil
	case distortion != cluster.EuclideanDistance:
		spread = nil
	}
	p.Weights, err = report.NewWeights(ctx, m, spread, o.columns(), o.names)
	return err
}
