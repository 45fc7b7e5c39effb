package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// toyGraph is figure 2: two triangles and an edge between nodes 3 and 4.
func toyGraph() (*data.Graph, error) {
	var edges []data.Edge
	for _, e := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}} {
		edges = append(edges, data.Edge{U: e[0], V: e[1], W: 1})
	}
	return data.NewGraph(6, edges)
}

// toySides are the colours of figure 2: Q_ij is +1 within one and −1 between
// the two, diagonal and all, which is what labels of all nodes say.
var toySides = []int{0, 0, 0, 0, 1, 1}

func toyLabels(side []int) *constraint.Set {
	s := &constraint.Set{}
	for i, c := range side {
		s.Labels = append(s.Labels, constraint.Label{I: i, Class: c, W: 1})
	}
	return s
}

// A toyCut is what came of one β.
type toyCut struct {
	Feasible int       `json:"feasible"`
	Lambda   float64   `json:"lambda"`
	Cost     float64   `json:"cost"`
	Alpha    float64   `json:"alpha"`
	U        []float64 `json:"u,omitempty"`
}

// toyShares are the β that are tried, as shares of vol; the paper's are 1 and 2.
var toyShares = []float64{0.5, 1, 1.5, 2, 2.6, 2.7}

// cspToy is section 4.4.
func cspToy(ctx context.Context, l *Lab) error {
	g, err := toyGraph()
	if err != nil {
		return err
	}
	values, vol, err := toySpectrum(ctx, g)
	if err != nil {
		return err
	}
	top := values[0]
	l.Put(Part{Title: "Eigenvalues of Q̄", Text: fmt.Sprintf("The volume of the graph is %g.", vol), Head: []string{"λ₁", "λ₂", "λ₃", "λ₄", "λ₅", "λ₆"}, Rows: [][]string{numbers("%.4f", values)}})
	u, err := indicator(ctx, g)
	if err != nil {
		return err
	}
	if u[0] < 0 {
		for i := range u {
			u[i] = -u[i]
		}
	}
	rows := [][]string{append([]string{"unconstrained", "", "", "", ""}, numbers("%+.2f", u)...)}
	found := make([]*toyCut, len(toyShares))
	for i, share := range toyShares {
		c, err := toyTry(ctx, g, toyLabels(toySides), share/top)
		if err != nil {
			return err
		}
		found[i] = c
		row := []string{fmt.Sprintf("%g vol", share), strconv.Itoa(c.Feasible), "none", "", ""}
		if c.U != nil {
			row = append(append(row[:2], dashed("%.3f", c.Lambda), dashed("%.3f", c.Cost), dashed("%.2f", c.Alpha/vol)), numbers("%+.2f", c.U)...)
		} else {
			row = append(row, "", "", "", "", "", "")
		}
		rows = append(rows, row)
	}
	l.Put(Part{Title: "Feasible vectors", Text: "The cheapest feasible vector u* for each β, the side of node 1 being above 0; α in units of vol.",
		Head: []string{"β", "feasible", "λ", "cost", "α/vol", "u₁", "u₂", "u₃", "u₄", "u₅", "u₆"}, Rows: rows})
	judgeToy(l, values, vol, u, found)
	return judgeTrivial(ctx, l, g)
}

// toySpectrum returns the eigenvalues of Q̄ in descending order, and the volume.
func toySpectrum(ctx context.Context, g *data.Graph) (values []float64, vol float64, err error) {
	m := eigen.NewDense(6)
	for i, a := range toySides {
		vol += g.Degree(i)
		for j, b := range toySides {
			m.V[6*i+j] = 1 / math.Sqrt(g.Degree(i)*g.Degree(j))
			if a != b {
				m.V[6*i+j] *= -1
			}
		}
	}
	pairs, err := eigen.Symmetric(ctx, m, eigen.Options{K: 6, End: eigen.High, Workers: 1})
	if err != nil {
		return nil, 0, err
	}
	for i, y := range pairs.Values {
		if math.Abs(y) < 1e-12 { // rounding
			pairs.Values[i] = 0
		}
	}
	return pairs.Values, vol, nil
}

