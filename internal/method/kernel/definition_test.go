package kernel_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// A definition is J of the package comment with every matrix written out in full. Nothing of
// the methods is used but the weight of a pair and the shift, which they report.
type definition struct {
	k         int
	b         [][]float64
	alpha     []float64
	constant  float64
	shift     float64
	pairs     float64 // weight of a soft pair of weight 1
	mustCosts bool    // violated must-links cost, satisfied ones earn nothing
	cannot    float64 // of graph-cut: cost of a violated cannot-link of weight 1; 0: these are soft pairs
}

// newDefinition writes B and α of an objective out: of a kernel where there is one, else of
// the graph.
func newDefinition(p *cluster.Problem, objective kernel.Objective) *definition {
	n := p.Len()
	d := &definition{k: p.K, b: make([][]float64, n), alpha: make([]float64, n)}
	for i := range n {
		d.b[i] = make([]float64, n)
		if p.Kernel == nil {
			to, w := p.Graph.Neighbours(i)
			for q, j := range to {
				d.b[i][j] += w[q]
			}
			continue
		}
		for j := range n {
			d.b[i][j] = p.W(i) * p.W(j) * p.Kernel.V[i*n+j]
		}
		if objective == kernel.RatioAssociation {
			d.constant += p.W(i) * p.Kernel.V[i*n+i]
		}
	}
	if objective == kernel.NormalizedCut {
		d.constant = float64(p.K)
	}
	for i := range n {
		degree := 0.0
		for _, w := range d.b[i] {
			degree += w
		}
		d.alpha[i] = p.W(i)
		switch {
		case objective == kernel.RatioCut:
			d.b[i][i] -= degree
		case objective == kernel.NormalizedCut && p.Kernel != nil:
			d.alpha[i] = degree
		case objective == kernel.NormalizedCut:
			d.alpha[i] *= degree
		}
	}
	return d
}

// A pair of constraints: together above 0, apart below.
type signedPair struct {
	i, j int
	w    float64
}

// representatives returns the strongest label of each class, the first of equals, by class.
// Points with weighted labels of several classes have no class.
func representatives(s *constraint.Set) map[int]constraint.Label {
	soft, out := s.SoftSeeds(), map[int]constraint.Label{}
	for _, l := range s.Labels {
		if best, ok := out[l.Class]; !soft[l.I] && (!ok || l.W > best.W) {
			out[l.Class] = l
		}
	}
	return out
}

// labelPairs returns the pairs that labels stand for: a label is a must-link with the
// strongest label of its class, and the strongest of two classes are a cannot-link, each as
// strong as the weaker of its two labels. Only those for which stands is true of one of the
// labels: its class, and whether it is the strongest there.
func labelPairs(s *constraint.Set, stands func(l constraint.Label, strongest bool) bool) (list []signedPair) {
	soft, strongest := s.SoftSeeds(), representatives(s)
	for _, l := range s.Labels {
		if first := strongest[l.Class]; !soft[l.I] && (stands(l, l == first) || stands(first, true)) {
			list = append(list, signedPair{l.I, first.I, min(l.W, first.W)})
		}
	}
	for c, l := range strongest {
		for d, m := range strongest {
			if c < d && (stands(l, true) || stands(m, true)) {
				list = append(list, signedPair{l.I, m.I, -min(l.W, m.W)})
			}
		}
	}
	return list
}

func every(constraint.Label, bool) bool { return true }

// softPairs returns the entries of W: of all constraints, or for graph-cut of beliefs alone.
func (d *definition) softPairs(s *constraint.Set) (list []signedPair) {
	for _, q := range s.Beliefs {
		list = append(list, signedPair{q.I, q.J, q.W})
	}
	if d.cannot > 0 {
		return list
	}
	for _, q := range s.Must {
		list = append(list, signedPair{q.I, q.J, q.W})
	}
	for _, q := range s.Cannot {
		list = append(list, signedPair{q.I, q.J, -q.W})
	}
	return append(list, labelPairs(s, every)...)
}

// cannotPairs returns the pairs whose violation has a cost of its own: those of graph-cut.
func (d *definition) cannotPairs(s *constraint.Set) (list []signedPair) {
	if d.cannot == 0 {
		return nil
	}
	for _, q := range s.Cannot {
		list = append(list, signedPair{q.I, q.J, -q.W})
	}
	for _, q := range labelPairs(s, every) {
		if q.w < 0 {
			list = append(list, q)
		}
	}
	return list
}

