package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// TestFitsOfASessionKeepNothingThatMatters: what fits share does not change a cluster,
// although labels decide whether a missing cell is a feature.
func TestFitsOfASessionKeepNothingThatMatters(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("id,a,b,plan\n")
	for i := range 90 {
		a := fmt.Sprint(float64(i%7) + float64(i%3))
		if i%3 == 0 && i%2 == 0 {
			a = "" // mostly missing in one class
		}
		fmt.Fprintf(&text, "r%d,%s,%d,%s\n", i, a, (i*37)%11, []string{"basic", "plus", "plus"}[i%3])
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	open := func() *door.Table {
		table, err := door.Open(ctx, path, door.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := open()
	h, err := NewHeader(ctx, path, door.Source{}, table, door.Options{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Create(filepath.Join(t.TempDir(), "work.jsonl"), h)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for step := range 12 {
		for i := step * 5; i < step*5+5; i++ {
			add(t, s, Event{Op: OpLabel, ID: fmt.Sprintf("r%d", i), Label: fmt.Sprint("class", i%3)})
		}
		set := Settings{Method: []string{"label-spreading", "kmeans", "pc-kmeans"}[step%3], K: 3 + step/6}
		got, _, err := s.Fit(ctx, table, set, door.Options{NoSuspects: true})
		if err != nil {
			t.Fatal(err)
		}
		fresh := open()
		want, err := door.Cluster(ctx, fresh, s.Constraints(fresh), s.Options(set, door.Options{NoSuspects: true}))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Assignment(), want.Assignment()) || !reflect.DeepEqual(got.Objective, want.Objective) {
			t.Fatalf("fit %d by %s: %v instead of %v", step, set.Method, got.Objective, want.Objective)
		}
	}
}
