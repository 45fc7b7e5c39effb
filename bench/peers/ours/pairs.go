package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/method/catalog"
)

// makePairs writes points of ten classes in 16 features, their classes, and one
// random pair for every ten points, linked as the classes say: for us and for
// peers in Python as PREFIX.npy, PREFIX.truth.npy and PREFIX.links.csv, for
// WekaUT as PREFIX.arff and PREFIX.constraints.
func makePairs(args []string) (figures, error) {
	size, err := sizes(args[1:])
	if err != nil {
		return nil, err
	}
	const k, d = 10, 16
	s := &spots{d: d, spread: 1, rng: rand.New(rand.NewPCG(uint64(size[1]), 5))}
	s.place(k, func() float64 { return 3*s.rng.Float64() - 1.5 })
	rows, truth := make([][]float64, size[0]), make([]int, size[0])
	for i := range rows {
		rows[i] = make([]float64, d)
		truth[i] = s.draw(rows[i])
	}
	known := constraint.RandomPairs(truth, size[0]/10, s.rng)
	files := map[string]func(w *bufio.Writer){
		".npy": func(w *bufio.Writer) {
			t := newTable(w, len(rows), d, true)
			for _, row := range rows {
				t.add(row)
			}
		},
		".truth.npy":   func(w *bufio.Writer) { writeInts(w, truth) },
		".links.csv":   func(w *bufio.Writer) { writeLinks(w, known) },
		".arff":        func(w *bufio.Writer) { writeARFF(w, rows, truth, k) },
		".constraints": func(w *bufio.Writer) { writeSigned(w, known) },
	}
	for suffix, write := range files {
		if err := create(args[0]+suffix, write); err != nil {
			return nil, err
		}
	}
	return figures{}, nil
}

func writeLinks(w *bufio.Writer, known *constraint.Set) {
	w.WriteString("a,b,kind\n")
	for _, p := range known.Must {
		fmt.Fprintf(w, "%d,%d,must\n", p.I, p.J)
	}
	for _, p := range known.Cannot {
		fmt.Fprintf(w, "%d,%d,cannot\n", p.I, p.J)
	}
}

// writeARFF writes rows as Weka reads them, the class last.
func writeARFF(w *bufio.Writer, rows [][]float64, truth []int, k int) {
	w.WriteString("@relation blobs\n")
	for f := range rows[0] {
		fmt.Fprintf(w, "@attribute f%d real\n", f)
	}
	w.WriteString("@attribute class {c0")
	for h := 1; h < k; h++ {
		fmt.Fprintf(w, ",c%d", h)
	}
	w.WriteString("}\n@data\n")
	var line []byte
	for i, row := range rows {
		line = line[:0]
		for _, y := range row {
			line = append(strconv.AppendFloat(line, y, 'g', -1, 64), ',')
		}
		w.Write(line)
		fmt.Fprintf(w, "c%d\n", truth[i])
	}
}

// writeSigned writes pairs as WekaUT reads them. The lower point comes first:
// it takes a must-link written the other way round for a cannot-link.
func writeSigned(w *bufio.Writer, known *constraint.Set) {
	for kind, pairs := range [][]constraint.Pair{known.Must, known.Cannot} {
		for _, p := range pairs {
			fmt.Fprintf(w, "%d\t%d\t%d\n", min(p.I, p.J), max(p.I, p.J), 1-2*kind)
		}
	}
}

// linked fits a method of the catalog to points with linked pairs until it
// stops by itself, as the peers do.
func linked(args []string) (figures, error) {
	x, err := dataio.Open(args[0]+".npy", dataio.Options{})
	if err != nil {
		return nil, err
	}
	truth, err := readInts(args[0] + ".truth.npy")
	if err != nil {
		return nil, err
	}
	rows, err := dataio.OpenLinks(args[0] + ".links.csv")
	if err != nil {
		return nil, err
	}
	known := new(constraint.Set)
	for _, r := range rows {
		i, errA := strconv.Atoi(r.A)
		j, errB := strconv.Atoi(r.B)
		if errA != nil || errB != nil {
			return nil, fmt.Errorf("%s.links.csv:%d: row numbers must be integers, got %q and %q", args[0], r.Line, r.A, r.B)
		}
		list := &known.Must
		if r.Kind == "cannot" {
			list = &known.Cannot
		}
		*list = append(*list, constraint.Pair{I: i, J: j, W: 1})
	}
	m, ok := catalog.Find(args[1])
	if !ok {
		return nil, fmt.Errorf("there is no method %q", args[1])
	}
	s := cluster.Default()
	s.Restarts = 1
	return scored(&cluster.Problem{X: x.X, K: 10, Constraints: known}, m.New(), s, truth)
}
