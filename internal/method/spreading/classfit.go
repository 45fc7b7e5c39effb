package spreading

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
)

// Bounds of the work of a classifier.
const (
	mostTaught  = 1000   // labelled rows that it is fitted to
	mostChosen  = 160    // of them, by which ridges and weights are chosen
	mostRows    = 20_000 // rows that the clusters are made of
	spreadRows  = 500    // rows by which the widths of kernels are measured
	denseColumn = 2_000  // columns up to which there are Gaussian kernels
)

// ridges are the ridges that are compared, relative to the mean diagonal of the kernel.
var ridges = []float64{0.003, 0.01, 0.03, 0.1, 0.3, 1, 3}

// widths are those of the Gaussian kernels: exp(−d²/2wm), with m the median of d².
var widths = []float64{0.3, 1, 3}

// What parts have where no label tells it, and tend to where few do.
const (
	usualRidge       = 0.3
	usualTemperature = 0.18
	usualUniform     = 0.1
	uniformSpread    = 1.2 // standard deviation of the logarithm of the uniform share; that of the temperature is 1
)

// A taughtRow is a row whose class is known.
type taughtRow struct {
	row    int
	class  int     // its number in ClassModel.Classes
	weight float64 // of its label
	count  float64 // of the row: as many rows as this are equal to it
}

// counts is what the row counts where labels are counted: a label no more than once for each row.
func (t taughtRow) counts() float64 { return min(t.weight, 1) * t.count }

// classFit is the fit of one ClassModel.
type classFit struct {
	p      *cluster.Problem
	env    *cluster.Env
	model  *ClassModel
	rows   distinctRows
	taught []taughtRow // those of each class in turn
	chosen int         // the first so many choose ridges and weights
	tells  []float64   // by chosen row: what it counts where parts are compared, 0 of a label whose class has no other
	prior  []float64
	held   [][]float64 // by part: the probability of each label given the others
}

// fitClassModel fits a classifier to the rows whose classes follow from the constraints.
func fitClassModel(ctx context.Context, p *cluster.Problem, closed *constraint.Closure, e *cluster.Env) (*ClassModel, error) {
	f := &classFit{p: p, env: e, model: &ClassModel{K: p.K, D: p.X.Dim()}, rows: newDistinctRows(p)}
	f.findTaught(closed)
	parts, err := f.clusterings(ctx)
	if err != nil {
		return nil, err
	}
	f.findOpen(parts[0])
	if len(f.model.Classes) == 0 {
		return f.model, nil
	}
	if err := f.addKernels(ctx); err != nil {
		return nil, err
	}
	for _, c := range parts {
		f.addClusters(c)
	}
	f.weigh()
	return f.model, nil
}

