package workspace

import (
	"maps"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/report"
	"github.com/inklinghq/inkling/internal/serve/session"
)

// named is a fit whose clusters the method calls so.
func named(own ...string) *Fit {
	return &Fit{Result: &door.Result{}, names: own, label: make([]int16, 8)}
}

// Names stay with clusters whatever later fits call them, those that people gave before all.
func TestNamesFollowTheirClusters(t *testing.T) {
	before := named("0", "1", "2")
	for _, c := range []struct {
		after *Fit
		want  map[string]string // by the names of the fit
	}{
		{named("2", "0", "1"), map[string]string{"2": "0", "0": "mine", "1": "2"}},                // numbered again
		{named("", "0", "1"), map[string]string{"0": "mine", "1": "2"}},                           // the first has gone
		{named("0", "1", "2", "3"), map[string]string{"0": "0", "1": "mine", "2": "2", "3": "3"}}, // one is new
		{named("red", "0", "1"), map[string]string{"red": "red", "0": "mine", "1": "2"}},          // the first is a class
		{named("mine", "0", "1"), map[string]string{"mine": "0", "0": "mine", "1": "2"}},          // a class is called as the second was
	} {
		_, _, rec := eight(t, door.Options{})
		na := &names{record: rec, proposed: map[int]proposed{}}
		say(t, rec, session.Event{Op: session.OpRename, Cluster: "1", Name: "mine", By: byPage}, session.Event{Op: session.OpLabel, ID: "a", Label: "mine", By: byPage})
		if got := na.called(before); !maps.Equal(got, map[string]string{"0": "0", "1": "mine", "2": "2"}) {
			t.Fatalf("before, the clusters are called %v", got)
		}
		na.follow(c.after, before)
		if got := na.called(c.after); !maps.Equal(got, c.want) {
			t.Errorf("the clusters %q are called %v, not %v", c.after.names, got, c.want)
		}
	}
}

// Names are proposed by what sets clusters apart, the shortest first; what a cluster seldom has is no name.
func TestProposals(t *testing.T) {
	traits := []report.Trait{{Name: "spend", Effect: 2}, {Name: "plan: pro", Effect: -1.5}, {Name: "visits", Effect: -1}, {Name: "plan: basic", Effect: 0.8}}
	for _, c := range []struct {
		card *report.Cluster
		want []string
	}{
		{&report.Cluster{Traits: traits}, []string{"high spend, low visits", "high spend, low visits, plan basic"}},
		{&report.Cluster{Traits: traits[:1]}, []string{"high spend"}},
		{&report.Cluster{Terms: []string{"oil", "gas", "well", "rig"}}, []string{"oil · gas · well", "oil · gas · well · rig"}},
		{&report.Cluster{Typical: []report.Example{{ID: "r4"}}}, []string{"around r4"}},
		{&report.Cluster{}, nil},
	} {
		if got := proposals(c.card); !slices.Equal(got, c.want) {
			t.Errorf("proposed are %q, not %q", got, c.want)
		}
	}
	if got := traitsInShort(traits); got != "high spend, seldom plan pro, low visits" {
		t.Errorf("in short it is %q", got)
	}
}
