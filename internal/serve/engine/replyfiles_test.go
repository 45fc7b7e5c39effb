package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/inklinghq/inkling/internal/serve/engine"
)

// Large arrays of a reply are files in the folder that the client names, and the same
// numbers as in a message; small ones stay in the message.
func TestRepliesInFiles(t *testing.T) {
	const n = 20_000
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i % 7)
	}
	c := start(t)
	request := engine.Request{ID: 1, Op: engine.OpFit, Data: &engine.Data{Rows: floats(1, v...)}, Options: &engine.Options{Method: "kmeans", K: 2}}
	var in, out fitted
	if err := c.call(request, &in); err != nil {
		t.Fatal(err)
	}
	request.ID, request.Folder = 2, t.TempDir()
	if err := c.call(request, &out); err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(out.Labels.Path) != request.Folder || out.Labels.Bytes != nil {
		t.Fatalf("the labels are %+v", out.Labels)
	}
	got, err := os.ReadFile(out.Labels.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, in.Labels.Bytes) || len(got) != 4*n {
		t.Errorf("the file has other labels, %d bytes", len(got))
	}
	if !bytes.Equal(out.Centers.Bytes, in.Centers.Bytes) {
		t.Errorf("the centres are %+v", out.Centers)
	}
	request.ID, request.Folder = 3, filepath.Join(request.Folder, "none")
	if err := c.call(request, nil); err == nil || err.Kind != engine.KindArray {
		t.Errorf("a folder that does not exist: %v", err)
	}
}
