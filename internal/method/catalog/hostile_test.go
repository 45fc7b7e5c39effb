package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
)

// hostile are problems such as no reader makes, but a program can. Each spoils
// twelve rows in three groups with two labels, or the graph of them.
var hostile = map[string]func(p *cluster.Problem, s *cluster.Settings){
	"nothing wrong":   func(p *cluster.Problem, s *cluster.Settings) {},
	"nil rows":        func(p *cluster.Problem, s *cluster.Settings) { p.X = nil },
	"nil dense":       func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = (*data.Dense)(nil), nil },
	"nil sparse":      func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = (*data.Sparse)(nil), nil },
	"half a row":      func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(2, 1, 2, 3, 4, 5, 6, 7), nil },
	"no columns":      func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(0, 1, 2, 3), nil },
	"columns below 0": func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(-1, 1, 2, 3), nil },
	"equal rows":      func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(1, 7, 7, 7, 7, 7, 7), nil },
	"zeros":           func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(2, make([]float64, 12)...), nil },
	"NaN":             func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(1, 1, 2, math.NaN(), 4), nil },
	"an infinity":     func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(1, 1, 2, math.Inf(-1), 4), nil },
	"huge values":     func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(1, 1e308, -1e308, 1, 4, 5), nil },
	"large values":    func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = numbers(1, 1e154, -1e154, 1, 4, 5), nil },
	"denormal values": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = numbers(1, 5e-324, 1e-323, 0, 2e-320, 3e-320), nil
	},
	"rows of nothing": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = &data.Sparse{Cols: 3, Start: make([]int, 6)}, nil
	},
	"a broken sparse": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = &data.Sparse{Cols: 2, Start: []int{0, 5}, Idx: []int32{0}, Val: []float64{1}}, nil
	},
	"a broken graph": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = nil, &data.Graph{Start: []int{0, 1, 2, 2}, To: []int32{7, 0}, W: []float64{1, 1}}
	},
	"an edge one way": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = nil, &data.Graph{Start: []int{0, 1, 1, 1}, To: []int32{1}, W: []float64{1}}
	},
	"no edges": func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = nil, edges(6) },
	"huge edges": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = nil, edges(6, 0, 1, 1e308, 1, 2, 1e307, 3, 4, 1e308)
	},
	"tiny edges": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = nil, edges(6, 0, 1, 5e-324, 1, 2, 5e-324, 3, 4, 1e-323)
	},
	"edges below 0": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph = nil, edges(6, 0, 1, -1, 1, 2, 1, 3, 4, -1)
	},
	"loops": func(p *cluster.Problem, s *cluster.Settings) { p.X, p.Graph = nil, edges(6, 0, 0, 1, 1, 1, 1, 2, 2, 5) },
	"a kernel": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph, p.Kernel, p.K = nil, nil, numbers(2, 1, .5, .5, 1), 2
	},
	"half a kernel": func(p *cluster.Problem, s *cluster.Settings) {
		p.X, p.Graph, p.Kernel = nil, nil, numbers(2, 1, 2, 3, 4, 5, 6)
	},
	"k of 0":          func(p *cluster.Problem, s *cluster.Settings) { p.K = 0 },
	"k of 1":          func(p *cluster.Problem, s *cluster.Settings) { p.K, p.Constraints = 1, nil },
	"k of n":          func(p *cluster.Problem, s *cluster.Settings) { p.K = 12 },
	"k above n":       func(p *cluster.Problem, s *cluster.Settings) { p.K = math.MaxInt },
	"weight below 0":  func(p *cluster.Problem, s *cluster.Settings) { p.Weight = weights(1); p.Weight[3] = -1 },
	"weights of 0":    func(p *cluster.Problem, s *cluster.Settings) { p.Weight = weights(0) },
	"huge weights":    func(p *cluster.Problem, s *cluster.Settings) { p.Weight = weights(1e300) },
	"tiny weights":    func(p *cluster.Problem, s *cluster.Settings) { p.Weight = weights(5e-324) },
	"one weight":      func(p *cluster.Problem, s *cluster.Settings) { p.Weight = weights(0); p.Weight[7] = 1 },
	"no weights":      func(p *cluster.Problem, s *cluster.Settings) { p.Weight = []float64{} },
	"nothing known":   func(p *cluster.Problem, s *cluster.Settings) { p.Constraints = &constraint.Set{} },
	"a far class":     func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Labels[0].Class = math.MaxInt32 - 1 },
	"a farther class": func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Labels[0].Class = math.MaxInt },
	"class below 0":   func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Labels[0].Class = -1 },
	"a point below 0": func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Labels[0].I = -1 },
	"two classes":     func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Labels[1].I = 0 },
	"no name":         func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Names = []string{"a"} },
	"huge labels": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Labels[0].W, p.Constraints.Labels[1].W = 1e308, 1e308
	},
	"tiny labels": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Labels[0].W, p.Constraints.Labels[1].W = 5e-324, 5e-324
	},
	"with itself":     func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Must = pairs(3, 3, 1) },
	"not with itself": func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Cannot = pairs(3, 3, 1) },
	"said thrice":     func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Must = pairs(3, 4, 1, 4, 3, 5, 3, 4, .1) },
	"both": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Must, p.Constraints.Cannot = pairs(3, 4, 1), pairs(4, 3, 2)
	},
	"no weight":    func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Must = pairs(3, 4, 0) },
	"out of range": func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Cannot = pairs(3, 12, 1) },
	"huge pairs": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Must, p.Constraints.Cannot = pairs(3, 4, 1e308, 4, 5, 1e308), pairs(6, 7, 1e308)
	},
	"large pairs": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Must, p.Constraints.Cannot = pairs(3, 4, constraint.MaxWeight, 4, 5, constraint.MaxWeight), pairs(6, 7, constraint.MaxWeight)
	},
	"tiny pairs": func(p *cluster.Problem, s *cluster.Settings) {
		p.Constraints.Must, p.Constraints.Cannot = pairs(3, 4, 5e-324), pairs(6, 7, 5e-324)
	},
	"a belief of 2":    func(p *cluster.Problem, s *cluster.Settings) { p.Constraints.Beliefs = pairs(3, 4, 2) },
	"a nil view":       func(p *cluster.Problem, s *cluster.Settings) { p.Views = []cluster.View{{X: (*data.Dense)(nil)}} },
	"workers below 0":  func(p *cluster.Problem, s *cluster.Settings) { s.Workers = -1 },
	"all workers":      func(p *cluster.Problem, s *cluster.Settings) { s.Workers = math.MaxInt },
	"no iterations":    func(p *cluster.Problem, s *cluster.Settings) { s.MaxIter = 0 },
	"settings of zero": func(p *cluster.Problem, s *cluster.Settings) { *s = cluster.Settings{} },
	"restarts below 0": func(p *cluster.Problem, s *cluster.Settings) { s.Restarts = -1 },
	"no tolerance":     func(p *cluster.Problem, s *cluster.Settings) { s.Tol = math.NaN() },
}

