package engine

import (
	"encoding/binary"
	"math"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/inklinghq/inkling/internal/door"
)

// A DType is the type of the numbers of an Array, as NumPy writes it. Numbers have
// their lowest byte first.
type DType string

// The types.
const (
	Float64 DType = "<f8"
	Float32 DType = "<f4"
	Int64   DType = "<i8"
	Int32   DType = "<i4"
)

// size is that of one number in bytes, 0 for a type that does not exist.
func (t DType) size() int {
	switch t {
	case Float64, Int64:
		return 8
	case Float32, Int32:
		return 4
	}
	return 0
}

// An Array is numbers with one or two dimensions, row after row: in the message itself,
// or in a file, from Offset on, which the engine maps into its memory and does not
// copy. Paths are files that hold one part of the numbers each, all but the last whole
// pages of memory: a caller can write them side by side. It must not change or shorten
// a file before it has the reply.
type Array struct {
	DType  DType    `json:"dtype"`
	Shape  []int    `json:"shape"`
	Bytes  []byte   `json:"bytes,omitempty"`
	Path   string   `json:"path,omitempty"`
	Offset int64    `json:"offset,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

func protocolError(format string, args ...any) error {
	return &Error{Kind: KindProtocol, Message: sprintf(format, args...)}
}

// count returns the number of numbers, and refuses shapes that cannot be.
func (a *Array) count() (int, error) {
	if a.DType.size() == 0 {
		return 0, protocolError("an array of type %q; the types are %s, %s, %s and %s", a.DType, Float64, Float32, Int64, Int32)
	}
	if len(a.Shape) < 1 || len(a.Shape) > 2 {
		return 0, protocolError("an array must have 1 or 2 dimensions, got %d", len(a.Shape))
	}
	n := 1
	for _, d := range a.Shape {
		if d < 0 || d > math.MaxInt32*64 || d > 0 && n > math.MaxInt/8/d {
			return 0, protocolError("an array of shape %v", a.Shape)
		}
		n *= d
	}
	return n, nil
}

// rows returns the first dimension, cols the second, 1 where there is none.
func (a *Array) rows() int { return a.Shape[0] }
func (a *Array) cols() int {
	if len(a.Shape) == 1 {
		return 1
	}
	return a.Shape[1]
}

// memory is what the arrays of a request are mapped to. It is released when nobody
// holds it any more.
type memory struct {
	holders atomic.Int32
	maps    []func()
	size    int
	files   map[string]int64 // what was mapped, with its size then
}

func newMemory() *memory {
	m := &memory{}
	m.holders.Store(1)
	return m
}

func (m *memory) hold() { m.holders.Add(1) }

func (m *memory) release() {
	if m.holders.Add(-1) == 0 {
		for _, unmap := range m.maps {
			unmap()
		}
		m.maps = nil
	}
}

// bytes returns the numbers of a as they are stored.
func (m *memory) bytes(a *Array) ([]byte, error) {
	n, err := a.count()
	if err != nil {
		return nil, err
	}
	size := n * a.DType.size()
	paths := a.Paths
	switch {
	case len(paths) > 0 && (a.Path != "" || a.Offset != 0):
		return nil, protocolError("an array with paths has neither a path nor an offset")
	case a.Path != "":
		paths = []string{a.Path}
	case len(paths) == 0 && len(a.Bytes) != size:
		return nil, protocolError("an array of shape %v and type %s has %d bytes, it needs %d", a.Shape, a.DType, len(a.Bytes), size)
	case len(paths) == 0:
		return a.Bytes, nil
	}
	if size == 0 {
		return nil, nil
	}
	if a.Offset < 0 || a.Offset > math.MaxInt-int64(size) {
		return nil, &Error{Kind: KindArray, Message: sprintf("an array at %d of its file", a.Offset)}
	}
	b, unmap, err := mapFiles(paths, int(a.Offset)+size)
	if err != nil {
		return nil, &Error{Kind: KindArray, Message: err.Error()}
	}
	m.maps = append(m.maps, unmap)
	m.size += size
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			if m.files == nil {
				m.files = map[string]int64{}
			}
			m.files[path] = info.Size()
		}
	}
	return b[a.Offset:], nil
}

// bigEndian says that this machine has the highest byte first, so that numbers
// have to be turned around.
var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

// numbers returns the numbers of a in place where they can be: their bytes are in
// the order of this machine and begin at a multiple of their size.
func numbers[T float64 | float32 | int64 | int32](m *memory, a *Array, want DType) ([]T, error) {
	if a == nil {
		return nil, protocolError("an array is missing")
	}
	if a.DType != want {
		return nil, protocolError("an array of type %s where one of type %s is needed", a.DType, want)
	}
	b, err := m.bytes(a)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	size := want.size()
	if !bigEndian && uintptr(unsafe.Pointer(&b[0]))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size), nil
	}
	out := make([]T, len(b)/size)
	if _, err := binary.Decode(b, binary.LittleEndian, out); err != nil {
		return nil, protocolError("%v", err)
	}
	return out, nil
}

// integers returns whole numbers of either size as int.
func integers(m *memory, a *Array) ([]int, error) {
	if a != nil && a.DType == Int32 {
		v, err := numbers[int32](m, a, Int32)
		return toInts(v), err
	}
	v, err := numbers[int64](m, a, Int64)
	return toInts(v), err
}

func toInts[T int32 | int64](v []T) []int {
	if v == nil {
		return nil
	}
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// newArray returns numbers for a message, which the caller does not change any more.
func newArray[T float64 | float32 | int64 | int32](v []T, shape ...int) *Array {
	a := &Array{Shape: shape}
	switch any(v).(type) {
	case []float64:
		a.DType = Float64
	case []float32:
		a.DType = Float32
	case []int64:
		a.DType = Int64
	case []int32:
		a.DType = Int32
	}
	switch size := len(v) * a.DType.size(); {
	case size == 0:
		a.Bytes = []byte{}
	case bigEndian:
		a.Bytes, _ = binary.Append(make([]byte, 0, size), binary.LittleEndian, v)
	default:
		a.Bytes = unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), size)
	}
	return a
}

// checkShape refuses an array that does not have so many numbers in each dimension;
// -1 is any number.
func checkShape(what string, a *Array, dims ...int) error {
	if a == nil {
		return protocolError("%s is missing", what)
	}
	if len(a.Shape) != len(dims) {
		return protocolError("%s must have %d dimensions, got %d", what, len(dims), len(a.Shape))
	}
	for i, d := range dims {
		if d >= 0 && a.Shape[i] != d {
			return &door.InputError{File: what, Msg: sprintf("dimension %d must have %d values, got the shape %v", i, d, a.Shape)}
		}
	}
	return nil
}
