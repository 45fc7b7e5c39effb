package workspace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/serve/session"
)

func ptr[T any](v T) *T { return &v }

// fitted is a fit of k clusters that knows of all events so far.
func fitted(rec *record, k int, set session.Settings) *Fit {
	return &Fit{N: 1, Result: &door.Result{K: k}, settings: set, through: len(rec.session.Events())}
}

// What people ask for holds; what they leave open follows what is known.
func TestSettingsOfTheNextFit(t *testing.T) {
	ps, _, rec := eight(t, door.Options{})
	se := newFitSettings(ps.table, rec, session.Settings{})
	next := func(latest *Fit) session.Settings {
		t.Helper()
		set, err := se.next(latest)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	if set := next(nil); set.Method != door.MethodAnswers || set.K != 2 { // two classes
		t.Errorf("at first: %+v", set)
	}
	if set := next(fitted(rec, 3, session.Settings{Method: door.MethodAnswers, KMin: 2, KMax: 6})); set.Method != door.MethodAnswers || set.KMin != 2 || set.KMax != 6 || set.K != 0 {
		t.Errorf("after a fit whose number of clusters was chosen: %+v", set)
	}
	three := fitted(rec, 3, session.Settings{Method: door.MethodAnswers})
	say(t, rec, session.Event{Op: session.OpCannot, A: "a", B: "d", By: bySplit})
	if set := next(three); set.Method != penaltyMethod || set.K != 4 {
		t.Errorf("after a split of three clusters: %+v", set)
	}
	say(t, rec, session.Event{Op: session.OpMust, A: "e", B: "f", By: byMerge}, session.Event{Op: session.OpMust, A: "g", B: "h", By: byMerge, With: 3})
	if set := next(three); set.K != 3 {
		t.Errorf("after a split and a merger, whatever their number of links: %+v", set)
	}
	if err := se.change(FitRequest{K: ptr(5), Method: ptr("mpc-kmeans"), Parameters: map[string]any{"weight": 2.0}}); err != nil {
		t.Fatal(err)
	}
	say(t, rec, session.Event{Op: session.OpMust, A: "a", B: "e", By: byMerge})
	if set := next(three); set.K != 4 || set.Method != "mpc-kmeans" || set.Parameters["weight"] != 2.0 {
		t.Errorf("five clusters were asked for, and one merger came after: %+v", set)
	}
	if s := se.shown(three); !s.KFixed || s.K != 4 || s.Method != "mpc-kmeans" {
		t.Errorf("shown are %+v", s)
	}
	if err := se.change(FitRequest{K: ptr(maxClusters + 1)}); err == nil {
		t.Error("more clusters than a page can show were taken")
	}
	if err := se.change(FitRequest{Parameters: map[string]any{"wieght": 1.0}}); err == nil {
		t.Error("a parameter that no method has was taken")
	}
	if got := se.FitSettings(); got.K != 5 || got.Parameters["weight"] != 2.0 {
		t.Errorf("what was refused changed the settings: %+v", got)
	}
	if err := se.change(FitRequest{Method: ptr("auto")}); err != nil || se.FitSettings().Parameters != nil {
		t.Errorf("another method keeps the parameters of the one before: %v", se.FitSettings())
	}
}

// The groups of a graph are counted as `inkling cluster -k auto` counts its clusters, and the page says why there are so many.
func TestGroupsOfAGraphAreCounted(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	for _, k := range []int{2, 4, 7} {
		g, _, err := example.PlantedPartition(30*k, k, 9, 1.5, rng)
		if err != nil {
			t.Fatal(err)
		}
		text := "source,target\n"
		for i := range g.Len() {
			to, _ := g.Neighbours(i)
			for _, j := range to {
				if int(j) > i {
					text += fmt.Sprintf("n%d,n%d\n", i, j)
				}
			}
		}
		w, settled := openedOn(t, text, door.Source{}, door.Options{})
		settled()
		alone, err := door.Cluster(context.Background(), w.Table(), nil, door.Options{KMin: leastChosen, KMax: door.AutoKMax, NoSuspects: true})
		if err != nil {
			t.Fatal(err)
		}
		f := w.State(context.Background()).Fit
		if f.K != k || alone.K != k || alone.Chosen == nil || f.Number != alone.Chosen.Clusters.Why {
			t.Errorf("%d communities: the page has %d clusters (%s), the command %d (%+v)", k, f.K, f.Number, alone.K, alone.Chosen)
		}
	}
}

// Whoever returns to a fit has its settings for the next one, and until something else is said.
func TestSettingsOfAFitReturnedTo(t *testing.T) {
	ps, _, rec := eight(t, door.Options{})
	se := newFitSettings(ps.table, rec, session.Settings{K: 3, Method: "kmeans"})
	se.restore(session.Settings{K: 2, Method: "pc-kmeans", Effort: door.EffortHigh})
	if set, err := se.next(fitted(rec, 3, session.Settings{})); err != nil || set.K != 2 || set.Method != "pc-kmeans" || set.Effort != door.EffortHigh {
		t.Errorf("the next fit has %+v, %v", set, err)
	}
	if s := se.shown(nil); !s.KFixed || s.K != 2 || s.Method != "pc-kmeans" {
		t.Errorf("shown are %+v", s)
	}
	se.forgetRestored()
	if set, err := se.next(fitted(rec, 2, session.Settings{})); err != nil || set.K != 2 || set.Method != "pc-kmeans" {
		t.Errorf("the fit after it has %+v, %v", set, err)
	}
	se.restore(session.Settings{KMin: 2, KMax: 6, Method: "pc-kmeans"}) // whose number was chosen
	if s := se.shown(fitted(rec, 4, session.Settings{})); s.KFixed || s.K != 4 {
		t.Errorf("a number that was chosen follows the fits again: %+v", s)
	}
}
