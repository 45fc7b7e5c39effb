package reproduce

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// viewRules are the ways to cut with a view. The paper says neither what β was
// in section 7.4 nor by which degrees A_S is normalised.
var viewRules = []struct {
	name, beta string
	degrees    csp.ViewDegrees
}{
	{"CSP, auto", csp.BetaAuto, csp.TargetDegrees},
	{"auto, D_S", csp.BetaAuto, csp.SourceDegrees},
	{"CSP, one", csp.BetaOne, csp.TargetDegrees},
	{"one, D_S", csp.BetaOne, csp.SourceDegrees},
}

// viewBetas are the shares of λ₁·vol of the curve.
var viewBetas = []float64{-0.5, -0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}

// viewsTrial is all that is measured on one draw of stories. Directions are the
// ordered pairs of views, as directions lists them.
type viewsTrial struct {
	Plain []agreement `json:"plain"` // of each view alone
	Sum   []agreement `json:"sum"`   // of both graphs in one, by direction
	Rules [][]carried `json:"rules"` // by rule and direction
	Both  []carried   `json:"both"`  // each view with the two others as views
	Betas [][]carried `json:"betas"` // by β and direction
}

// directions are source and target.
func directions() (list [][2]int, names []string) {
	for t := range newspapers {
		for s := range newspapers {
			if s != t {
				list, names = append(list, [2]int{s, t}), append(names, newspapers[s]+" → "+newspapers[t])
			}
		}
	}
	return list, names
}

// viewKinds are the ways to make a graph of stories; the paper names none.
var viewKinds = []struct {
	name  string
	curve bool // over β, too
	make  func(ctx context.Context, x data.Rows, seed uint64) (*data.Graph, error)
}{
	{"ten neighbours", true, func(ctx context.Context, x data.Rows, seed uint64) (*data.Graph, error) {
		near, err := affinity.KNN(ctx, x, 10, affinity.KNNOptions{Seed: seed, Workers: 1})
		if err != nil {
			return nil, err
		}
		return near.Graph(ctx, affinity.Weights{Kind: affinity.SelfTuningWeights, Join: true})
	}},
	{"cosines of all pairs", false, func(_ context.Context, x data.Rows, _ uint64) (*data.Graph, error) { return cosines(x) }},
}

// cspViews is section 7.4. The paper has documents and their translations; we
// have stories in the versions of three newspapers; none is the original.
func cspViews(ctx context.Context, l *Lab) error {
	all, err := l.stories()
	if err != nil {
		return err
	}
	l.Put(Part{Title: "What stands for what", Text: "The paper has 1,000 documents of Reuters at a time in the language they were written in and in translations, and six topics. Here are 169 stories of six topics in the versions of three newspapers. None is the original of the others, so the source counts as the better version where its own clusters agree more with the topics. The paper says neither how graphs were made nor what β was: two kinds of graph are tried, and β by our rule (auto) and by that of section 7.3 (one), under both readings of equation 18."})
	draws := l.Repeats(5, 50)
	for at, kind := range viewKinds {
		var keys []string
		for d := range draws {
			keys = append(keys, fmt.Sprintf("four of five of %d stories, draw %d", len(all.truth), d))
		}
		trials, err := Try(ctx, l, kind.name, keys, func(ctx context.Context, d int) (viewsTrial, error) {
			return l.viewsTrial(ctx, all.sample(l, "views", d), at)
		})
		if err != nil {
			return err
		}
		if err := l.putViewTables(kind.name, trials); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) viewsTrial(ctx context.Context, s *stories, kind int) (out viewsTrial, err error) {
	var graphs []*data.Graph
	for _, x := range s.views {
		g, err := viewKinds[kind].make(ctx, x, l.Seed)
		if err != nil {
			return out, err
		}
		graphs = append(graphs, g)
		a, err := l.plainAgreement(ctx, g, s)
		if err != nil {
			return out, err
		}
		out.Plain = append(out.Plain, a)
	}
	list, _ := directions()
	each := func(a *csp.CSP) (row []carried, err error) {
		for _, d := range list {
			p := &cluster.Problem{Graph: graphs[d[1]], K: s.k, Views: []cluster.View{{Graph: graphs[d[0]]}}}
			c, err := carry(ctx, p, a, s.truth, l.Seed)
			if err != nil {
				return nil, err
			}
			row = append(row, c)
		}
		return row, nil
	}
	for _, r := range viewRules {
		a := csp.NewCSP()
		a.Beta, a.ViewDegrees = cluster.ByRule(r.beta), r.degrees
		row, err := each(a)
		if err != nil {
			return out, err
		}
		out.Rules = append(out.Rules, row)
	}
	if viewKinds[kind].curve {
		for _, b := range viewBetas {
			a := csp.NewCSP()
			a.Beta = cluster.Fixed(b)
			row, err := each(a)
			if err != nil {
				return out, err
			}
			out.Betas = append(out.Betas, row)
		}
	}
	for _, d := range list {
		g, err := summed(graphs[d[0]], graphs[d[1]])
		if err != nil {
			return out, err
		}
		a, err := l.plainAgreement(ctx, g, s)
		if err != nil {
			return out, err
		}
		out.Sum = append(out.Sum, a)
	}
	for t, g := range graphs {
		p := &cluster.Problem{Graph: g, K: s.k}
		for v, other := range graphs {
			if v != t {
				p.Views = append(p.Views, cluster.View{Graph: other})
			}
		}
		c, err := carry(ctx, p, csp.NewCSP(), s.truth, l.Seed)
		if err != nil {
			return out, err
		}
		out.Both = append(out.Both, c)
	}
	return out, nil
}

// plainAgreement cuts a graph without constraints.
func (l *Lab) plainAgreement(ctx context.Context, g *data.Graph, s *stories) (agreement, error) {
	set := cluster.Default()
	set.Seed, set.Workers = l.Seed, 1
	r, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, K: s.k}, spectral.NewSpectral(), set)
	if err != nil {
		return agreement{}, err
	}
	return agreementOf(s.truth, r.Labels)
}

// summed returns both graphs in one, each at volume 1.
func summed(a, b *data.Graph) (*data.Graph, error) {
	var edges []data.Edge
	for _, g := range []*data.Graph{a, b} {
		vol := 0.0
		for _, w := range g.W {
			vol += w
		}
		for i := range g.Len() {
			to, w := g.Neighbours(i)
			for q, j := range to {
				if int(j) >= i {
					edges = append(edges, data.Edge{U: i, V: int(j), W: w[q] / vol})
				}
			}
		}
	}
	return data.NewGraph(a.Len(), edges)
}
