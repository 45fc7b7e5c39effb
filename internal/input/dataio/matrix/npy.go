package matrix

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"unsafe"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/compute/simd"
	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ReadNPY reads an array as numpy.save writes it. Single precision stays so;
// every other type becomes float64, and a whole number that float64 cannot
// hold exactly is refused.
func ReadNPY(r io.Reader, name string, opt source.Options) (*source.Dataset, error) {
	if err := source.RefuseKind(name, "an NPY array", opt, source.AsVectors, source.AsKernel); err != nil {
		return nil, err
	}
	if err := source.RefuseColumns(name, "an NPY array", opt, ""); err != nil {
		return nil, err
	}
	br := bufio.NewReaderSize(r, 1<<16)
	h, err := readNPYHeader(br, name)
	if err != nil {
		return nil, err
	}
	ds := &source.Dataset{Name: name, Format: "npy"}
	if h.there = source.PlainSize(r); h.known() {
		what := fmt.Sprintf("an array of %d by %d numbers", h.rows, h.cols)
		if err := source.Reserve(r, name, what, int64(h.rows)*int64(h.cols)*h.width(), "read a sample of its rows"); err != nil {
			return nil, err
		}
	}
	if ds.X, err = readArray(br, name, h, opt.Missing); err != nil {
		return nil, err
	}
	if opt.As == source.AsKernel {
		if err := source.MakeKernel(ds); err != nil {
			return nil, err
		}
	}
	return ds, nil
}

// known reports whether the file is as long as its header says.
func (h npyHeader) known() bool { return int64(h.rows)*int64(h.cols) <= h.there/int64(h.size) }

// width returns how many bytes a number has in memory.
func (h npyHeader) width() int64 {
	if h.kind == 'f' && h.size == 4 {
		return 4
	}
	return 8
}

func readArray(r *bufio.Reader, name string, h npyHeader, missing bool) (data.Rows, error) {
	if h.width() == 4 {
		v, err := readNumbers(r, name, h, missing, func(b []byte) (float32, bool) {
			return math.Float32frombits(h.order.Uint32(b)), true
		})
		return &data.Dense32{Cols: h.cols, V: v}, err
	}
	v, err := readNumbers(r, name, h, missing, h.decoder())
	return &data.Dense{Cols: h.cols, V: v}, err
}

// decoder returns how one number becomes a float64, false where it cannot exactly.
func (h npyHeader) decoder() func([]byte) (float64, bool) {
	o := h.order
	switch string([]byte{h.kind, '0' + byte(h.size)}) {
	case "f2":
		return func(b []byte) (float64, bool) { return fromHalf(o.Uint16(b)), true }
	case "f8":
		return func(b []byte) (float64, bool) { return math.Float64frombits(o.Uint64(b)), true }
	case "i1":
		return func(b []byte) (float64, bool) { return float64(int8(b[0])), true }
	case "i2":
		return func(b []byte) (float64, bool) { return float64(int16(o.Uint16(b))), true }
	case "i4":
		return func(b []byte) (float64, bool) { return float64(int32(o.Uint32(b))), true }
	case "i8":
		return func(b []byte) (float64, bool) {
			y := int64(o.Uint64(b))
			return float64(y), isExactFloat(uint64(max(y, -y))) // the least int64 is its own negative, and a power of two
		}
	case "u2":
		return func(b []byte) (float64, bool) { return float64(o.Uint16(b)), true }
	case "u4":
		return func(b []byte) (float64, bool) { return float64(o.Uint32(b)), true }
	case "u8":
		return func(b []byte) (float64, bool) { y := o.Uint64(b); return float64(y), isExactFloat(y) }
	}
	return func(b []byte) (float64, bool) { return float64(b[0]), true } // u1, b1
}

// isExactFloat reports whether a float64 holds y: 53 bits from the first 1 to the last.
func isExactFloat(y uint64) bool { return bits.Len64(y)-bits.TrailingZeros64(y) <= 53 }

// fromHalf widens an IEEE number of 16 bits.
func fromHalf(b uint16) float64 {
	e, m := int(b>>10&31), float64(b&1023)
	var y float64
	switch e {
	case 0:
		y = math.Ldexp(m, -24)
	case 31:
		y = math.Inf(1)
		if m != 0 {
			y = math.NaN()
		}
	default:
		y = math.Ldexp(1024+m, e-25)
	}
	if b>>15 == 1 {
		y = -y
	}
	return y
}

