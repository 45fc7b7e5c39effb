package pass

import (
	"encoding/binary"
	"errors"
	"math"
)

// A part is what one unit gives.
type part struct {
	unit  int
	fault *Fault // where set, nothing else is

	labels     []int32
	count      []int
	sum, rest  []float64
	distortion []float64

	distances []float64
	limits    *Limits
}

// A Fault is a file that a worker could not read.
type Fault struct{ File, Msg string }

// The codec writes numbers in little-endian order.
type writer []byte

func (w *writer) int(y int) { *w = binary.LittleEndian.AppendUint64(*w, uint64(y)) }

func (w *writer) text(s string) {
	w.int(len(s))
	*w = append(*w, s...)
}

func (w *writer) floats(v []float64) {
	w.int(len(v))
	for _, y := range v {
		*w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(y))
	}
}

func (w *writer) ints(v []int) {
	w.int(len(v))
	for _, y := range v {
		w.int(y)
	}
}

// labels writes labels below k in as few bytes as hold them.
func (w *writer) labels(v []int32, k int) {
	w.int(len(v))
	size := labelSize(k)
	w.int(size)
	for _, y := range v {
		switch size {
		case 1:
			*w = append(*w, byte(y))
		case 2:
			*w = binary.LittleEndian.AppendUint16(*w, uint16(y))
		default:
			*w = binary.LittleEndian.AppendUint32(*w, uint32(y))
		}
	}
}

func labelSize(k int) int {
	switch {
	case k <= 1<<8:
		return 1
	case k <= 1<<16:
		return 2
	}
	return 4
}

// The reader reads what the writer wrote; bad is set where it ends too early.
type reader struct {
	b   []byte
	bad bool
}

var errPart = errors.New("the part of a unit is damaged")

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) int() int {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint64(b))
}

func (r *reader) text() string { return string(r.take(r.int())) }

func (r *reader) floats() []float64 {
	b := r.take(8 * r.int())
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

func (r *reader) ints() []int {
	b := r.take(8 * r.int())
	v := make([]int, len(b)/8)
	for i := range v {
		v[i] = int(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

func (r *reader) labels() []int32 {
	n, size := r.int(), r.int()
	if size != 1 && size != 2 && size != 4 {
		r.bad = true
		return nil
	}
	b := r.take(n * size)
	v := make([]int32, len(b)/size)
	for i := range v {
		switch size {
		case 1:
			v[i] = int32(b[i])
		case 2:
			v[i] = int32(binary.LittleEndian.Uint16(b[2*i:]))
		default:
			v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
	return v
}

func (p *part) encode(k int) []byte {
	var w writer
	w.int(p.unit)
	if p.fault != nil {
		w.int(1)
		w.text(p.fault.File)
		w.text(p.fault.Msg)
		return w
	}
	w.int(0)
	w.labels(p.labels, k)
	w.ints(p.count)
	w.floats(p.sum)
	w.floats(p.rest)
	w.floats(p.distortion)
	w.floats(p.distances)
	if p.limits == nil {
		p.limits = newLimits(0)
	}
	p.limits.write(&w)
	return w
}

func decodePart(b []byte) (*part, error) {
	r := &reader{b: b}
	p := &part{unit: r.int()}
	if r.int() == 1 {
		p.fault = &Fault{File: r.text(), Msg: r.text()}
	} else {
		p.labels, p.count, p.sum, p.rest, p.distortion = r.labels(), r.ints(), r.floats(), r.floats(), r.floats()
		p.distances, p.limits = r.floats(), readLimits(r)
	}
	if r.bad || len(r.b) > 0 {
		return nil, errPart
	}
	return p, nil
}
