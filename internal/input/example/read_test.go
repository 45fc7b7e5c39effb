package example_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/dataio/records"
	"github.com/inklinghq/inkling/internal/input/example"
)

// What is written is what the reader of the command line gives back, without
// any hint but the column of the text.
func TestFilesAreRead(t *testing.T) {
	for _, name := range example.Names() {
		s := load(t, name)
		files := s.Files()
		var opt dataio.Options
		if s.Docs != nil {
			opt.Text = "text"
		}
		if s.Records != nil {
			wantRecords(t, s, written(t, files[0]))
			continue
		}
		ds, err := dataio.Read(strings.NewReader(written(t, files[0])), files[0].Name, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ds.Len() != s.Len() {
			t.Errorf("%s: %d rows read, %d written", name, ds.Len(), s.Len())
			continue
		}
		for i := range s.Len() {
			switch {
			case s.X != nil && ds.X != nil:
				got, want := data.Copy(ds.X, i), data.Copy(s.X, i)
				for f := range want {
					if got[f] != want[f] {
						t.Fatalf("%s: row %d, column %d: %v, want %v", name, i, f, got[f], want[f])
					}
				}
			case s.Docs != nil && ds.Docs != nil:
				if ds.Docs[i] != s.Docs[i] {
					t.Fatalf("%s: document %d is %q", name, i, ds.Docs[i])
				}
			case s.Graph != nil && ds.Graph != nil:
				if ds.Graph.Degree(i) != s.Graph.Degree(i) {
					t.Fatalf("%s: node %d has degree %v", name, i, ds.Graph.Degree(i))
				}
			default:
				t.Fatalf("%s: read as another kind (%s)", name, ds.Format)
			}
		}
		labels, err := dataio.ReadLabels(strings.NewReader(written(t, files[2])), files[2].Name)
		if err != nil || len(labels) == 0 {
			t.Errorf("%s: %d labels, %v", name, len(labels), err)
		}
		links, err := dataio.ReadLinks(strings.NewReader(written(t, files[3])), files[3].Name)
		if err != nil || len(links) < 15 {
			t.Errorf("%s: %d links, %v", name, len(links), err)
		}
	}
}

// wantRecords compares the records of s with what was written.
func wantRecords(t *testing.T, s *example.Set, text string) {
	t.Helper()
	read, err := records.Read(strings.NewReader(text), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read.Columns, s.Columns) || read.Len() != s.Len() {
		t.Fatalf("%s: columns %q, %d rows", s.Name, read.Columns, read.Len())
	}
	for i, r := range s.Records {
		for f, cell := range r {
			if read.Cells[f][i] != cell {
				t.Fatalf("%s: row %d, column %d: %q, want %q", s.Name, i, f, read.Cells[f][i], cell)
			}
		}
	}
}
