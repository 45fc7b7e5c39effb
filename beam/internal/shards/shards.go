// Package shards reads rows of numbers that are spread over several files.
//
// The files of a Set are NPY arrays of float32 or float64 by rows, all of one width
// and precision. Rows are numbered through all files in their order, and any run of
// rows can be read on any machine that sees the files. Other formats are converted
// once (see Convert).
package shards

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// A Shard is one file of a set, as it was when the set was opened.
type Shard struct {
	Path   string
	Source string // the file that it was converted from; "": Path itself
	First  int    // its first row
	Rows   int
	Offset int64 // of the first number
	Size   int64 // of the file, in bytes
	Time   int64 // of the last change, in nanoseconds
}

// A Set is rows in shards. It is plain data, which travels to the workers.
type Set struct {
	Cols   int
	Double bool // float64, else float32
	Shards []Shard
}

// Locate returns the file that holds a row of the set, as its user knows it, and the number of
// the row in it, from 0.
func (s *Set) Locate(row int) (path string, in int) {
	for _, shard := range s.Shards {
		if row >= shard.First && row < shard.First+shard.Rows {
			return cmp.Or(shard.Source, shard.Path), row - shard.First
		}
	}
	return "", row
}

// Expand returns the files that patterns name: those of each pattern in alphabetical
// order, the patterns in theirs. A pattern without a match, and a file that is named
// twice, are errors.
func Expand(patterns []string) (paths []string, err error) {
	seen := map[string]bool{}
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, &door.InputError{File: p, Msg: "the pattern is not valid", Err: err}
		}
		if len(found) == 0 {
			return nil, &door.InputError{File: p, Msg: "there is no such file", Err: fs.ErrNotExist}
		}
		sort.Strings(found)
		for _, path := range found {
			full, err := filepath.Abs(path)
			if err != nil {
				return nil, err
			}
			if seen[full] {
				return nil, &door.InputError{File: path, Msg: "this shard is named twice"}
			}
			seen[full] = true
			paths = append(paths, full)
		}
	}
	return paths, nil
}

// Open looks at the heads of NPY files that can be read in place.
func Open(paths []string) (*Set, error) {
	s := &Set{}
	for i, path := range paths {
		h, err := readHead(path)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			s.Cols, s.Double = h.cols, h.double
		}
		if err := s.check(path, h, paths[0]); err != nil {
			return nil, err
		}
		s.Shards = append(s.Shards, Shard{Path: path, First: s.Len(), Rows: h.rows, Offset: h.offset, Size: h.size, Time: h.time})
	}
	if s.Len() == 0 {
		return nil, &door.InputError{File: strings.Join(paths, ", "), Msg: "there are no rows"}
	}
	return s, nil
}

// check refuses a shard that does not fit to the others.
func (s *Set) check(path string, h head, first string) error {
	if h.cols != s.Cols {
		return &door.InputError{File: path, Msg: fmt.Sprintf("%d columns, but %s has %d; all shards must have the same columns", h.cols, first, s.Cols)}
	}
	if h.double != s.Double {
		return &door.InputError{File: path, Msg: fmt.Sprintf("the numbers are float%d, but those of %s are float%d; all shards must have one precision", 32+32*one(h.double), first, 32+32*one(s.Double))}
	}
	return nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Len returns the number of rows.
func (s *Set) Len() int {
	if len(s.Shards) == 0 {
		return 0
	}
	last := s.Shards[len(s.Shards)-1]
	return last.First + last.Rows
}

// Name returns the name of the file that holds row i.
func (s *Set) Name(i int) string {
	at := sort.Search(len(s.Shards), func(j int) bool { return s.Shards[j].First+s.Shards[j].Rows > i })
	return s.Shards[at].name()
}

// RowBytes returns how many bytes a row takes.
func (s *Set) RowBytes() int { return s.Cols * (4 + 4*one(s.Double)) }

// A Buffer is memory for rows, to be used again.
type Buffer struct {
	f32 []float32
	f64 []float64
}

// Read returns rows lo to hi as *data.Dense or *data.Dense32 in the memory of b; nil:
// memory of their own. A file that is gone, cut short or has changed since the set was
// opened is an *inkling.InputError.
func (s *Set) Read(lo, hi int, b *Buffer) (data.Rows, error) {
	if b == nil {
		b = new(Buffer)
	}
	n := (hi - lo) * s.Cols
	var raw []byte
	var out data.Rows
	if s.Double {
		b.f64 = slices.Grow(b.f64[:0], n)[:n]
		out = &data.Dense{Cols: s.Cols, V: b.f64}
		raw = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.f64))), 8*n)
	} else {
		b.f32 = slices.Grow(b.f32[:0], n)[:n]
		out = &data.Dense32{Cols: s.Cols, V: b.f32}
		raw = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.f32))), 4*n)
	}
	at := sort.Search(len(s.Shards), func(i int) bool { return s.Shards[i].First+s.Shards[i].Rows > lo })
	for ; lo < hi; at++ {
		sh := &s.Shards[at]
		rows := min(hi, sh.First+sh.Rows) - lo
		bytes := rows * s.RowBytes()
		if err := sh.read(raw[:bytes], sh.Offset+int64((lo-sh.First)*s.RowBytes())); err != nil {
			return nil, err
		}
		lo, raw = lo+rows, raw[bytes:]
	}
	return out, nil
}

// read reads bytes of the file, if it is still the file that was opened.
func (sh *Shard) read(to []byte, offset int64) error {
	f, err := os.Open(sh.Path)
	if err != nil {
		return unreadable(sh.name(), err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return unreadable(sh.name(), err)
	case info.Size() < sh.Size:
		return &door.InputError{File: sh.name(), Msg: fmt.Sprintf("the file was cut short during the fit: %d bytes, it had %d", info.Size(), sh.Size)}
	case info.Size() != sh.Size || info.ModTime().UnixNano() != sh.Time:
		return &door.InputError{File: sh.name(), Msg: "the file was changed during the fit"}
	}
	if _, err := f.ReadAt(to, offset); err != nil {
		return unreadable(sh.name(), err)
	}
	return nil
}

func (sh *Shard) name() string {
	if sh.Source != "" {
		return sh.Source
	}
	return sh.Path
}

func unreadable(path string, err error) error {
	msg := "cannot be read"
	if errors.Is(err, fs.ErrNotExist) {
		msg = "there is no such file"
	}
	var p *fs.PathError
	if errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist) {
		msg += ": " + p.Err.Error()
	}
	return &door.InputError{File: path, Msg: msg, Err: err}
}