// findTaught lists the rows with a known class: in turns one of each class, in random
// order, at most mostTaught.
func (f *classFit) findTaught(closed *constraint.Closure) {
	weight := map[int]float64{}
	if f.p.Constraints != nil {
		for _, l := range f.p.Constraints.Labels {
			weight[l.I] = min(weight[l.I]+l.W, 1e6)
		}
	}
	byClass := make([][]taughtRow, f.p.K)
	for c := range closed.Components() {
		h := closed.Class(c)
		if h < 0 {
			continue
		}
		for _, i := range closed.Members(c) {
			t := taughtRow{row: int(i), class: h, weight: 1, count: f.p.W(int(i))}
			if t.count == 0 {
				continue
			}
			if w, ok := weight[t.row]; ok {
				t.weight = w
			}
			byClass[h] = append(byClass[h], t)
		}
	}
	var seed uint64
	if f.env.Settings != nil {
		seed = f.env.Settings.Seed
	}
	rng := rand.New(rand.NewPCG(seed, 0xc1a55))
	for h, list := range byClass {
		if len(list) == 0 {
			continue
		}
		list = f.rows.merged(list, f.p.X)
		byClass[h] = list
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		for i := range list {
			list[i].class = len(f.model.Classes)
		}
		f.model.Classes = append(f.model.Classes, h)
	}
	// A place orders the rows so that each class keeps its share where not all are used.
	type place struct {
		t  taughtRow
		at float64
	}
	var order []place
	for _, list := range byClass {
		for i, t := range list {
			order = append(order, place{t, (float64(i) + 0.5) / float64(len(list))})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for _, o := range order[:min(len(order), mostTaught)] {
		f.taught = append(f.taught, o.t)
	}
	f.chosen = min(len(f.taught), mostChosen)
	f.findTelling()
	f.prior = make([]float64, len(f.model.Classes))
	total := 0.5 * float64(len(f.prior))
	for _, t := range f.taught {
		f.prior[t.class] += t.count
		total += t.count
	}
	for c, y := range f.prior {
		f.prior[c] = (y + 0.5) / total
	}
}

// findTelling decides which labels compare parts: given the others, nothing can predict the class of the only label
// of it. Where all are such, parts are as they are before labels are looked at.
func (f *classFit) findTelling() {
	of := make([]int, len(f.model.Classes))
	for _, t := range f.taught[:f.chosen] {
		of[t.class]++
	}
	f.tells = make([]float64, f.chosen)
	for i, t := range f.taught[:f.chosen] {
		if of[t.class] > 1 {
			f.tells[i] = t.counts()
		}
	}
}

// clusterings returns the centres of k-means with k and, where there are rows enough,
// with 3k clusters.
func (f *classFit) clusterings(ctx context.Context) ([]*lloyd.Centres, error) {
	x, weight, s := f.rows.x, f.rows.weight, cluster.Default()
	if f.env.Settings != nil {
		s.Seed, s.Shared = f.env.Settings.Seed, f.env.Settings.Shared
	}
	s.Effort, s.Workers = cluster.EffortLow, f.env.Workers
	if n := x.Len(); n > mostRows {
		at := make([]int, mostRows)
		for i := range at {
			at[i] = i * n / mostRows
		}
		x = data.Subset(x, at)
		if weight != nil {
			weight = make([]float64, len(at))
			for i, row := range at {
				weight[i] = f.rows.w(row)
			}
		}
	}
	type key struct {
		x    any
		k    int
		seed uint64
	}
	var out []*lloyd.Centres
	for _, k := range []int{f.p.K, 3 * f.p.K} {
		if k > f.p.K && 2*k > x.Len() {
			break
		}
		found, err := s.Shared.Do(ctx, key{f.p.X, k, s.Seed}, func() (any, error) {
			r, err := cluster.Fit(ctx, &cluster.Problem{X: x, Weight: weight, K: k}, centroid.NewKMeans(), s)
			if err != nil {
				return nil, err
			}
			return r.Model, nil
		})
		if err != nil {
			return nil, err
		}
		out = append(out, found.(*lloyd.Centres))
	}
	return out, nil
}

// findOpen gives the clusters that no label names to the largest clusters of k-means
// without a labelled row.
func (f *classFit) findOpen(centres *lloyd.Centres) {
	k := f.p.K
	free := k - len(f.model.Classes)
	if free == 0 {
		return
	}
	n := f.p.X.Len()
	cut := make([]int, n)
	centres.Place(f.p.X, 0, n, cut)
	size, known := make([]float64, k), make([]bool, k)
	for i, h := range cut {
		size[h] += f.p.W(i)
	}
	for _, t := range f.taught {
		known[cut[t.row]] = true
	}
	var open []int
	for h := range k {
		if !known[h] {
			open = append(open, h)
		}
	}
	slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	o := &OpenClusters{Centres: centres, Class: slices.Repeat([]int{-1}, k)}
	next := 0
	for _, h := range open[:min(len(open), free)] {
		for slices.Contains(f.model.Classes, next) {
			next++
		}
		o.Class[h] = next
		next++
	}
	f.model.Open = o
}

// addClusters adds the shares of the classes among the labels of each cluster, as if each
// cluster had one label more, of the prior.
func (f *classFit) addClusters(centres *lloyd.Centres) {
	classes := len(f.prior)
	at := make([]int, len(f.taught))
	buf := make([]float64, f.model.D)
	count, total := make([]float64, centres.K*classes), make([]float64, centres.K)
	for i, t := range f.taught {
		at[i], _ = centres.Nearest(f.p.X.Row(t.row, buf))
		w := t.counts()
		count[at[i]*classes+t.class] += w
		total[at[i]] += w
	}
	held := make([]float64, f.chosen*classes)
	for i, t := range f.taught[:f.chosen] {
		w := t.counts()
		for c := range classes {
			own := count[at[i]*classes+c]
			if c == t.class {
				own -= w
			}
			held[i*classes+c] = (own + f.prior[c]) / (total[at[i]] - w + 1)
		}
	}
	part := ClassPart{Kind: clusterPart, Centres: centres, Shares: make([]float64, len(count))}
	for h := range centres.K {
		for c := range classes {
			part.Shares[h*classes+c] = (count[h*classes+c] + f.prior[c]) / (total[h] + 1)
		}
	}
	f.add(part, held)
}

// add calibrates a part by what it says of each label given the others, and notes it.
func (f *classFit) add(part ClassPart, held []float64) {
	_, part.Temperature, part.Uniform = f.calibrate(held)
	classes := len(f.prior)
	right := make([]float64, f.chosen)
	row := make([]float64, classes)
	for i, t := range f.taught[:f.chosen] {
		copy(row, held[i*classes:])
		soften(row, part.Temperature, part.Uniform)
		right[i] = row[t.class]
	}
	f.model.Parts, f.held = append(f.model.Parts, part), append(f.held, right)
}

// calibrate returns the temperature and the uniform share with the highest likelihood of
// the labels, times a prior around what is usual, and this. Without the prior, the two or three labels that
// happen to be right would make a part sure of everything.
func (f *classFit) calibrate(held []float64) (best, temperature, uniform float64) {
	classes := len(f.prior)
	best, temperature, uniform = math.Inf(-1), usualTemperature, usualUniform
	if slices.Max(f.tells) == 0 {
		return best, temperature, uniform
	}
	row, right := make([]float64, classes), make([]float64, f.chosen)
	for _, t := range []float64{0.05, 0.08, 0.12, 0.18, 0.27, 0.4, 0.6, 1, 2} {
		for i, known := range f.taught[:f.chosen] {
			copy(row, held[i*classes:])
			soften(row, t, 0)
			right[i] = row[known.class]
		}
		for _, u := range []float64{0.02, 0.05, 0.1, 0.2, 0.4} {
			sum := -square(math.Log(t/usualTemperature))/2 - square(math.Log(u/usualUniform)/uniformSpread)/2
			for i, y := range right {
				sum += f.tells[i] * math.Log((1-u)*y+u/float64(classes))
			}
			if sum > best {
				best, temperature, uniform = sum, t, u
			}
		}
	}
	return best, temperature, uniform
}

func square(y float64) float64 { return y * y }

// weigh gives the parts the weights with the highest likelihood of the labels, each given
// the others, with one label for each part as the prior.
func (f *classFit) weigh() {
	parts := f.model.Parts
	weight := slices.Repeat([]float64{1 / float64(len(parts))}, len(parts))
	for range 100 {
		next, total := slices.Repeat([]float64{1}, len(parts)), float64(len(parts))
		for i, w := range f.tells {
			sum := 0.0
			for q := range parts {
				sum += weight[q] * f.held[q][i]
			}
			for q := range parts {
				next[q] += w * weight[q] * f.held[q][i] / sum
			}
			total += w
		}
		for q := range next {
			weight[q] = next[q] / total
		}
	}
	for q := range parts {
		parts[q].Weight = weight[q]
	}
}

// addKernels adds the regressions on the indicators of the classes.
func (f *classFit) addKernels(ctx context.Context) error {
	d, m := f.model.D, len(f.taught)
	_, sparse := f.p.X.(*data.Sparse)
	points := make([]float64, 0, m*d)
	if !sparse || d <= denseColumn {
		for _, t := range f.taught {
			points = append(points, data.Copy(f.p.X, t.row)...)
		}
		dense := &data.Dense{Cols: d, V: points}
		square := make([]float64, m*m)
		for i := range m {
			for j := range i {
				square[i*m+j] = distance2(dense.V[i*d:(i+1)*d], dense.V[j*d:(j+1)*d])
				square[j*m+i] = square[i*m+j]
			}
		}
		typical := f.typicalDistance2(dense)
		for _, w := range widths {
			if !(typical > 0) {
				break
			}
			kernel := make([]float64, m*m)
			for i, y := range square {
				kernel[i] = math.Exp(-y / (2 * w * typical))
			}
			part := ClassPart{Kind: gaussianPart, Width: 2 * w * typical}
			if err := f.addKernel(ctx, kernel, part, nil); err != nil {
				return err
			}
		}
		if typical > 0 {
			f.model.Points = points
		}
	}
	return f.addLinear(ctx)
}

// addLinear adds the linear kernel, around the mean of the rows.
func (f *classFit) addLinear(ctx context.Context) error {
	d, m, n := f.model.D, len(f.taught), f.rows.x.Len()
	mean, buf := make([]float64, d), make([]float64, d)
	step := max(1, n/mostRows)
	used := 0.0
	for i := 0; i < n; i += step {
		data.Add(mean, f.rows.x.Row(i, buf), f.rows.w(i))
		used += f.rows.w(i)
	}
	for c := range mean {
		mean[c] /= max(used, 1e-300)
	}
	norm := data.Norm2(mean)
	toMean := make([]float64, m)
	rows := make([]data.Vec, m)
	for i, t := range f.taught {
		v := f.p.X.Row(t.row, make([]float64, d))
		rows[i], toMean[i] = v, data.Dot(v, mean)
	}
	kernel := make([]float64, m*m)
	full := make([]float64, d)
	trace := 0.0
	for i := range m {
		y := rows[i].Full(full)
		for j := range i + 1 {
			v := data.Dot(rows[j], y) - toMean[i] - toMean[j] + norm
			kernel[i*m+j], kernel[j*m+i] = v, v
		}
		trace += kernel[i*m+i] / float64(m)
	}
	if !(trace > 0) || math.IsInf(trace, 0) {
		if len(f.model.Parts) > 0 {
			return nil
		}
		trace = 1
	}
	for i := range kernel {
		kernel[i] /= trace
	}
	return f.addKernel(ctx, kernel, ClassPart{Kind: linearPart}, func(part *ClassPart, alpha []float64) {
		classes := len(f.prior)
		part.Coef = make([]float64, d*classes)
		for i, v := range rows {
			for at, y := range v.Val {
				to := part.Coef[v.Feature(at)*classes:]
				for c := range classes {
					to[c] += float64(y * alpha[i*classes+c] / trace)
				}
			}
			for c := range classes {
				a := alpha[i*classes+c] / trace
				for at, y := range mean {
					part.Coef[at*classes+c] -= float64(y * a)
				}
				part.Offset[c] -= (toMean[i] - norm) * a
			}
		}
	})
}

// typicalDistance2 is the median of the squared distances between labelled rows and rows
// spread evenly.
func (f *classFit) typicalDistance2(points *data.Dense) float64 {
	n, m := f.rows.x.Len(), points.Len()
	rows, some := min(n, spreadRows), min(m, 100)
	var all []float64
	buf, full := make([]float64, f.model.D), make([]float64, f.model.D)
	for i := range rows {
		v := f.rows.x.Row(i*n/rows, buf).Full(full)
		for j := range some {
			if y := distance2(v, points.V[j*f.model.D:(j+1)*f.model.D]); y > 0 && !math.IsInf(y, 0) {
				all = append(all, y)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	return affinity.SelectNth(all, len(all)/2)
}

// addKernel chooses the ridge of a kernel among the labelled rows and adds the part.
// primal, if not nil, turns the coefficients of rows into those of columns.
func (f *classFit) addKernel(ctx context.Context, kernel []float64, part ClassPart, primal func(*ClassPart, []float64)) error {
	m, s := len(f.taught), f.chosen
	small := make([]float64, s*s)
	for i := range s {
		copy(small[i*s:(i+1)*s], kernel[i*m:])
	}
	var held []float64
	best, ridge := math.Inf(-1), 0.0
	for _, r := range ridges {
		out, _, err := f.solve(ctx, small, s, r, true)
		if err != nil {
			return err
		}
		if y, _, _ := f.calibrate(out); y > best || held == nil || math.IsInf(best, -1) && r <= usualRidge {
			best, ridge, held = y, r, out
		}
	}
	_, alpha, err := f.solve(ctx, kernel, m, ridge, false)
	if err != nil {
		return err
	}
	part.Offset = slices.Clone(f.prior)
	if primal == nil {
		part.Coef = alpha
	} else {
		primal(&part, alpha)
	}
	f.add(part, held)
	return nil
}

// solve returns α = (K + ridge/w)⁻¹ (Y − π) for the first m labelled rows and, where
// asked, what the other rows say of each, y_i − α_i / (K + ridge/w)⁻¹_ii (equation 5.12 of
// Rasmussen and Williams 2006).
func (f *classFit) solve(ctx context.Context, kernel []float64, m int, ridge float64, leaveOneOut bool) (held, alpha []float64, err error) {
	classes := len(f.prior)
	a := &eigen.Dense{N: m, V: slices.Clone(kernel)}
	for i := range m {
		a.V[i*m+i] += ridge/(f.taught[i].weight*f.taught[i].count) + 1e-9
	}
	c, err := eigen.NewCholesky(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	alpha = make([]float64, m*classes)
	column := make([]float64, m)
	for h := range classes {
		for i, t := range f.taught[:m] {
			column[i] = -f.prior[h]
			if t.class == h {
				column[i]++
			}
		}
		c.Solve(column)
		for i, y := range column {
			alpha[i*classes+h] = y
		}
	}
	if !leaveOneOut {
		return nil, alpha, nil
	}
	held = make([]float64, m*classes)
	for i, t := range f.taught[:m] {
		own := c.InverseAt(i, column)
		for h := range classes {
			y := 0.0
			if t.class == h {
				y = 1
			}
			held[i*classes+h] = y - alpha[i*classes+h]/own
		}
	}
	return held, alpha, nil
}
