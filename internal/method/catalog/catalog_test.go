package catalog

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

func TestEveryMethodIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		if m.Name == "" || m.Title == "" || m.Paper == "" || m.New == nil || seen[m.Name] {
			t.Errorf("%q lacks a name of its own, a title, a paper or a constructor", m.Name)
		}
		seen[m.Name] = true
		if !m.Takes("rows") && !m.Takes("graph") {
			t.Errorf("%s takes %q, it must be rows, graph, rows or graph, or rows or kernel", m.Name, m.Inputs())
		}
		for _, p := range m.Parameters() {
			if p.Help == "" {
				t.Errorf("%s: parameter %s has no help", m.Name, p.Name)
			}
			a := m.New()
			for _, value := range append(p.Values, p.Default) {
				if err := Set(a, p.Name, value); err != nil {
					t.Errorf("%s: %v", m.Name, err)
				}
			}
		}
		if _, err := json.Marshal(m.New()); err != nil {
			t.Errorf("%s: its parameters are not plain data: %v", m.Name, err)
		}
	}
}

type level string

func (level) Values() []string { return []string{"low", "high"} }

type letter string

func (letter) Values() []string { return []string{"a", "b"} }

// probe has a parameter of every type that there can be.
type probe struct {
	Word  letter  `json:"word" help:"w"`
	Count int     `json:"the_count" help:"c"`
	Share float64 `json:"share" help:"s"`
	On    bool    `json:"on" help:"o"`
	Level level   `json:"level" help:"l"`

	Weight cluster.Number `json:"weight" rules:"auto,exact" help:"n"`
	Inner  []int          `json:"-"`
}

func (*probe) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph, cluster.InputKernel}}
}

func (*probe) Check(*cluster.Problem) error { return nil }
func (*probe) Start(context.Context, *cluster.Problem, *cluster.Env) (cluster.Run, error) {
	return nil, nil
}

func TestSet(t *testing.T) {
	a := &probe{}
	for name, text := range map[string]string{"word": "b", "the-count": "7", "share": "0.5", "on": "true", "level": "high", "weight": "auto"} {
		if err := Set(a, name, text); err != nil {
			t.Error(err)
		}
	}
	if want := (&probe{Word: "b", Count: 7, Share: 0.5, On: true, Level: "high", Weight: cluster.ByRule("auto")}); !reflect.DeepEqual(a, want) {
		t.Errorf("got %+v, wanted %+v", a, want)
	}
	before := *a
	for _, bad := range [][3]string{
		{"word", "c", `word must be one of a, b, got "c"`}, {"the-count", "x", `the-count must be an integer, got "x"`},
		{"share", "", `share must be a number, got ""`}, {"on", "maybe", `on must be true or false, got "maybe"`},
		{"level", "middle", `level must be one of low, high, got "middle"`}, {"weight", "much", `weight must be a number or auto, exact, got "much"`},
		{"inner", "1", "there is no parameter inner"}, {"none", "1", "there is no parameter none"},
	} {
		if err := Set(a, bad[0], bad[1]); err == nil || err.Error() != bad[2] {
			t.Errorf("%s = %q: %v, wanted %s", bad[0], bad[1], err, bad[2])
		}
	}
	if !reflect.DeepEqual(*a, before) {
		t.Errorf("a value that was refused was set: %+v", a)
	}
}

func TestViewsAreTakenByThoseThatSaySo(t *testing.T) {
	for _, m := range Methods() {
		takes := m.New().Capabilities().UsesKind(cluster.Views)
		if says := slices.Contains(m.Uses(), cluster.Views); says != takes {
			t.Errorf("%s: says %v, takes them %v", m.Name, says, takes)
		}
	}
}
