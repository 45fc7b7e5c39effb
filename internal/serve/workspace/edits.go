package workspace

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/format"
)

// Requests to change clusters as a whole, or single events.
type (
	// MergeRequest says that two clusters are one.
	MergeRequest struct {
		Clusters []string `json:"clusters"`
		Force    bool     `json:"force,omitempty"`
	}
	// SplitRequest says that points are a cluster of their own, or that the two parts are that the tree finds in
	// a cluster.
	SplitRequest struct {
		Points  []int  `json:"points,omitempty"`
		Cluster string `json:"cluster,omitempty"`
		Force   bool   `json:"force,omitempty"`
	}
	// RemoveRequest says that a point does not belong in its cluster.
	RemoveRequest struct {
		Point int  `json:"point"`
		Force bool `json:"force,omitempty"`
	}
	// AcceptRequest says that points belong where they are.
	AcceptRequest struct {
		Points []int   `json:"points"`
		Above  float64 `json:"above,omitempty"` // only rows with at least this confidence; 0: all
		Force  bool    `json:"force,omitempty"`
	}
	// RenameRequest gives a cluster a name.
	RenameRequest struct {
		Cluster string `json:"cluster"`
		Name    string `json:"name"`
	}
	// ForgetRequest takes back events, or the labels of points.
	ForgetRequest struct {
		Event  int   `json:"event,omitempty"`
		Events []int `json:"events,omitempty"`
		Points []int `json:"points,omitempty"`
	}
	// SoftenRequest gives a constraint another weight.
	SoftenRequest struct {
		Event  int     `json:"event"`
		Weight float64 `json:"weight"`
	}
)

// mergeLinks is how many pairs of rows link two clusters that are merged.
const mergeLinks = 5

// splitLinks is how many pairs of rows keep the parts of a cluster apart.
const splitLinks = 3

// apartShown is how many of the links that keep two clusters apart are listed.
const apartShown = 10

// surest returns the rows of a cluster that are surest of it, at most so many, without those
// that are left out.
func (f *Fit) surest(index, most int, leaveOut func(row int) bool) (rows []int) {
	for row, h := range f.label {
		if int(h) == index && !leaveOut(row) {
			rows = append(rows, row)
		}
	}
	sure := f.certain.Load().sure
	slices.SortStableFunc(rows, func(a, b int) int {
		x, y := sure[a], sure[b]
		switch {
		case x > y || math.IsNaN(float64(y)) && x == x:
			return -1
		case y > x || math.IsNaN(float64(x)) && y == y:
			return 1
		}
		return 0
	})
	return rows[:min(most, len(rows))]
}

// classOf returns the class that a cluster stands for: its name, where rows are labelled with it;
// else "".
func (f *Fit) classOf(index int, labels []string) string {
	if slices.Contains(labels, f.names[index]) {
		return f.names[index]
	}
	return ""
}

// typical returns the rows of a cluster that are surest of it, at most so many, without those of
// skip. Rows that are labelled with another class than this one do not stand for the cluster: they are
// taken only where there are no others.
func (f *Fit) typical(index, most int, labels []string, class string, skip int) []int {
	rows := f.surest(index, most, func(row int) bool { return row == skip || labels[row] != "" && labels[row] != class })
	if len(rows) == 0 {
		rows = f.surest(index, most, func(row int) bool { return row == skip })
	}
	return rows
}

