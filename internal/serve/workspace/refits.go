package workspace

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// When fits begin and end.
const (
	settle      = 150 * time.Millisecond // after a change, in which others may follow
	worthEnding = 2 * time.Second        // a fit that is older is not cancelled by a change
	fitsKept    = 30                     // to compare with
	quickRows   = 2_000                  // up to so many, confidences are computed before a fit is shown, else after
	describable = 50_000                 // up to so many rows, clusters are described with every fit
	tracePoints = 60                     // of the objective, that Running keeps
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
	bigChange     = 0.05 // the share of the rows above which a change of rows that nobody asked about is asked about
)

// stageWaiting is the stage of a fit that is about to begin.
const stageWaiting = "waiting"

// wantFit asks for a fit; one that has just begun begins again, unless the one before it did so
// already: somebody who answers quickly sees the clustering follow.
func (w *Workspace) wantFit(why string, now bool) {
	w.mu.Lock()
	switch {
	case w.cancel != nil && (now || !w.hurried && time.Since(w.began) < worthEnding):
		w.hurried = !now
		w.cancel()
	case w.running == nil:
		w.running = waiting(why)
	}
	w.dropped = false
	w.mu.Unlock()
	for {
		select {
		case w.wake <- wish{why, now}:
			return
		case old := <-w.wake: // it is part of this one
			now = now || old.now
		}
	}
}

// waiting is shown from a change until the fit that follows it begins.
func waiting(why string) *Running {
	return &Running{Stage: stageWaiting, Objective: []float64{}, StartedAt: time.Now().UTC(), Why: why}
}

// refit fits whenever that is wanted, until the workspace is closed.
func (w *Workspace) refit() {
	for {
		var want wish
		select {
		case <-w.ctx.Done():
			return
		case want = <-w.wake:
		}
		if !want.now {
			select {
			case <-w.ctx.Done():
				return
			case <-time.After(settle):
			}
		}
		w.mu.Lock()
		dropped := w.dropped
		w.mu.Unlock()
		if !dropped {
			w.fitOnce(want.why)
		}
	}
}

// ended takes the fit under way from what is shown; w.mu is held.
func (w *Workspace) ended() {
	w.cancel, w.running = nil, nil
	if len(w.wake) > 0 {
		w.running = waiting("changes")
	}
}

// fitOnce clusters with what is in force.
func (w *Workspace) fitOnce(why string) {
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	w.mu.Lock()
	if w.detailing != nil {
		w.detailing()
	}
	w.cancel, w.began = cancel, time.Now()
	w.running = &Running{Stage: door.StagePreparing, Objective: []float64{}, StartedAt: w.began.UTC(), Why: why}
	w.mu.Unlock()
	w.changed(StateChanged)
	f, err := w.fit(ctx)
	if err == nil { // names follow their clusters at once: nobody sees the one without the other
		w.change.Lock()
		defer w.change.Unlock()
		w.followNames(f, w.Latest())
	}
	w.mu.Lock()
	w.ended()
	switch {
	case err == nil:
		w.failed, w.hurried, w.restored = nil, false, nil
		w.keep(f)
	case ctx.Err() == nil:
		w.failed = err
	}
	w.mu.Unlock()
	w.changed(StateChanged)
	if err == nil {
		w.afterFit(f)
	}
}

// keep adds a fit; w.mu is held.
func (w *Workspace) keep(f *Fit) {
	at, _ := slices.BinarySearchFunc(w.fits, f.N, func(one *Fit, n int) int { return one.N - n })
	w.fits = slices.Insert(w.fits, at, f)
	if len(w.fits) > fitsKept { // the first stays: people compare with it
		oldest := 1
		if at == oldest {
			oldest++
		}
		w.fits = slices.Delete(w.fits, oldest, oldest+1)
	}
}

func (w *Workspace) fit(ctx context.Context) (*Fit, error) {
	set, err := w.fitSettings()
	if err != nil {
		return nil, err
	}
	o := door.Options{Workers: w.backgroundWorkers(), NoSuspects: true, Progress: w.progress}
	start := time.Now()
	var r *door.Result
	var e session.Event
	if q := w.asking.ready(); q != nil {
		r, e, err = q.Fit(ctx, set, o)
	} else {
		r, e, err = w.session.Fit(ctx, w.table, set, o)
	}
	if err != nil {
		return nil, err
	}
	return w.finished(ctx, r, &e, time.Since(start))
}