// objective adds J up.
func (d *definition) objective(soft, cannot []signedPair, labels []int) float64 {
	n := len(labels)
	w := make([]float64, n*n)
	for _, q := range soft {
		if q.i != q.j {
			w[q.i*n+q.j] += d.pairs * q.w
			w[q.j*n+q.i] += d.pairs * q.w
		}
	}
	if d.mustCosts {
		for i := range n {
			sum := 0.0
			for j := range n {
				sum += max(0, w[i*n+j])
			}
			w[i*n+i] -= sum
		}
	}
	sum := d.constant
	for c := range d.k {
		mass, association := 0.0, 0.0
		for i, h := range labels {
			if h != c {
				continue
			}
			mass += d.alpha[i]
			for j, g := range labels {
				if g == c {
					association += d.b[i][j] + w[i*n+j]
				}
			}
		}
		if mass > 0 {
			sum -= association / mass
		} else {
			sum += d.shift
		}
	}
	for _, q := range cannot {
		if q.i != q.j && labels[q.i] == labels[q.j] {
			sum -= d.cannot * q.w
		}
	}
	return sum
}

// all returns J of labels under all constraints.
func (d *definition) all(s *constraint.Set, labels []int) float64 {
	return d.objective(d.softPairs(s), d.cannotPairs(s), labels)
}

// drawDefined draws a kernel or a graph, and constraints of every kind: some of weights far
// apart, twice, soft seeds, and unless agree is set contradictions too.
func drawDefined(rng *rand.Rand, graph, agree bool) *cluster.Problem {
	n, k := 8+rng.IntN(7), 2+rng.IntN(3)
	p := &cluster.Problem{K: k, Constraints: &constraint.Set{}}
	if graph {
		var edges []data.Edge
		for i := range n {
			for j := range i + 1 {
				if j == i-1 || rng.IntN(3) == 0 && (i != j || rng.IntN(3) == 0) {
					edges = append(edges, data.Edge{U: j, V: i, W: 0.1 + rng.Float64()})
				}
			}
		}
		p.Graph = data.BuildGraph(n, edges)
	} else { // products of small integers, which single precision holds
		x := make([][3]float64, n)
		for i := range x {
			x[i] = [3]float64{float64(rng.IntN(9)), float64(rng.IntN(5)), 1}
		}
		p.Kernel = &data.Dense{Cols: n}
		for i := range n {
			for j := range n {
				p.Kernel.V = append(p.Kernel.V, x[i][0]*x[j][0]+x[i][1]*x[j][1]+x[i][2]*x[j][2])
			}
		}
	}
	if rng.IntN(2) == 0 {
		for range n {
			p.Weight = append(p.Weight, 0.5+rng.Float64())
		}
	}
	weight := func() float64 { return 1 }
	if rng.IntN(3) > 0 {
		weight = func() float64 { return math.Exp(2 * rng.NormFloat64()) }
	}
	s := p.Constraints
	for range 6 + rng.IntN(12) {
		i, old := rng.IntN(n-1), *s
		q := constraint.Pair{I: i, J: i + 1 + rng.IntN(n-1-i), W: weight()}
		switch rng.IntN(10) {
		case 0, 1:
			s.Must = append(s.Must, q)
		case 2, 3, 4:
			s.Cannot = append(s.Cannot, q)
		case 5:
			s.Beliefs = append(s.Beliefs, constraint.Pair{I: q.I, J: q.J, W: 2*rng.Float64() - 1})
		case 6:
			c := rng.IntN(k)
			s.Labels = append(s.Labels, constraint.Label{I: q.I, Class: c, W: 0.9}, constraint.Label{I: q.I, Class: (c + 1) % k, W: 0.1})
		default:
			s.Labels = append(s.Labels, constraint.Label{I: q.I, Class: rng.IntN(k), W: q.W})
		}
		if agree {
			if _, err := constraint.Close(n, s); err != nil {
				*s = old
			}
		}
	}
	return p
}

