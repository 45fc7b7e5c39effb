package cluster

import (
	"errors"
	"math"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
)

func TestViewsAreChecked(t *testing.T) {
	rows := &data.Dense{Cols: 1, V: []float64{1, 2}}
	line := &data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{1, 1}}
	for name, c := range map[string]struct {
		v  View
		ok bool
	}{
		"rows":           {View{X: rows}, true},
		"a graph":        {View{Graph: line}, true},
		"neither":        {View{}, false},
		"both":           {View{X: rows, Graph: line}, false},
		"too few rows":   {View{X: &data.Dense{Cols: 1, V: []float64{1}}}, false},
		"no features":    {View{X: &data.Sparse{Start: []int{0, 0, 0}}}, false},
		"not finite":     {View{X: &data.Dense{Cols: 1, V: []float64{1, math.Inf(1)}}}, false},
		"an odd index":   {View{X: &data.Sparse{Cols: 1, Start: []int{0, 1, 1}, Idx: []int32{5}, Val: []float64{1}}}, false},
		"minus":          {View{Graph: &data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{-1, -1}}}, false},
		"an endless one": {View{Graph: &data.Graph{Start: []int{0, 1, 2}, To: []int32{1, 0}, W: []float64{math.Inf(1), 1}}}, false},
	} {
		err := (&Problem{X: rows, K: 1, Views: []View{c.v}}).Check()
		var bad *ProblemError
		if c.ok && err != nil || !c.ok && (!errors.As(err, &bad) || bad.Field != "view") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
