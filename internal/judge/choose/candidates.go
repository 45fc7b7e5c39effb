package choose

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// Sizes up to which methods are candidates. A method that is not may still be
// chosen by its name.
const (
	maxNeighbourRows = 50_000    // rows of which a graph of neighbours is made
	maxEdges         = 3_000_000 // of a graph whose eigenvectors are computed
	maxMetricColumns = 100       // columns of rows for which a full metric is learned
	maxKernelPoints  = 5_000     // points of a kernel matrix
)

// A template is a candidate before scaling and k are settled.
type template struct {
	method      string
	parameters  map[string]any
	constrained bool
}

var neighbours = map[string]any{"knn": 10}

// templatesFor returns the methods worth comparing for data of this form, the
// reference first, and what is left out for its size.
func templatesFor(t *Task) (list []template, leftOut []string) {
	p := t.Problem
	switch {
	case p.X != nil:
		return rowTemplates(t)
	case p.Graph != nil:
		list = []template{{"graph-cut", nil, false}, {"spectral", nil, false},
			{"graph-cut", nil, true}, {"csp", nil, true}, {"ss-kernel-kmeans", nil, true}, {"spectral-learning", nil, true}}
		if p.Graph.Edges() > maxEdges {
			list = []template{list[0], list[2]}
			leftOut = []string{fmt.Sprintf("spectral, csp, ss-kernel-kmeans, spectral-learning: more than %d edges", maxEdges)}
		}
		return list, leftOut
	}
	return []template{{"kernel-kmeans", nil, false}, {"kernel-hmrf-kmeans", nil, true}}, nil
}

func rowTemplates(t *Task) (list []template, leftOut []string) {
	p := t.Problem
	graphs := p.Len() <= maxNeighbourRows && p.Len() > 20
	list = []template{{"kmeans", nil, false}}
	if graphs {
		list = append(list, template{"spectral", nil, false}, template{"graph-cut", neighbours, false})
	}
	if p.Constraints != nil && len(p.Constraints.Labels) > 0 {
		list = append(list, template{classifierMethod, nil, true}, template{"seeded-kmeans", nil, true}, template{"constrained-kmeans", nil, true})
	}
	if t.labelsDecide() {
		if graphs {
			list = append(list, template{"graph-cut", neighbours, true})
		}
		return list, nil
	}
	list = append(list, template{"pc-kmeans", nil, true})
	if !t.Texts {
		list = append(list, template{"mpc-kmeans", nil, true})
	}
	if t.Texts || p.X.Dim() <= maxMetricColumns {
		list = append(list, template{"hmrf-kmeans", map[string]any{"inference": "bp"}, true})
	} else {
		leftOut = append(leftOut, fmt.Sprintf("hmrf-kmeans: more than %d columns", maxMetricColumns))
	}
	if graphs {
		list = append(list, template{"graph-cut", neighbours, true}, template{"csp", nil, true})
	} else if p.Len() > maxNeighbourRows {
		leftOut = append(leftOut, fmt.Sprintf("spectral, graph-cut, csp: more than %d rows", maxNeighbourRows))
	}
	return list, leftOut
}

// labelsDecide reports whether there are labels of most clusters and nothing else: a
// classifier then does what penalties and metrics do, and better.
func (t *Task) labelsDecide() bool {
	s := t.Problem.Constraints
	if s == nil || len(t.Ks) > 0 || len(s.Must)+len(s.Cannot)+len(s.Beliefs) > 0 || len(t.Problem.Views) > 0 {
		return false
	}
	return labelsOfMost(s, t.Problem.K)
}

// Candidates returns what is compared for a task: the reference first, fits
// without constraints, and fits with them where there are constraints. leftOut says
// what is not compared because of its size. Methods that lack a parameter of the
// task, a model that it needs or the use of its views are not listed; where none is
// left, any method of the catalog that fits is a candidate.
func Candidates(t *Task) (list []Candidate, leftOut []string) {
	templates, leftOut := templatesFor(t)
	var able []template
	for _, u := range templates {
		if m, _ := catalog.Find(u.method); t.allows(m) {
			able = append(able, u)
		}
	}
	for _, m := range t.Own {
		if t.allows(m) && slices.ContainsFunc(t.Problem.Inputs(), m.Takes) {
			able = append(able, template{m.Name, nil, len(m.Uses()) > 0})
		}
	}
	if !slices.ContainsFunc(able, func(u template) bool { return u.constrained || !t.asksForConstrained() }) {
		able = t.otherMethods()
	}
	scales := []prepare.Scale{""}
	if t.Scalable && t.Problem.X != nil {
		scales = []prepare.Scale{prepare.None, prepare.Standard}
		if DifferentScales(t.Problem.X) {
			slices.Reverse(scales)
		}
	}
	for _, constrained := range []bool{false, true} {
		if constrained && t.Problem.Constraints.Empty() && len(t.Problem.Views) == 0 && len(list) > 0 {
			break
		}
		for _, scale := range scales {
			for _, u := range able {
				if u.constrained == constrained && !(u.method == classifierMethod && scale == prepare.None) { // as an analyst gives columns to a classifier
					list = append(list, Candidate{Method: u.method, Parameters: t.parametersOf(u), Scale: scale, K: t.Problem.K, Constrained: constrained, own: t.Own})
				}
			}
		}
	}
	return list, leftOut
}