// Merge links two clusters, and asks for one cluster less. Where both stand for classes, the
// second class becomes the first.
func (ed *edits) Merge(ctx context.Context, r MergeRequest) (*Changed, error) {
	if len(r.Clusters) != 2 || r.Clusters[0] == r.Clusters[1] {
		return nil, Refuse(KindOption, "two groups are merged, got %q", r.Clusters)
	}
	f, a, err := ed.names.find(r.Clusters[0])
	if err != nil {
		return nil, err
	}
	_, b, err := ed.names.find(r.Clusters[1])
	if err != nil {
		return nil, err
	}
	labels, err := ed.record.labels()
	if err != nil {
		return nil, err
	}
	if c := ed.keptApart(f, a, b, r.Clusters); c != nil && !r.Force {
		return nil, c.refusal()
	}
	var events []session.Event
	class, other := f.classOf(a, labels), f.classOf(b, labels)
	did := ""
	if class != "" && other != "" { // two classes would contradict the links
		for row, label := range labels {
			if label == other {
				labels[row] = class
				events = append(events, session.Event{Op: session.OpLabel, ID: ed.points.table.ID(row), Label: class, By: byMerge})
			}
		}
		did = fmt.Sprintf("the label %q of %s became %q", other, format.Count(len(events), "row"), class)
	}
	class = cmp.Or(class, other)
	one, two := f.typical(a, mergeLinks, labels, class, -1), f.typical(b, mergeLinks, labels, class, -1)
	for i := range min(len(one), len(two)) {
		events = append(events, session.Event{Op: session.OpMust, A: ed.points.table.ID(one[i]), B: ed.points.table.ID(two[i]), By: byMerge})
	}
	if len(events) == 0 {
		return nil, Refuse(KindOption, "a group without rows cannot be merged")
	}
	return ed.addSaying(ctx, events, r.Force, "a merger", did)
}

// keptApart says which cannot-links keep rows of two clusters apart; nil where there are none.
func (ed *edits) keptApart(f *Fit, a, b int, names []string) *Contradiction {
	var links []session.Event
	for _, e := range saidIn(ed.record.session.InForce()).links {
		one, ok := ed.points.table.Row(e.A)
		two, too := ed.points.table.Row(e.B)
		if e.Op != session.OpCannot || !ok || !too {
			continue
		}
		if h, g := int(f.label[one]), int(f.label[two]); h == a && g == b || h == b && g == a {
			links = append(links, e)
		}
	}
	if len(links) == 0 {
		return nil
	}
	slices.SortFunc(links, func(x, y session.Event) int { return cmp.Compare(x.N, y.N) })
	n := format.Count(len(links), "cannot-link")
	c := &Contradiction{Message: fmt.Sprintf("rows of %q and rows of %q are kept apart by %s", names[0], names[1], n),
		Chain: []ChainEvent{}, Repairs: []Repair{{Text: "forget " + n + ", and merge", Forget: numbers(links)}}}
	for _, e := range links[:min(len(links), apartShown)] {
		c.Chain = append(c.Chain, ChainEvent{e.N, e.String()})
	}
	if more := len(links) - len(c.Chain); more > 0 {
		c.Chain = append(c.Chain, ChainEvent{0, fmt.Sprintf("and %d more", more)})
	}
	return c
}

// Split makes points a cluster of their own, and asks for one cluster more.
func (ed *edits) Split(ctx context.Context, r SplitRequest) (*Changed, error) {
	f := ed.kept.Latest()
	if f == nil {
		return nil, Refuse(KindNotFound, "there is no fit yet")
	}
	switch {
	case r.Cluster != "" && len(r.Points) > 0:
		return nil, Refuse(KindOption, "either points or a group are split, not both")
	case r.Cluster != "":
		return ed.splitCluster(ctx, r)
	case len(r.Points) == 0:
		return nil, Refuse(KindOption, "no points are given to split off")
	}
	inside, from := map[int]bool{}, map[int]int{}
	var events []session.Event
	for i, p := range r.Points {
		row, ok := ed.points.row(p)
		if !ok {
			return nil, noPoint(p)
		}
		inside[row] = true
		from[int(f.label[row])]++
		if i > 0 && p != r.Points[i-1] {
			events = append(events, session.Event{Op: session.OpMust, A: ed.points.id(r.Points[i-1]), B: ed.points.id(p), By: bySplit})
		}
	}
	for h := range f.names {
		if from[h] == 0 {
			continue
		}
		for _, row := range f.surest(h, 1, func(row int) bool { return inside[row] }) {
			events = append(events, session.Event{Op: session.OpCannot, A: ed.points.id(r.Points[0]), B: ed.points.table.ID(row), By: bySplit})
		}
	}
	if len(events) == 0 {
		return nil, Refuse(KindOption, "there is nothing to split off from")
	}
	return ed.add(ctx, events, r.Force, "a split")
}

