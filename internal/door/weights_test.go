package door_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// A row of weight 2 counts as two, also where another row was dropped before it.
func TestWeighedRows(t *testing.T) {
	ctx := context.Background()
	rows := [][]float64{{math.NaN()}, {0}, {3}, {10}, {11}}
	table, err := door.FromRows(rows, door.Names{Missing: "drop"})
	if err != nil {
		t.Fatal(err)
	}
	table.Weigh([]float64{100, 2, 1, 1, 1})
	r, err := door.Cluster(ctx, table, nil, door.Options{K: 2, Method: "kmeans"})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*1.0 + 4.0 + 2*0.25; math.Abs(r.Objective.Total-want) > 1e-12 {
		t.Errorf("objective %v, wanted %v", r.Objective.Total, want)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(ctx, table, 1)
	if err != nil {
		t.Fatal(err)
	}
	costs := p.Costs() // of 0, 3, 10 and 11 in both clusters; the order of these is open
	slices.Sort(costs[:2])
	if len(costs) != 8 || math.Abs(costs[0]-1) > 1e-12 || math.Abs(costs[1]-10.5*10.5) > 1e-12 {
		t.Errorf("costs %v", costs)
	}
	table.Weigh([]float64{1, 2})
	var bad *cluster.ProblemError
	if _, err := door.Cluster(ctx, table, nil, door.Options{K: 2, Method: "kmeans"}); !errors.As(err, &bad) {
		t.Errorf("two weights for five rows: %v", err)
	}
}

// The weights of nodes go with their nodes where only the largest component is clustered.
func TestWeighedComponents(t *testing.T) {
	g, err := data.NewGraph(6, []data.Edge{{U: 0, V: 1, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 4, W: 0.1}, {U: 4, V: 5, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := door.FromGraph(g, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	table.Weigh([]float64{9, 9, 1, 1, 1, 1})
	for _, how := range []string{"as-is", "largest", "each"} {
		o := door.Options{K: 2, Method: "ss-kernel-kmeans", Components: door.LargestComponent, Parameters: map[string]any{"objective": "ratio-cut"}}
		if how == "each" {
			o.Components = door.EachComponent
		} else if how == "as-is" {
			o.Components = ""
		}
		if _, err := door.Cluster(context.Background(), table, nil, o); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}