// asksForConstrained reports whether only methods that use something beside the
// points can do what is asked for.
func (t *Task) asksForConstrained() bool { return len(t.Problem.Views) > 0 }

// allows reports whether m has the parameters that were given, a model where one
// is needed, and uses views where there are some.
func (t *Task) allows(m catalog.Method) bool {
	for name := range t.Parameters {
		if !m.HasParameter(name) {
			return false
		}
	}
	if m.Capabilities().LeavesNoise || t.NeedModel && m.Saved == nil || len(t.Problem.Views) > 0 && !m.Capabilities().UsesKind(cluster.Views) {
		return false
	}
	return true
}

// otherMethods returns the methods of the catalog that take the points and have
// what was asked for, those that use most kinds of the constraints first.
func (t *Task) otherMethods() (list []template) {
	type ranked struct {
		template
		rank int
	}
	var found []ranked
	for _, m := range catalog.Methods() {
		alg, _, err := m.Configure(t.Parameters)
		if err != nil || !t.allows(m) || !slices.ContainsFunc(t.Problem.Inputs(), alg.Capabilities().Takes) {
			continue
		}
		r := ranked{template{m.Name, nil, len(m.Uses()) > 0}, 0}
		for _, kind := range t.Problem.Given() {
			if m.Capabilities().UsesKind(kind) {
				r.rank++
			}
		}
		found = append(found, r)
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return b.rank - a.rank })
	for _, r := range found {
		list = append(list, r.template)
	}
	return list
}

// parametersOf returns the parameters of a template with those of the task, and
// with what texts need.
func (t *Task) parametersOf(u template) map[string]any {
	out := maps.Clone(u.parameters)
	if out == nil {
		out = map[string]any{}
	}
	maps.Copy(out, t.Parameters)
	if m, ok := find(u.method, t.Own); ok && t.Texts {
		out = ForTexts(m, out, t.Problem)
	}
	return out
}

// ForTexts adds to the given parameters of m the cosine distortion, by which
// texts are compared, where m has it and nothing else was asked for.
func ForTexts(m catalog.Method, given map[string]any, p *cluster.Problem) map[string]any {
	if _, set := given["distortion"]; set || !m.HasParameter("distortion") {
		return given
	}
	with := map[string]any{"distortion": "cosine"}
	if _, set := given["metric"]; !set && m.HasParameter("metric") {
		with["metric"] = "none" // no metric is learned for the cosine
	}
	maps.Copy(with, given)
	alg, _, err := m.Configure(with)
	if err != nil || cluster.Check(&cluster.Problem{X: p.X, K: max(1, p.K)}, alg) != nil {
		return given
	}
	return with
}

// widestShare is how many times wider than the median column the widest has to be
// for rows to be standardised without being asked.
const widestShare = 5

// DifferentScales reports whether the columns of dense rows differ so much in
// spread that distances are those of a few columns: k-means is then better off on
// standardised rows.
func DifferentScales(x data.Rows) bool {
	d := x.Dim()
	if _, sparse := x.(*data.Sparse); sparse || d < 2 || x.Len() < 2 {
		return false
	}
	spread := columnSpreads(x)
	spread = slices.DeleteFunc(spread, func(y float64) bool { return !(y > 0) || math.IsInf(y, 0) })
	if len(spread) < 2 {
		return false
	}
	slices.Sort(spread)
	return spread[len(spread)-1] > widestShare*spread[len(spread)/2]
}

// columnSpreads returns the standard deviation of each column in an even sample of
// the rows.
func columnSpreads(x data.Rows) []float64 {
	const most = 10_000
	n, d := x.Len(), x.Dim()
	m := min(n, most)
	mean, square, buf := make([]float64, d), make([]float64, d), make([]float64, d)
	for s := range m {
		v := x.Row(s*n/m, buf)
		for q, y := range v.Val {
			mean[v.Feature(q)] += y / float64(m)
		}
	}
	for s := range m {
		v := x.Row(s*n/m, buf)
		for q, y := range v.Val {
			e := y - mean[v.Feature(q)]
			square[v.Feature(q)] += e * e / float64(m)
		}
	}
	for f := range square {
		square[f] = math.Sqrt(square[f])
	}
	return square
}
