package metric

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/compute/simd"
)

// ExactRows is the number of rows up to which φ is that of the farthest pair of
// all; beyond, that of a far pair among the extremes.
const ExactRows = 2000

// Extremes are rows at the edge of the data, among which a far pair is looked for
// under any metric: the exact farthest pair of all rows can cost O(n²d), and is
// looked for only where there are few.
//
// They are found once, in a few passes of O(nd): for each feature (of more than
// 256, those of the largest spread) the rows that are least and greatest in it,
// and the chain that starts at the row farthest from the mean and goes on to the
// row farthest from the last one, while distances grow.
type Extremes struct {
	X    data.Rows
	Rows []int // ascending
	// Exact reports that Gaps looks at all rows and finds the longest gap there is:
	// of at most ExactRows rows, by squared distances.
	Exact bool
	// Divergence, if not nil, takes the place of the squared distance.
	Divergence Divergence
}

// extremeFeatures is the most features whose least and greatest rows are kept.
const extremeFeatures = 256

// chainLength is the most steps of a chain of farthest rows; it nearly always
// ends by itself after two or three.
const chainLength = 6

// fewRows is the number of rows up to which all pairs are looked at: some ten
// times what a chain costs.
const fewRows = 48

// FindExtremes finds the extreme rows of x by squared distances or, if v is not
// nil, by the divergence v, for which the rows must be prepared.
func FindExtremes(ctx context.Context, workers int, v Divergence, x data.Rows) (*Extremes, error) {
	r, err := findRange(ctx, x, workers)
	if err != nil {
		return nil, err
	}
	e := &Extremes{X: x, Divergence: v, Exact: v == nil && x.Len() <= ExactRows}
	for _, f := range r.widest(extremeFeatures) {
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
// of constraints, say. Where e is Exact they are the longest of all
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

// farthestRow returns the row farthest from c, the lowest on ties.
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

// longestGaps returns the longest gap of all rows under each matrix of m.
func (e *Extremes) longestGaps(ctx context.Context, workers int, m *Learned) ([]data.Vec, error) {
	gaps := make([]data.Vec, m.Metrics())
	centre, buf := make([]float64, e.X.Dim()), make([]float64, e.X.Dim())
	for i := range e.X.Len() {
		data.Add(centre, e.X.Row(i, buf), 1/float64(e.X.Len()))
	}
	err := blocks.Tasks(ctx, workers, len(gaps), func(h int) {
		i, j := e.farthestOfAll(ctx, m, h, centre)
		gaps[h] = e.differenceOf(i, j)
	})
	return gaps, err
}

// An outlier is a row by its distance from the centre.
type outlier struct {
	row    int
	radius float64
}

// farthestOfAll returns the two rows that are farthest apart. Two rows are no
// farther apart than their distances from the centre together, so rows are met
// from the outermost inwards, and those that cannot take part in a longer gap
// are skipped: of most data only the outermost rows are looked at.
func (e *Extremes) farthestOfAll(ctx context.Context, m *Learned, h int, centre []float64) (i, j int) {
	const slack = 1 + 1e-9 // for the rounding of radii
	mapped := m.mapped(h, e.X, centre)
	extremes := e.outermost(m, h, centre, mapped, slack)
	i, j = extremes[0].row, extremes[0].row
	p, q, most, reach := make([]float64, e.X.Dim()), make([]float64, e.X.Dim()), 0.0, 0.0
	for s, a := range extremes {
		if (a.radius+extremes[0].radius)*slack <= reach || ctx.Err() != nil {
			break
		}
		x := e.X.Row(a.row, p)
		for _, b := range extremes[:s] {
			if (a.radius+b.radius)*slack <= reach {
				break
			}
			if mapped != nil && simd.Dist2(mapped[a.row], mapped[b.row])*slack < most {
				continue
			}
			if d2 := m.PairDist2(h, x, e.X.Row(b.row, q)); d2 > most {
				i, j, most = a.row, b.row, d2
				reach = math.Sqrt(most)
			}
		}
	}
	return i, j
}

// outermost returns the rows that may be of the longest gap, the outermost first: with their distance from the
// centre and that of the outermost row together they reach as far as a gap that is known, the end of a
// short chain of farthest rows.
func (e *Extremes) outermost(m *Learned, h int, centre []float64, mapped [][]float64, slack float64) []outlier {
	all, buf, c2 := make([]outlier, e.X.Len()), make([]float64, e.X.Dim()), m.Norm2(h, centre)
	top := 0
	for a := range all {
		d2 := 0.0
		if mapped != nil {
			d2 = data.Norm2(mapped[a])
		} else {
			d2 = m.Dist2(h, e.X.Row(a, buf), centre, c2)
		}
		if all[a] = (outlier{a, math.Sqrt(max(0, d2))}); all[a].radius > all[top].radius {
			top = a
		}
	}
	if mapped != nil {
		known, at := 0.0, top
		for range 2 { // the farthest from the outermost, and the farthest from that one
			from := mapped[at]
			for a := range all {
				if d2 := simd.Dist2(from, mapped[a]); d2 > known {
					known, at = d2, a
				}
			}
		}
		if known, far := math.Sqrt(known), all[top].radius; !math.IsInf(known, 1) { // else radii, which are shorter, may not overflow
			all = slices.DeleteFunc(all, func(o outlier) bool { return o.row != top && (o.radius+far)*slack*slack < known })
		}
	}
	slices.SortFunc(all, func(a, b outlier) int { return cmp.Or(cmp.Compare(b.radius, a.radius), cmp.Compare(a.row, b.row)) })
	return all
}

// mapped returns U(x−c) for each row x under a full matrix A = U'U: Euclidean distances of these are
// those of the metric, but for rounding, and cost O(d) instead of O(d²). nil for other forms.
func (m *Learned) mapped(h int, x data.Rows, c []float64) [][]float64 {
	if m.form.Shape != Full {
		return nil
	}
	u, d := m.upperOf(h), m.d
	out, all, buf, y := make([][]float64, x.Len()), make([]float64, x.Len()*d), make([]float64, d), make([]float64, d)
	for i := range out {
		out[i] = all[i*d : (i+1)*d]
		for f := range y {
			y[f] = -c[f]
		}
		data.Add(y, x.Row(i, buf), 1)
		for f := range d {
			out[i][f] = inner(u[f*d+f:(f+1)*d], y[f:])
		}
	}
	return out
}

// inner returns Σ a_f b_f, added up in four partial sums.
func inner(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	f := 0
	for ; f+4 <= len(a); f += 4 {
		s0 += float64(a[f] * b[f])
		s1 += float64(a[f+1] * b[f+1])
		s2 += float64(a[f+2] * b[f+2])
		s3 += float64(a[f+3] * b[f+3])
	}
	for ; f < len(a); f++ {
		s0 += float64(a[f] * b[f])
	}
	return (s0 + s1) + (s2 + s3)
}
