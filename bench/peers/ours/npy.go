package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
)

func create(path string, write func(w *bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	if err := w.Flush(); err != nil { // remembers the first error of any write
		f.Close()
		return err
	}
	return f.Close()
}

// npyHeader is that of version 1.0: magic, version, length, and a literal that
// ends the header at a multiple of 64 bytes.
func npyHeader(w *bufio.Writer, kind, shape string) {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	pad := 63 - (10+len(text))%64
	w.WriteString("\x93NUMPY\x01\x00")
	binary.Write(w, binary.LittleEndian, uint16(len(text)+pad+1))
	fmt.Fprintf(w, "%s%*s\n", text, pad, "")
}

func writeInts(w *bufio.Writer, v []int) {
	npyHeader(w, "<i8", fmt.Sprintf("(%d,)", len(v)))
	var b [8]byte
	for _, y := range v {
		binary.LittleEndian.PutUint64(b[:], uint64(y))
		w.Write(b[:])
	}
}

// A table is written row by row, in one precision.
type table struct {
	w      *bufio.Writer
	double bool
}

func newTable(w *bufio.Writer, rows, cols int, double bool) table {
	kind := "<f4"
	if double {
		kind = "<f8"
	}
	npyHeader(w, kind, fmt.Sprintf("(%d, %d)", rows, cols))
	return table{w, double}
}

func (t table) add(row []float64) {
	var b [8]byte
	for _, y := range row {
		if t.double {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(y))
			t.w.Write(b[:])
		} else {
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32(y)))
			t.w.Write(b[:4])
		}
	}
}

// readInts reads what writeInts wrote; it is not part of what is timed.
func readInts(path string) ([]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 10 {
		return nil, fmt.Errorf("%s: %w", path, io.ErrUnexpectedEOF)
	}
	b = b[min(len(b), 10+int(binary.LittleEndian.Uint16(b[8:10]))):]
	v := make([]int, len(b)/8)
	for i := range v {
		v[i] = int(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v, nil
}
