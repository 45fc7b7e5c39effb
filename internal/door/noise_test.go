package door_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
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

// A row of noise is explained by the cluster that it would join first: at the distance of the nearest row of that, or of the neighbours
// that make its core distance. Here that is the fourth nearest, in the line of cluster 0.
func TestNoiseIsExplained(t *testing.T) {
	ctx, table := context.Background(), lines(t)
	r, err := door.Cluster(ctx, table, nil, door.Options{Method: "density"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	row, err := m.ExplainRow(ctx, table, nil, "40")
	if err != nil {
		t.Fatal(err)
	}
	// Of (500, −400) the own row is the first neighbour, then (19, 0), (18, 0) and (17, 0), then (16, 0): the cluster of the first line.
	want := math.Hypot(500-16, 400)
	if row.Cluster != "" || row.Second != r.Clusters[r.Assignment()[0]] || row.Entry == nil || math.Abs(row.Entry.Distance-want) > 1e-9 || *row.SecondCost != row.Entry.Distance {
		t.Errorf("%+v, entry %+v, want %v", row, row.Entry, want)
	}
	// With four neighbours each, 16 rows of the line have a core distance of 2, the two beside the ends of 3, the ends of 4.
	if row.Entry.Half != 2 || row.Entry.Most != 3 {
		t.Errorf("half and most of the rows have joined at %v and %v", row.Entry.Half, row.Entry.Most)
	}
	if len(row.Features) != 2 || row.Features[0].Value != 500 || row.Features[0].Next != 19 || math.Abs(row.Features[0].Difference-481.*481/(481*481+400*400)) > 1e-9 {
		t.Errorf("%+v", row.Features)
	}
	if text := row.String(); !strings.HasPrefix(text, "40 has no cluster: noise; it would join ") {
		t.Errorf("%s", text)
	}
	pair, err := m.ExplainPair(ctx, table, nil, "0", "40")
	if err != nil || pair.ClusterB != "" || pair.Together || pair.ConfidenceA != 0.5 || !strings.Contains(pair.String(), ", 40 is noise") {
		t.Errorf("%+v, %v", pair, err)
	}
	if both, err := m.ExplainPair(ctx, table, nil, "40", "40"); err != nil || both.Together {
		t.Errorf("%+v, %v", both, err)
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
