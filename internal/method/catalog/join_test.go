package catalog_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/numeric/metric"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/present/saved"
)

// This file is an example of how a method joins: everything about it is here, and
// one catalog.Method makes it known to whatever takes methods. The method is
// k-medians with learned feature weights, in which labelled rows keep their
// labels.
//
//	part of the method                    used by
//	KMedians         cluster.Algorithm    cluster.Fit; its fields are the parameters
//	mediansRun       cluster.Run          cluster.Fit, which calls its stages
//	Medians          cluster.MetricModel  saved and reports: placing, distance, weights
//	equalRowsError   cluster.Infeasible   messages that name points by their ids
//	kMediansMethod   catalog.Method       the one entry

// kMediansMethod is the entry of the catalogue.
var kMediansMethod = catalog.Method{
	Name:  "weighted-k-medians",
	Title: "k-medians with learned feature weights; labelled rows keep their labels",
	Paper: "an example",
	New: func() cluster.Algorithm {
		return &KMedians{Distance: Manhattan, Least: cluster.ByRule(cluster.RuleAuto)}
	},
	Saved: func() cluster.Model { return new(Medians) },
}

// A FeatureDistance says how two values of a feature are compared: a parameter
// with a list of values.
type FeatureDistance string

// The distances of KMedians.
const (
	Manhattan FeatureDistance = "manhattan"
	Squared   FeatureDistance = "squared"
)

// Values returns all distances.
func (FeatureDistance) Values() []string { return []string{string(Manhattan), string(Squared)} }

// KMedians minimises Σ_i Σ_f w_f d(x_if, c_{l(i) f}) over labels l, centres c and
// weights w whose product is 1. Centres are medians, or means where d is squared.
type KMedians struct {
	Distance FeatureDistance `json:"distance" help:"how values of a feature are compared"`
	Least    cluster.Number  `json:"least" rules:"auto" help:"least scatter of a feature; auto: a millionth of the largest"`
}

// Capabilities declare what the method takes and uses.
func (a *KMedians) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{
		Inputs: []cluster.Input{cluster.InputRows}, Uses: []cluster.Kind{cluster.Labels}, Hard: true, LearnsMetric: true,
	}
}

// Check refuses parameters that are not allowed, and more classes than clusters.
func (a *KMedians) Check(p *cluster.Problem) error {
	if !slices.Contains(a.Distance.Values(), string(a.Distance)) {
		return fmt.Errorf("distance must be one of %s, got %q", strings.Join(a.Distance.Values(), ", "), a.Distance)
	}
	if err := a.Least.Check("least", 0, cluster.RuleAuto); err != nil {
		return err
	}
	if p.Constraints != nil && p.Constraints.Classes() > p.K {
		return cluster.Problemf("constraints", "labels name %d classes, there are %d clusters", p.Constraints.Classes(), p.K)
	}
	return nil
}

// Start chooses rows as centres, labelled ones for the clusters of classes.
func (a *KMedians) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := &mediansRun{a: a, p: p, labels: make([]int, p.Len()), fixed: map[int]int{}}
	r.model = &Medians{Squared: a.Distance == Squared, Weights: slices.Repeat([]float64{1}, p.X.Dim())}
	order := e.Rand.Perm(p.Len())
	for h := range p.K {
		r.model.Centres = append(r.model.Centres, data.Copy(p.X, order[h%len(order)]))
	}
	if p.Constraints != nil {
		for _, l := range p.Constraints.Labels {
			r.fixed[l.I] = l.Class
			r.model.Centres[l.Class] = data.Copy(p.X, l.I)
		}
	}
	if err := r.checkEqualRows(); err != nil {
		return nil, err
	}
	r.assign()
	return r, nil
}

// A mediansRun is one descent.
type mediansRun struct {
	a      *KMedians
	p      *cluster.Problem
	model  *Medians
	labels []int
	fixed  map[int]int // the clusters of labelled rows
}

// checkEqualRows refuses equal rows with different labels: no distance can tell
// them apart.
func (r *mediansRun) checkEqualRows() error {
	first := map[string]int{}
	if r.p.Constraints == nil {
		return nil
	}
	for _, l := range r.p.Constraints.Labels {
		key := fmt.Sprint(data.Copy(r.p.X, l.I))
		if other, ok := first[key]; ok && r.fixed[other] != l.Class {
			return &equalRowsError{other, l.I}
		}
		first[key] = l.I
	}
	return nil
}

func (r *mediansRun) Labels() []int { return slices.Clone(r.labels) }

func (r *mediansRun) Model() cluster.Model {
	m := *r.model
	m.Centres, m.Weights = slices.Clone(m.Centres), slices.Clone(m.Weights)
	return &m
}

func (r *mediansRun) Objective(context.Context) (cluster.Terms, error) {
	sum := 0.0
	for f, s := range r.scatter() {
		sum += r.model.Weights[f] * s
	}
	return cluster.Terms{{Name: "distance", Value: sum}}, nil
}

