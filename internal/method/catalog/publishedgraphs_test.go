package catalog

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// paperGraph draws a graph of two or three loose blocks, as a full matrix too, with true
// links. No node is without an edge.
func paperGraph(t *testing.T, rng *rand.Rand, k int) (p *cluster.Problem, a [][]float64) {
	t.Helper()
	n := 24 + rng.IntN(12)
	a = make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	var edges []data.Edge
	join := func(i, j int, w float64) {
		if a[i][j] == 0 {
			a[i][j], a[j][i] = w, w
			edges = append(edges, data.Edge{U: i, V: j, W: w})
		}
	}
	truth := make([]int, n)
	for i := range n {
		truth[i] = i % k
		join(i, (i+k)%n, 1)
		for j := range i {
			if i%k == j%k && rng.Float64() < 0.4 || rng.Float64() < 0.08 {
				join(i, j, 0.5+rng.Float64())
			}
		}
	}
	g, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return &cluster.Problem{Graph: g, K: k, Constraints: constraint.RandomPairs(truth, 12, rng)}, a
}

// degrees returns the sums of the rows of a, and their sum.
func degrees(a [][]float64) (d []float64, vol float64) {
	d = make([]float64, len(a))
	for i := range a {
		for _, w := range a[i] {
			d[i] += w
		}
		vol += d[i]
	}
	return d, vol
}

// normalizedCut is Σ_c cut(c, rest)/vol(c), by its definition.
func normalizedCut(a [][]float64, labels []int, k int) (sum float64) {
	for c := range k {
		cut, vol := 0.0, 0.0
		for i := range a {
			for j, w := range a[i] {
				if labels[i] == c {
					if vol += w; labels[j] != c {
						cut += w
					}
				}
			}
		}
		if vol > 0 {
			sum += cut / vol
		}
	}
	return sum
}

// edit is step 1 of SPECTRAL-LEARNING: the affinity of must-linked points is the largest there is, or 1,
// that of cannot-linked points 0.
func edit(a [][]float64, s *constraint.Set) {
	most := 1.0
	for i := range a {
		for _, w := range a[i] {
			most = max(most, w)
		}
	}
	for _, q := range s.Must {
		a[q.I][q.J], a[q.J][q.I] = most, most
	}
	for _, q := range s.Cannot {
		a[q.I][q.J], a[q.J][q.I] = 0, 0
	}
}

func fitPublished(t *testing.T, name string, p *cluster.Problem, seed uint64) *cluster.Result {
	t.Helper()
	s := cluster.Default()
	s.Seed, s.Restarts, s.Effort, s.Audit = seed, 1, cluster.EffortLow, true
	r, err := cluster.Fit(context.Background(), p, published(t, name), s)
	if err != nil {
		t.Fatal(name, err)
	}
	return r
}

func equal(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))) {
		t.Errorf("%s is %v, by the paper's formula %v", what, got, want)
	}
}

// Methods that cut graphs report the normalized cut of their clusters (Shi and Malik 2000, equation 2;
// Dhillon, Guan and Kulis 2007, section 2.2).
func TestPublishedCuts(t *testing.T) {
	for _, name := range []string{"spectral", "spectral-learning", "csp", "fast-ge", "graph-cut"} {
		for trial := range uint64(12) {
			p, a := paperGraph(t, rand.New(rand.NewPCG(trial, 34)), 2+int(trial%2))
			if name == "csp" && p.K == 3 {
				continue // beta by equation (19) need not leave two vectors
			}
			r := fitPublished(t, name, p, trial)
			full := make([]bool, p.K)
			for _, c := range r.Labels {
				full[c] = true
			}
			for _, ok := range full {
				if !ok {
					t.Fatalf("%s, trial %d: an empty cluster", name, trial)
				}
			}
			if name == "spectral-learning" { // of the affinities as the links have edited them
				edit(a, p.Constraints)
			}
			equal(t, name, r.Objective[0].Value, normalizedCut(a, r.Labels, p.K))
		}
	}
}

// Kulis and others 2009, equation (7) for the normalized cut, pairs in both directions:
//
//	Σ_c links(c, rest)/deg(c) − Σ_{must, same c} w/deg(c) + Σ_{cannot, same c} w/deg(c), w = n/(kC).
func TestPublishedSSKernelKMeans(t *testing.T) {
	for trial := range uint64(12) {
		p, a := paperGraph(t, rand.New(rand.NewPCG(trial, 35)), 2+int(trial%2))
		r := fitPublished(t, "ss-kernel-kmeans", p, trial)
		want, d := normalizedCut(a, r.Labels, p.K), make([]float64, p.K)
		deg, _ := degrees(a)
		for i, c := range r.Labels {
			d[c] += deg[i]
		}
		w := float64(p.Len()) / float64(p.K*(len(p.Constraints.Must)+len(p.Constraints.Cannot)))
		for _, q := range p.Constraints.Must {
			if c := r.Labels[q.I]; c == r.Labels[q.J] {
				want -= 2 * w / d[c]
			}
		}
		for _, q := range p.Constraints.Cannot {
			if c := r.Labels[q.I]; c == r.Labels[q.J] {
				want += 2 * w / d[c]
			}
		}
		got := 0.0
		for _, term := range r.Objective {
			if term.Name != "shift" { // of empty clusters, which the paper does not have
				got += term.Value
			}
		}
		for _, y := range d {
			if y == 0 {
				want++ // of an empty cluster every edge counts as cut
			}
		}
		equal(t, "J", got, want)
	}
}

