package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// cspTransfer is section 7.5. Its scans of brains are not public. Two scans of
// one person are two newspapers here; the idealised network is the largest
// class, and people in whom it is disrupted are graphs in which some stories
// have changed places.
func cspTransfer(ctx context.Context, l *Lab) error {
	all, err := l.stories()
	if err != nil {
		return err
	}
	l.Put(Part{Title: "What stands for what", Text: "The scans of the paper are not public. Two scans of one person are here two newspapers' versions of the same stories. The idealised network is the largest class against the rest, as an RBF kernel on its indicator. A person is a draw of four of five stories in one newspaper; where the network is disrupted some of them have changed places."})
	if err := l.twoScans(ctx, all); err != nil {
		return err
	}
	if err := l.disruption(ctx, all); err != nil {
		return err
	}
	return l.twoGroups(ctx, all)
}

// twoScans transfers each graph to each other (figure 12).
func (l *Lab) twoScans(ctx context.Context, all *stories) error {
	list, names := directions()
	var keys []string
	draws := l.Repeats(5, 50)
	for d := range draws {
		keys = append(keys, fmt.Sprintf("four of five of %d stories, draw %d", len(all.truth), d))
	}
	trials, err := Try(ctx, l, "two scans", keys, func(ctx context.Context, d int) ([]carried, error) {
		s := all.sample(l, "two scans", d)
		var graphs []*data.Graph
		for _, x := range s.views {
			g, err := viewKinds[0].make(ctx, x, l.Seed)
			if err != nil {
				return nil, err
			}
			graphs = append(graphs, g)
		}
		var out []carried
		for _, d := range list {
			p := &cluster.Problem{Graph: graphs[d[1]], K: s.k, Views: []cluster.View{{Graph: graphs[d[0]]}}}
			c, err := carry(ctx, p, csp.NewCSP(), s.truth, l.Seed)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	p := Part{Title: "What two graphs agree on", Text: fmt.Sprintf("ARI, mean ± standard error over %d draws: of the two graphs' own clusters with each other, and of the clusters after the transfer with each of them and with the classes. Six clusters, graphs of ten neighbours, β auto.", draws),
		Head: []string{"source → target", "source with target", "transfer with target", "transfer with source", "transfer with the classes"}}
	held := 0
	var numbers []string
	for at, name := range names {
		var ts, t, s, truth []float64
		for _, trial := range trials {
			c := trial[at]
			ts, t, s, truth = append(ts, c.TS), append(t, c.WithT), append(s, c.WithS), append(truth, c.ARI)
		}
		toT, toS := paired(t, ts), paired(s, ts)
		if above(toT) && above(toS) {
			held++
		}
		numbers = append(numbers, fmt.Sprintf("%s %s and %s", name, signed(toT), signed(toS)))
		p.Rows = append(p.Rows, []string{name, meanOf(ts), meanOf(t), meanOf(s), meanOf(truth)})
	}
	l.Put(p)
	l.Claim("after the transfer the cut is what both graphs agree on: it agrees with each more than they do with each other", Of(held, len(names)),
		"%d of %d; with target and with source, less source with target: %s", held, len(names), strings.Join(numbers, ", "))
	return nil
}

func meanOf(y []float64) string { return paired(y, make([]float64, len(y))).String() }

// pattern returns the idealised network as a graph: an RBF kernel of width ½ on
// its indicator, as the paper encodes it, and the network itself.
func (s *stories) pattern() (*data.Graph, []int, error) {
	in := make([]int, len(s.truth))
	for i, c := range s.truth {
		if c == s.largest {
			in[i] = 1
		}
	}
	var edges []data.Edge
	for i := range in {
		for j := range i {
			w := 1.0
			if in[i] != in[j] {
				w = math.Exp(-2)
			}
			edges = append(edges, data.Edge{U: j, V: i, W: w})
		}
	}
	g, err := data.NewGraph(len(in), edges)
	return g, in, err
}

// person transfers the pattern to one graph, of a draw of stories of one
// newspaper, in which a share of the stories have changed places.
func (l *Lab) person(ctx context.Context, all *stories, step string, draw, view int, share float64) (carried, error) {
	s := all.sample(l, step, draw)
	r := l.stream("%s %d, disrupted", step, draw)
	n := len(s.truth)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	moved := r.Perm(n)[:int(math.Round(share*float64(n)))]
	for q, i := range moved {
		at[i] = moved[(q+1)%len(moved)]
	}
	target, err := viewKinds[0].make(ctx, data.Pick(s.views[view], at), l.Seed)
	if err != nil {
		return carried{}, err
	}
	source, in, err := s.pattern()
	if err != nil {
		return carried{}, err
	}
	a := csp.NewCSP()
	a.Beta = cluster.ByRule(csp.BetaOne)
	return carry(ctx, &cluster.Problem{Graph: target, K: 2, Views: []cluster.View{{Name: "pattern", Graph: source}}}, a, in, l.Seed)
}

// disruptions are shares of the stories that have changed places.
var disruptions = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6}

// disruption draws what the transfer costs by how far target and pattern
// disagree.
func (l *Lab) disruption(ctx context.Context, all *stories) error {
	draws := l.Repeats(8, 50)
	var keys []string
	for view := range newspapers {
		for _, share := range disruptions {
			for d := range draws {
				keys = append(keys, fmt.Sprintf("%s, %g of the stories moved, draw %d", newspapers[view], share, d))
			}
		}
	}
	got, err := Try(ctx, l, "disruption", keys, func(ctx context.Context, i int) (carried, error) {
		return l.person(ctx, all, "disruption", i%draws, i/draws/len(disruptions), disruptions[i/draws%len(disruptions)])
	})
	if err != nil {
		return err
	}
	table := func(measure string, of func(carried) float64) (*experiment.Table, error) {
		values := make([][][]float64, len(newspapers))
		for i, c := range got {
			v, at := i/draws/len(disruptions), i/draws%len(disruptions)
			for len(values[v]) <= at {
				values[v] = append(values[v], nil)
			}
			y := math.NaN()
			if c.Feasible {
				y = of(c)
			}
			values[v][at] = append(values[v][at], y)
		}
		return experiment.Tabulate(measure, "moved", newspapers, disruptions, values)
	}
	cost, err := table("cost", func(c carried) float64 { return c.Cost })
	if err != nil {
		return err
	}
	l.Table("Cost of the transferred cut", cost)
	l.sheet.Parts[len(l.sheet.Parts)-1].Text += ". Cost is vᵀL̄v/vol of the vector; β leaves one feasible vector."
	for _, m := range []struct {
		title, measure string
		of             func(carried) float64
	}{
		{"Cost of transfer by normalized cuts", "normalized cut with the pattern less that without", func(c carried) float64 { return c.Cut - c.Alone }},
		{"How well the pattern is taken over", "ARI of the clusters with the pattern", func(c carried) float64 { return c.ARI }},
	} {
		t, err := table(m.measure, m.of)
		if err != nil {
			return err
		}
		l.Table(m.title, t)
	}
	held, all2 := 0, 0
	var numbers []string
	for v := range newspapers {
		rises := 0
		for at := 1; at < len(disruptions); at++ {
			all2++
			if above(rise(cost, v, at, at-1)) {
				held++
				rises++
			}
		}
		numbers = append(numbers, fmt.Sprintf("%s, %d of %d steps", curve(cost, v), rises, len(disruptions)-1))
	}
	l.Claim("a higher cost of the constrained cut indicates more disagreement between the graph and what is transferred: it rises at every step", Of(held, all2), "%s", strings.Join(numbers, "; "))
	return nil
}

// twoGroups is figure 13: eleven people without the syndrome and twenty with.
func (l *Lab) twoGroups(ctx context.Context, all *stories) error {
	const without, with, share = 11, 20, 0.1
	var keys []string
	for i := range without + with {
		moved := 0.0
		if i >= without {
			moved = share
		}
		keys = append(keys, fmt.Sprintf("%s, %g of the stories moved, person %d", newspapers[i%len(newspapers)], moved, i))
	}
	got, err := Try(ctx, l, "two groups", keys, func(ctx context.Context, i int) (carried, error) {
		moved := 0.0
		if i >= without {
			moved = share
		}
		return l.person(ctx, all, "two groups", i, i%len(newspapers), moved)
	})
	if err != nil {
		return err
	}
	var a, b []float64
	for i, c := range got {
		switch {
		case !c.Feasible:
		case i < without:
			a = append(a, c.Cost)
		default:
			b = append(b, c.Cost)
		}
	}
	if len(a) == 0 || len(b) == 0 {
		return fmt.Errorf("two groups: no feasible cut in one of them")
	}
	slices.Sort(a)
	slices.Sort(b)
	row := func(name string, y []float64) []string {
		return []string{name, fmt.Sprint(len(y)), meanOf(y), fmt.Sprintf("%.3f", y[0]), fmt.Sprintf("%.3f", y[len(y)/2]), fmt.Sprintf("%.3f", y[len(y)-1])}
	}
	l.Put(Part{Title: "Two groups", Text: fmt.Sprintf("Cost of the transferred cut, vᵀL̄v/vol. The disrupted have %g of their stories moved.", share),
		Head: []string{"group", "people", "mean", "least", "median", "greatest"}, Rows: [][]string{row("whole", a), row("disrupted", b)}})
	lower := 0
	for _, x := range a {
		for _, y := range b {
			if x < y {
				lower++
			}
		}
	}
	odds := float64(lower) / float64(len(a)*len(b))
	v := Not
	switch {
	case odds > 0.8:
		v = Reproduced
	case odds > 0.6:
		v = Partly
	}
	l.Claim("the transfer tends to cost less in people without the syndrome", v, "%s without and %s with disruption; of one from each group the first costs less with chance %.2f", meanOf(a), meanOf(b), odds)
	return nil
}
