package reliability

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
	"github.com/inklinghq/inkling/internal/numeric/steps"
)

// What is measured is measured on a sample, whose size depends on the number of features.
const (
	mostRows       = 800
	fewestRows     = 150
	sampleWork     = 1 << 25 // rows times rows times features
	leastRows      = 20      // below these nothing is measured
	mostNeighbours = 10
	ownShare       = 2.0 / 3 // of the neighbours; a row with fewer in its cluster is near a border
	mostFeatures   = 3000    // beyond these no rows without clusters are made
)

// measure computes separation and border.
func (r *Report) measure(ctx context.Context, in Input) error {
	p := in.Problem
	switch {
	case p.Len() < leastRows || p.K < 2:
		return nil
	case p.X == nil && p.Graph == nil:
		return nil
	case p.X == nil:
		r.Border = pointer(graphBorder(p.Graph, in.Labels))
		return nil
	}
	d := p.X.Dim()
	m := min(p.Len(), mostRows, max(fewestRows, int(math.Sqrt(sampleWork/float64(max(1, d))))))
	x := &data.Dense{Cols: d, V: make([]float64, m*d)}
	labels, buf := make([]int, m), make([]float64, d)
	for s := range m {
		i := s * p.Len() / m
		labels[s] = in.Labels[i]
		v := p.X.Row(i, buf)
		for q, y := range v.Val {
			x.V[s*d+v.Feature(q)] = y
		}
	}
	unit := unitRows(x)
	if !unit && r.HeldOut == nil { // held-out constraints say more about which clusters are right
		if err := r.measureOthers(ctx, x, labels, in); err != nil {
			return err
		}
	}
	if !unit {
		spread, _ := steps.Spread(x, in.Seed)
		x = spread.(*data.Dense) // a combination of values in steps is no cluster because it repeats
	}
	if !unit {
		var err error
		if r.Between, err = densityBetween(ctx, x, labels, in); err != nil {
			return err
		}
	}
	r.Exceptions = Exceptions(in.Labels, p.K)
	near := max(3, min(mostNeighbours, m/(4*p.K)))
	r.sampled = m
	own, border, err := separationOf(ctx, x, labels, p.K, near, in)
	if err != nil {
		return err
	}
	r.Separation, r.Border = own, pointer(border)
	if d > mostFeatures {
		return nil
	}
	rng := rand.New(rand.NewPCG(in.Seed, 0x5e9a))
	if columnsOf(in.Column, d) > 1 {
		if r.Shuffled, err = reference(ctx, shuffled(x, in.Column, rng), unit, near, in); err != nil {
			return err
		}
	}
	if !unit && d > 1 {
		r.OneCloud, err = reference(ctx, oneCloud(x, rng), false, near, in)
	}
	return err
}

// Exceptions counts the clusters with less than a tenth of the rows of an average one, where an average one has ten times as many as make
// a group.
func Exceptions(labels []int, k int) (count int) {
	const fewestOfGroup = 3
	if len(labels) < 10*fewestOfGroup*k {
		return 0
	}
	size := make([]int, k)
	for _, h := range labels {
		if h >= 0 && h < k {
			size[h]++
		}
	}
	for _, s := range size {
		if 10*k*s < len(labels) {
			count++
		}
	}
	return count
}

// MostlyExceptions reports whether half of k clusters or more are exceptions rather than groups.
func MostlyExceptions(exceptions, k int) bool { return exceptions > 0 && 2*exceptions >= k }

// measureOthers computes how far other clusters agree that somebody else might have found.
func (r *Report) measureOthers(ctx context.Context, x *data.Dense, labels []int, in Input) (err error) {
	if columns := columnsOf(in.Column, x.Cols); columns > fewColumns {
		r.OtherMinima, err = otherMinima(ctx, x, labels, in)
	} else if columns >= 3 {
		r.WithoutColumn, err = withoutColumn(ctx, x, labels, in)
	}
	return err
}

// graphBorder returns the share of nodes with less than two thirds of their edge weights within their cluster.
func graphBorder(g *data.Graph, labels []int) float64 {
	at, count := 0.0, 0.0
	for i := range labels {
		own, all := 0.0, 0.0
		to, w := g.Neighbours(i)
		for q, j := range to {
			if int(j) == i || w[q] <= 0 {
				continue
			}
			if all += w[q]; labels[j] == labels[i] {
				own += w[q]
			}
		}
		if all > 0 {
			count++
			if own < ownShare*all {
				at++
			}
		}
	}
	return at / max(1, count)
}

