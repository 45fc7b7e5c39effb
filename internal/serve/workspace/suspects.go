package workspace

import (
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

// suspicions are about constraints that may be wrong, computed in the background for what was in force then.
type suspicions struct {
	points *points
	jobs   *jobs
	record *record
	kept   *kept

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
func (su *suspicions) Suspects() (*SuspectList, error) {
	events := lastSaid(su.record.session.Events())
	su.judge(events)
	su.mu.Lock()
	defer su.mu.Unlock()
	out := &SuspectList{Ready: su.done && su.events == events, Suspects: []SuspectOne{}}
	if su.err != nil && out.Ready {
		return nil, su.err
	}
	s := saidIn(su.record.session.InForce())
	for _, x := range su.list {
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
			if p := su.points.pointOf(id); p >= 0 {
				one.Points = append(one.Points, p)
			}
		}
		out.Suspects = append(out.Suspects, one)
	}
	return out, nil
}

// count counts the constraints that look wrong, as far as they were judged.
func (su *suspicions) count(events []session.Event) (out SuspectCount) {
	su.mu.Lock()
	defer su.mu.Unlock()
	out.Ready = su.done && su.err == nil && su.events == lastSaid(events)
	if len(su.list) < fewToJudge {
		return out
	}
	for _, x := range su.list {
		if x.Score > door.LooksWrong {
			out.Likely++
		}
	}
	return out
}

// judge begins to look for suspects among what is in force up to an event, unless that was done.
func (su *suspicions) judge(events int) {
	su.mu.Lock()
	defer su.mu.Unlock()
	if su.done && su.events == events || su.running {
		return
	}
	su.running = true
	su.jobs.start(func() { su.lookForSuspects(events) })
}

// judgeUnasked looks for suspects after a fit, where that is soon done.
func (su *suspicions) judgeUnasked() {
	if su.points.table.Len() <= judgedAtOnce {
		su.judge(lastSaid(su.record.session.Events()))
	}
}

func (su *suspicions) lookForSuspects(events int) {
	ctx := su.jobs.ctx
	var list []door.Suspect
	err := error(nil)
	if su.record.session.Constraints(su.points.table).Len() > 0 {
		var r *door.SuspectReport
		set := su.record.session.Header().Fit
		if f := su.kept.Latest(); f != nil {
			set.K, set.KMin, set.KMax = f.Result.K, 0, 0
		}
		if r, err = su.record.session.Suspects(ctx, su.points.table, set, door.Options{Workers: su.jobs.backgroundWorkers()}); err == nil {
			list = r.Suspects[:min(suspectsShown, len(r.Suspects))]
		}
	}
	su.mu.Lock()
	su.running = false
	if err == nil || ctx.Err() == nil { // else it was ended by what follows
		su.list, su.err, su.events, su.done = list, err, events, true
	}
	su.mu.Unlock()
	su.jobs.changed(StateChanged)
	if ctx.Err() == nil && lastSaid(su.record.session.Events()) != events { // more was said meanwhile
		su.judgeUnasked()
	}
}