// Whatever a program puts together, there is a clustering or an error that says
// whose fault it is.
func TestNothingPanics(t *testing.T) {
	rows, graph := line(12)
	for name, spoil := range hostile {
		for _, m := range Methods() {
			for _, a := range []cluster.Algorithm{m.New(), reflect.New(reflect.TypeOf(m.New()).Elem()).Interface().(cluster.Algorithm)} {
				p, s := &cluster.Problem{X: rows, K: 3}, cluster.Default()
				if !m.Takes("rows") {
					p.X, p.Graph = nil, graph
				}
				p.Constraints = &constraint.Set{Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 1, Class: 1, W: 1}}}
				s.Restarts = 2
				if spoil(p, &s); reflect.ValueOf(a).Elem().IsZero() && name != "nothing wrong" {
					continue // it is refused before the problem is looked at
				}
				if err := outcome(p, a, s); err != nil {
					t.Errorf("%s, %s: %v", name, m.Name, err)
				}
			}
		}
	}
}

// outcome fits, and complains of what is neither a clustering nor an error that
// names the culprit.
func outcome(p *cluster.Problem, a cluster.Algorithm, s cluster.Settings) (fault error) {
	defer func() {
		if e := recover(); e != nil {
			fault = fmt.Errorf("panic: %v\n%s", e, debug.Stack())
		}
	}()
	r, err := cluster.Fit(context.Background(), p, a, s)
	if err != nil {
		var problem *cluster.ProblemError
		var parameter *cluster.ParameterError
		if !errors.As(err, &problem) && !errors.As(err, &parameter) {
			return fmt.Errorf("%T does not say whose fault it is: %w", err, err)
		}
		return nil
	}
	least, k := 0, p.K
	if a.Capabilities().LeavesNoise {
		least = -1
	}
	if k == 0 && a.Capabilities().FindsK {
		k = p.Len()
	}
	if o := r.Objective.Sum(); len(r.Labels) != p.Len() || slices.Min(r.Labels) < least || slices.Max(r.Labels) >= k || !data.Finite(o) {
		return fmt.Errorf("labels %v and objective %v for %d points in %d clusters", r.Labels, o, p.Len(), p.K)
	}
	if r.Model != nil {
		_, err = cluster.Predict(context.Background(), r.Model, p.X, 0)
	}
	return err
}

func numbers(cols int, v ...float64) *data.Dense { return &data.Dense{Cols: cols, V: v} }

func weights(w float64) []float64 { return slices.Repeat([]float64{w}, 12) }

// pairs makes pairs of triples, edges a graph.
func pairs(v ...float64) (out []constraint.Pair) {
	for q := 0; q < len(v); q += 3 {
		out = append(out, constraint.Pair{I: int(v[q]), J: int(v[q+1]), W: v[q+2]})
	}
	return out
}

func edges(n int, v ...float64) *data.Graph {
	var list []data.Edge
	for q := 0; q < len(v); q += 3 {
		list = append(list, data.Edge{U: int(v[q]), V: int(v[q+1]), W: v[q+2]})
	}
	g, err := data.NewGraph(n, list)
	if err != nil {
		panic(err)
	}
	return g
}
