package workspace

import (
	"regexp"
	"slices"
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
	page := f.page.Load()
	if page == nil {
		return f.kept
	}
	cards := map[string]*report.Cluster{}
	for i := range page.Clusters {
		cards[page.Clusters[i].Name] = &page.Clusters[i]
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

// proposeNames names the clusters of the latest fit after what sets them apart, where nobody named them and
// no class does. A name that was proposed stays as long as most rows do.
func (w *Workspace) proposeNames(f *Fit) {
	w.change.Lock()
	defer w.change.Unlock()
	classes, err := w.labels()
	if err != nil || w.Latest() != f {
		return
	}
	cards, given, shown := f.descriptions(), w.session.Given(), session.ShownNames(f.names, w.session.Names())
	taken := map[string]bool{}
	for _, name := range shown {
		taken[name] = true
	}
	var renames []session.Event
	for h, own := range f.names {
		card := cards[own]
		if own == "" || card == nil || given[own].By > 0 || shown[h] == own && slices.Contains(classes, own) {
			continue
		}
		was, known := w.proposedNames[h]
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
				w.proposedNames[h] = proposed{name, f}
				renames = append(renames, session.Event{Op: session.OpRename, Cluster: own, Name: name, By: session.ByFit})
				break
			}
		}
	}
	_, _ = w.session.AppendAll(renames) // where that fails the clusters have numbers
}