// finished makes what a page shows of a result.
func (w *Workspace) finished(ctx context.Context, r *door.Result, e *session.Event, took time.Duration) (*Fit, error) {
	if len(r.Clusters) > maxClusters {
		return nil, Refuse(KindOption, "the fit has %d clusters, a page can show at most %d", len(r.Clusters), maxClusters)
	}
	before := w.Latest()
	f := w.newFit(r, e, before)
	f.seconds = took.Seconds()
	if w.table.Len() <= quickRows {
		if err := w.addConfidence(ctx, f); err != nil && ctx.Err() != nil {
			return nil, err
		}
	}
	labels, err := w.labels()
	if err != nil {
		return nil, err
	}
	w.addMarks(f, labels)
	if before != nil && before.isPreview {
		f.moved = 0
	} else {
		f.countOthers(before)
	}
	f.keepDescriptions(before)
	return f, nil
}

// afterFit does what can wait: confidences and descriptions, which take time, are computed until the next fit begins.
func (w *Workspace) afterFit(f *Fit) {
	ctx, cancel := context.WithCancel(w.ctx)
	w.mu.Lock()
	w.detailing = cancel
	w.mu.Unlock()
	w.start(func() {
		defer cancel()
		if !f.certain.Load().done && w.addConfidence(ctx, f) == nil {
			w.changed(StateChanged)
		}
		if w.table.Len() <= describable {
			if _, err := f.pageOf(ctx); err == nil {
				w.proposeNames(f)
			}
		}
		f.detailed.Store(true)
		w.changed(StateChanged)
		w.judgeUnasked(w.ctx)
	})
}

// followNames gives the names of clusters to where their rows are now: those that people gave, and
// numbers too, so that nothing is called otherwise where no row has moved. A cluster that the fit names
// after a class has that name unless a person gave another. w.change is held.
func (w *Workspace) followNames(f, before *Fit) {
	if before == nil || w.returned(f, before) || before.isPreview && len(w.session.Given()) == 0 {
		return
	}
	classes, err := w.labels()
	if err != nil {
		return
	}
	given, shown := w.session.Given(), session.ShownNames(before.names, w.session.Names())
	want, by, taken := make([]string, len(f.names)), make([]int, len(f.names)), map[string]bool{}
	for h, own := range f.names { // names that people gave come first, then those of classes
		switch {
		case own == "":
		case h < len(shown) && shown[h] != "" && given[before.names[h]].By > 0:
			want[h], by[h] = shown[h], given[before.names[h]].By
		case slices.Contains(classes, own):
			want[h] = own
		}
		taken[want[h]] = true
	}
	for h, own := range f.names {
		if own != "" && want[h] == "" && h < len(shown) && !taken[shown[h]] {
			want[h] = shown[h]
			taken[want[h]] = true
		}
	}
	for h, own := range f.names { // clusters that are new
		if own == "" || want[h] != "" {
			continue
		}
		want[h] = own
		for n := 0; taken[want[h]]; n++ {
			want[h] = strconv.Itoa(n)
		}
		taken[want[h]] = true
	}
	var renames []session.Event
	for h, own := range f.names {
		if now, has := given[own]; own != "" && (has && (now.Name != want[h] || now.By != by[h]) || !has && want[h] != own) {
			renames = append(renames, session.Event{Op: session.OpRename, Cluster: own, Name: want[h], Of: by[h], By: session.ByFit})
		}
	}
	_, _ = w.session.AppendAll(renames) // where that fails names stay as they are; the next fit tries again
}

// progress shows how far a fit is.
func (w *Workspace) progress(p door.Progress) {
	w.mu.Lock()
	if w.running != nil {
		next := *w.running
		if next.Stage, next.Done, next.Of = p.Stage, p.Run, p.Runs; p.Started > 0 {
			next.Done, next.Of = int(100*p.Started), 100
		}
		if p.Ended && !math.IsNaN(p.Objective) && !math.IsInf(p.Objective, 0) {
			next.Objective = append(slices.Clone(next.Objective[max(0, len(next.Objective)-tracePoints):]), p.Objective)
		}
		w.running = &next
	}
	w.mu.Unlock()
	w.changed(ProgressMade)
}

