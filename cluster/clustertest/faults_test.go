package clustertest_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/clustertest"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/centroid"
)

// faulty is k-means with a fault planted: spoil changes the run, begin what
// happens before it.
type faulty struct {
	begin func(p *cluster.Problem, e *cluster.Env) error
	spoil func(r spoiled) cluster.Run
}

func (f *faulty) Capabilities() cluster.Capabilities { return centroid.NewKMeans().Capabilities() }

func (f *faulty) Check(p *cluster.Problem) error { return centroid.NewKMeans().Check(p) }

func (f *faulty) Start(ctx context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	if f.begin != nil {
		if err := f.begin(p, e); err != nil {
			return nil, err
		}
	}
	r, err := centroid.NewKMeans().Start(ctx, p, e)
	if err != nil || f.spoil == nil {
		return r, err
	}
	return f.spoil(spoiled{r, p}), nil
}

type spoiled struct {
	cluster.Run
	p *cluster.Problem
}

func (s spoiled) Tracked() cluster.Terms { return s.Run.(cluster.Tracker).Tracked() }

// wrongPrice charges a hundredth too much for what it assigns.
type wrongPrice struct{ spoiled }

func (w wrongPrice) Tracked() cluster.Terms {
	t := w.spoiled.Tracked()
	t[0].Value *= 1.01
	return t
}

// oldLabels returns the labels of the iteration before.
type oldLabels struct {
	spoiled
	before, now []int
}

func (o *oldLabels) Stages() []cluster.Stage {
	o.before = o.now
	o.now = append([]int(nil), o.Run.Labels()...)
	return o.Run.Stages()
}

func (o *oldLabels) Labels() []int {
	if o.now == nil {
		return o.Run.Labels()
	}
	return o.now
}

// shaken moves points to wrong clusters in a stage of its own, and prices them
// there, until the next assignment.
type shaken struct {
	spoiled
	labels []int // nil: those of the run
}

func (s *shaken) Labels() []int {
	if s.labels != nil {
		return s.labels
	}
	return s.Run.Labels()
}

func (s *shaken) Objective(context.Context) (cluster.Terms, error) {
	m, sum := s.Model().(*centroid.Centres), 0.0
	for i, h := range s.Labels() {
		sum += s.p.W(i) * m.PointCost(s.p.X.Row(i, make([]float64, s.p.X.Dim())), h)
	}
	return cluster.Terms{{Name: "distortion", Value: sum}}, nil
}

func (s *shaken) Stages() []cluster.Stage {
	stages := s.Run.Stages()
	if len(stages) == 0 {
		return nil
	}
	for i, st := range stages {
		stages[i].Do = func(ctx context.Context) (int, error) {
			s.labels = nil
			return st.Do(ctx)
		}
	}
	shake := cluster.Stage{Name: "shake", Do: func(context.Context) (int, error) {
		s.labels = append([]int(nil), s.Run.Labels()...)
		for i := 0; i < len(s.labels); i += 10 {
			s.labels[i] = (s.labels[i] + 1) % s.p.K
		}
		return len(s.labels) / 10, nil
	}}
	return append([]cluster.Stage{shake}, stages...)
}

// sharedModel hands out the model that later stages go on writing to.
type sharedModel struct {
	spoiled
	m *centroid.Centres
}

func (s *sharedModel) Model() cluster.Model {
	now := s.Run.Model().(*centroid.Centres)
	if s.m == nil {
		s.m = now
	}
	copy(s.m.C, now.C)
	return s.m
}

func (s *sharedModel) Stages() []cluster.Stage {
	stages := s.Run.Stages()
	for i, st := range stages {
		stages[i].Do = func(ctx context.Context) (int, error) {
			for f := range s.m.C {
				s.m.C[f] += 0.5
			}
			return st.Do(ctx)
		}
	}
	return stages
}

// outOfRange has a label that is no cluster.
type outOfRange struct{ spoiled }

func (o outOfRange) Labels() []int {
	l := append([]int(nil), o.Run.Labels()...)
	l[len(l)-1] = o.p.K
	return l
}

func TestSuiteCatchesPlantedFaults(t *testing.T) {
	var calls atomic.Int64 // the fault planted is state, not a race
	faults := []struct {
		name, caughtBy string
		a              cluster.Algorithm
	}{
		{"a wrong price in one step", "ObjectiveNeverRises",
			&faulty{spoil: func(s spoiled) cluster.Run { return wrongPrice{s} }}},
		{"a rising objective", "ObjectiveNeverRises",
			&faulty{spoil: func(s spoiled) cluster.Run { return &shaken{spoiled: s} }}},
		{"labels of another iteration", "LabelsFitModel",
			&faulty{spoil: func(s spoiled) cluster.Run { return &oldLabels{spoiled: s} }}},
		{"a model that later stages write to", "CancelReturnsBestSoFar",
			&faulty{spoil: func(s spoiled) cluster.Run { return &sharedModel{spoiled: s} }}},
		{"a label that is no cluster", "DegenerateInputHasAnAnswer",
			&faulty{spoil: func(s spoiled) cluster.Run { return outOfRange{s} }}},
		{"dependence on the number of workers", "SameBitsOnAnyWorkers",
			&faulty{begin: func(_ *cluster.Problem, e *cluster.Env) error {
				for range e.Workers {
					e.Rand.Uint64()
				}
				return nil
			}}},
		{"state kept between fits", "KeepsNoState",
			&faulty{begin: func(_ *cluster.Problem, e *cluster.Env) error {
				for range calls.Add(1) - 1 {
					e.Rand.Uint64()
				}
				return nil
			}}},
		{"a changed problem", "LeavesProblemAlone",
			&faulty{begin: func(p *cluster.Problem, _ *cluster.Env) error {
				if x, ok := p.X.(*data.Dense); ok {
					x.V[0]++
				}
				return nil
			}}},
	}
	for _, f := range faults {
		t.Run(strings.ReplaceAll(f.name, " ", "-"), func(t *testing.T) {
			for _, c := range clustertest.Checks() {
				if c.Name != f.caughtBy {
					continue
				}
				calls.Store(0)
				if err := c.Do(f.a); err == nil {
					t.Errorf("%s passes %s", f.name, c.Name)
				} else {
					t.Log(err)
				}
				return
			}
			t.Errorf("there is no check %s", f.caughtBy)
		})
	}
}