// separationOf measures how far clusters are apart, and the share of rows near a border.
func separationOf(ctx context.Context, x *data.Dense, labels []int, k, near int, in Input) (*Separation, float64, error) {
	nb, err := affinity.KNN(ctx, x, near, affinity.KNNOptions{Seed: in.Seed, Workers: in.Workers})
	if err != nil {
		return nil, 0, err
	}
	border := 0.0
	n := float64(len(labels))
	size := make([]float64, k)
	mean := 0.0
	for i, h := range labels {
		size[h]++
		same := 0.0
		idx, _ := nb.NeighboursOf(i)
		for _, j := range idx {
			if labels[j] == h {
				same++
			}
		}
		share := same / float64(max(1, len(idx)))
		mean += share / n
		if share < ownShare {
			border += 1 / n
		}
	}
	chance := 0.0
	for _, s := range size {
		chance += s / n * s / n
	}
	out := &Separation{Within: *pointer(withinShare(x, labels, k))}
	if chance < 1-1e-9 {
		out.Neighbours = *pointer((mean - chance) / (1 - chance))
	}
	return out, border, nil
}

// withinShare returns the share of the variance of rows that is within clusters; 1 where all rows are equal.
func withinShare(x *data.Dense, labels []int, k int) float64 {
	d := x.Cols
	sum, count := make([]float64, (k+1)*d), make([]float64, k+1) // the last is all rows
	square := 0.0
	for i, h := range labels {
		row := x.V[i*d : (i+1)*d]
		for _, at := range []int{h, k} {
			count[at]++
			for f, y := range row {
				sum[at*d+f] += y
			}
		}
		square += data.Norm2(row)
	}
	explained := func(h int) float64 {
		return data.Norm2(sum[h*d:(h+1)*d]) / max(1, count[h])
	}
	total := square - explained(k)
	if !(total > 1e-12*square) {
		return 1
	}
	within := square
	for h := range k {
		within -= explained(h)
	}
	return min(1, max(0, within/total))
}

// columnsOf counts the columns of d features.
func columnsOf(column []int, d int) int {
	if column == nil {
		return d
	}
	seen := map[int]bool{}
	for _, c := range column {
		seen[c] = true
	}
	return len(seen)
}

// unitRows reports whether all rows that are not 0 have length 1, as texts do.
func unitRows(x *data.Dense) bool {
	for i := range x.Len() {
		if y := data.Norm2(x.V[i*x.Cols : (i+1)*x.Cols]); y != 0 && math.Abs(y-1) > 1e-6 {
			return false
		}
	}
	return true
}

// shuffled returns rows whose columns are shuffled independently of each other; features of one column stay together.
func shuffled(x *data.Dense, column []int, rng *rand.Rand) *data.Dense {
	n, d := x.Len(), x.Cols
	out := &data.Dense{Cols: d, V: make([]float64, n*d)}
	order := map[int][]int{}
	for f := range d {
		c := f
		if column != nil {
			c = column[f]
		}
		if order[c] == nil {
			order[c] = rng.Perm(n)
		}
		for i, j := range order[c] {
			out.V[i*d+f] = x.V[j*d+f]
		}
	}
	return out
}

// oneCloud returns rows drawn from a normal distribution with the covariances of x: sums of its centred rows with
// independent normal weights.
func oneCloud(x *data.Dense, rng *rand.Rand) *data.Dense {
	n, d := x.Len(), x.Cols
	mean := make([]float64, d)
	for i := range n {
		for f := range d {
			mean[f] += x.V[i*d+f] / float64(n)
		}
	}
	out := &data.Dense{Cols: d, V: make([]float64, n*d)}
	for i := range n {
		row := out.V[i*d : (i+1)*d]
		for j := range n {
			g := rng.NormFloat64() / math.Sqrt(float64(n))
			for f := range row {
				row[f] += g * (x.V[j*d+f] - mean[f])
			}
		}
	}
	return out
}

// reference returns the separation of k-means clusters in rows that were made without any.
func reference(ctx context.Context, x *data.Dense, unit bool, near int, in Input) (*Separation, error) {
	if unit {
		for i := range x.Len() {
			row := x.V[i*x.Cols : (i+1)*x.Cols]
			if y := math.Sqrt(data.Norm2(row)); y > 0 {
				for f := range row {
					row[f] /= y
				}
			}
		}
	}
	labels, err := kmeansLabels(ctx, x, cluster.EffortLow, in)
	if err != nil {
		return nil, err
	}
	own, _, err := separationOf(ctx, x, labels, min(in.Problem.K, x.Len()), near, in)
	return own, err
}

// kmeansLabels returns the clusters of k-means.
func kmeansLabels(ctx context.Context, x *data.Dense, effort cluster.Effort, in Input) ([]int, error) {
	m, _ := catalog.Find("kmeans")
	alg, _, err := m.Configure(nil)
	if err != nil {
		return nil, err
	}
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort = in.Seed, in.Workers, effort
	fitted, err := cluster.Fit(ctx, &cluster.Problem{X: x, K: min(in.Problem.K, x.Len())}, alg, s)
	if err != nil {
		return nil, err
	}
	return fitted.Labels, nil
}