// toyTry solves for one β, a share of λ₁·vol.
func toyTry(ctx context.Context, g *data.Graph, known *constraint.Set, share float64) (*toyCut, error) {
	s := cluster.Default()
	s.Restarts, s.Workers = 1, 1
	got, err := cluster.Fit(ctx, &cluster.Problem{Graph: g, Constraints: known, K: 2}, newCSP(strconv.FormatFloat(share, 'g', -1, 64), false), s)
	var none *csp.InfeasibleError
	if errors.As(err, &none) {
		return &toyCut{Feasible: none.Feasible}, nil
	}
	if err != nil {
		return nil, err
	}
	cut, ok := got.Learned.(*csp.Cut)
	if !ok {
		return nil, fmt.Errorf("CSP reports a %T", got.Learned)
	}
	out := &toyCut{cut.Feasible, cut.Lambda, cut.Cost, cut.Alpha, cut.Indicator}
	if out.U[0] < 0 {
		for i := range out.U {
			out.U[i] = -out.U[i]
		}
	}
	return out, nil
}

func judgeToy(l *Lab, values []float64, vol float64, plain []float64, found []*toyCut) {
	ok := 0
	if math.Abs(values[0]-8.0/3) < 1e-9 && values[1] == 0 {
		ok = 1
	}
	l.Claim("Q̄ has two distinct eigenvalues, 0 and 2.6667", Of(ok, 1), "%s", strings.Join(numbers("%.4f", values), ", "))
	ok = 0
	if plain[2] > 0 && plain[3] < 0 && plain[1] > 0 && plain[4] < 0 && plain[5] < 0 {
		ok = 1
	}
	l.Claim("without constraints the graph is cut at edge (3, 4)", Of(ok, 1), "u = %s", strings.Join(numbers("%+.2f", plain), ", "))
	one, two := found[1], found[3]
	held := 0
	for _, side := range []bool{one.U[3] > 0 && one.U[4] < 0, two.U[3] > 0 && two.U[4] < 0, two.U[3] >= one.U[3]} {
		if side {
			held++
		}
	}
	l.Claim("as β grows to vol and to 2 vol node 4 is drawn to nodes 1 to 3", Of(held, 3),
		"u₄ = %+.2f without constraints, %+.2f at vol, %+.2f at 2 vol; from vol to 2 vol it is nodes 5 and 6 that move away, from %+.2f to %+.2f",
		plain[3], one.U[3], two.U[3], one.U[4], two.U[4])
	rises, above, exact, last := 0, 0, 0, 0
	var alphas []string
	for i, c := range found {
		if c.U == nil {
			continue
		}
		last++
		beta := toyShares[i] * vol
		if i == 0 || found[i-1].U != nil && c.Alpha > found[i-1].Alpha {
			rises++
		}
		if c.Alpha > beta {
			above++
		}
		if math.Abs(c.Cost-c.Lambda*(c.Alpha-beta)) < 1e-9*vol {
			exact++
		}
		alphas = append(alphas, fmt.Sprintf("%.2f at %g", c.Alpha/vol, toyShares[i]))
	}
	l.Claim("the larger β, the better the constraints are satisfied", Of(rises, last), "α/vol = %s", strings.Join(alphas, ", "))
	l.Claim("α > β for every feasible vector (lemma 1)", Of(above, last), "%d of %d; cost = λ(α − β) in %d of them, with vᵀv = vol; algorithm 1, line 9, makes it vol²", above, last, exact)
}

// judgeTrivial judges what section 4.3 says of solutions in general.
func judgeTrivial(ctx context.Context, l *Lab, g *data.Graph) error {
	half, err := toyTry(ctx, g, toyLabels(toySides), 0.5/(8.0/3))
	if err != nil {
		return err
	}
	together, err := toyTry(ctx, g, toyLabels([]int{0, 0, 0, 0, 0, 0}), 0.8)
	if err != nil {
		return err
	}
	held := 0
	if together.U != nil {
		held = 1
	}
	l.Claim("β < λ_max·vol is enough for a feasible solution", Of(1+held, 2),
		"so with the example's Q; with must-links alone (Q = 11ᵀ) and β = 0.8 λ_max·vol there are %d, as all points in one cluster stand in the way", together.Feasible)
	one := true
	for _, y := range half.U {
		one = one && y > 0
	}
	held = 0
	if !one {
		held = 1
	}
	l.Claim("the trivial solution is removed by itself", Of(1+held, 2), "the very vector is; but at β = 0.5 vol u* = %s has one sign, which is one cluster", strings.Join(numbers("%+.2f", half.U), ", "))
	return nil
}

func numbers(format string, list []float64) (out []string) {
	for _, y := range list {
		out = append(out, dashed(format, y))
	}
	return out
}
