package dataio

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// While a file is read the share that was read is known, of compressed ones too, and at the
// end it is 1. Where the size is unknown it stays 0.
func TestWatchReading(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1.5,2.5\n", 50_000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"x.csv": []byte(text), "x.csv.gz": packed.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		var share func() float64
		var first float64
		if _, err := Open(path, Options{Watch: func(f func() float64) { share, first = f, f() }}); err != nil {
			t.Fatal(err)
		}
		if share == nil || share() != 1 || first > 0.9 && len(content) > 1<<17 {
			t.Errorf("%s: at first %v, at last %v", name, first, share())
		}
	}
	var share func() float64
	if _, err := Read(strings.NewReader(text), "x.csv", Options{Watch: func(f func() float64) { share = f }}); err != nil || share() != 0 {
		t.Errorf("of a stream %v is known, %v", share(), err)
	}
}
