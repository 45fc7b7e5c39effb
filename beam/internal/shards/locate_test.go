package shards

import "testing"

// A row of the set is one of a file, by the name that its user gave.
func TestLocate(t *testing.T) {
	s := &Set{Shards: []Shard{{Path: "a.npy", First: 0, Rows: 3}, {Path: "work/b.npy", Source: "b.csv", First: 3, Rows: 2}}}
	for row, want := range map[int]struct {
		path string
		in   int
	}{0: {"a.npy", 0}, 2: {"a.npy", 2}, 3: {"b.csv", 0}, 4: {"b.csv", 1}, 5: {"", 5}} {
		if path, in := s.Locate(row); path != want.path || in != want.in {
			t.Errorf("row %d: %s, %d", row, path, in)
		}
	}
}
