package metric_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/hmrf"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// logistic is the Bregman divergence of −x log x − (1−x) log(1−x), for numbers from 0 to 1: the distance that
// this file adds. Nothing but the line of the table below makes it known.
type logistic struct{ floor float64 }

func (logistic) Name() string { return "logistic" }

func (logistic) Check(x data.Rows) error {
	for i := range x.Len() {
		for f, y := range data.Copy(x, i) {
			if !(y >= 0 && y <= 1) {
				return &metric.DomainError{Divergence: "logistic", Row: i, Col: f, Value: y, Least: "from 0 to 1"}
			}
		}
	}
	return nil
}

func (logistic) Prepare(v data.Vec, _ []float64) data.Vec { return v }

// part returns x log(x/c) + (1−x) log((1−x)/(1−c)).
func (l logistic) part(x, c float64) float64 {
	c = min(max(c, l.floor), 1-l.floor)
	s := 0.0
	if x > 0 {
		s += x * math.Log(x/c)
	}
	if x < 1 {
		s += (1 - x) * math.Log((1-x)/(1-c))
	}
	return max(0, s)
}

func (l logistic) FromCentre(v data.Vec, c, a []float64, _ float64) (s float64) {
	for p, y := range v.Val {
		w := 1.0
		if a != nil {
			w = a[v.Feature(p)]
		}
		s += w * l.part(y, c[v.Feature(p)])
	}
	return s
}

func (logistic) CentreTerm([]float64, []float64) float64 { return 0 }

func (logistic) Centre(sum []float64, mass float64) {
	for f := range sum {
		sum[f] /= mass
	}
}

func (l logistic) Gap(x, y data.Vec) data.Vec {
	g := data.Vec{Val: make([]float64, len(x.Val))}
	for f := range g.Val {
		m := (x.Val[f] + y.Val[f]) / 2
		g.Val[f] = math.Sqrt(l.part(x.Val[f], m) + l.part(y.Val[f], m))
	}
	return g
}

// A new distance is one file: with its line in the table it is a value of the parameter, rows outside its domain
// are refused, fits by it never raise the objective, which is the sum of its formula, and models survive disk.
func TestANewDistanceIsOneFile(t *testing.T) {
	if slices.Contains(hmrf.Distortion("").Values(), "logistic") {
		t.Fatal("it is known already")
	}
	defer metric.AddDistance(metric.Distance{Name: "logistic", AsGiven: true, New: func(floor float64) metric.Divergence { return logistic{floor} }})()
	if all := hmrf.Distortion("").Values(); !slices.Contains(all, "logistic") || slices.Contains(lloyd.Distortion("").Values(), "logistic") {
		t.Fatalf("distances are %v, those that k-means searches %v", all, lloyd.Distortion("").Values())
	}
	rng := rand.New(rand.NewPCG(1, 38))
	p, truth := &cluster.Problem{X: &data.Dense{Cols: 3}, K: 3}, make([]int, 90)
	for i := range truth {
		truth[i] = i % 3
		for f := range 3 {
			y := 0.15
			if f == truth[i] {
				y = 0.8
			}
			p.X.(*data.Dense).V = append(p.X.(*data.Dense).V, min(1, max(0, y+0.12*rng.NormFloat64())))
		}
	}
	p.Constraints = constraint.RandomPairs(truth, 20, rng)
	a := hmrf.NewPC()
	a.Distortion = "logistic"
	s := cluster.Default()
	s.Audit, s.Restarts, s.Tol = true, 3, 0
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		t.Fatal(err)
	}
	want, m := 0.0, r.Model.(*hmrf.Model)
	for i, h := range r.Labels {
		for f, y := range data.Copy(p.X, i) {
			want += logistic{metric.DefaultFloor}.part(y, m.At(h)[f])
		}
	}
	if got := r.Objective[0].Value; math.Abs(got-want) > 1e-9*want {
		t.Errorf("the distortion is %v, by the formula %v", got, want)
	}
	for i, h := range r.Labels {
		if (h == r.Labels[0]) != (truth[i] == truth[0]) {
			t.Fatalf("row %d is in cluster %d, its group is %d", i, h, truth[i])
		}
	}
	a.Metric = "diagonal"
	if _, err := cluster.Fit(context.Background(), p, a, s); err == nil || !strings.Contains(err.Error(), "no metric is learned for distortion logistic") {
		t.Errorf("with a metric the error is %v", err)
	}
	a.Metric = "none"
	p.X.(*data.Dense).V[4] = 1.5
	if _, err := cluster.Fit(context.Background(), p, a, s); err == nil || !strings.Contains(fmt.Sprint(err), "row 1, column 1 must be from 0 to 1 for logistic, got 1.5") {
		t.Errorf("outside the domain the error is %v", err)
	}
}
