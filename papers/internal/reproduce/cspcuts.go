package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/method/kernel"
)

// A rival is a way to cut a graph in two.
type rival struct {
	name string
	cut  func(ctx context.Context, g *data.Graph, known *constraint.Set, seed uint64) ([]int, error)
}

// The places of the rivals of section 7.3.
const (
	atCSP    = iota // β such that one vector is feasible, as in the paper
	atClosed        // the same, with what follows from the constraints
	atAuto          // β as shipped
	atSL
	atSSKK
	atPlain // without constraints
)

var cspRivals = []rival{
	{"CSP", fitted(func() cluster.Algorithm { return newCSP(csp.BetaOne, false) })},
	{"CSP closed", fitted(func() cluster.Algorithm { return newCSP(csp.BetaOne, true) })},
	{"CSP auto", fitted(func() cluster.Algorithm { return newCSP(csp.BetaAuto, false) })},
	{"SL", editedCut},
	{"SSKK", fitted(func() cluster.Algorithm { return kernel.NewSSKernelKMeans() })},
	{"unconstrained", plainCut},
}

// rivalText explains the columns.
const rivalText = "CSP chooses β so that one vector is feasible, (0.9λ₁ + 0.1λ₂)·vol; CSP closed does so with all entailed constraints; " +
	"CSP auto is as shipped. SL is Spectral Learning (the edited graph, cut by sign), SSKK ss-kernel-kmeans as shipped."

// newCSP returns CSP with beta as its text says: a rule or a number.
func newCSP(beta string, closed bool) *csp.CSP {
	a := csp.NewCSP()
	_ = a.Beta.UnmarshalText([]byte(beta)) // any text is a number or a rule
	if closed {
		a.Closure = csp.On
	}
	return a
}

// fitted cuts by a method of ours, which starts once, as in the paper.
func fitted(method func() cluster.Algorithm) func(context.Context, *data.Graph, *constraint.Set, uint64) ([]int, error) {
	return func(ctx context.Context, g *data.Graph, known *constraint.Set, seed uint64) ([]int, error) {
		s := cluster.Default()
		s.Restarts, s.Workers, s.Seed = 1, 1, seed
		got, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, Constraints: known, K: 2}, method(), s)
		if err != nil {
			return nil, err
		}
		return got.Labels, nil
	}
}

// A cutScore is how good a cut is.
type cutScore struct {
	ARI    float64 `json:"ari"`
	Kept   float64 `json:"kept"` // share of the constraints
	Failed bool    `json:"failed,omitempty"`
}

// scored lets the rivals cut a graph. Rows whose truth is below 0 are not
// scored. That no vector is feasible is a failure of the method, not of the
// trial.
func scored(ctx context.Context, rivals []rival, g *data.Graph, truth []int, known *constraint.Set, seed uint64) ([]cutScore, error) {
	out := make([]cutScore, len(rivals))
	for m, r := range rivals {
		labels, err := r.cut(ctx, g, known, seed)
		var none *csp.InfeasibleError
		if errors.As(err, &none) {
			out[m].Failed = true
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		if out[m].ARI, err = knownARI(truth, labels); err != nil {
			return nil, err
		}
		out[m].Kept = kept(known, labels)
	}
	return out, nil
}

// knownARI is the adjusted Rand index over rows whose truth is known.
func knownARI(truth, labels []int) (float64, error) {
	var a, b []int
	for i, y := range truth {
		if y >= 0 {
			a, b = append(a, y), append(b, labels[i])
		}
	}
	return score.ARI(a, b)
}

// kept is the share of the pairs that labels satisfy; 1 without pairs.
func kept(known *constraint.Set, labels []int) float64 {
	held, all := 0, len(known.Must)+len(known.Cannot)
	for _, p := range known.Must {
		if labels[p.I] == labels[p.J] {
			held++
		}
	}
	for _, p := range known.Cannot {
		if labels[p.I] != labels[p.J] {
			held++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(held) / float64(all)
}

// cuts are the scores of rivals, by number, draw, then rival.
type cuts struct {
	names []string
	vary  string
	x     []float64
	at    [][][]cutScore
}

func newCuts(vary string, rivals []rival, x []float64) *cuts {
	c := &cuts{vary: vary, x: x, at: make([][][]cutScore, len(x))}
	for _, r := range rivals {
		c.names = append(c.names, r.name)
	}
	return c
}

// of returns one number of every cut, by rival, number, then draw; NaN where
// there is no cut.
func (c *cuts) of(pick func(cutScore) float64) [][][]float64 {
	out := make([][][]float64, len(c.names))
	for m := range out {
		for _, draws := range c.at {
			var list []float64
			for _, s := range draws {
				y := math.NaN()
				if !s[m].Failed {
					y = pick(s[m])
				}
				list = append(list, y)
			}
			out[m] = append(out[m], list)
		}
	}
	return out
}

func (c *cuts) ari() (*experiment.Table, error) {
	return experiment.Tabulate("ARI", c.vary, c.names, c.x, c.of(func(s cutScore) float64 { return s.ARI }))
}

func (c *cuts) kept() (*experiment.Table, error) {
	return experiment.Tabulate("share of the constraints that hold", c.vary, c.names, c.x, c.of(func(s cutScore) float64 { return s.Kept }))
}
