package cluster_test

import (
	"encoding/json"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
)

// onePoint is a model of one cluster.
type onePoint struct {
	Weight float64 `json:"weight"`
	Centre float64 `json:"centre"`
}

func (onePoint) Dim() int                              { return 1 }
func (onePoint) Clusters() int                         { return 1 }
func (onePoint) Place(_ data.Rows, _, _ int, to []int) { clear(to) }

// The model and the report are one object; either may be missing.
func TestFindingsAreOneObject(t *testing.T) {
	model, report := onePoint{2, 3}, map[string]any{"weight": 7, "alpha": 0.5}
	for want, f := range map[string]cluster.Findings{
		"null":                                {},
		`{"alpha":0.5,"weight":7}`:            {Report: report},
		`{"weight":2,"centre":3}`:             {Model: model},
		`{"alpha":0.5,"centre":3,"weight":7}`: {Model: model, Report: report},
	} {
		if got, err := json.Marshal(f); err != nil || string(got) != want {
			t.Errorf("%s, %v, wanted %s", got, err, want)
		}
	}
	if _, err := json.Marshal(cluster.Findings{Model: model, Report: 7}); err == nil {
		t.Error("a number was merged into an object")
	}
}
