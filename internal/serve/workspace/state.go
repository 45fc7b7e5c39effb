package workspace

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/inklinghq/inkling/internal/door"
)

// State returns what the page of the person of ctx shows of the whole. Examples are not filled in.
func (w *Workspace) State(ctx context.Context) *State {
	who := personOf(ctx)
	undo, redo := w.session.Acts(w.person(who))
	events := w.session.Events()
	latest := w.Latest()
	called := w.called(latest)
	s := &State{Kind: w.Kind(), Name: filepath.Base(w.table.Name()), Version: door.Version, Rows: w.table.Len(), Session: filepath.Base(w.session.Path()),
		Columns: w.columns(), Examples: []Example{}, Methods: w.methods(), Totals: w.totals(), Undo: Words(undo), Redo: Words(redo), Events: len(events), Notes: slices.Clone(w.notes),
		Pictures: w.HasPictures()}
	s.Command = w.Command().Command
	s.States = w.states(events)
	s.Suspects = w.suspectCount(events)
	if s.Notes == nil {
		s.Notes = []Note{}
	}
	if latest != nil {
		s.Fit = latest.summary(called, latest.Result.Violated())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s.Settings = w.settingsShown(latest)
	s.Running, s.Auto, s.Places = w.running, w.auto, w.placesState()
	if w.failed != nil {
		p := ProblemOf(w.failed)
		s.Error = &p
	}
	if w.Kind() == "graph" {
		s.Graph = &GraphState{Edges: w.edges(), Views: []string{}}
	}
	return s
}

// Running returns the fit under way; nil: none.
func (w *Workspace) Running() *Running {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running
}

// settingsShown returns the settings with what the last fit chose; w.mu is held.
func (w *Workspace) settingsShown(latest *Fit) Settings {
	set := w.settings
	out := Settings{KFixed: w.kFixed, Method: set.Method, K: set.K, KMin: set.KMin, KMax: set.KMax, Effort: string(set.Effort), Seed: door.DefaultSeed, Parameters: set.Parameters}
	if out.Method == "" {
		out.Method = "auto"
	}
	if out.Effort == "" {
		out.Effort = string(door.EffortNormal)
	}
	if set.Seed != nil {
		out.Seed = *set.Seed
	}
	if out.Parameters == nil {
		out.Parameters = map[string]any{}
	}
	switch {
	case w.kFixed:
		out.K = w.fixedK(set)
	case latest != nil:
		out.K = latest.Result.K
	}
	return out
}

// columns returns the columns of the data with their roles.
func (w *Workspace) columns() []ColumnRole {
	out := []ColumnRole{}
	for _, c := range w.table.Plan().Lines() {
		out = append(out, ColumnRole{c.Name, string(c.Serves()), holds(&c)})
	}
	if len(out) == 0 {
		for _, name := range w.table.Columns()[:min(len(w.table.Columns()), 1000)] {
			out = append(out, ColumnRole{name, "number", "number"})
		}
	}
	return out
}

// methods returns the methods that take the form of the data.
func (w *Workspace) methods() []MethodTitle {
	out := []MethodTitle{{"auto", "chosen by the constraints"}}
	for _, m := range door.Methods() {
		if m.Takes(w.table.Input()) {
			out = append(out, MethodTitle{m.Name, m.Title})
		}
	}
	return out
}
