package door

import (
	"context"
	"reflect"
	"testing"
)

// Clusters are described as in a report.
func TestDescribeIsWhatReportSays(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		path   string
		source Source
		k      int
	}{{"example:wine.csv", Source{}, 3}, {"example:text.csv", Source{Text: "text"}, 3}, {"example:graph.edges", Source{}, 4}} {
		table, err := Open(ctx, c.path, c.source)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Cluster(ctx, table, nil, Options{K: c.k})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Describe(ctx)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := r.Report(ctx, ReportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, p.Clusters) || len(got) != c.k {
			t.Errorf("%s: described are %+v, the report has %+v", c.path, got, p.Clusters)
		}
	}
}