// Latest returns the last fit, or what is shown until there is one; nil: nothing yet.
func (w *Workspace) Latest() *Fit {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.fits) == 0 {
		return w.shownFirst
	}
	return w.fits[len(w.fits)-1]
}

// FitNumber returns a fit that is kept, or one with a name, which is made again; 0: the latest.
func (w *Workspace) FitNumber(n int) (*Fit, error) {
	if f := w.keptFit(n); f != nil {
		return f, nil
	}
	switch {
	case n == 0:
		return nil, Refuse(KindNotFound, "there is no fit yet")
	case !w.isState(n):
		return nil, Refuse(KindNotFound, "there is no fit %d among those that are kept", n)
	}
	return w.fitAgain(n)
}

// keptFit returns a fit that is kept, nil where it is not; 0: the latest.
func (w *Workspace) keptFit(n int) *Fit {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := len(w.fits) - 1; i >= 0; i-- {
		if n == 0 || w.fits[i].N == n {
			return w.fits[i]
		}
	}
	if n == 0 {
		return w.shownFirst
	}
	return nil
}

// labels returns the label of each row, "" where it has none.
func (w *Workspace) labels() ([]string, error) {
	class, names, err := w.session.Constraints(w.table).Classes()
	if err != nil {
		return nil, err
	}
	out := make([]string, len(class))
	for i, c := range class {
		if c >= 0 {
			out[i] = names[c]
		}
	}
	return out, nil
}

