package report

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/present/layout"
)

// borderlineShown is how many rows with low silhouettes a page lists.
const borderlineShown = 12

// drawRows adds what can be said of rows of numbers: where they lie, what each
// cluster is like, and how well rows fit.
func (c *Clustering) drawRows(ctx context.Context, p *Page) error {
	rows, by, err := c.transformed(ctx)
	if err != nil {
		return err
	}
	plainMap, err := layout.PCA(ctx, c.Problem.X, c.Workers)
	if err != nil {
		return err
	}
	plainMap.Name = "Two principal components of the rows"
	if rows != c.Problem.X {
		m, err := layout.PCA(ctx, rows, c.Workers)
		if err != nil {
			return err
		}
		m.Name = "Two principal components under " + by
		plainMap.Name = "The same without learning: two principal components of the rows as they were given"
		p.Maps = append(p.Maps, m)
	}
	p.Maps = append(p.Maps, plainMap)
	near, err := c.describeRows(ctx, p, rows)
	if err != nil {
		return err
	}
	if err := c.outline(ctx, p, rows, near); err != nil || p.Silhouette == nil {
		return err
	}
	p.Silhouette.Note = c.silhouetteNote(by, c.Method)
	return nil
}

// describeRows describes the clusters of rows as the distance sees them, and returns their means.
func (c *Clustering) describeRows(ctx context.Context, p *Page, rows data.Rows) (near *means, err error) {
	own := newMeans(c.Problem.X, c.Labels, len(c.Names))
	if err := c.weigh(ctx, p, own.spread); err != nil {
		return nil, err
	}
	near = own
	if rows != c.Problem.X {
		near = newMeans(rows, c.Labels, len(c.Names))
	}
	c.describeClusters(p, rows, near)
	return near, nil
}

// describeClusters adds what sets each cluster apart, and examples of its rows. near
// are the means of rows, by which typical rows are found.
func (c *Clustering) describeClusters(p *Page, rows data.Rows, near *means) {
	k := len(c.Names)
	if c.Docs != nil {
		c.telling = tellingWords(c.Problem.X, c.Labels, k, c.columnNames())
		for h := range c.Terms {
			for _, w := range c.Terms[h] {
				c.telling[h][w] = true
			}
		}
	}
	typical := make([][]int, k)
	for h := range p.Clusters {
		typical[h] = near.nearest(rows, c.Labels, h)
	}
	cells := func(int, int) []string { return nil }
	switch {
	case c.Fields != nil:
		cells = c.describeFields(p)
	case c.Docs == nil:
		cells = c.describeValues(p)
	}
	profile := traitsOf(c.Profile, c.Labels, k, profilesShown)
	for h := range p.Clusters {
		card := &p.Clusters[h]
		card.Profile, card.Columns = plainTraits(profile[h]), append(card.Columns, c.profileNames()...)
	}
	c.addExamples(p, typical, cells)
}

// ClusterTraits returns in which columns cluster h differs most, first those that were
// clustered on, then those that only describe: of a table in its units, of documents by
// the weights of words.
func (c *Clustering) ClusterTraits(h int) (own, described []Trait) {
	k := len(c.Names)
	if c.Fields != nil {
		own = plainTraits(traitsOf(c.Fields, c.Labels, k, traitsShown)[h])
	} else if c.Problem.X != nil && slices.Contains(c.Labels, h) {
		own, _ = newMeans(c.newValues(), c.Labels, k).traits(h, c.columnNames())
	}
	return own, plainTraits(traitsOf(c.Profile, c.Labels, k, profilesShown)[h])
}

// describeFields adds traits from columns of several kinds, and returns what shows a row in
// the columns of a card.
func (c *Clustering) describeFields(p *Page) func(h, i int) []string {
	columns := make([][]int, len(c.Names))
	for h, traits := range traitsOf(c.Fields, c.Labels, len(c.Names), traitsShown) {
		p.Clusters[h].Traits = plainTraits(traits)
		for _, t := range traits {
			if len(columns[h]) < c.ownColumns() && !slices.Contains(columns[h], t.column) {
				columns[h] = append(columns[h], t.column)
				p.Clusters[h].Columns = append(p.Clusters[h].Columns, c.Fields[t.column].Name)
			}
		}
	}
	return func(h, i int) (out []string) {
		for _, f := range columns[h] {
			out = append(out, c.Fields[f].cell(i))
		}
		return out
	}
}