// scatter returns the distances of all rows from their centres, by feature.
func (r *mediansRun) scatter() []float64 {
	sums := make([]float64, r.p.X.Dim())
	for i, h := range r.labels {
		for f, y := range data.Copy(r.p.X, i) {
			sums[f] += r.p.W(i) * r.model.difference(y, r.model.Centres[h][f])
		}
	}
	return sums
}

// Stages are three steps, each of which lowers the objective or leaves it. Rows
// are assigned last, so that the labels are those that the model gives.
func (r *mediansRun) Stages() []cluster.Stage {
	return []cluster.Stage{
		{Name: "centres", Do: func(context.Context) (int, error) { r.moveCentres(); return 0, nil }},
		{Name: "weights", Do: func(context.Context) (int, error) { r.learnWeights(); return 0, nil }},
		{Name: "assign", Do: func(context.Context) (int, error) { return r.assign(), nil }},
	}
}

func (r *mediansRun) assign() (moved int) {
	next := make([]int, len(r.labels))
	r.model.Place(r.p.X, 0, len(next), next)
	for i, h := range next {
		if class, ok := r.fixed[i]; ok {
			h = class
		}
		if h != r.labels[i] {
			r.labels[i] = h
			moved++
		}
	}
	return moved
}

// moveCentres moves each centre to the median or the mean of its rows.
func (r *mediansRun) moveCentres() {
	members := make([][]int, len(r.model.Centres))
	for i, h := range r.labels {
		if r.p.W(i) > 0 {
			members[h] = append(members[h], i)
		}
	}
	for h, rows := range members {
		if len(rows) == 0 {
			continue
		}
		centre := make([]float64, r.p.X.Dim())
		values, weights := make([][]float64, len(rows)), make([]float64, len(rows))
		for at, i := range rows {
			values[at], weights[at] = data.Copy(r.p.X, i), r.p.W(i)
		}
		for f := range centre {
			if r.model.Squared {
				centre[f] = weightedMean(values, weights, f)
			} else {
				centre[f] = weightedMedian(values, weights, f)
			}
		}
		r.model.Centres[h] = centre
	}
}

func weightedMean(values [][]float64, weights []float64, f int) float64 {
	sum, total := 0.0, 0.0
	for at, v := range values {
		sum, total = sum+weights[at]*v[f], total+weights[at]
	}
	return sum / total
}

func weightedMedian(values [][]float64, weights []float64, f int) float64 {
	order, total := make([]int, len(values)), 0.0
	for at := range order {
		order[at] = at
		total += weights[at]
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a][f], values[b][f]) })
	sum := 0.0
	for _, at := range order {
		if sum += weights[at]; sum >= total/2 {
			return values[at][f]
		}
	}
	return values[order[len(order)-1]][f]
}

// learnWeights sets each weight to the geometric mean of all scatters divided by
// the scatter of its feature, the minimum where the product of the weights is 1.
// A scatter below the least counts as the least; weights that are worse than the
// ones before are not taken.
func (r *mediansRun) learnWeights() {
	scatter := r.scatter()
	least := r.a.Least.Value
	if r.a.Least.Rule == cluster.RuleAuto {
		least = 1e-6 * slices.Max(scatter)
	}
	logs, before, after := 0.0, 0.0, 0.0
	for _, s := range scatter {
		logs += math.Log(max(s, least)) / float64(len(scatter))
	}
	weights := make([]float64, len(scatter))
	for f, s := range scatter {
		weights[f] = math.Exp(logs) / max(s, least)
		before, after = before+r.model.Weights[f]*s, after+weights[f]*s
	}
	if after <= before { // false where a weight is NaN
		r.model.Weights = weights
	}
}

// Medians is the model: plain data that package saved writes and reads.
type Medians struct {
	Squared bool        `json:"squared"`
	Centres [][]float64 `json:"centres"`
	Weights []float64   `json:"weights"`
}

// Dim returns the number of features.
func (m *Medians) Dim() int { return len(m.Weights) }

// Clusters returns the number of centres.
func (m *Medians) Clusters() int { return len(m.Centres) }

// Place writes the nearest centre of each row.
func (m *Medians) Place(x data.Rows, lo, hi int, labels []int) {
	for i := lo; i < hi; i++ {
		row, best := data.Copy(x, i), 0
		least := m.distance(row, 0)
		for h := 1; h < len(m.Centres); h++ {
			if d := m.distance(row, h); d < least {
				best, least = h, d
			}
		}
		labels[i-lo] = best
	}
}

// Check refuses a file whose parts do not fit together.
func (m *Medians) Check() error {
	for _, c := range m.Centres {
		if len(c) != len(m.Weights) {
			return fmt.Errorf("a centre of %d features with %d weights", len(c), len(m.Weights))
		}
	}
	return nil
}

// Distance makes it a cluster.DistanceModel.
func (m *Medians) Distance() string {
	if m.Squared {
		return cluster.EuclideanDistance
	}
	return string(Manhattan)
}

// LearnedMetric makes it a cluster.MetricModel: reports show the weights.
func (m *Medians) LearnedMetric() cluster.Metric {
	learned, err := metric.New(metric.Form{Shape: metric.Diagonal}, len(m.Weights), slices.Clone(m.Weights))
	if err != nil { // a weight is 0 or not finite
		return nil
	}
	return learned
}

