package workspace

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/inklinghq/inkling/internal/door"
)

// view is what a page shows of a workspace. It changes nothing.
type view struct {
	points     *points
	jobs       *jobs
	record     *record
	kept       *kept
	names      *names
	settings   *fitSettings
	places     *places
	fits       *fits
	suspicions *suspicions
	questions  *questions

	notes []Note
	small pictures
}

// State returns what the page of the person of ctx shows of the whole, at one moment: a change is seen together with the
// fit that follows it, and a fit together with its end. Examples are not filled in.
func (v *view) State(ctx context.Context) *State {
	for {
		turn := v.fits.turn()
		if s := v.look(ctx); turn == v.fits.turn() {
			return s
		}
	}
}

// look returns the state, parts of which may be of different moments where a fit began or ended meanwhile.
func (v *view) look(ctx context.Context) *State {
	who := personOf(ctx)
	undo, redo := v.record.session.Acts(v.questions.person(who))
	events := v.record.session.Events()
	latest := v.kept.Latest()
	called := v.names.called(latest)
	s := &State{Kind: v.Kind(), Name: filepath.Base(v.points.table.Name()), Version: door.Version, Rows: v.points.table.Len(), Session: filepath.Base(v.record.session.Path()),
		Columns: v.columns(), Examples: []Example{}, Methods: v.methods(), Totals: v.record.totals(), Undo: Words(undo), Redo: Words(redo), Events: len(events), Notes: slices.Clone(v.notes),
		Pictures: v.HasPictures()}
	s.Command = v.Command().Command
	s.States = v.states(events)
	s.Suspects = v.suspicions.count(events)
	if s.Notes == nil {
		s.Notes = []Note{}
	}
	if latest != nil {
		s.Fit = latest.summary(called, latest.Result.Violated())
	}
	s.Settings, s.Places = v.settings.shown(latest), v.places.state()
	var failed error
	s.Running, s.Auto, failed = v.fits.state()
	if failed != nil {
		p := ProblemOf(failed)
		s.Error = &p
	}
	if v.Kind() == "graph" {
		s.Graph = &GraphState{Edges: v.places.edges(), Views: []string{}}
	}
	return s
}

// columns returns the columns of the data with their roles.
func (v *view) columns() []ColumnRole {
	out := []ColumnRole{}
	for _, c := range v.points.table.Plan().Lines() {
		out = append(out, ColumnRole{c.Name, string(c.Serves()), holds(&c)})
	}
	if len(out) == 0 {
		for _, name := range v.points.table.Columns()[:min(len(v.points.table.Columns()), 1000)] {
			out = append(out, ColumnRole{name, "number", "number"})
		}
	}
	return out
}

// methods returns the methods that take the form of the data.
func (v *view) methods() []MethodTitle {
	out := []MethodTitle{{"auto", "chosen by the constraints"}}
	for _, m := range door.Methods() {
		if m.Takes(v.points.table.Input()) {
			out = append(out, MethodTitle{m.Name, m.Title})
		}
	}
	return out
}

// Kind returns table or graph.
func (v *view) Kind() string { return kindOf(v.points.table) }
