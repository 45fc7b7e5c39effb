package reproduce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/method/csp"
)

// newspapers are the views of 3-Sources.
var newspapers = []string{"bbc", "guardian", "reuters"}

// stories are news stories, each in the versions of three newspapers: three tables of
// word counts over the same rows.
type stories struct {
	views []data.Rows // rows of unit length
	truth []int
	k     int

	largest int // of the classes, in all stories
}

func (l *Lab) stories() (*stories, error) {
	s := &stories{}
	for _, name := range newspapers {
		ds, err := l.open("3sources", name+".mtx.gz", dataio.Options{As: "vectors"})
		if err != nil {
			return nil, err
		}
		_, ready, err := prepare.Fit(ds, prepare.Options{Scale: prepare.L2, Workers: l.Workers})
		if err != nil {
			return nil, err
		}
		s.views = append(s.views, ready.X)
	}
	labels, err := l.lines("3sources", "labels.txt.gz")
	if err != nil {
		return nil, err
	}
	names := slices.Compact(slices.Sorted(slices.Values(labels)))
	s.k = len(names)
	size := make([]int, s.k)
	for _, w := range labels {
		c := slices.Index(names, w)
		s.truth = append(s.truth, c)
		size[c]++
	}
	s.largest = slices.Index(size, slices.Max(size))
	for v, x := range s.views {
		if x.Len() != len(s.truth) {
			return nil, fmt.Errorf("%s has %d stories, there are %d labels", newspapers[v], x.Len(), len(s.truth))
		}
	}
	return s, nil
}

// some returns the stories at some places.
func (s *stories) some(at []int) *stories {
	out := &stories{k: s.k, largest: s.largest}
	for _, x := range s.views {
		out.views = append(out.views, data.Pick(x, at))
	}
	for _, i := range at {
		out.truth = append(out.truth, s.truth[i])
	}
	return out
}

// sample draws four of five stories.
func (s *stories) sample(l *Lab, step string, draw int) *stories {
	n := len(s.truth)
	at := l.stream("%s %d", step, draw).Perm(n)[:n*4/5]
	slices.Sort(at)
	return s.some(at)
}

// cosines joins every two rows by their cosine, rows being of unit length.
func cosines(x data.Rows) (*data.Graph, error) {
	var edges []data.Edge
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		row := data.Copy(x, i)
		for j := range i {
			if w := data.Dot(x.Row(j, buf), row); w > 0 {
				edges = append(edges, data.Edge{U: j, V: i, W: w})
			}
		}
	}
	return data.NewGraph(x.Len(), edges)
}

// agreement is how far clusters agree with classes.
type agreement struct {
	ARI  float64 `json:"ari"`
	NMI  float64 `json:"nmi"`
	Rand float64 `json:"rand"`
}

func agreementOf(truth, labels []int) (agreement, error) {
	t, err := score.NewTable(truth, labels)
	if err != nil {
		return agreement{}, err
	}
	return agreement{t.ARI(), t.NMI(), t.Rand()}, nil
}

// carried is the outcome of one cut with views.
type carried struct {
	agreement
	Feasible bool    `json:"feasible"`
	Share    float64 `json:"share"`   // β by λ₁·vol
	Cost     float64 `json:"cost"`    // of the vectors, Σ vᵀL̄v/vol
	Relaxed  float64 `json:"relaxed"` // the same by what they span
	Least    float64 `json:"least"`   // without the view
	Cut      float64 `json:"cut"`     // the normalized cut of the target
	Alone    float64 `json:"alone"`   // without the view
	Source   float64 `json:"source"`  // that of the (first) view
	WithT    float64 `json:"with_t"`  // ARI with the target's own clusters
	WithS    float64 `json:"with_s"`  // with the view's
	TS       float64 `json:"t_s"`     // of these two
}

// carry cuts p, views and all. That β leaves no cut is reported, not an error.
func carry(ctx context.Context, p *cluster.Problem, a *csp.CSP, truth []int, seed uint64) (out carried, err error) {
	set := cluster.Default()
	set.Seed, set.Workers = seed, 1
	r, err := cluster.Fit(ctx, p, a, set)
	if none := new(csp.InfeasibleError); errors.As(err, &none) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if out.agreement, err = agreementOf(truth, r.Labels); err != nil {
		return out, err
	}
	cut, ok := r.Learned.(*csp.Cut)
	if !ok || cut.View == nil {
		return out, fmt.Errorf("the cut does not report its view")
	}
	v := cut.View
	out.Feasible, out.Share, out.Relaxed, out.Least, out.Cut, out.Alone, out.Source = true, cut.BetaShare, v.Relaxed, v.RelaxedAlone, v.Cut, v.Alone, v.Views[0].Cut
	out.Cost = cut.Cost / cut.Vol
	for _, w := range cut.Vectors[min(1, len(cut.Vectors)):] {
		out.Cost += w.Cost / cut.Vol
	}
	for _, c := range []struct {
		to   *float64
		a, b []int
	}{{&out.WithT, r.Labels, v.ClustersWithoutViews}, {&out.WithS, r.Labels, v.Views[0].OwnClusters}, {&out.TS, v.ClustersWithoutViews, v.Views[0].OwnClusters}} {
		if *c.to, err = score.ARI(c.a, c.b); err != nil {
			return out, err
		}
	}
	return out, nil
}
