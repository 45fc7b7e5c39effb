package workspace

import (
	"maps"
	"sync"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// What is chosen where nobody says how to cluster.
const (
	answersMethod = "label-spreading" // needs few constraints, and rows or a graph
	plainMethod   = "kmeans"          // of rows without constraints
	penaltyMethod = "pc-kmeans"       // of rows of which nothing is known to be apart
	spreadRows    = 100_000           // up to so many rows, answersMethod takes seconds
	leastChosen   = 2                 // the range that the number of clusters is chosen from
	mostChosen    = 12
	choosableRows = 20_000 // above, the number of clusters is not chosen
	defaultK      = 8
)

// hardLinks is the parameter by which links hold exactly.
const hardLinks = "hard"

// fitSettings say how the next fit clusters: what people asked for, and otherwise what fits what is known.
type fitSettings struct {
	table  *door.Table
	record *record

	mu  sync.Mutex
	now wanted
}

// wanted is what people asked for.
type wanted struct {
	session.Settings
	kFixed   bool              // somebody said how many clusters
	kBalance int               // splits less mergers when that was said
	restored *session.Settings // of the fit that is returned to, for the next one; nil: none
}

// newFitSettings begins with the settings that are given, and where they say nothing with those of the session.
func newFitSettings(t *door.Table, rec *record, set session.Settings) *fitSettings {
	began := rec.session.Header().Fit
	if set.K == 0 && set.KMax == 0 {
		set.K, set.KMin, set.KMax = began.K, began.KMin, began.KMax
	}
	if set.Method == "" {
		set.Method = began.Method
	}
	return &fitSettings{table: t, record: rec, now: wanted{Settings: set, kFixed: set.K > 0 || set.KMax > 0}}
}

// wanted returns what people asked for.
func (se *fitSettings) wanted() wanted {
	se.mu.Lock()
	defer se.mu.Unlock()
	return se.now
}

// FitSettings returns how the rows are clustered now.
func (se *fitSettings) FitSettings() session.Settings { return se.wanted().Settings }

// forgetRestored lets the next fit have the settings that people asked for.
func (se *fitSettings) forgetRestored() {
	se.mu.Lock()
	se.now.restored = nil
	se.mu.Unlock()
}

// restore takes the settings of a fit that is returned to.
func (se *fitSettings) restore(set session.Settings) {
	balance := balance(se.record.session.Events())
	se.mu.Lock()
	defer se.mu.Unlock()
	now := &se.now
	if now.Method != "" && now.Method != "auto" {
		now.Method = set.Method
	}
	now.Effort, now.Seed, now.Parameters = set.Effort, set.Seed, set.Parameters
	if chosen := set.K == 0; now.kFixed && !(chosen && set.KMin == now.KMin && set.KMax == now.KMax) {
		now.K, now.KMin, now.KMax = set.K, 0, 0
		now.kFixed = !chosen // else it follows the fit again
		now.kBalance = balance
	}
	now.restored = &set
}

// change takes the settings that a person gives.
func (se *fitSettings) change(r FitRequest) error {
	next := se.wanted()
	if r.Method != nil {
		next.Method = *r.Method
		if next.Method == "auto" && r.Parameters == nil {
			next.Parameters = nil
		}
	}
	if r.K != nil {
		next.K, next.KMin, next.KMax = *r.K, 0, 0
		next.kFixed = *r.K > 0
		next.kBalance = balance(se.record.session.Events())
	}
	if r.KMin != nil && r.KMax != nil && *r.KMax > 0 {
		next.K, next.KMin, next.KMax, next.kFixed = 0, *r.KMin, *r.KMax, true
	}
	if r.Effort != nil {
		next.Effort = door.Effort(*r.Effort)
	}
	if r.Seed != nil {
		seed := *r.Seed
		next.Seed = &seed
	}
	if r.Parameters != nil {
		next.Parameters = r.Parameters
	}
	o := se.record.session.Options(next.Settings, door.Options{})
	if o.K < 0 || o.K > maxClusters {
		return Refuse(KindOption, "k must be from 1 to %d, got %d", maxClusters, o.K)
	}
	if err := o.Check(); err != nil {
		return err
	}
	next.restored = nil
	se.mu.Lock()
	se.now = next
	se.mu.Unlock()
	return nil
}

// next returns how to cluster after a fit: as was asked, and otherwise as fits what is known.
func (se *fitSettings) next(latest *Fit) (session.Settings, error) {
	labels, err := se.record.labels()
	if err != nil {
		return session.Settings{}, err
	}
	classes := classesAmong(labels)
	constrained, answered, edited := len(classes) > 0, false, false
	for _, e := range se.record.session.InForce() {
		switch e.Op {
		case session.OpMust, session.OpCannot, session.OpBelief:
			constrained = true
			answered = answered || e.Op == session.OpCannot && e.Asked != nil
			edited = edited || e.By == byMerge || e.By == bySplit
		}
	}
	if latest != nil && latest.isPreview && !edited {
		latest = nil // the number of its clusters was not chosen by anybody
	}
	asked := se.wanted()
	set, fixed := asked.Settings, asked.kFixed
	if asked.restored != nil {
		return *asked.restored, nil
	}
	if m, ok := catalog.Find(set.Method); ok && m.Capabilities().FindsK {
		return se.withoutK(asked, edited, m), nil
	}
	n := se.table.Len()
	// Labels spread well from rows of every cluster: those that questions ask about, or labels of
	// all classes. From others they would leave clusters empty.
	count := 0 // of clusters
	switch {
	case fixed:
		count = se.fixedK(asked)
	case latest != nil:
		count = se.baseK(latest)
	}
	known := len(classes) > 1 && len(classes) >= count
	apart := known || answered && !edited && (len(classes) == 0 || len(classes) > 1)
	if set.Method == "" && !edited {
		set.Method = door.MethodAnswers
		if latest != nil && latest.settings.Method == set.Method && !fixed && latest.Result.K == count && len(classes) <= count {
			set.K, set.KMin, set.KMax = latest.settings.K, latest.settings.KMin, latest.settings.KMax // as it was chosen
			return set, nil
		}
	}
	if set.Method == "" {
		switch input := se.table.Input(); {
		case apart && input != cluster.InputKernel && n <= spreadRows:
			set.Method = answersMethod
		case input == cluster.InputRows:
			set.Method = plainMethod
			if constrained {
				set.Method = penaltyMethod
			}
		}
	}
	if fixed {
		set.K = count
		if count > 0 && asked.Method == "" { // mergers make no class impossible that is labelled later
			set.K = max(count, len(classes))
		}
		return set, nil
	}
	switch {
	case latest != nil && latest.Result.K > 0:
		set.K, set.KMin, set.KMax = se.baseK(latest), 0, 0
	case len(classes) > 1:
		set.K, set.KMin, set.KMax = len(classes), 0, 0
	case n > leastChosen && n <= choosableRows && se.table.Input() == cluster.InputRows:
		set.K, set.KMin, set.KMax = 0, leastChosen, min(mostChosen, n-1)
	case n > leastChosen && n <= choosableRows && se.table.Input() == cluster.InputGraph: // as by -k auto
		set.K, set.KMin, set.KMax = 0, leastChosen, door.AutoKMax
	default:
		set.K = min(defaultK, max(1, n/4))
	}
	set.K = max(set.K, len(classes))
	if set.KMax > 0 && set.KMax < len(classes) {
		set.KMax = len(classes)
	}
	if set.KMax > 0 {
		set.K = 0
	}
	return set, nil
}

// withoutK returns how to cluster by a method that finds the number of clusters. Mergers and splits of a person hold exactly, where the method can do that,
// unless the person said how links count.
func (se *fitSettings) withoutK(asked wanted, edited bool, m catalog.Method) session.Settings {
	set := asked.Settings
	if !asked.kFixed {
		set.K, set.KMin, set.KMax = 0, 0, 0
	} else {
		set.K = se.fixedK(asked)
	}
	_, weighed := set.Parameters["weight"]
	if _, said := set.Parameters[hardLinks]; edited && !said && !weighed && m.HasParameter(hardLinks) {
		set.Parameters = maps.Clone(set.Parameters)
		if set.Parameters == nil {
			set.Parameters = map[string]any{}
		}
		set.Parameters[hardLinks] = true
	}
	return set
}

// baseK returns the number of clusters that follows a fit: one less for each merger since, one
// more for each split.
func (se *fitSettings) baseK(f *Fit) int {
	events := se.record.session.Events()
	return max(1, f.Result.K+balance(events)-balance(events[:f.through]))
}

// fixedK returns the number of clusters that a person gave, in step with mergers and splits
// since; 0: a range was given.
func (se *fitSettings) fixedK(asked wanted) int {
	if asked.K == 0 {
		return 0
	}
	return max(1, asked.K+balance(se.record.session.Events())-asked.kBalance)
}

// shown returns the settings with what the last fit chose.
func (se *fitSettings) shown(latest *Fit) Settings {
	asked := se.wanted()
	out := Settings{KFixed: asked.kFixed, Method: asked.Method, K: asked.K, KMin: asked.KMin, KMax: asked.KMax, Effort: string(asked.Effort), Seed: door.DefaultSeed, Parameters: asked.Parameters}
	if out.Method == "" {
		out.Method = "auto"
	}
	if out.Effort == "" {
		out.Effort = string(door.EffortNormal)
	}
	if asked.Seed != nil {
		out.Seed = *asked.Seed
	}
	if out.Parameters == nil {
		out.Parameters = map[string]any{}
	}
	switch {
	case asked.kFixed:
		out.K = se.fixedK(asked)
	case latest != nil:
		out.K = latest.Result.K
	}
	return out
}

// classesAmong returns the different labels.
func classesAmong(labels []string) map[string]bool {
	classes := map[string]bool{}
	for _, l := range labels {
		if l != "" {
			classes[l] = true
		}
	}
	return classes
}
