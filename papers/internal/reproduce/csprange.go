package reproduce

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
	"github.com/inklinghq/inkling/internal/present/report/picture"
)

// A jointRange is figure 4: cuts of a graph by what they cost, vᵀL̄v/vol, and by
// how well they satisfy the constraints, vᵀQ̄v/vol.
type jointRange struct {
	Plain    [][2]float64 `json:"plain"`    // eigenvectors of L̄ but the trivial one
	Feasible [][2]float64 `json:"feasible"` // solutions of equation (13) with λ > 0
	Beta     float64      `json:"beta"`     // by vol
	Before   float64      `json:"before"`   // ARI of the best of the first
	After    float64      `json:"after"`    // and of the cheapest of the second
}

// cspRange is section 5.2: all cuts of two moons with random constraints, β of
// equation 19.
func cspRange(ctx context.Context, l *Lab) error {
	return l.jointRanges(ctx, 100, 100, l.Repeats(6, 30))
}

func (l *Lab) jointRanges(ctx context.Context, n, pairs, samples int) error {
	var keys []string
	for s := range samples {
		keys = append(keys, fmt.Sprintf("n=%d, noise %g, width %g, constraints %d, sample %d", n, moonBlur, moonWidths[1], pairs, s))
	}
	got, err := Try(ctx, l, "ranges", keys, func(ctx context.Context, s int) (*jointRange, error) {
		g, truth, err := moonGraph(ctx, n, moonWidths[1], l.stream("range %d", s))
		if err != nil {
			return nil, err
		}
		return newJointRange(ctx, g, constraint.RandomPairs(truth, pairs, l.stream("range %d, pairs", s)), truth)
	})
	if err != nil {
		return err
	}
	judgeRange(l, got)
	t, err := experiment.Tabulate("ARI", "constraints", []string{"CSP, cheapest feasible", "unconstrained"}, []float64{float64(pairs)}, [][][]float64{
		{each(got, func(r *jointRange) float64 { return r.After })}, {each(got, func(r *jointRange) float64 { return r.Before })}})
	if err != nil {
		return err
	}
	l.plainTable("ARI", t)
	title := "Joint numerical range"
	l.Put(Part{Title: title, Text: "Figure 4(c), the first sample: cuts by cost and by satisfaction. Rings are unconstrained, filled ones constrained cuts; the line is β.",
		Files: []File{l.svgFile(title, got[0].plot(title))}})
	return nil
}

func each(list []*jointRange, of func(*jointRange) float64) (out []float64) {
	for _, r := range list {
		out = append(out, of(r))
	}
	return out
}

// newJointRange finds all cuts by dense algebra.
func newJointRange(ctx context.Context, g *data.Graph, known *constraint.Set, truth []int) (*jointRange, error) {
	n := g.Len()
	l, err := eigen.NewLaplacian(g, eigen.Normalised)
	if err != nil {
		return nil, err
	}
	q, entries := eigen.NewDense(n), 0
	put := func(list []constraint.Pair, w float64) {
		for _, p := range list {
			y := w / math.Sqrt(l.Degree[p.I]*l.Degree[p.J])
			q.V[p.I*n+p.J], q.V[p.J*n+p.I] = y, y
			entries += 2
		}
	}
	put(known.Must, 1)
	put(known.Cannot, -1)
	o := eigen.Options{K: n, End: eigen.High, Workers: 1}
	top, err := eigen.Symmetric(ctx, q, o)
	if err != nil {
		return nil, err
	}
	b := top.Values[0] * (0.5 + 0.4*float64(entries)/float64(n*n)) // (19)
	table := eigen.ToDense(ctx, l)
	low, err := eigen.Symmetric(ctx, table, eigen.Options{K: n, Workers: 1})
	if err != nil {
		return nil, err
	}
	out := &jointRange{Beta: b}
	costOf := func(v []float64) [2]float64 { return [2]float64{form(table, v), form(q, v)} }
	for _, v := range low.Vectors[1:] {
		out.Plain = append(out.Plain, costOf(v))
	}
	found, err := feasible(ctx, l, q, b)
	if err != nil {
		return nil, err
	}
	cheapest := 0
	for c, v := range found {
		out.Feasible = append(out.Feasible, costOf(v))
		if out.Feasible[c][0] < out.Feasible[cheapest][0] {
			cheapest = c
		}
	}
	if out.Before, err = knownARI(truth, bySign(low.Vectors[1])); err != nil || len(found) == 0 {
		return out, err
	}
	out.After, err = knownARI(truth, bySign(found[cheapest]))
	return out, err
}

