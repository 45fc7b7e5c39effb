package cluster_test

import (
	"context"
	"errors"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// script is an algorithm that costs, after iteration i of run r, costs[r][i],
// and has no stages left where the list ends. Its two stages share a fall: the
// first takes half of it. Labels and model tell run and iteration.
type script struct {
	costs   [][]float64
	tracked func(cost float64) float64 // what the run claims; nil: no Tracker
	check   error
	start   func(ctx context.Context, run int) error
	stage   func(ctx context.Context, run, iter int, name string) error
	price   func(ctx context.Context, run, iter int) error

	runs     int
	rand     []uint64 // the first number of each run's stream
	relabels *int     // if not nil, runs relabel, and count how often
}

func (*script) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph, cluster.InputKernel}}
}

func (s *script) Check(*cluster.Problem) error { return s.check }

func (s *script) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	r := &scripted{s: s, run: s.runs, n: p.Len()}
	s.runs++
	s.rand = append(s.rand, e.Rand.Uint64())
	if s.start != nil {
		if err := s.start(ctx, r.run); err != nil {
			return nil, err
		}
	}
	r.cost = s.costs[r.run][0]
	switch {
	case s.tracked != nil:
		return tracking{r}, nil
	case s.relabels != nil:
		return &relabeling{scripted: r, calls: s.relabels}, nil
	}
	return r, nil
}

type scripted struct {
	s         *script
	run, iter int
	n         int
	cost      float64
	labels    []int
}

func (r *scripted) Stages() []cluster.Stage {
	list := r.s.costs[r.run]
	if r.iter+1 >= len(list) {
		return nil
	}
	step := func(name string, cost float64, done bool) cluster.Stage {
		return cluster.Stage{Name: name, Do: func(ctx context.Context) (int, error) {
			for i := range r.labels {
				r.labels[i] = -1 // half done: whoever kept the slice sees it
			}
			if r.s.stage != nil {
				if err := r.s.stage(ctx, r.run, r.iter+1, name); err != nil {
					return 0, err
				}
			}
			r.cost = cost
			if done {
				r.iter++
			}
			return 1, nil
		}}
	}
	next := list[r.iter+1]
	return []cluster.Stage{step("half", (r.cost+next)/2, false), step("rest", next, true)}
}

func (r *scripted) Objective(ctx context.Context) (cluster.Terms, error) {
	if r.s.price != nil {
		if err := r.s.price(ctx, r.run, r.iter); err != nil {
			return nil, err
		}
	}
	return cluster.Terms{{Name: "a", Value: r.cost - 1}, {Name: "b", Value: 1}}, nil
}

// Labels are all 0 but for one point, which tells the iteration. It uses the
// same slice each time, as algorithms may.
func (r *scripted) Labels() []int {
	r.labels = append(r.labels[:0], make([]int, r.n)...)
	r.labels[r.iter%r.n] = 1
	return r.labels
}

func (r *scripted) Model() cluster.Model { return &stamp{r.run, r.iter} }

// relabeling is a run that says only which labels have changed.
type relabeling struct {
	*scripted
	told  int // the iteration of the last labels
	calls *int
}

func (r *relabeling) Labels() []int {
	r.told = r.iter
	return slices.Clone(r.scripted.Labels())
}

func (r *relabeling) Relabel(labels []int) {
	labels[r.told%r.n], labels[r.iter%r.n] = 0, 1
	r.told = r.iter
	*r.calls++
}

type tracking struct{ *scripted }

func (r tracking) Tracked() cluster.Terms {
	return cluster.Terms{{Name: "a", Value: r.s.tracked(r.cost)}}
}

// stamp is a model that tells whose it is, and places nothing.
type stamp struct{ run, iter int }

func (*stamp) Dim() int                         { return 1 }
func (*stamp) Clusters() int                    { return 2 }
func (*stamp) Place(data.Rows, int, int, []int) {}
func (m *stamp) of(r *cluster.Result) bool      { return m.run == r.Run && m.iter == r.Iterations }
func isOf(r *cluster.Result) bool {
	return r.Model.(*stamp).of(r) && r.Labels[r.Iterations%len(r.Labels)] == 1
}
func line(n int) *cluster.Problem {
	return &cluster.Problem{X: &data.Dense{Cols: 1, V: make([]float64, n)}, K: 2}
}
func settings(restarts, max int) cluster.Settings {
	return cluster.Settings{Restarts: restarts, MaxIter: max, Tol: 1e-7}
}

var (
	background = context.Background()
	errPlanted = errors.New("planted")
)
