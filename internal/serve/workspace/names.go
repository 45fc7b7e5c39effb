package workspace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// Bounds of descriptions and names.
const (
	traitsShown  = 3   // in the description of a cluster
	traitsNaming = 2   // in its name
	termsNaming  = 3   // of texts
	sameCluster  = 0.8 // the share of rows in common from which on a proposed name stays
)

// descriptions returns what sets the clusters of a fit apart, by their own names: as far as it is computed,
// and of the fit before where the rows are the same.
func (f *Fit) descriptions() map[string]*report.Cluster {
	list := f.cards.Load()
	if list == nil {
		return f.kept
	}
	cards := map[string]*report.Cluster{}
	for i := range *list {
		cards[(*list)[i].Name] = &(*list)[i]
	}
	return cards
}

// keepDescriptions takes those of clusters whose rows are the same from the fit before.
func (f *Fit) keepDescriptions(before *Fit) {
	if before == nil {
		return
	}
	moved := map[int16]bool{}
	for i, h := range f.label {
		if was := before.label[i]; was != h {
			moved[h], moved[was] = true, true
		}
	}
	cards := before.descriptions()
	f.kept = map[string]*report.Cluster{}
	for h, name := range f.names {
		if name == "" || moved[int16(h)] || h >= len(before.names) {
			continue
		}
		if card := cards[before.names[h]]; card != nil {
			f.kept[name] = card
		}
	}
}

// inWords says what a trait is: high spend, plan pro, seldom plan pro.
func inWords(t report.Trait) string {
	column, value, isCategory := strings.Cut(t.Name, ": ")
	switch {
	case isCategory && t.Effect > 0:
		return column + " " + value
	case isCategory:
		return "seldom " + column + " " + value
	case t.Effect > 0:
		return "high " + t.Name
	}
	return "low " + t.Name
}

// traitsInShort describes a cluster by its first traits: high spend, low visits.
func traitsInShort(traits []report.Trait) string {
	var words []string
	for _, t := range traits[:min(traitsShown, len(traits))] {
		words = append(words, inWords(t))
	}
	return strings.Join(words, ", ")
}

// proposals returns names for a cluster by what sets it apart, the shortest first; all are longer
// versions of the one before.
func proposals(c *report.Cluster) (out []string) {
	if len(c.Terms) > 0 {
		for n := min(termsNaming, len(c.Terms)); n <= min(termsNaming+2, len(c.Terms)); n++ {
			out = append(out, strings.Join(c.Terms[:n], " · "))
		}
		return out
	}
	var words []string
	for _, t := range c.Traits {
		if isSeldom := strings.Contains(t.Name, ": ") && t.Effect < 0; !isSeldom {
			words = append(words, inWords(t))
		}
	}
	for n := min(traitsNaming, len(words)); n > 0 && n <= len(words); n++ {
		out = append(out, strings.Join(words[:n], ", "))
	}
	if len(out) == 0 && len(c.Typical) > 0 {
		out = append(out, "around "+c.Typical[0].ID)
	}
	return out
}

// isNumber is the form of names that nobody gave.
var isNumber = regexp.MustCompile(`^\d+( \(\d+\))?$`)

// names are what the clusters of fits are called: as people named them, after classes, or by what sets them apart.
type names struct {
	points   *points
	record   *record
	kept     *kept
	proposed map[int]proposed // by index of the cluster; the change of the record is held
	of       *Fit             // for whose rows names were proposed last; likewise
}

// proposed is a name that was proposed, for the rows that a cluster had.
type proposed struct {
	name string
	of   *Fit
}

// stillFits reports whether a cluster has most of the rows for which its name was proposed.
func (p proposed) stillFits(f *Fit, index int) bool {
	both, either := 0, 0
	for i, h := range f.label {
		now, then := int(h) == index, int(p.of.label[i]) == index
		if now && then {
			both++
		}
		if now || then {
			either++
		}
	}
	return float64(both) >= sameCluster*float64(either)
}