// form is vᵀAv/vᵀv.
func form(a *eigen.Dense, v []float64) float64 {
	av := make([]float64, len(v))
	a.Apply(av, v)
	s, t := 0.0, 0.0
	for i, y := range v {
		s, t = s+float64(y*av[i]), t+float64(y*y)
	}
	return s / t
}

// feasible returns all solutions of L̄v = λ(Q̄ − bI)v with λ > 0 of a connected
// graph. Of B = Q̄ − bI the part is taken that B leaves on the complement of z,
// the null vector of L̄, once v is B-orthogonal to z, as it must be.
func feasible(ctx context.Context, l *eigen.Laplacian, q *eigen.Dense, b float64) ([][]float64, error) {
	n, z := q.N, l.Null(1)[0]
	bz, zbz := make([]float64, n), -b
	q.Apply(bz, z)
	for i := range bz {
		zbz += float64(z[i] * bz[i])
		bz[i] -= float64(b * z[i])
	}
	s, m := eigen.NewDense(n), eigen.ToDense(ctx, l)
	for i := range n {
		for j := range n {
			s.V[i*n+j] = q.V[i*n+j] - float64(bz[i]*bz[j])/zbz
			m.V[i*n+j] += float64(z[i] * z[j])
		}
		s.V[i*n+i] -= b
	}
	pairs, err := eigen.Definite(ctx, eigen.ToDense(ctx, eigen.Projected{A: s, Null: [][]float64{z}}), m, eigen.Options{K: n, End: eigen.High, Workers: 1})
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for c, theta := range pairs.Values {
		if !(theta > 1e-9*pairs.Values[0]) {
			break
		}
		v, along := pairs.Vectors[c], 0.0
		for i, y := range v {
			along += float64(bz[i]*y) / zbz
		}
		for i := range v {
			v[i] -= float64(along * z[i])
		}
		out = append(out, v)
	}
	return out, nil
}

func judgeRange(l *Lab, got []*jointRange) {
	var below, counts []float64
	above, all, better := 0, 0, 0
	for _, r := range got {
		n := 0
		for _, p := range r.Plain {
			if p[1] < r.Beta {
				n++
			}
		}
		below = append(below, float64(n)/float64(len(r.Plain)))
		for _, p := range r.Feasible {
			if all++; p[1] > r.Beta {
				above++
			}
		}
		counts = append(counts, float64(len(r.Feasible)))
		if r.After > r.Before {
			better++
		}
	}
	ok := 0
	for _, y := range below {
		if y > 0.5 {
			ok++
		}
	}
	l.Claim("most unconstrained cuts lie well below the threshold", Of(ok, len(got)), "shares below β, by sample: %s", strings.Join(numbers("%.3f", below), ", "))
	l.Claim("constrained cuts lie above it", Of(above, all), "%d of %d; by sample there are %s of them", above, all, strings.Join(numbers("%.0f", counts), ", "))
	l.Claim("the cheapest of these is nearer to the truth than the unconstrained cut", Of(better, len(got)), "%d of %d samples", better, len(got))
}

// plot draws the cuts by cost and by satisfaction.
func (r *jointRange) plot(title string) *picture.Picture {
	const wide, high, margin = 640.0, 400.0, 30.0
	lo, hi, right := r.Beta, r.Beta, 1e-9
	for _, list := range [][][2]float64{r.Plain, r.Feasible} {
		for _, p := range list {
			lo, hi, right = min(lo, p[1]), max(hi, p[1]), max(right, p[0])
		}
	}
	x := func(y float64) float64 { return margin + y/right*(wide-2*margin) }
	y := func(v float64) float64 { return high - margin - (v-lo)/(hi-lo)*(high-2*margin) }
	pic := picture.New(wide, high, title)
	pic.Line(margin, y(r.Beta), wide-margin, y(r.Beta), picture.Stroke{Colour: picture.RGB(0x888888), Dash: []float64{6, 4}})
	pic.Text(wide/2, high-6, picture.Middle, picture.Soft, "cost")
	pic.Text(4, 14, picture.Start, picture.Soft, "satisfaction")
	for _, p := range r.Plain {
		pic.Ring(x(p[0]), y(p[1]), 4, picture.RGB(0x2563eb))
	}
	for _, p := range r.Feasible {
		pic.Disc(x(p[0]), y(p[1]), 4, picture.RGB(0xdc2626), "")
	}
	return pic
}
