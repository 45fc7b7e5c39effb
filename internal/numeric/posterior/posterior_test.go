package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

var background = context.Background()

// groups returns rows of k Gaussian groups in d dimensions, and the group of each.
func groups(seed uint64, n, k, d int, spread float64) (*data.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	x, truth := &data.Dense{Cols: d}, make([]int, n)
	for i := range n {
		truth[i] = i % k
		for f := range d {
			x.V = append(x.V, 4*float64((truth[i]>>(f%3))&1)+float64(truth[i])+spread*rng.NormFloat64())
		}
	}
	return x, truth
}

func newKernel(t testing.TB, p *cluster.Problem, workers int) *Kernel {
	t.Helper()
	k, err := NewKernel(background, p, Options{Seed: 3, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// inverse returns (I − c S)⁻¹ with unit diagonal, by Gauss-Jordan elimination.
func inverse(g *data.Graph) []float64 {
	n := g.Len()
	a := make([][]float64, n)
	for i := range n {
		a[i] = make([]float64, 2*n)
		a[i][i], a[i][n+i] = 1, 1
		to, w := g.Neighbours(i)
		for p, j := range to {
			a[i][j] -= damping * w[p] / math.Sqrt(g.Degree(i)*g.Degree(int(j)))
		}
	}
	for c := range n {
		for i := range n {
			if i == c {
				continue
			}
			f := a[i][c] / a[c][c]
			for j := range 2 * n {
				a[i][j] -= f * a[c][j]
			}
		}
	}
	out := make([]float64, n*n)
	for i := range n {
		for j := range n {
			out[i*n+j] = a[i][n+j] / a[i][i]
		}
	}
	for i := range n {
		for j := range n {
			if i != j {
				out[i*n+j] /= math.Sqrt(out[i*n+i] * out[j*n+j])
			}
		}
	}
	for i := range n {
		out[i*n+i] = 1
	}
	return out
}

func TestGramEqualsTheInverse(t *testing.T) {
	x, _ := groups(1, 60, 3, 2, 1)
	k := newKernel(t, &cluster.Problem{X: x}, 0)
	g := newKernel(t, &cluster.Problem{Graph: k.Graph()}, 0)
	want := inverse(k.Graph())
	rows := []int{3, 50, 7, 8, 21}
	byGraph, err := g.Gram(background, rows)
	if err != nil {
		t.Fatal(err)
	}
	all, err := k.Gram(background, rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range rows {
		for j, b := range rows {
			if y := want[a*60+b]; math.Abs(byGraph.At(i, j)-y) > 1e-3 {
				t.Errorf("graph kernel of %d and %d is %v, wanted %v", a, b, byGraph.At(i, j), y)
			}
			va, vb := x.V[a*2:a*2+2], x.V[b*2:b*2+2]
			d2 := (va[0]-vb[0])*(va[0]-vb[0]) + (va[1]-vb[1])*(va[1]-vb[1])
			cosine := (va[0]*vb[0] + va[1]*vb[1]) / math.Hypot(va[0], va[1]) / math.Hypot(vb[0], vb[1])
			y := (want[a*60+b] + math.Exp(-d2/(2*k.width*k.width)) + cosine) / 3
			if math.Abs(all.At(i, j)-y) > 1e-3 {
				t.Errorf("kernel of %d and %d is %v, wanted %v", a, b, all.At(i, j), y)
			}
		}
	}
}

// Of most points the whole inverse is computed, of few their columns: both give the same kernel.
func TestWholeInverseEqualsItsColumns(t *testing.T) {
	x, _ := groups(6, exactDiagonal+100, 4, 3, 1)
	k := newKernel(t, &cluster.Problem{X: x}, 0)
	var most, few []int
	for i := range k.Len() {
		if i%3 > 0 {
			most = append(most, i)
		}
		if i%30 == 1 {
			few = append(few, i)
		}
	}
	if !k.isDense(len(most)) || k.isDense(len(few)) {
		t.Fatal("both are computed in one way: nothing is tested")
	}
	whole, err := k.Gram(background, most)
	if err != nil {
		t.Fatal(err)
	}
	some, err := k.Gram(background, few)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range few {
		for j, b := range few {
			at, of := slices.Index(most, a), slices.Index(most, b)
			if got, want := some.At(i, j), whole.At(at, of); math.Abs(got-want) > 1e-4 {
				t.Fatalf("kernel of %d and %d is %v by columns, %v by the whole inverse", a, b, got, want)
			}
		}
	}
}

// Columns of the inverse that are computed some at a time, of very many points, are those that are computed together.
func TestColumnsTogetherAreThoseAlone(t *testing.T) {
	x, _ := groups(8, exactDiagonal+200, 4, 3, 1)
	k := newKernel(t, &cluster.Problem{X: x}, 0)
	var rows []int
	for i := 700; i > 0; i -= 31 {
		rows = append(rows, i)
	}
	m := len(rows)
	whole, err := k.inverse(background)
	if err != nil {
		t.Fatal(err)
	}
	for name, invert := range map[string]func(context.Context, *Gram) error{"together": k.invertTogether, "some at a time": k.invertColumns} {
		g := &Gram{Rows: rows, V: make([]float64, m*m)}
		if err := invert(background, g); err != nil {
			t.Fatal(err)
		}
		for i, a := range rows {
			for j, b := range rows {
				got, want, size := g.V[i*m+j], whole.V[a*k.n+b], math.Sqrt(whole.V[a*k.n+a]*whole.V[b*k.n+b])
				if math.Abs(got-want) > 3e-5*size {
					t.Fatalf("%s: %d, %d is %v, wanted %v", name, a, b, got, want)
				}
			}
		}
	}
}

// Expand is the kernel of all points with some times α, for rows, a graph and a
// kernel matrix; beyond exactDiagonal points the diagonal is an estimate.
func TestExpandIsTheProduct(t *testing.T) {
	for _, n := range []int{80, exactDiagonal + 88} {
		x, _ := groups(2, n, 4, 3, 1)
		k := newKernel(t, &cluster.Problem{X: x}, 0)
		given := &data.Dense{Cols: n, V: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				given.V[i*n+j] = 1 + data.Dot(x.Row(i, nil), x.Row(j, nil).Val)
			}
		}
		for name, k := range map[string]*Kernel{"rows": k, "graph": newKernel(t, &cluster.Problem{Graph: k.Graph()}, 0), "kernel": newKernel(t, &cluster.Problem{Kernel: given}, 0)} {
			rows := []int{1, 40, 41, 77}
			some, err := k.Gram(background, rows)
			if err != nil {
				t.Fatal(err)
			}
			alpha := []float64{1, -1, 0.5, 2, 0, 1, -3, 0.25}
			got, err := k.Expand(background, some, alpha, 2)
			if err != nil {
				t.Fatal(err)
			}
			others := []int{0, 2, 50, 79, 40}
			whole, err := k.Gram(background, append(others[:4:4], rows...))
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-3
			if n > exactDiagonal {
				tolerance = 0.25
			}
			for i, row := range others[:4] {
				for h := range 2 {
					want := 0.0
					for j := range rows {
						want += whole.At(i, 4+j) * alpha[j*2+h]
					}
					if math.Abs(got[row*2+h]-want) > tolerance {
						t.Errorf("%s, n = %d: row %d, column %d is %v, wanted %v", name, n, row, h, got[row*2+h], want)
					}
				}
			}
		}
	}
}

// What leave-one-out says of a label is what a fit without it predicts.
func TestLeaveOneOutEqualsARefit(t *testing.T) {
	x, truth := groups(4, 50, 3, 2, 2)
	k := newKernel(t, &cluster.Problem{X: x}, 0)
	var labels []constraint.Label
	for i := range 20 {
		labels = append(labels, constraint.Label{I: 2 * i, Class: truth[2*i], W: 1 + float64(i%3)})
	}
	g, err := k.Gram(background, LabelledRows(labels))
	if err != nil {
		t.Fatal(err)
	}
	fit, err := FitLabels(t.Context(), g, labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	for out := range labels {
		at := []int{}
		var rest []constraint.Label
		for i, l := range labels {
			if i != out {
				at, rest = append(at, i), append(rest, l)
			}
		}
		again, err := FitLabels(t.Context(), g.Select(at), rest, 3)
		if err != nil {
			t.Fatal(err)
		}
		// The closed form keeps the shares of all labels.
		again.Prior = fit.Prior
		refit(t, again, rest)
		q := again.PredictIn(g, at)
		for h := range 3 {
			if got, want := fit.At(out)[h], q[out*3+h]; math.Abs(got-want) > 1e-6 {
				t.Errorf("label %d, class %d: %v in closed form, %v by a fit without it", out, h, got, want)
			}
		}
	}
}

// refit computes α again for the prior of f.
func refit(t *testing.T, f *LabelFit, labels []constraint.Label) {
	m := len(labels)
	c, err := invert(t.Context(), f.Gram.V, m, func(i int) float64 { return noise / labels[i].W })
	if err != nil {
		panic(err)
	}
	clear(f.alpha)
	for i := range m {
		for j := range m {
			for h := range f.Classes {
				f.alpha[i*f.Classes+h] += c[i*m+j] * (f.target[j*f.Classes+h] - f.Prior[h])
			}
		}
	}
}

func TestLabelsOfGroupsArePredicted(t *testing.T) {
	x, truth := groups(5, 300, 4, 3, 0.6)
	sparse := &data.Sparse{Cols: 3, Start: []int{0}}
	for i := range 300 {
		for f, y := range x.Row(i, nil).Val {
			sparse.Idx, sparse.Val = append(sparse.Idx, int32(f)), append(sparse.Val, y)
		}
		sparse.Start = append(sparse.Start, len(sparse.Idx))
	}
	var first []float64
	for _, p := range []*cluster.Problem{{X: x}, {X: sparse}} {
		for _, workers := range []int{1, 5} {
			k := newKernel(t, p, workers)
			var labels []constraint.Label
			for i := range 20 {
				labels = append(labels, constraint.Label{I: i, Class: truth[i], W: 1})
			}
			g, err := k.Gram(background, LabelledRows(labels))
			if err != nil {
				t.Fatal(err)
			}
			fit, err := FitLabels(t.Context(), g, labels, 4)
			if err != nil {
				t.Fatal(err)
			}
			q, err := fit.Predict(background, k)
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for i, c := range truth {
				for h := range 4 {
					if q[i*4+h] > q[i*4+c] {
						wrong++
						break
					}
				}
			}
			if wrong > 15 {
				t.Errorf("%d of 300 rows are most likely of another class", wrong)
			}
			switch {
			case p.X != data.Rows(x):
			case first == nil:
				first = q
			default:
				for i := range q {
					if q[i] != first[i] {
						t.Fatalf("number %d differs with %d workers: %v, %v", i, workers, q[i], first[i])
					}
				}
			}
		}
	}
}

func TestPairsLeaveOneOutEqualsARefit(t *testing.T) {
	x, truth := groups(6, 40, 2, 2, 1)
	k := newKernel(t, &cluster.Problem{X: x}, 0)
	rows := make([]int, 40)
	for i := range rows {
		rows[i] = i
	}
	g, err := k.Gram(background, rows)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []Pair
	rng := rand.New(rand.NewPCG(1, 1))
	for range 25 {
		a := rng.IntN(39)
		b := a + 1 + rng.IntN(39-a)
		pairs = append(pairs, Pair{I: a, J: b, Together: truth[a] == truth[b], Weight: 1})
	}
	got, err := LeaveOneOutPairs(t.Context(), g, pairs)
	if err != nil {
		t.Fatal(err)
	}
	cov := func(p, q Pair) float64 { return g.At(p.I, q.I)*g.At(p.J, q.J) + g.At(p.I, q.J)*g.At(p.J, q.I) }
	sign := func(p Pair) float64 {
		if p.Together {
			return 1
		}
		return -1
	}
	mean := 0.0
	for _, p := range pairs {
		mean += sign(p) / 25
	}
	for out, p := range pairs {
		rest := append(append([]Pair{}, pairs[:out]...), pairs[out+1:]...)
		m := len(rest)
		v := make([]float64, m*m)
		for i := range m {
			for j := range m {
				v[i*m+j] = cov(rest[i], rest[j])
			}
		}
		c, err := invert(t.Context(), v, m, func(int) float64 { return noise })
		if err != nil {
			t.Fatal(err)
		}
		want := mean
		for i := range m {
			for j := range m {
				want += cov(p, rest[i]) * c[i*m+j] * (sign(rest[j]) - mean)
			}
		}
		if math.Abs(got[out]-want) > 1e-6 {
			t.Errorf("pair %d: %v in closed form, %v by a fit without it", out, got[out], want)
		}
	}
}

// A Platt fit is finite whatever the outcomes, rises with the score, and finds the
// coefficients that outcomes were drawn by.
// Labels of separate groups are fitted with less noise, labels at random are not, and of
// many points some are asked.
func TestNoiseOfClearLabels(t *testing.T) {
	for _, n := range []int{60, 450} {
		x, truth := groups(7, n, 3, 4, 0.4)
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		g, err := newKernel(t, &cluster.Problem{X: x}, 0).Gram(background, rows)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 1))
		for _, c := range []struct {
			name  string
			class func(i int) int
			want  float64
		}{
			{"groups", func(i int) int { return truth[i] }, lessNoise},
			{"random", func(int) int { return rng.IntN(3) }, noise},
		} {
			labels := make([]constraint.Label, n)
			for i := range labels {
				labels[i] = constraint.Label{I: i, Class: c.class(i), W: 1}
			}
			got, err := FitClearLabels(t.Context(), g, labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			want, err := fitLabels(t.Context(), g, labels, 3, c.want)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.alpha, want.alpha) {
				t.Errorf("%d points, %s: the noise is not %v", n, c.name, c.want)
			}
		}
	}
}

// Solve and Precision invert the same matrix.
func TestSolveIsTheProductWithThePrecision(t *testing.T) {
	x, _ := groups(5, 30, 3, 4, 1)
	g, err := newKernel(t, &cluster.Problem{X: x}, 1).Gram(background, []int{3, 4, 9, 17, 25})
	if err != nil {
		t.Fatal(err)
	}
	inverse, err := g.Precision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := []float64{1, -2, 0.5, 3, 0}
	got := append([]float64(nil), b...)
	if err := g.Solve(got); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		want := 0.0
		for j, y := range b {
			want += inverse[i*len(b)+j] * y
		}
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("%v at %d, want %v", got[i], i, want)
		}
	}
	if err := g.Select(nil).Solve(nil); err != nil {
		t.Error(err)
	}
}