// The numbers that are read at a time: decoded one by one, or straight into the array.
const (
	decodedChunk = 1 << 13
	plainChunk   = 1 << 18
)

// readNumbers reads the array, row by row in the result whatever the order in
// the file. Memory grows with what was read, not with what the header says, unless the file is
// known to be that long.
func readNumbers[T float32 | float64](r *bufio.Reader, name string, h npyHeader, missing bool, get func([]byte) (T, bool)) ([]T, error) {
	total := h.rows * h.cols
	cell := func(p int) (i, j int) {
		if h.fortran {
			return p % h.rows, p / h.rows
		}
		return p / h.cols, p % h.cols
	}
	room := min(total, 1<<16)
	if h.known() {
		room = total
	}
	plain, most := storedAs[T](h), plainChunk
	var chunk []byte
	if !plain {
		most = decodedChunk
		chunk = make([]byte, most*h.size)
	}
	v := make([]T, 0, room)
	for len(v) < total {
		if len(v) == cap(v) {
			v = append(make([]T, 0, min(total, 2*len(v))), v...)
		}
		next := v[len(v):min(cap(v), len(v)+most)]
		part := chunk
		if plain {
			part = unsafe.Slice((*byte)(unsafe.Pointer(&next[0])), len(next)*h.size)
		}
		part = part[:len(next)*h.size]
		if n, err := io.ReadFull(r, part); err != nil {
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				return nil, source.Unreadable(name, 0, err)
			}
			i, j := cell(len(v) + n/h.size)
			return nil, &source.Error{File: name, Msg: fmt.Sprintf("the data ends at row %d, column %d of %d by %d numbers", i, j, h.rows, h.cols),
				Hint: "the file seems cut off: fetch it again", Err: io.ErrUnexpectedEOF}
		}
		if plain && simd.Finite(next) {
			v = v[:len(v)+len(next)]
			continue
		}
		for p := 0; p < len(part); p += h.size {
			y, ok := get(part[p : p+h.size])
			if !ok || y-y != 0 && !(missing && y != y) {
				i, j := cell(len(v))
				return nil, badCell(name, i, j, part[p:p+h.size], h, float64(y))
			}
			v = append(v, y)
		}
	}
	if _, err := r.ReadByte(); err == nil {
		return nil, &source.Error{File: name, Msg: fmt.Sprintf("there is more data than the header's %d by %d numbers", h.rows, h.cols)}
	} else if err != io.EOF {
		return nil, source.Unreadable(name, 0, err)
	}
	if h.fortran && h.rows > 1 && h.cols > 1 {
		v = transpose(v, h.rows, h.cols)
	}
	return v, nil
}

// storedAs reports whether the file has its numbers as this machine has those of type T.
func storedAs[T float32 | float64](h npyHeader) bool {
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	return h.kind == 'f' && h.size == int(unsafe.Sizeof(T(0))) && (h.order == binary.LittleEndian) == little
}

func badCell(name string, i, j int, b []byte, h npyHeader, y float64) *source.Error {
	if h.kind == 'f' {
		e := &source.Error{File: name, Msg: fmt.Sprintf("row %d, column %d (from 0) is %v, every number must be finite", i, j, y)}
		if y != y {
			e.Hint = "fill or leave out missing values"
		}
		return e
	}
	whole := fmt.Sprint(h.order.Uint64(b))
	if h.kind == 'i' {
		whole = fmt.Sprint(int64(h.order.Uint64(b)))
	}
	return &source.Error{File: name, Msg: fmt.Sprintf("row %d, column %d (from 0) is %s, which float64 cannot hold exactly", i, j, whole),
		Hint: "leave the column out if it is an id"}
}

// transpose turns an array stored column by column into rows.
func transpose[T float32 | float64](v []T, rows, cols int) []T {
	const block = 32 // so that both sides stay in cache
	t := make([]T, len(v))
	for i0 := 0; i0 < rows; i0 += block {
		for j0 := 0; j0 < cols; j0 += block {
			for i := i0; i < min(i0+block, rows); i++ {
				for j := j0; j < min(j0+block, cols); j++ {
					t[i*cols+j] = v[j*rows+i]
				}
			}
		}
	}
	return t
}
