package dataio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"image"
	"image/png"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// limitMemory leaves only so many bytes to the process.
func limitMemory(t *testing.T, bytes int64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := debug.SetMemoryLimit(int64(m.HeapAlloc+m.StackSys) + bytes)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// What is small on disk and large in memory is refused with an estimate, from a file and
// from a pipe.
func TestCompressedBeyondMemoryIsRefused(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("x,y\n"))
	line := []byte(strings.Repeat("1.5,2.5\n", 1<<17))
	for range 100 {
		z.Write(line)
	}
	z.Close()
	limitMemory(t, 30<<20)
	_, err := Read(&b, "rows.csv", Options{})
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Msg, "memory") || refused.Hint == "" {
		t.Errorf("got %v", err)
	}
}

func TestImageBeyondMemoryIsRefused(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 2000))); err != nil {
		t.Fatal(err)
	}
	limitMemory(t, 20<<20)
	_, err := ReadImage(&b, "photo.png")
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Msg, "3000 by 2000 pixels needs about 144 MB of memory") {
		t.Errorf("got %v", err)
	}
}
