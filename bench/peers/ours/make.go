package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
)

const (
	columns = 32 // of the CSV table
	classes = 50 // of the labels
)

// sizes reads numbers above zero.
func sizes(args []string) ([]int, error) {
	v := make([]int, len(args))
	for i, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("a size must be an integer of at least 1, got %q", a)
		}
		v[i] = n
	}
	return v, nil
}

// makeTable writes standard normal numbers with six decimals, under a header.
func makeTable(args []string) (figures, error) {
	size, err := sizes(args[1:])
	if err != nil {
		return nil, err
	}
	return figures{}, create(args[0], func(w *bufio.Writer) { writeTable(w, size[0]) })
}

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

// makeLabels writes two labellings, each as CSV and as NPY, that agree on about
// four points of five.
func makeLabels(args []string) (figures, error) {
	size, err := sizes(args[1:])
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(2, 2))
	truth, pred := make([]int, size[0]), make([]int, size[0])
	for i := range truth {
		truth[i] = r.IntN(classes)
		if pred[i] = truth[i]; r.IntN(5) == 0 {
			pred[i] = r.IntN(classes)
		}
	}
	for name, labels := range map[string][]int{"truth": truth, "pred": pred} {
		path := filepath.Join(args[0], name)
		if err := create(path+".csv", func(w *bufio.Writer) { writeLabels(w, labels) }); err != nil {
			return nil, err
		}
		if err := create(path+".npy", func(w *bufio.Writer) { writeInts(w, labels) }); err != nil {
			return nil, err
		}
	}
	return figures{}, nil
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
