package csp

import (
	"errors"
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/spectral"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// With a given β the cheapest feasible vector is taken (line 10 of algorithm 1), also
// where it has one sign or lives on the constrained nodes; that is reported.
func TestGivenBetaTakesTheCheapestVector(t *testing.T) {
	t.Parallel()
	poor := 0
	for seed := range uint64(120) {
		p := cuttest.Random(t, 20+int(seed)%80, 2, seed)
		pen, top := world(t, p, false)
		for _, share := range []float64{0.5, 0.1, 0.02} {
			b := share * top.largest()
			count, _ := top.feasibleCount(b, pen.zqz)
			if count < 2 {
				continue
			}
			all, err := pen.withShift(b).solveDense(background, min(count, pen.laplacian.Dim()-1))
			if err != nil {
				t.Fatal(err)
			}
			least := math.Inf(1)
			for _, v := range all {
				least = min(least, v.cost)
			}
			a := NewCSP()
			a.Beta = cluster.Fixed(share)
			cut := cuttest.Fit(t, p, a).Learned.(*Cut)
			if unit := spectral.NewNodeGraph(p.Graph, nil).Scale; math.Abs(cut.Cost-least*unit) > 1e-6*(1+least)*unit {
				t.Errorf("seed %d, β %v: the vector costs %v, the cheapest of %d %v", seed, share, cut.Cost, count, least*unit)
			}
			if cut.OneSided || cut.Localised {
				poor++
			}
		}
	}
	if poor < 5 {
		t.Errorf("only %d vectors have one sign or live on the constrained nodes", poor)
	}
}

// The rule one leaves as many feasible vectors as k clusters need, and the solver finds
// them. What it does not find is not infeasible.
func TestOneFindsItsVectors(t *testing.T) {
	for _, c := range []struct {
		n      int
		spread float64
	}{{600, 4}, {1500, 1}} {
		x, truth, err := example.Blobs(c.n, 6, 2, c.spread, 1, cuttest.Rand(3))
		if err != nil {
			t.Fatal(err)
		}
		p := &cluster.Problem{X: x, K: 6, Constraints: constraint.RandomPairs(truth, 20, cuttest.Rand(103))}
		a := NewCSP()
		a.Beta = cluster.ByRule(BetaOne)
		r, err := cluster.Fit(background, p, a, cluster.Default())
		if err != nil {
			t.Errorf("%d rows: %v", c.n, err)
			continue
		}
		if cut := r.Learned.(*Cut); len(cut.Vectors) != 5 {
			t.Errorf("%d rows: %d vectors", c.n, len(cut.Vectors))
		}
	}
	short := error(&SolverError{Beta: 1, Found: 2, Feasible: 5, Needed: 5})
	if as := new(InfeasibleError); errors.As(short, &as) {
		t.Errorf("%v says that nothing is feasible", short)
	}
}

// Where all points in one cluster satisfy Q better than a small β asks, no vector is
// feasible for it, and auto takes a larger one: 60 labels of one class and 6 of
// the other.
func TestAutoBetaAboveTheTrivialCut(t *testing.T) {
	g, truth, err := example.PlantedPartition(400, 2, 8, 4, cuttest.Rand(3))
	if err != nil {
		t.Fatal(err)
	}
	known, count := &constraint.Set{}, [2]int{}
	for i, c := range truth {
		if count[c] < []int{60, 6}[c] {
			count[c]++
			known.Labels = append(known.Labels, constraint.Label{I: i, Class: c, W: 1})
		}
	}
	p := &cluster.Problem{Graph: g, K: 2, Constraints: known}
	pen, top := world(t, p, false)
	if n, _ := top.feasibleCount(0.01*top.largest(), pen.zqz); n != 0 || pen.zqz > top.largest() {
		t.Fatalf("%d vectors are feasible for a small β", n)
	}
	cut := cuttest.Fit(t, p, NewCSP()).Learned.(*Cut)
	if cut.Beta <= 0 || cut.OneSided || cut.Satisfied < 0.95 {
		t.Errorf("%v", cut)
	}
}

// Where most nodes are constrained no vector counts as localised: there is hardly
// anything else to live on. Vectors of small clusters are few nodes' then.
func TestMostNodesConstrained(t *testing.T) {
	t.Parallel()
	const k = 24
	g, truth, err := example.PlantedPartition(720, k, 6, 5, cuttest.Rand(4))
	if err != nil {
		t.Fatal(err)
	}
	known, err := constraint.LabelFraction(truth, 0.95, cuttest.Rand(5))
	if err != nil {
		t.Fatal(err)
	}
	r := cuttest.Fit(t, &cluster.Problem{Graph: g, K: k, Constraints: known}, NewCSP())
	cut := r.Learned.(*Cut)
	if y := r.Objective.Sum() + k*(1-cut.Satisfied); cut.Localised || y > 11 {
		t.Errorf("cut and violations add up to %v: %v", y, cut)
	}
	p := &cluster.Problem{Graph: g, K: k, Constraints: known}
	pen, _ := world(t, p, false)
	c := &candidate{schurComplement: pen.withShift(0.1), constrainedNodes: pen.constraints.Support}
	v := make([]float64, pen.laplacian.Dim())
	v[c.constrainedNodes[0]], v[c.constrainedNodes[1]] = math.Sqrt(pen.vol/2), -math.Sqrt(pen.vol/2)
	if c.isLocalised(v) {
		t.Error("a vector of two nodes is refused where nearly all are constrained")
	}
	if c.constrainedNodes = c.constrainedNodes[:20]; !c.isLocalised(v) {
		t.Error("a vector of two nodes is not refused where few are constrained")
	}
}

// Of more than two clusters one pair does not outweigh any cut.
func TestOnePairDoesNotOutweighTheCut(t *testing.T) {
	c := &cspSolver{Run: &spectral.Run{Problem: &cluster.Problem{K: 3}, Env: &cluster.Env{Effort: cluster.EffortNormal}}}
	cheap, costly := &candidate{satisfied: 0.97, cut: 0.2}, &candidate{satisfied: 0.98, cut: 1.5}
	if c.isBetter(costly, cheap) || !c.isBetter(cheap, costly) {
		t.Error("a hundredth of the pairs outweighs a cut of 1.3")
	}
	if better := (&candidate{satisfied: 1, cut: 0.22}); !c.isBetter(better, cheap) {
		t.Error("three hundredths of the pairs do not outweigh a cut of 0.02")
	}
}
