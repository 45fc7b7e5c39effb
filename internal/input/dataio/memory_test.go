package dataio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
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

// An array takes what its header says and no more: one that fits is read, also where the
// first part of the file has taken all memory already, and one that does not is refused.
func TestArrayTakesItsSize(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.npy")
	header := []byte("\x93NUMPY\x01\x00\x76\x00" + fmt.Sprintf("%-117s\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (4000000, 8), }"))
	if err := os.WriteFile(name, header, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, int64(len(header)+4*32_000_000)); err != nil {
		t.Fatal(err)
	}
	limitMemory(t, 400<<20)
	d, err := Open(name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Len(); n != 4_000_000 {
		t.Errorf("4000000 rows, got %d", n)
	}
	d = nil
	limitMemory(t, 100<<20)
	_, err = Open(name, Options{})
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Msg, "4000000 by 8 numbers needs about 128 MB of memory") {
		t.Errorf("got %v", err)
	}
}

// A table takes memory for the rows of its file that are still to come once the first have told how many there are;
// that is not what the first rows take.
func TestTableThatFitsIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much: not in short mode")
	}
	const rows = 6_000_000
	name := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(name, []byte("x,y\n"+strings.Repeat("123.456,7.5\n", rows)), 0o666); err != nil {
		t.Fatal(err)
	}
	limitMemory(t, 250<<20)
	d, err := Open(name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != rows {
		t.Errorf("got %d rows, want %d", d.Len(), rows)
	}
	d = nil
	limitMemory(t, 60<<20)
	_, err = Open(name, Options{})
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Msg, "memory") {
		t.Errorf("in 60 MB: %v", err)
	}
}
