package door_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// Rows that have nothing to be placed by have no cluster, in the result as in a prediction, and
// Assign places them.
func TestRowsWithoutAPlace(t *testing.T) {
	ctx := context.Background()
	texts, err := door.FromTexts([]string{"red apple", "", "green apple tree", "fast car", " ", "car engine", "red apple tree"}, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	const rows = "id,x,y\na,1,1\nb,,\nc,1,2\nd,9,9\ne,9,\nf,8,9\n"
	table, err := door.Read(ctx, strings.NewReader(rows), "rows.csv", door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table  *door.Table
		none   []int
		reason string
	}{{texts, []int{1, 4}, "empty text"}, {table, []int{1}, "no value in a column that is used"}} {
		r, err := door.Cluster(ctx, c.table, nil, door.Options{K: 2, Method: "kmeans"})
		if err != nil {
			t.Fatal(err)
		}
		checkUnassigned := func(what string, rows []door.Row, said []door.Unassigned) {
			var none []int
			for i, row := range rows {
				if row.ID != c.table.ID(i) || (row.ClusterIndex < 0) != (row.Cluster == "") {
					t.Errorf("%s: row %d is %+v", what, i, row)
				}
				if row.ClusterIndex < 0 {
					none = append(none, i)
				}
			}
			if !slices.Equal(none, c.none) || len(said) != 1 || said[0] != (door.Unassigned{Reason: c.reason, Rows: len(c.none)}) || len(rows) != c.table.Len() {
				t.Errorf("%s: no cluster for %v of %d rows, %+v", what, none, len(rows), said)
			}
		}
		checkUnassigned("fit", slices.Collect(r.Rows()), r.Unassigned)
		if r.N != c.table.Len()-len(c.none) || r.Dropped != 0 {
			t.Errorf("%d rows clustered, %d dropped", r.N, r.Dropped)
		}
		if labels := r.Assignment(); labels[1] != -1 || len(labels) != c.table.Len() || r.Assignment32()[1] != -1 {
			t.Errorf("the assignment is %v", labels)
		}
		details, _, err := r.Details(ctx)
		if err != nil || details[1].Reason != c.reason || details[0].Reason != "" {
			t.Errorf("details %+v, %v", details, err)
		}
		if _, _, err := r.Report(ctx, door.ReportOptions{}); err != nil {
			t.Errorf("report: %v", err)
		}
		var b bytes.Buffer
		if err := r.WriteCSV(&b); err != nil || !strings.Contains(b.String(), "\n"+c.table.ID(1)+",\n") {
			t.Errorf("%q, %v", b.String(), err)
		}
		m, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(ctx, c.table, 1)
		if err != nil {
			t.Fatal(err)
		}
		checkUnassigned("predict", slices.Collect(p.Rows()), p.Unassigned)
		all, err := door.Cluster(ctx, c.table, nil, door.Options{K: 2, Method: "kmeans", Assign: door.AssignAll})
		if err != nil || all.N != c.table.Len() || all.Unassigned != nil || slices.Contains(all.Assignment(), -1) {
			t.Errorf("all: %d rows, %v, %v", all.N, all.Unassigned, err)
		}
	}
}