// propose names the clusters of the latest fit after what sets them apart, where nobody named them and
// no class does. A name that was proposed stays as long as most rows do.
func (na *names) propose(f *Fit) {
	na.record.change.Lock()
	defer na.record.change.Unlock()
	classes, err := na.record.labels()
	if err != nil || na.kept.Latest() != f || na.of != nil && slices.Equal(na.of.label, f.label) {
		return // where no row has moved no name does
	}
	na.of = f
	cards, given, shown := f.descriptions(), na.record.session.Given(), session.ShownNames(f.names, na.record.session.Names())
	taken := map[string]bool{}
	for _, name := range shown {
		taken[name] = true
	}
	var renames []session.Event
	for h, own := range f.names {
		card := cards[own]
		if own == "" || card == nil || given[own].By > 0 || slices.Contains(classes, shown[h]) {
			continue
		}
		was, known := na.proposed[h]
		if !isNumber.MatchString(shown[h]) && (!known || was.name != shown[h] || was.stillFits(f, h)) {
			continue
		}
		for _, name := range proposals(card) {
			if name == shown[h] {
				break
			}
			if !taken[name] && !slices.Contains(classes, name) {
				f.former.Store(shown[h], h)
				delete(taken, shown[h])
				taken[name] = true
				na.proposed[h] = proposed{name, f}
				renames = append(renames, session.Event{Op: session.OpRename, Cluster: own, Name: name, By: session.ByFit})
				break
			}
		}
	}
	_, _ = na.record.session.AppendAll(renames) // where that fails the clusters have numbers
}

// follow gives the names of clusters to where their rows are now: those that people gave, and
// numbers too, so that nothing is called otherwise where no row has moved. A cluster that the fit names
// after a class has that name unless a person gave another. the change of the record is held.
func (na *names) follow(f, before *Fit) {
	if before == nil || na.returned(f, before) || before.isPreview && len(na.record.session.Given()) == 0 {
		return
	}
	classes, err := na.record.labels()
	if err != nil {
		return
	}
	given, shown := na.record.session.Given(), session.ShownNames(before.names, na.record.session.Names())
	want, by, taken := make([]string, len(f.names)), make([]int, len(f.names)), map[string]bool{}
	for h, own := range f.names { // names that people gave come first
		if own != "" && h < len(shown) && shown[h] != "" && given[before.names[h]].By > 0 {
			want[h], by[h] = shown[h], given[before.names[h]].By
			taken[want[h]] = true
		}
	}
	// Then those of classes, unless somebody called another cluster so. Where the fit names no more labelled rows
	// after their class than the names before do, those stay.
	classed := f.names
	if f.agreeing(shown, classes) >= f.agreeing(f.names, classes) {
		classed = shown
	}
	for h, own := range f.names {
		if own != "" && want[h] == "" && h < len(classed) && !taken[classed[h]] && slices.Contains(classes, classed[h]) {
			want[h] = classed[h]
			taken[want[h]] = true
		}
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
	_, _ = na.record.session.AppendAll(renames) // where that fails names stay as they are; the next fit tries again
}

// agreeing counts the labelled rows whose cluster has the name of their class.
func (f *Fit) agreeing(names, classes []string) (n int) {
	for i, class := range classes {
		if h := int(f.label[i]); class != "" && h >= 0 && h < len(names) && names[h] == class {
			n++
		}
	}
	return n
}

// called returns the names of the clusters of a fit as they are shown, by those that the fit gave
// them: all different.
func (na *names) called(f *Fit) map[string]string {
	if f == nil {
		return nil
	}
	out := map[string]string{}
	for h, name := range session.ShownNames(f.names, na.record.session.Names()) {
		if name != "" {
			out[f.names[h]] = name
		}
	}
	return out
}

// find returns the latest fit and the index of a cluster of it.
func (na *names) find(name string) (*Fit, int, error) {
	f := na.kept.Latest()
	if f == nil {
		return nil, 0, Refuse(KindNotFound, "there is no fit yet")
	}
	h := f.find(name, na.called(f))
	if h < 0 {
		return nil, 0, Refuse(KindNotFound, "there is no group %q", name)
	}
	return f, h, nil
}

// pointName names a point that exists.
func (na *names) pointName(point int) PointName {
	f := na.kept.Latest()
	return PointName{point, na.points.id(point), f.clusterOf(int(na.points.order[point]), na.called(f))}
}

// returned reports whether somebody went to another state, or took that back, between the fit before and f.
func (na *names) returned(f, before *Fit) bool {
	from := before.through
	events := na.record.session.Events()
	return slices.ContainsFunc(events[min(from, f.through):f.through], func(e session.Event) bool {
		return e.Op == session.OpUndo && (e.By == session.ByReturn || events[e.Of-1].By == session.ByReturn)
	})
}
