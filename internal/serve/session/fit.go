package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
)

// A ChangedError says that the data are not those that the session began with.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s has changed since the session began; what was said may be about other rows", e.Path)
}

// Table reads the data of the session. Where they have changed the error is a
// *ChangedError, beside the table.
func (s *Session) Table(ctx context.Context, workers int) (*door.Table, error) {
	source := s.header.Source.Source
	source.Workers = workers
	sum, err := hashData(ctx, s.DataPath())
	if err != nil {
		return nil, err
	}
	t, err := door.Open(ctx, s.DataPath(), source)
	if err == nil && sum != s.header.Data.SHA256 {
		err = &ChangedError{s.DataPath()}
	}
	return t, err
}

// Options returns o with the preparation of the session and these settings.
func (s *Session) Options(set Settings, o door.Options) door.Options {
	s.header.Prepare.apply(&o)
	set.apply(&o)
	return o
}

// Fit clusters t with what is in force and appends the event. Where set names no method,
// answers are used as door.MethodAnswers says: the clusters without them, changed as little
// as they demand, until they show that more must change. Of o only what does not
// change the result is used (Workers, Progress, Notify, NoSuspects): the rest comes from
// the session and from set.
func (s *Session) Fit(ctx context.Context, t *door.Table, set Settings, o door.Options) (*door.Result, Event, error) {
	events := s.Events()
	set.Method = cmp.Or(set.Method, door.MethodAnswers)
	r, err := s.fit(ctx, t, events, set, o)
	if err != nil {
		return r, Event{}, err
	}
	f, err := describe(r, set)
	if err != nil {
		return r, Event{}, err
	}
	f.Through = len(events)
	s.mu.Lock()
	defer s.mu.Unlock()
	labels := r.Assignment()
	if len(s.last) == len(labels) {
		ari, err := score.ARI(s.last, labels)
		if err == nil {
			f.ARIBefore = &ari
		}
	}
	e, err := s.append(Event{Op: OpFit, Fitted: f})
	if err == nil {
		s.last = labels
	}
	return r, e, err
}

// LastFit makes the last fit again, without an event; nil where there was none. Of o it
// uses what Fit uses.
func (s *Session) LastFit(ctx context.Context, t *door.Table, o door.Options) (*door.Result, *Event, error) {
	events := s.Events()
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		if e.Op != OpFit {
			continue
		}
		r, err := s.fit(ctx, t, events[:e.Through], e.Settings, o)
		if err == nil {
			s.mu.Lock()
			s.last = r.Assignment()
			s.mu.Unlock()
		}
		return r, &e, err
	}
	return nil, nil, nil
}

func (s *Session) fit(ctx context.Context, t *door.Table, events []Event, set Settings, o door.Options) (*door.Result, error) {
	o.Kept = &s.kept // as fits of one session are on one table
	o = s.Options(set, o)
	o.NoSpread = slices.ContainsFunc(InForce(events), func(e Event) bool { return e.Op == OpKeep })
	return door.Cluster(ctx, t, constraints(t, events), o)
}

// Problem prepares t and c as door.NewProblem does, with what fits of the session on t have computed.
func (s *Session) Problem(ctx context.Context, t *door.Table, c *door.Constraints, o door.Options) (p *cluster.Problem, id func(row int) string, err error) {
	o.Kept = &s.kept
	return door.NewProblem(ctx, t, c, o)
}

// Suspects ranks what is known by how likely it is wrong, with what fits of the session on t have computed.
func (s *Session) Suspects(ctx context.Context, t *door.Table, set Settings, o door.Options) (*door.SuspectReport, error) {
	o.Kept = &s.kept
	return door.Suspects(ctx, t, s.Constraints(t), s.Options(set, o))
}

// describe returns what an event says about a fit.
func describe(r *door.Result, set Settings) (*Fitted, error) {
	sum := sha256.New()
	if err := r.WriteCSV(sum); err != nil {
		return nil, err
	}
	return &Fitted{Settings: set, Spread: r.Answered != nil && r.Answered.Spread, Method: r.Method, K: r.KEffective, LabelsSHA256: fmt.Sprintf("%x", sum.Sum(nil))}, nil
}

// A Replayed fit is one that was made again.
type Replayed struct {
	N            int    `json:"n"` // the event
	LabelsSHA256 string `json:"labels_sha256"`
	Same         bool   `json:"same"` // as when it was made
}

// Replay makes every fit of the session again with what was in force then, and says
// whether the clusters are the same. Of o it uses what Fit uses. each, if not nil, is
// called after every fit.
func (s *Session) Replay(ctx context.Context, t *door.Table, o door.Options, each func(Replayed)) ([]Replayed, error) {
	out := []Replayed{}
	events := s.Events()
	for _, e := range events {
		if e.Op != OpFit {
			continue
		}
		r, err := s.fit(ctx, t, events[:e.Through], e.Settings, o)
		if err != nil {
			return out, fmt.Errorf("event %d: %w", e.N, err)
		}
		again, err := describe(r, e.Settings)
		if err != nil {
			return out, err
		}
		done := Replayed{N: e.N, LabelsSHA256: again.LabelsSHA256, Same: again.LabelsSHA256 == e.LabelsSHA256}
		out = append(out, done)
		if each != nil {
			each(done)
		}
	}
	return out, nil
}

// Preview clusters t with what is in force as Fit does, without an event.
func (s *Session) Preview(ctx context.Context, t *door.Table, set Settings, o door.Options) (*door.Result, error) {
	return s.fit(ctx, t, s.Events(), set, o)
}
