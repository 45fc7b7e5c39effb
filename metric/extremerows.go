package metric

import (
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/data"
	"github.com/inklinghq/inkling/internal/blocks"
)

// ExactRows is the number of rows up to which φ is that of the farthest pair of
// all; beyond, that of a far pair among the extremes.
const ExactRows = 2000

// Extremes are rows at the rim of the data, among which a far pair is looked for
// under any metric: the exact farthest pair of all rows can cost O(n²d), and is
// looked for only where there are few.
//
// They are found once, in a few passes of O(nd): for each feature (of more than
// 256, those of the largest spread) the rows that are least and greatest in it,
// and the chain that starts at the row farthest from the mean and goes on to the
// row farthest from the last one, while distances grow.
type Extremes struct {
	X    data.Rows
	Rows []int // rising
	// Exact says that Gaps looks at all rows and finds the longest gap there is:
	// of at most ExactRows rows, by squared distances.
	Exact bool
	// Divergence, if not nil, takes the place of the squared distance.
	Divergence Divergence
}

// rimFeatures is the most features whose least and greatest rows are kept.
const rimFeatures = 256

// chainLength is the most steps of a chain of farthest rows; it nearly always
// ends by itself after two or three.
const chainLength = 6

// fewRows is the number of rows up to which all pairs are looked at: some ten
// times what a chain costs.
const fewRows = 48

// FindExtremes finds the extreme rows of x by squared distances or, if v is not
// nil, by the divergence v, for which the rows must be prepared.
func FindExtremes(ctx context.Context, workers int, v Divergence, x data.Rows) (*Extremes, error) {
	r, err := findRange(ctx, x)
	if err != nil {
		return nil, err
	}
	e := &Extremes{X: x, Divergence: v, Exact: v == nil && x.Len() <= ExactRows}
	for _, f := range r.widest(rimFeatures) {
		e.Rows = append(e.Rows, r.lowAt[f], r.highAt[f])
	}
	chain, err := e.farthestChain(ctx, workers, Identity(Form{}, 1, x.Dim()), 0, r.mean(x.Len()), nil)
	if err != nil {
		return nil, err
	}
	e.Rows = append(e.Rows, chain...)
	slices.Sort(e.Rows)
	e.Rows = slices.Compact(e.Rows)
	return e, nil
}

// Gaps returns for each matrix of m a gap between two rows that are far apart
// under it, among the extremes and the rows of more, which may be nil: the points
// of cannot-links, say. Where e is Exact they are the longest of all
// rows. Else, of few extremes, all their pairs are looked at; of many, it is the
// end of a chain of farthest rows, and at least half as long as the longest gap
// among them. No gap is longer than the longest of all rows.
func (e *Extremes) Gaps(ctx context.Context, workers int, m *Learned, more []int) ([]data.Vec, error) {
	if e.Exact {
		return e.longestGaps(ctx, workers, m)
	}
	rows := slices.Concat(e.Rows, more)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	gaps := make([]data.Vec, m.Metrics())
	few := len(rows) <= fewRows
	centre, buf := make([]float64, e.X.Dim()), make([]float64, e.X.Dim())
	for _, i := range rows {
		data.Add(centre, e.X.Row(i, buf), 1/float64(len(rows)))
	}
	for h := range gaps {
		if few {
			i, j := e.farthestPair(m, h, rows)
			gaps[h] = e.differenceOf(i, j)
			continue
		}
		chain, err := e.farthestChain(ctx, workers, m, h, centre, rows)
		if err != nil {
			return nil, err
		}
		gaps[h] = e.differenceOf(chain[len(chain)-2], chain[len(chain)-1])
	}
	return gaps, ctx.Err()
}

// differenceOf returns row i less row j.
func (e *Extremes) differenceOf(i, j int) data.Vec {
	d := e.X.Dim()
	return differenceBy(e.Divergence, e.X.Row(i, make([]float64, d)), e.X.Row(j, make([]float64, d)))
}

// farthestPair returns the two rows that are farthest apart, the first on ties.
func (e *Extremes) farthestPair(m *Learned, h int, rows []int) (i, j int) {
	i, j = rows[0], rows[0]
	p, q, most := make([]float64, e.X.Dim()), make([]float64, e.X.Dim()), 0.0
	for s, a := range rows {
		x := e.X.Row(a, p)
		for _, b := range rows[:s] {
			if d2 := pairDist2(m, e.Divergence, h, x, e.X.Row(b, q)); d2 > most {
				i, j, most = a, b, d2
			}
		}
	}
	return i, j
}

