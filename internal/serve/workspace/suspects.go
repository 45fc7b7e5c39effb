package workspace

import (
	"context"
	"sync"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// Constraints that may be wrong.
type (
	// SuspectList ranks constraints by how likely they are wrong.
	SuspectList struct {
		Ready    bool         `json:"ready"`
		Suspects []SuspectOne `json:"suspects"`
	}
	// SuspectOne is a constraint that may be wrong.
	SuspectOne struct {
		Event       int     `json:"event"`
		Source      string  `json:"source"`
		Kind        string  `json:"kind"`
		Text        string  `json:"text"`
		Why         string  `json:"why"`
		Probability float64 `json:"probability"`
		Points      []int   `json:"points"`
	}
	// SuspectCount says how many constraints look wrong, as `inkling cluster` counts them.
	SuspectCount struct {
		Ready  bool `json:"ready"` // those in force were judged; else Likely is of those before
		Likely int  `json:"likely"`
	}
)

// Bounds of the search for suspects: how many are listed at most, how few constraints say nothing about
// one another, and up to how many rows they are judged without being asked.
const (
	suspectsShown = 200
	fewToJudge    = 10
	judgedAtOnce  = 20_000
)

// suspects are computed in the background, for what was in force then.
type suspects struct {
	mu      sync.Mutex
	events  int // that the list knows of
	list    []door.Suspect
	err     error
	done    bool
	running bool
}

// lastSaid returns the number of the last event that may change what is suspected.
func lastSaid(events []session.Event) (n int) {
	for _, e := range events {
		switch e.Op {
		case session.OpFit, session.OpRename, session.OpMark, session.OpSkip, session.OpUnsure, session.OpKeep:
		default:
			n = e.N
		}
	}
	return n
}

// Suspects returns the constraints that look wrong, or begins to look for them.
func (w *Workspace) Suspects() (*SuspectList, error) {
	events := lastSaid(w.session.Events())
	w.judge(w.ctx, events)
	u := &w.suspected
	u.mu.Lock()
	defer u.mu.Unlock()
	out := &SuspectList{Ready: u.done && u.events == events, Suspects: []SuspectOne{}}
	if u.err != nil && out.Ready {
		return nil, u.err
	}
	s := saidIn(w.session.InForce())
	for _, x := range u.list {
		one := SuspectOne{Kind: x.Kind, Text: x.String(), Why: x.Why, Probability: x.Score, Points: []int{}}
		ids := []string{x.A, x.B}
		if x.Kind == "label" {
			ids, one.Event = []string{x.ID}, s.labels[x.ID].N
		} else {
			one.Event = s.links[pairOf(x.A, x.B)].N
		}
		if one.Event == 0 {
			one.Source = ofData
		}
		for _, id := range ids {
			if p := w.pointOf(id); p >= 0 {
				one.Points = append(one.Points, p)
			}
		}
		out.Suspects = append(out.Suspects, one)
	}
	return out, nil
}

// suspectCount counts the constraints that look wrong, as far as they were judged.
func (w *Workspace) suspectCount(events []session.Event) (out SuspectCount) {
	u := &w.suspected
	u.mu.Lock()
	defer u.mu.Unlock()
	out.Ready = u.done && u.err == nil && u.events == lastSaid(events)
	if len(u.list) < fewToJudge {
		return out
	}
	for _, x := range u.list {
		if x.Score > door.LooksWrong {
			out.Likely++
		}
	}
	return out
}

// judge begins to look for suspects among what is in force up to an event, unless that was done.
func (w *Workspace) judge(ctx context.Context, events int) {
	u := &w.suspected
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.done && u.events == events || u.running {
		return
	}
	u.running = true
	w.start(func() { w.lookForSuspects(ctx, events) })
}

// judgeUnasked looks for suspects after a fit, where that is soon done.
func (w *Workspace) judgeUnasked(ctx context.Context) {
	if w.table.Len() <= judgedAtOnce {
		w.judge(ctx, lastSaid(w.session.Events()))
	}
}

func (w *Workspace) lookForSuspects(ctx context.Context, events int) {
	var list []door.Suspect
	c := w.session.Constraints(w.table)
	err := error(nil)
	if c.Len() > 0 {
		var r *door.SuspectReport
		set := w.session.Header().Fit
		if f := w.Latest(); f != nil {
			set.K, set.KMin, set.KMax = f.Result.K, 0, 0
		}
		o := w.session.Options(set, door.Options{Workers: w.backgroundWorkers()})
		if r, err = door.Suspects(ctx, w.table, c, o); err == nil {
			list = r.Suspects[:min(suspectsShown, len(r.Suspects))]
		}
	}
	u := &w.suspected
	u.mu.Lock()
	u.running = false
	if err == nil || ctx.Err() == nil { // else it was ended by what follows
		u.list, u.err, u.events, u.done = list, err, events, true
	}
	u.mu.Unlock()
	w.changed(StateChanged)
	if ctx.Err() == nil && lastSaid(w.session.Events()) != events { // more was said meanwhile
		w.judgeUnasked(ctx)
	}
}
