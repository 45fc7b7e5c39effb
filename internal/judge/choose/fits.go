package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/blocks"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
	"github.com/inklinghq/inkling/internal/judge/suspect"
	"github.com/inklinghq/inkling/internal/method/spreading"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// points are the points of a task in every form that candidates take, each made
// once.
type points struct {
	plain   *cluster.Problem
	byScale map[prepare.Scale]*form
	shared  *cluster.Shared // of the fits
}

// A form is the rows under one scaling, with their graphs of neighbours.
type form struct {
	x      data.Rows
	cut    *data.Graph // as graph-cut makes it of rows
	joined *data.Graph // as spectral methods make it of rows
}

// graphNeighbours is the number of neighbours in the graphs of a form.
const graphNeighbours = 10

// newPoints scales the rows and makes the graphs that the candidates need.
func newPoints(ctx context.Context, p *cluster.Problem, list []Candidate, o Options) (*points, error) {
	out := &points{plain: p, byScale: map[prepare.Scale]*form{}, shared: &cluster.Shared{}}
	return out, out.add(ctx, list, o)
}

// add scales the rows and makes the graphs that more candidates need.
func (s *points) add(ctx context.Context, list []Candidate, o Options) error {
	p := s.plain
	if p.X == nil {
		return nil
	}
	for _, c := range list {
		if s.byScale[c.Scale] != nil {
			continue
		}
		f := &form{x: p.X}
		if c.Scale == prepare.Standard {
			_, ready, err := prepare.Fit(&dataio.Dataset{X: p.X}, prepare.Options{Scale: prepare.Standard, Workers: o.Workers})
			if err != nil {
				return err
			}
			f.x = ready.X
		}
		s.byScale[c.Scale] = f
	}
	for _, c := range list {
		f := s.byScale[c.Scale]
		if f.cut != nil || !usesNeighbours(c) || p.Len() <= graphNeighbours {
			continue
		}
		near, err := affinity.KNN(ctx, f.x, graphNeighbours, affinity.KNNOptions{Seed: o.Seed, Workers: o.Workers})
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // the fits will say so
		}
		if f.cut, err = near.Graph(ctx, affinity.Weights{Kind: "self-tuning"}); err != nil {
			return err
		}
		if f.joined, err = near.Graph(ctx, affinity.Weights{Kind: "self-tuning", Join: true}); err != nil {
			return err
		}
	}
	return nil
}

// usesNeighbours reports whether a candidate for rows works on the graph of
// neighbours that a form holds.
func usesNeighbours(c Candidate) bool {
	for name, value := range c.Parameters {
		if name == "affinity" || name == "width" || name == "knn" && value != any(graphNeighbours) {
			return false
		}
	}
	return slices.Contains([]string{"graph-cut", "ss-kernel-kmeans", "spectral", "spectral-learning", "csp", "fast-ge"}, c.Method)
}

// problemFor returns the problem that a candidate is fitted on.
func (s *points) problemFor(c Candidate, known *constraint.Set) *cluster.Problem {
	q := *s.plain
	q.K, q.Constraints = c.K, nil
	if c.Constrained {
		q.Constraints = known
	}
	f := s.byScale[c.Scale]
	if q.X == nil || f == nil {
		return &q
	}
	q.X = f.x
	if f.cut != nil && usesNeighbours(c) {
		q.X, q.Graph = nil, f.joined
		if c.Method == "graph-cut" || c.Method == "ss-kernel-kmeans" {
			q.Graph = f.cut
		}
	}
	return &q
}

// A fitJob is one fit: a candidate on the training part of a fold.
type fitJob struct {
	candidate int
	fold      int // -1: a fit without constraints, for all folds
	known     *constraint.Set
	effort    cluster.Effort // "": that of all fits
	rows      []int          // the only ones whose clusters are asked for, of a classifier on labels; nil: all
	labels    []int
	err       error
}

// runJobs makes all fits, several at a time. Jobs that ctx ends have its error.
func (s *points) runJobs(ctx context.Context, list []Candidate, jobs []*fitJob, o Options, done, total int) error {
	workers := blocks.Workers(o.Workers)
	inner := max(1, workers/max(1, len(jobs)))
	// Jobs that ctx ends before they begin have its error too.
	_ = blocks.TasksWithNotice(context.WithoutCancel(ctx), workers, len(jobs), func(at int) {
		if done++; o.Progress != nil {
			o.Progress(Progress{Fit: done, Fits: total, Candidate: list[jobs[at].candidate].String()})
		}
	}, func(at int) {
		j, o := jobs[at], o
		o.Effort = cmp.Or(j.effort, o.Effort)
		if j.rows != nil {
			j.labels, j.err = s.classify(ctx, list[j.candidate], j.known, j.rows, o, inner)
		} else {
			j.labels, j.err = s.fit(ctx, list[j.candidate], j.known, o, inner)
		}
	})
	return ctx.Err()
}