// Wang, Qian and Davidson 2014: the vector of a published fit satisfies v'v = vol and equation (8),
// L̄v = λ(Q̄ − β/vol·I)v, and its cost is v'L̄v, its α v'Q̄v; β is that of equation (19).
func TestPublishedCSP(t *testing.T) {
	for trial := range uint64(12) {
		p, a := paperGraph(t, rand.New(rand.NewPCG(trial, 36)), 2)
		r := fitPublished(t, "csp", p, trial)
		c := r.Learned.(*csp.Cut)
		d, vol := degrees(a)
		n := len(a)
		q := make([][]float64, n)
		for i := range q {
			q[i] = make([]float64, n)
		}
		entries := 0.0
		put := func(list []constraint.Pair, sign float64) {
			for _, l := range list {
				if q[l.I][l.J] == 0 {
					entries += 2
				}
				q[l.I][l.J], q[l.J][l.I] = sign, sign
			}
		}
		put(p.Constraints.Must, 1)
		put(p.Constraints.Cannot, -1)
		// λ_max of Q̄ = D^{-1/2} Q D^{-1/2}, by powers of Q̄ + sI.
		x, s, most := make([]float64, n), 0.0, 0.0
		for i := range x {
			x[i] = 1 + 0.1*float64(i%7)
			sum := 0.0
			for j := range n {
				sum += math.Abs(q[i][j]) / math.Sqrt(d[i]*d[j])
			}
			s = max(s, sum)
		}
		for range 20000 {
			y, size := make([]float64, n), 0.0
			for i := range n {
				y[i] = s * x[i]
				for j := range n {
					y[i] += q[i][j] / math.Sqrt(d[i]*d[j]) * x[j]
				}
				size += y[i] * y[i]
			}
			size = math.Sqrt(size)
			for i := range y {
				x[i] = y[i] / size
			}
			most = size - s
		}
		if math.Abs(c.LambdaMax-most) > 1e-5*(1+most) {
			t.Errorf("trial %d: λ_max is %v, by powers %v", trial, c.LambdaMax, most)
		}
		equal(t, "vol", c.Vol, vol)
		equal(t, "β", c.Beta, (0.5+0.4*entries/float64(n*n))*c.LambdaMax*vol)
		u, norm, cost, alpha := c.Indicator, 0.0, 0.0, 0.0
		for i := range n {
			norm += d[i] * u[i] * u[i]
			for j := range n {
				cost += a[i][j] * (u[i] - u[j]) * (u[i] - u[j]) / 2
				alpha += u[i] * q[i][j] * u[j]
			}
		}
		equal(t, "v'v", norm, vol)
		if math.Abs(cost-c.Cost) > 1e-5*(1+cost) || math.Abs(alpha-c.Alpha) > 1e-5*(1+math.Abs(alpha)) || alpha <= c.Beta {
			t.Errorf("trial %d: cost %v and α %v, by the paper's formulas %v and %v; β %v", trial, c.Cost, c.Alpha, cost, alpha, c.Beta)
		}
		for i := range n { // D^{1/2} times equation (8)
			left, right := d[i]*u[i], -c.Beta/vol*d[i]*u[i]
			for j := range n {
				left -= a[i][j] * u[j]
				right += q[i][j] * u[j]
			}
			if math.Abs(left-c.Lambda*right) > 1e-4*(1+math.Abs(left)) {
				t.Errorf("trial %d, node %d: L̄v is %v, λ(Q̄ − β/vol·I)v %v", trial, i, left, c.Lambda*right)
			}
		}
	}
}

// Cucuringu and others 2016: φ = cut_G/cut_H of two clusters, G with the must-links, H the cannot-links
// and c times the demand graph; φ is at least the first eigenvalue.
func TestPublishedFastGE(t *testing.T) {
	for trial := range uint64(12) {
		p, a := paperGraph(t, rand.New(rand.NewPCG(trial, 37)), 2)
		r := fitPublished(t, "fast-ge", p, trial)
		g := r.Learned.(*csp.GeneralizedCut)
		d, _ := degrees(a)
		keep := make([][]float64, len(a)) // G
		for i := range keep {
			keep[i] = append([]float64(nil), a[i]...)
		}
		link := func(q constraint.Pair) float64 { return q.W * math.Sqrt(d[q.I]*d[q.J]) }
		for _, q := range p.Constraints.Must {
			keep[q.I][q.J] += link(q)
			keep[q.J][q.I] += link(q)
		}
		dg, vol := degrees(keep)
		cut, demand := 0.0, 0.0
		for i := range keep {
			for j, w := range keep[i] {
				if r.Labels[i] < r.Labels[j] {
					cut += w
					demand += g.Demand * dg[i] * dg[j] / vol
				}
			}
		}
		for _, q := range p.Constraints.Cannot {
			if r.Labels[q.I] != r.Labels[q.J] {
				demand += link(q)
			}
		}
		equal(t, "φ", g.Phi, cut/demand)
		if g.Phi < g.Lambda[0]*(1-1e-6) {
			t.Errorf("trial %d: φ is %v, below the first eigenvalue %v", trial, g.Phi, g.Lambda[0])
		}
	}
}