func (m *Medians) difference(x, y float64) float64 {
	if m.Squared {
		return (x - y) * (x - y)
	}
	return math.Abs(x - y)
}

func (m *Medians) distance(x []float64, h int) (sum float64) {
	for f, y := range x {
		sum += m.Weights[f] * m.difference(y, m.Centres[h][f])
	}
	return sum
}

// An equalRowsError says that two equal rows have different labels. It is a
// cluster.Infeasible, so that faces name the rows by their ids.
type equalRowsError struct{ A, B int }

func (e *equalRowsError) Error() string { return e.Describe(strconv.Itoa) }

func (e *equalRowsError) Infeasible() bool { return true }

func (e *equalRowsError) Describe(name func(int) string) string {
	return fmt.Sprintf("%s and %s are equal rows with different labels", name(e.A), name(e.B))
}

var (
	_ cluster.MetricModel = (*Medians)(nil)
	_ cluster.Infeasible  = (*equalRowsError)(nil)
	_ catalog.Enum        = Manhattan
)

// The suite that every algorithm passes.
func TestJoinedMethodKeepsTheContract(t *testing.T) {
	for _, c := range clustertest.Checks() {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Do(kMediansMethod.New()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A list with the method finds it, sets its parameters and refuses others.
func TestJoinedMethodIsInTheList(t *testing.T) {
	list := append(catalog.Methods(), kMediansMethod)
	a, err := list.New("weighted-k-medians", []byte(`{"distance": "squared", "least": 0.5}`))
	if err != nil {
		t.Fatal(err)
	}
	if k := a.(*KMedians); k.Distance != Squared || k.Least != cluster.Fixed(0.5) {
		t.Errorf("%+v", k)
	}
	_, err = list.New("weighted-k-medians", []byte(`{"distance": "cosine"}`))
	if err == nil || err.Error() != `distance must be one of manhattan, squared, got "cosine"` {
		t.Errorf("%v", err)
	}
	if p := kMediansMethod.Parameters()[1]; p.Default != "auto" || !slices.Equal(p.Rules, []string{"auto"}) {
		t.Errorf("%+v", p)
	}
	if _, err := experiment.ParseMethods("kmeans,weighted-k-medians:distance=squared", kMediansMethod); err != nil {
		t.Error(err)
	}
}

// rowsOfTwo are two groups that differ in the first feature; the second is noise.
func rowsOfTwo() *data.Dense {
	return &data.Dense{Cols: 2, V: []float64{0, 5, 0.1, 90, 0.2, 40, 0.1, 60, 9, 70, 9.1, 10, 9.2, 50, 9.1, 55}}
}

// A fit is saved and read back, and its report shows the learned weights.
func TestJoinedMethodIsSavedAndReported(t *testing.T) {
	ctx := context.Background()
	p, a := &cluster.Problem{X: rowsOfTwo(), K: 2}, kMediansMethod.New()
	p.Constraints = &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 0, W: 1}, {I: 4, Class: 1, W: 1}, {I: 5, Class: 1, W: 1}}}
	r, err := cluster.Fit(ctx, p, a, cluster.Default())
	if err != nil {
		t.Fatal(err)
	}
	f, err := saved.New(kMediansMethod.Name, a, p, r, kMediansMethod)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := saved.Write(&file, f, kMediansMethod); err != nil {
		t.Fatal(err)
	}
	if f, err = saved.Read(&file, kMediansMethod); err != nil {
		t.Fatal(err)
	}
	labels, err := f.Place(ctx, &prepare.Prepared{X: p.X}, 1)
	if err != nil || !slices.Equal(labels, r.Labels) || !slices.Equal(labels, []int{0, 0, 0, 0, 1, 1, 1, 1}) {
		t.Errorf("placed in %v, fitted in %v, %v", labels, r.Labels, err)
	}
	model, ok := f.Model.(cluster.MetricModel)
	if !ok {
		t.Fatalf("%T has no metric", f.Model)
	}
	w, err := report.NewWeights(ctx, model.LearnedMetric(), nil, []string{"signal", "noise"}, f.Clusters)
	if err != nil || w.Features[0] != "signal" || w.Learned[0][0] < 0.9 {
		t.Errorf("%+v, %v", w, err)
	}
}

// An infeasible problem is described by ids.
func TestJoinedMethodDescribesInfeasibility(t *testing.T) {
	x := &data.Dense{Cols: 1, V: []float64{3, 4, 3}}
	p := &cluster.Problem{X: x, K: 2, Constraints: &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 2, Class: 1, W: 1}}}}
	_, err := cluster.Fit(context.Background(), p, kMediansMethod.New(), cluster.Default())
	var infeasible cluster.Infeasible
	if !errors.As(err, &infeasible) {
		t.Fatalf("%v", err)
	}
	ids := []string{"anna", "bert", "carl"}
	if got := infeasible.Describe(func(i int) string { return ids[i] }); got != "anna and carl are equal rows with different labels" {
		t.Errorf("%s", got)
	}
}