// farthestChain starts at the row farthest from the point at and goes on to the row
// farthest from the last, while the squared distance grows: two rows at least,
// which may be the same. rows nil: all rows.
func (e *Extremes) farthestChain(ctx context.Context, workers int, m *Learned, h int, at []float64, rows []int) (chain []int, err error) {
	was := math.Inf(-1)
	for step := range chainLength {
		i, d2, err := e.farthestRow(ctx, workers, m, h, at, rows)
		if err != nil {
			return nil, err
		}
		if step > 0 && d2 <= was {
			break
		}
		if step > 0 {
			was = d2
		}
		chain = append(chain, i)
		at = data.Copy(e.X, i)
	}
	return chain, nil
}

// farthestRow returns the row that is farthestRow from c, the lowest on ties.
func (e *Extremes) farthestRow(ctx context.Context, workers int, m *Learned, h int, c []float64, rows []int) (int, float64, error) {
	type best struct {
		i  int
		d2 float64
	}
	c2, top := m.Norm2(h, c), best{0, math.Inf(-1)}
	n := len(rows)
	if rows == nil {
		n = e.X.Len()
	}
	err := blocks.Each(ctx, workers, n, func(lo, hi int) best {
		b, buf := best{0, math.Inf(-1)}, make([]float64, e.X.Dim())
		for p := lo; p < hi; p++ {
			i := p
			if rows != nil {
				i = rows[p]
			}
			v, d2 := e.X.Row(i, buf), 0.0
			if e.Divergence == nil {
				d2 = m.Dist2(h, v, c, c2)
			} else {
				d2 = pairDist2(m, e.Divergence, h, v, data.Vec{Val: c})
			}
			if d2 > b.d2 {
				b = best{i, d2}
			}
		}
		return b
	}, func(_, _ int, b best) {
		if b.d2 > top.d2 {
			top = b
		}
	})
	return top.i, top.d2, err
}

// featureRanges holds the range of each feature, and where its ends are.
type featureRanges struct {
	low, high, sum []float64
	lowAt, highAt  []int
	held           []int // rows that hold a value; the others are 0 there
	bare           []int // the first row that holds none, -1
}

func findRange(ctx context.Context, x data.Rows) (*featureRanges, error) {
	d := x.Dim()
	r := &featureRanges{low: make([]float64, d), high: make([]float64, d), sum: make([]float64, d),
		lowAt: make([]int, d), highAt: make([]int, d), held: make([]int, d), bare: make([]int, d)}
	for f := range d {
		r.low[f], r.high[f] = math.Inf(1), math.Inf(-1)
	}
	buf := make([]float64, d)
	for i := range x.Len() {
		if i%blocks.Len == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := x.Row(i, buf)
		for p, y := range v.Val {
			f := v.Feature(p)
			if r.held[f] == r.bare[f] && r.held[f] == i {
				r.bare[f]++ // no row so far lacks the feature
			}
			r.held[f]++
			r.sum[f] += y
			if y < r.low[f] {
				r.low[f], r.lowAt[f] = y, i
			}
			if y > r.high[f] {
				r.high[f], r.highAt[f] = y, i
			}
		}
	}
	for f := range d {
		if r.held[f] == x.Len() {
			continue
		}
		if r.low[f] > 0 {
			r.low[f], r.lowAt[f] = 0, r.bare[f]
		}
		if r.high[f] < 0 {
			r.high[f], r.highAt[f] = 0, r.bare[f]
		}
	}
	return r, nil
}

func (r *featureRanges) mean(n int) []float64 {
	m := make([]float64, len(r.sum))
	for f, s := range r.sum {
		m[f] = s / float64(n)
	}
	return m
}

// widest returns the count features of the largest range, rising.
func (r *featureRanges) widest(count int) []int {
	order := make([]int, len(r.low))
	for f := range order {
		order[f] = f
	}
	slices.SortStableFunc(order, func(f, g int) int {
		a, b := r.high[f]-r.low[f], r.high[g]-r.low[g]
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	order = order[:min(count, len(order))]
	slices.Sort(order)
	return order
}