// Every cost is what J, added up from its definition, rises by if one point moves, or with
// it those that graph-cut contracts; every penalty is what J would be lower by without the
// constraint, of a label without the violated pairs that it stands for.
func TestPricesByDefinition(t *testing.T) {
	for at, name := range []string{"kernel-kmeans", "kernel-hmrf-kmeans", "ss-kernel-kmeans", "graph-cut"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(14, uint64(at)))
			count := map[string]int{}
			for trial := range 200 {
				p := drawDefined(rng, at > 1, name == "graph-cut")
				settings := cluster.Default()
				settings.Seed, settings.Restarts, settings.MaxIter, settings.Effort, settings.Workers = uint64(trial), 1, rng.IntN(4), cluster.EffortLow, 1
				if trial%4 == 0 {
					settings.Effort = cluster.EffortNormal
				}
				a, objective := drawMethod(rng, name, trial)
				r, err := cluster.Fit(context.Background(), p, a, settings)
				if err != nil {
					t.Fatal(trial, err)
				}
				d := defined(t, p, a, objective, r)
				checkDefined(t, fmt.Sprintf("problem %d, %+v", trial, a), d, p, r, count)
			}
			for _, what := range []string{"must", "cannot", "belief", "label", "moves"} {
				if least := 80; count[what] < least && name != "kernel-kmeans" && (what != "must" || name != "graph-cut") {
					t.Errorf("only %d violations of %q were priced", count[what], what)
				}
			}
		})
	}
}

// drawMethod returns a method with random settings, and its objective.
func drawMethod(rng *rand.Rand, name string, trial int) (cluster.Algorithm, kernel.Objective) {
	objective := []kernel.Objective{kernel.NormalizedCut, kernel.RatioCut, kernel.RatioAssociation}[trial%3]
	weight := cluster.Fixed(0.05 + rng.Float64())
	if rng.IntN(3) == 0 {
		weight = cluster.ByRule(cluster.RuleAuto)
	}
	term := []kernel.PairTerm{kernel.PairPenalty, kernel.PairReward}[rng.IntN(2)]
	switch name {
	case "kernel-kmeans":
		return kernel.NewKernelKMeans(), kernel.RatioAssociation
	case "kernel-hmrf-kmeans":
		a := kernel.NewKernelHMRF()
		a.Objective, a.Weight, a.PairTerm = objective, weight, term
		return a, objective
	case "ss-kernel-kmeans":
		a := kernel.NewSSKernelKMeans()
		a.Objective, a.Weight, a.PairTerm = objective, weight, term
		return a, objective
	}
	a := kernel.NewGraphCut()
	if a.Objective, a.Weight = objective, weight; weight.Rule == "" {
		a.Weight.Value /= 20 // most cannot-links are satisfied by far less
	}
	return a, objective
}

// defined returns J of a fit.
func defined(t *testing.T, p *cluster.Problem, a cluster.Algorithm, objective kernel.Objective, r *cluster.Result) *definition {
	t.Helper()
	d := newDefinition(p, objective)
	if info, ok := r.Learned.(*kernel.KernelInfo); ok {
		d.pairs, d.shift = info.PairWeight, info.Shift
	}
	switch a := a.(type) {
	case *kernel.KernelHMRF:
		d.mustCosts = a.PairTerm == kernel.PairPenalty
	case *kernel.SSKernelKMeans:
		d.mustCosts = a.PairTerm == kernel.PairPenalty
	case *kernel.GraphCut:
		d.cannot = 1
		d.pairs = pairUnit(t, p, a, &constraint.Set{Beliefs: p.Constraints.Beliefs}, d)
		if d.cannot = a.Weight.Value; a.Weight.Rule != "" {
			d.cannot = pairUnit(t, p, a, &constraint.Set{Cannot: []constraint.Pair{{I: 0, J: 1, W: 1}}}, d)
		}
	}
	return d
}

// pairUnit returns what a constraint of weight 1 weighs, which graph-cut does not report: J of
// some clusters with these constraints alone less J without any, by what they add for one.
func pairUnit(t *testing.T, p *cluster.Problem, a *kernel.GraphCut, s *constraint.Set, d *definition) float64 {
	t.Helper()
	value := func(s *constraint.Set, labels []int) float64 {
		q := *p
		q.Constraints = s
		f, err := kernel.ObjectiveFunc(&q, a)
		if err != nil {
			t.Fatal(err)
		}
		return f(labels)
	}
	one := *d
	one.pairs, one.cannot = 1, 1
	rng, most, unit := rand.New(rand.NewPCG(1, 1)), 0.0, 0.0
	for range 10 {
		labels := make([]int, p.Len())
		for i := range labels {
			labels[i] = rng.IntN(2)
		}
		labels[1] = labels[0]
		if by := one.all(s, labels) - one.all(&constraint.Set{}, labels); math.Abs(by) > most {
			most, unit = math.Abs(by), (value(s, labels)-value(nil, labels))/by
		}
	}
	return unit
}

