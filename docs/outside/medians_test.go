package outside_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.org/outside"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cluster/clustertest"
)

// The contract that every method keeps.
func TestContract(t *testing.T) { clustertest.Run(t, outside.Method.New()) }

// A method of the caller is used by name: ids, files, save, load, predict.
func Example() {
	ctx := context.Background()
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	c, err := inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Labels: []string{"example:iris-labels.csv"}})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, c, inkling.Options{
		Method: "k-medians", Methods: []inkling.Method{outside.Method}, Parameters: map[string]any{"power": 1}})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Method, r.Clusters, r.Labels.Kept, "of", r.Labels.Given, "labels kept")

	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		panic(err)
	}
	m, err := inkling.Load(&file, outside.Method)
	if err != nil {
		panic(err)
	}
	placed, err := m.Predict(ctx, t, 0)
	if err != nil {
		panic(err)
	}
	for row := range placed.Rows() {
		fmt.Println(row.ID, row.Cluster)
		break
	}
	// Output:
	// k-medians [setosa versicolor virginica] 15 of 15 labels kept
	// 0 setosa
}

// The automatic choice compares the method with those that are built in.
func TestChoice(t *testing.T) {
	table, err := inkling.Open(t.Context(), "example:iris.csv", inkling.Source{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := inkling.ReadConstraints(t.Context(), table, inkling.ConstraintFiles{Labels: []string{"example:iris-labels.csv"}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := inkling.Choose(t.Context(), table, c, inkling.Options{Methods: []inkling.Method{outside.Method}})
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range found.Trials {
		if trial.Method == outside.Method.Name {
			return
		}
	}
	t.Errorf("k-medians is not among the %d candidates; left out: %v", len(found.Trials), found.LeftOut)
}

// What is wrong with a method or its use is an *OptionError.
func TestFaults(t *testing.T) {
	table, err := inkling.FromRows([][]float64{{1}, {2}, {8}, {9}}, inkling.Names{})
	if err != nil {
		t.Fatal(err)
	}
	taken := outside.Method
	taken.Name = "kmeans"
	for want, o := range map[string]inkling.Options{
		"there is no method":   {K: 2, Method: "k-medians"},
		"its own":              {K: 2, Methods: []inkling.Method{taken}},
		"power must be 1":      {K: 2, Method: "k-medians", Methods: []inkling.Method{outside.Method}, Parameters: map[string]any{"power": 3}},
		"must have New":        {K: 2, Methods: []inkling.Method{{Name: "nothing"}}},
		"does not apply to":    {K: 2, Method: "k-medians", Methods: []inkling.Method{outside.Method}, Parameters: map[string]any{"weight": 3}},
		"a method must have a": {K: 2, Methods: []inkling.Method{{}}},
	} {
		_, err := inkling.Cluster(t.Context(), table, nil, o)
		var option *inkling.OptionError
		if !errors.As(err, &option) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %T: %v, want %q", err, err, want)
		}
	}
	r, err := inkling.Cluster(t.Context(), table, nil, inkling.Options{K: 2, Method: "k-medians", Methods: []inkling.Method{outside.Method}})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		t.Fatal(err)
	}
	if _, err := inkling.Load(&file); err == nil || !strings.Contains(err.Error(), "k-medians") {
		t.Errorf("a model of a method that is not given was loaded: %v", err)
	}
}