// splitCluster keeps the two parts apart that the tree finds in a cluster, by links between their densest rows.
func (ed *edits) splitCluster(ctx context.Context, r SplitRequest) (*Changed, error) {
	f, h, err := ed.names.find(r.Cluster)
	if err != nil {
		return nil, err
	}
	parts, _, ok := f.branches(h)
	switch {
	case !ok:
		return nil, Refuse(KindOption, "%s has no tree to split a group by; select rows to split off, or use the method density", f.Result.Method)
	case len(parts) == 0:
		return nil, Refuse(KindOption, "the tree has no two parts in %q; select rows to split off", r.Cluster)
	}
	var events []session.Event
	for i := range min(splitLinks, len(parts[0]), len(parts[1])) {
		events = append(events, session.Event{Op: session.OpCannot, A: ed.points.table.ID(parts[0][i]), B: ed.points.table.ID(parts[1][i]), By: bySplit})
	}
	return ed.add(ctx, events, r.Force, "a split")
}

// Remove says that a point does not belong to the surest row of its cluster. A label that says
// that it does is taken back.
func (ed *edits) Remove(ctx context.Context, r RemoveRequest) (*Changed, error) {
	row, ok := ed.points.row(r.Point)
	if !ok {
		return nil, noPoint(r.Point)
	}
	f := ed.kept.Latest()
	if f == nil || f.label[row] < 0 {
		return nil, Refuse(KindConflict, "%s is in no group", ed.points.table.ID(row))
	}
	labels, err := ed.record.labels()
	if err != nil {
		return nil, err
	}
	h, id := int(f.label[row]), ed.points.table.ID(row)
	with := f.typical(h, 1, labels, f.names[h], row)
	if len(with) == 0 {
		return nil, Refuse(KindConflict, "%s is the only row of its group", id)
	}
	var events []session.Event
	did := ""
	if labels[row] != "" && labels[row] == f.names[h] {
		events = append(events, session.Event{Op: session.OpUnlabel, ID: id, By: byRemove})
		did = fmt.Sprintf("its label %q is taken back too", labels[row])
	}
	events = append(events, session.Event{Op: session.OpCannot, A: id, B: ed.points.table.ID(with[0]), By: byRemove})
	return ed.addSaying(ctx, events, r.Force, "a removal", did)
}

// Accept labels points with the names of their clusters.
func (ed *edits) Accept(ctx context.Context, r AcceptRequest) (*Changed, error) {
	if !(r.Above >= 0 && r.Above <= 1) {
		return nil, Refuse(KindOption, "a confidence is from 0 to 1, not %v", r.Above)
	}
	f := ed.kept.Latest()
	called := ed.names.called(f)
	labels, err := ed.record.labels()
	if err != nil {
		return nil, err
	}
	if f != nil && r.Above > 0 && !f.certain.Load().done {
		if err := f.addConfidence(ctx, ed.points.table); err != nil {
			return nil, err
		}
	}
	var events []session.Event
	for _, p := range r.Points {
		row, ok := ed.points.row(p)
		if !ok {
			return nil, noPoint(p)
		}
		if f == nil || f.label[row] < 0 || r.Above > 0 && !(float64(f.certain.Load().sure[row]) >= r.Above) {
			continue
		}
		name := f.names[f.label[row]]
		if !slices.Contains(labels, name) {
			name = f.nameOf(int(f.label[row]), called)
		}
		if labels[row] != name {
			events = append(events, session.Event{Op: session.OpLabel, ID: ed.points.table.ID(row), Label: name, By: "accept"})
		}
	}
	if len(events) == 0 && r.Above > 0 {
		return nil, Refuse(KindOption, "none of the points is in a group with a confidence of %v or more without being labelled so", r.Above)
	}
	if len(events) == 0 {
		return nil, Refuse(KindOption, "none of the points is in a group without being labelled so")
	}
	return ed.add(ctx, events, r.Force, "labels")
}