func TestPlatt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		scores, outcomes := make([]float64, n), make([]float64, n)
		for i := range n {
			scores[i] = rapid.Float64Range(-20, 20).Draw(t, "score")
			outcomes[i] = float64(rapid.IntRange(0, 1).Draw(t, "outcome"))
		}
		p := FitPlatt(scores, outcomes, nil, 1)
		if !data.Finite(p.Slope) || !data.Finite(p.Offset) || p.Slope < 0 || p.Probability(1) < p.Probability(0) {
			t.Fatalf("%+v", p)
		}
	})
	rng := rand.New(rand.NewPCG(3, 3))
	var scores, outcomes []float64
	for range 20000 {
		s := 3 * rng.NormFloat64()
		y := 0.0
		if rng.Float64() < Logistic(0.7*s-0.4) {
			y = 1
		}
		scores, outcomes = append(scores, s), append(outcomes, y)
	}
	if p := FitPlatt(scores, outcomes, nil, 1); math.Abs(p.Slope-0.7) > 0.03 || math.Abs(p.Offset+0.4) > 0.05 {
		t.Errorf("%+v, wanted 0.7 and −0.4", p)
	}
}

// Bayes' rule by hand: of 1000 rows whose class is, without their label, y with
// probability 0.9, and 10 % of whose labels are wrong among 3 classes, 810 are y and say
// so, and 5 are not and say so.
func TestLabelWrongByHand(t *testing.T) {
	if got, want := LabelWrong(0.9, 0.1, 3), 5.0/815; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, wanted %v", got, want)
	}
}

func TestCalibrationIsADistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		n := rapid.IntRange(1, 20).Draw(t, "n")
		q, class, weight := make([][]float64, n), make([]int, n), make([]float64, n)
		for i := range n {
			q[i] = make([]float64, k)
			for h := range q[i] {
				q[i][h] = rapid.Float64Range(0, 1).Draw(t, "share")
			}
			normaliseShares(q[i])
			class[i], weight[i] = rapid.IntRange(0, k-1).Draw(t, "class"), 1
		}
		c := FitCalibration(q, class, weight, k)
		sum := 0.0
		for h := range k {
			sum += c.Probability(q[0], h)
		}
		if math.Abs(sum-1) > 1e-9 || !data.Finite(c.Gain) {
			t.Fatalf("%+v: the probabilities add up to %v", c, sum)
		}
	})
}

// Equal rows, zero rows, isolated nodes and negative edges are no trouble.
func TestKernelOfOddPoints(t *testing.T) {
	isolated, err := data.NewGraph(5, []data.Edge{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: -1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*cluster.Problem{
		"equal rows": {X: &data.Dense{Cols: 2, V: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}},
		"zero rows":  {X: &data.Dense{Cols: 2, V: make([]float64, 10)}},
		"isolated":   {Graph: isolated},
	} {
		k := newKernel(t, p, 0)
		g, err := k.Gram(background, []int{0, 2, 4})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, err := FitLabels(t.Context(), g, []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 2, Class: 1, W: 1}, {I: 4, Class: 1, W: 1}}, 2)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		q, err := f.Predict(background, k)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, y := range q {
			if !(y > 0 && y < 1) {
				t.Errorf("%s: %v", name, q)
				break
			}
		}
	}
	if _, err := NewKernel(background, &cluster.Problem{}, Options{}); err == nil {
		t.Error("a problem without points has a kernel")
	}
}
