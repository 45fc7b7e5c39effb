package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	columns = 32  // of the table and of the points
	classes = 50  // of the labels
	centres = 100 // of the points
)

// makeData writes, into DIR, a table of ROWS × 32 as CSV, two labellings of
// LABELS points as CSV and NPY, and POINTS points with their first centres.
func makeData(args []string) (seconds, check float64, err error) {
	begun, size := time.Now(), [3]int{}
	for i := range size {
		if size[i], err = strconv.Atoi(args[1+i]); err != nil || size[i] < centres {
			return 0, 0, fmt.Errorf("%q is no size, it must be %d at least", args[1+i], centres)
		}
	}
	truth, pred := labellings(size[1])
	x := blobs(size[2])
	for name, write := range map[string]func(w *bufio.Writer){
		"table.csv":   func(w *bufio.Writer) { writeTable(w, size[0]) },
		"truth.csv":   func(w *bufio.Writer) { writeLabels(w, truth) },
		"pred.csv":    func(w *bufio.Writer) { writeLabels(w, pred) },
		"truth.npy":   func(w *bufio.Writer) { writeInts(w, truth) },
		"pred.npy":    func(w *bufio.Writer) { writeInts(w, pred) },
		"points.npy":  func(w *bufio.Writer) { writeFloats(w, x) },
		"centres.npy": func(w *bufio.Writer) { writeFloats(w, x[:centres*columns]) },
	} {
		if err := create(filepath.Join(args[0], name), write); err != nil {
			return 0, 0, err
		}
	}
	return time.Since(begun).Seconds(), 0, nil
}

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

// writeTable writes standard normal numbers with six decimals, under a header.
func writeTable(w *bufio.Writer, rows int) {
	r := rand.New(rand.NewPCG(1, 1))
	for f := range columns {
		if f > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "f%d", f)
	}
	w.WriteByte('\n')
	var line []byte
	for range rows {
		line = line[:0]
		for f := range columns {
			if f > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendFloat(line, r.NormFloat64(), 'f', 6, 64)
		}
		w.Write(append(line, '\n'))
	}
}

// labellings agree on about four points of five.
func labellings(n int) (truth, pred []int) {
	r := rand.New(rand.NewPCG(2, 2))
	truth, pred = make([]int, n), make([]int, n)
	for i := range truth {
		truth[i] = r.IntN(classes)
		if pred[i] = truth[i]; r.IntN(5) == 0 {
			pred[i] = r.IntN(classes)
		}
	}
	return truth, pred
}

// blobs are points around as many spots as there are centres, wide enough to
// overlap, so that k-means has not converged after twenty iterations.
func blobs(n int) []float64 {
	r := rand.New(rand.NewPCG(3, 3))
	spots := make([]float64, centres*columns)
	for i := range spots {
		spots[i] = r.NormFloat64()
	}
	x := make([]float64, 0, n*columns)
	for range n {
		h := r.IntN(centres)
		for f := range columns {
			x = append(x, spots[h*columns+f]+1.5*r.NormFloat64())
		}
	}
	return x
}

func writeLabels(w *bufio.Writer, labels []int) {
	w.WriteString("id,label\n")
	var line []byte
	for i, h := range labels {
		line = strconv.AppendInt(line[:0], int64(i), 10)
		line = strconv.AppendInt(append(line, ','), int64(h), 10)
		w.Write(append(line, '\n'))
	}
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

func writeFloats(w *bufio.Writer, v []float64) {
	npyHeader(w, "<f8", fmt.Sprintf("(%d, %d)", len(v)/columns, columns))
	var b [8]byte
	for _, y := range v {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(y))
		w.Write(b[:])
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
