package session

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/columns"
)

// What a plan says of columns beside their roles is kept with the session.
func TestSourceKeepsEdits(t *testing.T) {
	want := door.Source{ID: "id", Number: []string{"a"}, Edits: map[string]columns.Edit{"a": {Missing: []string{"-9"}, Weight: 2, Log: columns.None}, "b": {Presence: true}}}
	b, err := json.Marshal(Source{want})
	if err != nil {
		t.Fatal(err)
	}
	var got Source
	if err := json.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got.Source, want) {
		t.Errorf("%s became %+v, %v", b, got.Source, err)
	}
}