// Rename gives a cluster a name.
func (ed *edits) Rename(ctx context.Context, r RenameRequest) (*Changed, error) {
	f, h, err := ed.names.find(r.Cluster)
	if err != nil {
		return nil, err
	}
	if r.Name == "" {
		return nil, Refuse(KindOption, "the name is empty")
	}
	if other := f.indexOf(r.Name, ed.names.called(f)); other >= 0 && other != h {
		return nil, Refuse(KindConflict, "another group is called %q", r.Name)
	}
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	e, err := ed.record.session.Append(session.Event{Op: session.OpRename, Cluster: f.names[h], Name: r.Name, By: byPage, Who: personOf(ctx)})
	if err != nil {
		return nil, refusedEvent(err)
	}
	ed.jobs.changed(StateChanged)
	return &Changed{Events: []int{e.N}}, nil
}

// KeepRequest keeps the clusters as they were.
type KeepRequest struct{}

// Keep refuses a change of rows that nobody asked about: answers move only the rows that they name,
// until that is undone.
func (ed *edits) Keep(ctx context.Context, _ KeepRequest) (*Changed, error) {
	f := ed.kept.Latest()
	if f == nil || f.Result.Answered == nil || !f.Result.Answered.Spread {
		return nil, Refuse(KindConflict, "the groups are as they were: only rows of answers moved")
	}
	ed.record.change.Lock()
	defer ed.record.change.Unlock()
	defer ed.fits.expect()()
	e, err := ed.record.session.Append(session.Event{Op: session.OpKeep, By: byPage, Who: personOf(ctx)})
	if err != nil {
		return nil, refusedEvent(err)
	}
	ed.fits.followed("kept")
	return &Changed{Events: []int{e.N}}, nil
}

// Forget takes back events, or the labels of points, those of the data too.
func (ed *edits) Forget(ctx context.Context, r ForgetRequest) (*Changed, error) {
	if len(r.Points) > 0 {
		var events []session.Event
		for _, p := range r.Points {
			if _, ok := ed.points.row(p); !ok {
				return nil, noPoint(p)
			}
			events = append(events, session.Event{Op: session.OpUnlabel, ID: ed.points.id(p), By: byPage})
		}
		return ed.add(ctx, events, false, "labels forgotten")
	}
	if r.Event != 0 {
		r.Events = append(r.Events, r.Event)
	}
	if len(r.Events) == 0 {
		return nil, Refuse(KindOption, "no event is given to forget")
	}
	return ed.turnBack(func() ([]session.Event, error) { return ed.record.session.Forget(personOf(ctx), r.Events...) })
}

// Soften gives a link or a label another weight.
func (ed *edits) Soften(ctx context.Context, r SoftenRequest) (*Changed, error) {
	events := ed.record.session.Events()
	if r.Event < 1 || r.Event > len(events) {
		return nil, Refuse(KindNotFound, "there is no event %d", r.Event)
	}
	old := events[r.Event-1]
	switch old.Op {
	case session.OpLabel, session.OpMust, session.OpCannot, session.OpBelief:
	default:
		return nil, Refuse(KindOption, "event %d is not a constraint: %s", r.Event, old)
	}
	return ed.add(ctx, []session.Event{{Op: old.Op, ID: old.ID, Label: old.Label, A: old.A, B: old.B, Weight: &r.Weight, By: byPage}}, true, "a weight")
}