// describeValues is describeFields for a matrix of numbers.
func (c *Clustering) describeValues(p *Page) func(h, i int) []string {
	shown, columns := c.newValues(), make([][]int, len(c.Names))
	own := newMeans(shown, c.Labels, len(c.Names))
	for h := range p.Clusters {
		if p.Clusters[h].Size == 0 {
			continue
		}
		p.Clusters[h].Traits, columns[h] = own.traits(h, c.columnNames())
		if columns[h] = columns[h][:min(c.ownColumns(), len(columns[h]))]; c.Columns == nil {
			columns[h] = nil // numbers without a name tell nothing
		}
		for _, f := range columns[h] {
			p.Clusters[h].Columns = append(p.Clusters[h].Columns, c.Columns[f])
		}
	}
	buf := make([]float64, shown.Dim())
	return func(h, i int) []string { return shown.cells(i, columns[h], buf) }
}

// silhouetteNote says how silhouettes were measured where that is not how the method
// measures, so that they say less about its clusters.
func (c *Clustering) silhouetteNote(by, method string) string {
	model, ok := c.Model.(cluster.DistanceModel)
	if !ok {
		return "Measured by Euclidean distances, which " + method + " does not use: clusters of irregular shape have low silhouettes."
	}
	if m, _ := c.learned(); m != nil && m.Metrics() > 1 && by != "" {
		return "Measured under " + by + ", while every cluster has its own distance."
	}
	if d := model.Distance(); d != cluster.EuclideanDistance && d != cluster.CosineDistance {
		return "Measured by Euclidean distances, while the method uses the " + d + " distortion."
	}
	if c.Docs != nil {
		return "Texts share few words: their silhouettes are low even in good clusters."
	}
	return ""
}

// outline adds silhouettes, and the rows with the lowest.
func (c *Clustering) outline(ctx context.Context, p *Page, rows data.Rows, near *means) error {
	sil, err := score.Silhouette(ctx, rows, c.Labels, score.SilhouetteOptions{Sample: 5000, Seed: c.Seed, Workers: c.Workers})
	if errors.Is(err, score.ErrUndefined) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Silhouette = &Silhouettes{Mean: sil.Mean, Sampled: sil.Sampled, Values: make([][]float64, len(c.Names))}
	order := make([]int, len(sil.Rows))
	for at, i := range sil.Rows {
		h := c.Labels[i]
		p.Silhouette.Values[h] = append(p.Silhouette.Values[h], sil.Values[at])
		order[at] = at
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sil.Values[a], sil.Values[b]) })
	for _, at := range order[:min(borderlineShown, len(order))] {
		i := sil.Rows[at]
		next := near.second(rows, i, c.Labels[i])
		p.Borderline = append(p.Borderline, Borderline{ID: c.ID(i), Own: c.Names[c.Labels[i]], Next: c.Names[next], Silhouette: sil.Values[at]})
	}
	return nil
}

// learned returns the metric of the model, and the distortion that it is part
// of; nil where none was learned.
func (c *Clustering) learned() (cluster.Metric, string) {
	m, ok := c.Model.(cluster.MetricModel)
	if !ok {
		return nil, ""
	}
	return m.LearnedMetric(), m.Distance()
}

// transformed returns the rows as a learned distance sees them, and the name of that
// distance: Euclidean distances between them are the learned ones, where every
// cluster has its own those of the mean metric. Without one these are the rows
// themselves.
func (c *Clustering) transformed(ctx context.Context) (x data.Rows, by string, err error) {
	m, distortion := c.learned()
	if m == nil || distortion != cluster.EuclideanDistance {
		return c.Problem.X, "", nil
	}
	by = "the learned distance"
	if m.Metrics() > 1 {
		by = "the mean of the clusters' learned distances"
		if m, err = meanMetric(m); err != nil {
			return nil, "", err
		}
	}
	x, err = m.TransformRows(ctx, c.Workers, 0, c.Problem.X)
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
func (c *Clustering) weigh(ctx context.Context, p *Page, spread []float64) (err error) {
	m, distortion := c.learned()
	switch {
	case m == nil:
		return nil
	case distortion != cluster.EuclideanDistance:
		spread = nil
	}
	p.Weights, err = NewWeights(ctx, m, spread, c.columnNames(), c.Names)
	return err
}

// columnNames returns the names of the features, or numbers where they have none.
func (c *Clustering) columnNames() []string {
	if c.Columns != nil {
		return c.Columns
	}
	names := make([]string, c.Problem.X.Dim())
	for f := range names {
		names[f] = "feature " + strconv.Itoa(f)
	}
	return names
}