// fewRestarts is the most starts of a fit with constraints that is only judged: constraints settle most of what further
// ones would find, and these fits are most of the work of a choice. Not so where a full metric is learned, which has many minima.
const fewRestarts = 3

// restartsToJudge returns the starts of a fit that is only judged, as in cluster.Settings.
func restartsToJudge(c Candidate, p *cluster.Problem, alg cluster.Algorithm, effort cluster.Effort) int {
	if c.Constrained && c.Method != "hmrf-kmeans" && effort == cluster.EffortLow && cluster.AutoRestarts(p, alg, effort) > fewRestarts {
		return fewRestarts
	}
	return 0
}

// RestartsToJudge returns the starts of the fits of c on p that were judged, as in cluster.Settings.
func (c Candidate) RestartsToJudge(p *cluster.Problem) int {
	alg, err := c.Algorithm()
	if err != nil {
		return 0
	}
	return restartsToJudge(c, p, alg, cluster.EffortLow)
}

// toFit returns the problem of a candidate and its method, without contradictions that the method refuses.
func (s *points) toFit(ctx context.Context, c Candidate, known *constraint.Set) (*cluster.Problem, cluster.Algorithm, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	alg, err := c.Algorithm()
	if err != nil {
		return nil, nil, err
	}
	p := s.problemFor(c, known)
	if err := cluster.Check(p, alg); err != nil {
		if p, err = withoutContradictions(p, err); err != nil {
			return nil, nil, err
		}
	}
	return p, alg, nil
}

// fit fits one candidate and returns its labels.
func (s *points) fit(ctx context.Context, c Candidate, known *constraint.Set, o Options, workers int) ([]int, error) {
	p, alg, err := s.toFit(ctx, c, known)
	if err != nil {
		return nil, err
	}
	settings := cluster.Default()
	settings.Seed, settings.Workers, settings.Restarts, settings.Effort, settings.Shared = o.Seed, workers, restartsToJudge(c, p, alg, o.Effort), o.Effort, s.shared
	r, err := cluster.Fit(ctx, p, alg, settings)
	if err != nil {
		return nil, err
	}
	return r.Labels, nil
}

// classify fits a classifier on labels and returns the clusters of some rows, and 0 for the others.
func (s *points) classify(ctx context.Context, c Candidate, known *constraint.Set, rows []int, o Options, workers int) ([]int, error) {
	p, alg, err := s.toFit(ctx, c, known)
	if err != nil {
		return nil, err
	}
	found, err := alg.(*spreading.Classifier).Classify(ctx, p, rows, &cluster.Env{Workers: workers, Settings: &cluster.Settings{Seed: o.Seed, Shared: s.shared}})
	if err != nil {
		return nil, err
	}
	labels := make([]int, p.Len())
	for at, i := range rows {
		labels[i] = found[at]
	}
	return labels, nil
}

// withoutContradictions returns p with the fewest constraints left out that make
// the others agree, where err says that they contradict each other.
func withoutContradictions(p *cluster.Problem, err error) (*cluster.Problem, error) {
	var conflict *constraint.ConflictError
	if !errors.As(err, &conflict) || p.Constraints == nil {
		return nil, err
	}
	q := *p
	q.Constraints = constraint.Repaired(p.Len(), p.Constraints)
	return &q, nil
}

// Fit fits a candidate on all points and constraints of a task: the last step
// after a choice, for programs that do not use the front door. Where the method
// refuses contradictory constraints, the fewest that make the others agree are
// left out.
func Fit(ctx context.Context, t *Task, c Candidate, settings cluster.Settings) (*cluster.Result, error) {
	s := &points{plain: t.Problem, byScale: map[prepare.Scale]*form{}}
	if t.Problem.X != nil && c.Scale == prepare.Standard {
		_, ready, err := prepare.Fit(&dataio.Dataset{X: t.Problem.X}, prepare.Options{Scale: prepare.Standard, Workers: settings.Workers})
		if err != nil {
			return nil, err
		}
		s.byScale[c.Scale] = &form{x: ready.X}
	}
	alg, err := c.Algorithm()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	known := t.Problem.Constraints
	if c.Robust == suspect.RuleDrop && c.Constrained {
		kept, err := Kept(ctx, s.problemOn(c.Scale), c, Options{Seed: settings.Seed, Workers: settings.Workers})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c, err)
		}
		known = kept.Constraints
	}
	p := s.problemFor(c, known)
	if err := cluster.Check(p, alg); err != nil {
		if p, err = withoutContradictions(p, err); err != nil {
			return nil, err
		}
	}
	return cluster.Fit(ctx, p, alg, settings)
}
