package door_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// lines returns two lines of points, and one point far from all others at the end.
func lines(t *testing.T) *door.Table {
	t.Helper()
	var rows [][]float64
	for i := range 40 {
		rows = append(rows, []float64{float64(i % 20), float64(30 * (i / 20))})
	}
	rows = append(rows, []float64{500, -400})
	table, err := door.FromRows(rows, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A method that finds the number of clusters needs none, and rows that it leaves are noise: in the result, in details, in a prediction, in
// a report and in what is said of links.
func TestNoise(t *testing.T) {
	ctx, table := context.Background(), lines(t)
	links := door.NewConstraints(table)
	links.Must("40", "0")
	links.Must("1", "2")
	links.Cannot("40", "3")
	links.Cannot("40", "0")
	if err := links.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := door.Cluster(ctx, table, links, door.Options{Method: "density"})
	if err != nil {
		t.Fatal(err)
	}
	labels := r.Assignment()
	if r.K != 2 || r.N != 40 || len(labels) != 41 || labels[40] != -1 || labels[0] == labels[39] || labels[0] != labels[19] {
		t.Fatalf("k %d, n %d, %v", r.K, r.N, labels)
	}
	if !slices.Equal(r.Unassigned, []door.Unassigned{{Reason: "noise", Rows: 1}}) || r.Dropped != 0 {
		t.Errorf("%+v, %d dropped", r.Unassigned, r.Dropped)
	}
	if r.Must.Given != 2 || r.Must.Satisfied != 1 || r.Cannot.Given != 2 || r.Cannot.Satisfied != 2 || len(r.Violations) != 1 || r.Violations[0].A != "40" {
		t.Errorf("%+v", r.Satisfaction)
	}
	details, source, err := r.Details(ctx)
	if err != nil || source != "membership" || details[40].Reason != "noise" || *details[40].Outlier < 0.9 || *details[10].Outlier > 0.1 || details[10].Confidence != 1 {
		t.Errorf("%+v %s %v", details[40], source, err)
	}
	if _, _, err := r.Report(ctx, door.ReportOptions{}); err != nil {
		t.Error(err)
	}
	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		t.Fatal(err)
	}
	m, err := door.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	if m.FittedRows() != 41 {
		t.Errorf("fitted on %d rows", m.FittedRows())
	}
	placed, err := m.Predict(ctx, table, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for row := range placed.Rows() {
		got = append(got, row.ClusterIndex)
	}
	if !slices.Equal(got, labels) || !slices.Equal(placed.Unassigned, r.Unassigned) {
		t.Errorf("placed in %v, fitted in %v", got, labels)
	}
}

func TestEveryRowHasAClusterOrNone(t *testing.T) {
	ctx, table := context.Background(), lines(t)
	all, err := door.Cluster(ctx, table, nil, door.Options{Method: "density", Assign: door.AssignAll})
	if err != nil || len(all.Unassigned) > 0 || slices.Contains(all.Assignment(), -1) {
		t.Errorf("%v, %v", all, err)
	}
	_, err = door.Cluster(ctx, table, nil, door.Options{Method: "density", Parameters: map[string]any{"min-cluster-size": 30}})
	if !errors.Is(err, door.ErrAllNoise) {
		t.Errorf("the error is %v", err)
	}
	one, err := door.Cluster(ctx, table, nil, door.Options{Method: "density", K: 1})
	if err != nil || one.K != 1 {
		t.Errorf("%v, %v", one, err)
	}
}
