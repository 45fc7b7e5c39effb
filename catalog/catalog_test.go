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
			t.Errorf("%s takes %q, it must be rows, graph, rows or graph, or rows or kernel", m.Name, m.Input())
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

// probe has a parameter of every type that there can be.
type probe struct {
	Word  string  `json:"word" enum:"a,b" help:"w"`
	Count int     `json:"the_count" help:"c"`
	Share float64 `json:"share" help:"s"`
	On    bool    `json:"on" help:"o"`
	Inner []int   `json:"-"`
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
	for name, text := range map[string]string{"word": "b", "the-count": "7", "share": "0.5", "on": "true"} {
		if err := Set(a, name, text); err != nil {
			t.Error(err)
		}
	}
	if want := (&probe{Word: "b", Count: 7, Share: 0.5, On: true}); !reflect.DeepEqual(a, want) {
		t.Errorf("got %+v, wanted %+v", a, want)
	}
	for _, bad := range [][2]string{{"word", "c"}, {"the-count", "x"}, {"share", ""}, {"on", "maybe"}, {"inner", "1"}, {"none", "1"}} {
		if err := Set(a, bad[0], bad[1]); err == nil {
			t.Errorf("%s = %q was taken", bad[0], bad[1])
		}
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