func checkDefined(t *testing.T, where string, d *definition, p *cluster.Problem, r *cluster.Result, count map[string]int) {
	t.Helper()
	s, labels, prices := p.Constraints, r.Labels, r.Prices(p)
	isCut := d.cannot > 0
	if d.pairs == 0 && !isCut { // the method uses no constraints
		s = &constraint.Set{}
	}
	soft, cannot := d.softPairs(s), d.cannotPairs(s)
	now := d.objective(soft, cannot, labels)
	same := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(now))) {
			t.Fatalf("%s: %s is %v, by the definition %v\n%+v\n%v", where, what, got, want, *p.Constraints, labels)
		}
	}
	same("the objective", r.Objective.Sum(), now)
	var closed *constraint.Closure
	if isCut {
		var err error
		if closed, err = constraint.Close(p.Len(), s); err != nil {
			t.Fatal(err)
		}
	}
	after := func(i, to int) float64 {
		moved := slices.Clone(labels)
		for j := range moved {
			if i == j || isCut && closed.MustTogether(i, j) {
				moved[j] = to
			}
		}
		return d.objective(soft, cannot, moved) - now
	}
	for i := range labels {
		for h := range p.K {
			count["moves"]++
			got, ok := prices.Move(i, h)
			if !ok {
				t.Fatalf("%s: a move has no cost", where)
			}
			same("a move", got, after(i, h))
		}
	}
	apart := func(i, j int) (least float64) {
		least = math.Inf(1)
		for h := range p.K {
			if h != labels[i] {
				least = min(least, after(i, h), after(j, h))
			}
		}
		return least
	}
	without := func(q signedPair) float64 { // J less that without one pair
		drop := func(list []signedPair) []signedPair {
			if at := slices.Index(list, q); at >= 0 {
				return slices.Delete(slices.Clone(list), at, at+1)
			}
			return list
		}
		if isCut && slices.Contains(cannot, q) {
			return now - d.objective(soft, drop(cannot), labels)
		}
		return now - d.objective(drop(soft), cannot, labels)
	}
	for kind, list := range map[cluster.Kind][]constraint.Pair{cluster.MustLinks: p.Constraints.Must, cluster.CannotLinks: p.Constraints.Cannot, cluster.Beliefs: p.Constraints.Beliefs} {
		for _, q := range list {
			x := signedPair{q.I, q.J, q.W}
			if kind == cluster.CannotLinks {
				x.w = -q.W
			}
			got, ok := prices.PairPenalty(kind, q)
			if !ok {
				t.Fatalf("%s: a pair has no penalty", where)
			}
			same(fmt.Sprintf("the penalty of a pair of %s", kind), got, without(x))
			if x.w > 0 == (labels[q.I] == labels[q.J]) {
				continue
			}
			count[map[cluster.Kind]string{cluster.MustLinks: "must", cluster.CannotLinks: "cannot", cluster.Beliefs: "belief"}[kind]]++
			if x.w > 0 {
				got, ok = prices.Together(q.I, q.J)
				same("the cost of being together", got, min(after(q.I, labels[q.J]), after(q.J, labels[q.I])))
			} else if got, ok = prices.Apart(q.I, q.J); isCut && closed.MustTogether(q.I, q.J) {
				if ok {
					t.Fatalf("%s: points that must be together can be apart", where)
				}
				continue
			} else {
				same("the cost of being apart", got, apart(q.I, q.J))
			}
			if !ok {
				t.Fatalf("%s: a violated pair has no cost", where)
			}
		}
	}
	softSeeds := p.Constraints.SoftSeeds()
	for _, l := range p.Constraints.Labels {
		want := 0.0
		for _, q := range labelPairs(s, func(m constraint.Label, strongest bool) bool {
			if isCut { // all points of a class are one
				return strongest && m.Class == l.Class && !softSeeds[l.I]
			}
			return m == l
		}) {
			violated := q.w > 0 != (labels[q.i] == labels[q.j])
			if violated {
				want += without(q)
			}
		}
		got, ok := prices.LabelPenalty(l)
		if !ok {
			t.Fatalf("%s: a label has no penalty", where)
		}
		if want != 0 {
			count["label"]++
		}
		same(fmt.Sprintf("the penalty of label %v", l), got, want)
	}
}