// fitSettings returns how to cluster now: as was asked, and otherwise as fits what is known.
func (w *Workspace) fitSettings() (session.Settings, error) {
	labels, err := w.labels()
	if err != nil {
		return session.Settings{}, err
	}
	classes := classesAmong(labels)
	constrained, answered, edited := len(classes) > 0, false, false
	for _, e := range w.session.InForce() {
		switch e.Op {
		case session.OpMust, session.OpCannot, session.OpBelief:
			constrained = true
			answered = answered || e.Op == session.OpCannot && e.Asked != nil
			edited = edited || e.By == byMerge || e.By == bySplit
		}
	}
	latest := w.Latest()
	if latest != nil && latest.isPreview && !edited {
		latest = nil // the number of its clusters was not chosen by anybody
	}
	w.mu.Lock()
	set, fixed, restored := w.settings, w.kFixed, w.restored
	w.mu.Unlock()
	if restored != nil {
		return *restored, nil
	}
	if m, ok := catalog.Find(set.Method); ok && m.Capabilities().FindsK {
		return w.withoutK(set, fixed, edited, m), nil
	}
	n := w.table.Len()
	// Labels spread well from rows of every cluster: those that questions ask about, or labels of
	// all classes. From others they would leave clusters empty.
	wanted := 0 // clusters
	switch {
	case fixed:
		wanted = w.fixedK(set)
	case latest != nil:
		wanted = w.baseK(latest)
	}
	known := len(classes) > 1 && len(classes) >= wanted
	apart := known || answered && !edited && (len(classes) == 0 || len(classes) > 1)
	if set.Method == "" && !edited {
		set.Method = door.MethodAnswers
		if latest != nil && latest.settings.Method == set.Method && !fixed && latest.Result.K == wanted && len(classes) <= wanted {
			set.K, set.KMin, set.KMax = latest.settings.K, latest.settings.KMin, latest.settings.KMax // as it was chosen
			return set, nil
		}
	}
	if set.Method == "" {
		switch input := w.table.Input(); {
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
		set.K = w.fixedK(set)
		return set, nil
	}
	switch {
	case latest != nil && latest.Result.K > 0:
		set.K, set.KMin, set.KMax = w.baseK(latest), 0, 0
	case len(classes) > 1:
		set.K, set.KMin, set.KMax = len(classes), 0, 0
	case n > leastChosen && n <= choosableRows && w.table.Input() == cluster.InputRows:
		set.K, set.KMin, set.KMax = 0, leastChosen, min(mostChosen, n-1)
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
func (w *Workspace) withoutK(set session.Settings, fixed, edited bool, m catalog.Method) session.Settings {
	if !fixed {
		set.K, set.KMin, set.KMax = 0, 0, 0
	} else {
		set.K = w.fixedK(set)
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

// hardLinks is the parameter by which links hold exactly.
const hardLinks = "hard"

// baseK returns the number of clusters that follows a fit: one less for each merger since, one
// more for each split.
func (w *Workspace) baseK(f *Fit) int {
	return max(1, f.Result.K+w.balance(w.session.Events())-w.balance(w.session.Events()[:f.through]))
}

// fixedK returns the number of clusters that a person gave, in step with mergers and splits
// since; 0: a range was given.
func (w *Workspace) fixedK(set session.Settings) int {
	if set.K == 0 {
		return 0
	}
	return max(1, set.K+w.balance(w.session.Events())-int(w.kBalance.Load()))
}

// What makes events about a cluster.
const (
	byMerge  = "merge"
	bySplit  = "split"
	byRemove = "remove" // of a point from its cluster
)

// balance counts splits less mergers in force.
func (w *Workspace) balance(events []session.Event) (n int) {
	for _, e := range session.InForce(events) {
		switch {
		case e.With != 0:
		case e.By == bySplit:
			n++
		case e.By == byMerge:
			n--
		}
	}
	return n
}

// Fit changes settings, those that are given, and fits.
func (w *Workspace) Fit(r FitRequest) error {
	w.mu.Lock()
	set, fixed := w.settings, w.kFixed
	w.mu.Unlock()
	if r.Method != nil {
		set.Method = *r.Method
		if set.Method == "auto" && r.Parameters == nil {
			set.Parameters = nil
		}
	}
	if r.K != nil {
		set.K, set.KMin, set.KMax = *r.K, 0, 0
		fixed = *r.K > 0
	}
	if r.KMin != nil && r.KMax != nil && *r.KMax > 0 {
		set.K, set.KMin, set.KMax, fixed = 0, *r.KMin, *r.KMax, true
	}
	if r.Effort != nil {
		set.Effort = door.Effort(*r.Effort)
	}
	if r.Seed != nil {
		seed := *r.Seed
		set.Seed = &seed
	}
	if r.Parameters != nil {
		set.Parameters = r.Parameters
	}
	o := w.session.Options(set, door.Options{})
	if o.K < 0 || o.K > maxClusters {
		return Refuse(KindOption, "k must be from 1 to %d, got %d", maxClusters, o.K)
	}
	if err := o.Check(); err != nil {
		return err
	}
	balance := w.balance(w.session.Events())
	w.mu.Lock()
	w.settings, w.kFixed, w.restored = set, fixed, nil
	if r.K != nil {
		w.kBalance.Store(int64(balance))
	}
	w.mu.Unlock()
	w.wantFit("asked for", true)
	return nil
}

// Cancel ends the fit under way, or the one that is about to begin.
func (w *Workspace) Cancel() {
	w.mu.Lock()
	switch {
	case w.cancel != nil:
		w.cancel()
	case w.running != nil && w.running.Stage == stageWaiting:
		w.running, w.dropped = nil, true
	}
	w.mu.Unlock()
	w.changed(StateChanged)
}

// SetAuto says whether changes are followed by a fit.
func (w *Workspace) SetAuto(on bool) {
	w.mu.Lock()
	w.auto = on
	w.mu.Unlock()
	if on && w.behind() {
		w.wantFit("changes", false)
	}
	w.changed(StateChanged)
}

// behind reports whether something was changed since the last fit.
func (w *Workspace) behind() bool {
	f := w.Latest()
	if f == nil || f.isPreview {
		return true
	}
	for _, e := range w.session.Events()[f.through:] {
		if e.Op != session.OpFit && e.Op != session.OpRename && e.Op != session.OpSkip && e.Op != session.OpUnsure && e.Op != session.OpMark {
			return true
		}
	}
	return false
}

// followed asks for a fit after a change.
func (w *Workspace) followed(why string) {
	w.mu.Lock()
	auto := w.auto
	w.restored = nil
	w.mu.Unlock()
	if auto {
		w.wantFit(why, false)
	}
	w.changed(StateChanged)
}

var errEnded = errors.New("the workspace is closed")
