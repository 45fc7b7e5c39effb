package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
)

// spots are k places with rows around them.
type spots struct {
	d      int
	at     [][]float64
	spread float64
	rng    *rand.Rand
}

// overlapping returns spots whose points mix, about as much for any d, so that
// k-means has not converged after twenty iterations.
func overlapping(k, d int) *spots {
	s := &spots{d: d, spread: 1.5 * math.Sqrt(float64(d)/32), rng: rand.New(rand.NewPCG(3, uint64(d)))}
	s.place(k, s.rng.NormFloat64)
	return s
}

func (s *spots) place(k int, coordinate func() float64) {
	for range k {
		p := make([]float64, s.d)
		for f := range p {
			p[f] = coordinate()
		}
		s.at = append(s.at, p)
	}
}

// draw writes a point into row and returns which spot it is around.
func (s *spots) draw(row []float64) int {
	h := s.rng.IntN(len(s.at))
	for f := range row {
		row[f] = s.at[h][f] + s.spread*s.rng.NormFloat64()
	}
	return h
}

// makePoints writes the same points in both precisions, and for each the first
// of them as the first centres.
func makePoints(args []string) (figures, error) {
	size, err := sizes(args[1:])
	if err != nil {
		return nil, err
	}
	n, d, k := size[0], size[1], size[2]
	if n < k {
		return nil, fmt.Errorf("%d rows are too few for %d centres", n, k)
	}
	for _, double := range []bool{false, true} {
		name := args[0] + ".float32"
		if double {
			name = args[0] + ".float64"
		}
		for path, rows := range map[string]int{name + ".npy": n, name + ".centres.npy": k} {
			if err := makeRows(path, overlapping(k, d), rows, double); err != nil {
				return nil, err
			}
		}
	}
	return figures{}, nil
}

func makeRows(path string, s *spots, rows int, double bool) error {
	return create(path, func(w *bufio.Writer) {
		t, row := newTable(w, rows, s.d, double), make([]float64, s.d)
		for range rows {
			s.draw(row)
			t.add(row)
		}
	})
}

// makeBig writes many points in float32.
func makeBig(args []string) (figures, error) {
	size, err := sizes(args[1:])
	if err != nil {
		return nil, err
	}
	return figures{}, makeRows(args[0], overlapping(size[2], size[1]), size[0], false)
}

// makeBlobs writes points of ten classes in 16 features, and the labels of a
// tenth of them, -1 for the others. Every class has some.
func makeBlobs(args []string) (figures, error) {
	size, err := sizes(args[3:])
	if err != nil {
		return nil, err
	}
	const k, d, share = 10, 16, 10
	s := &spots{d: d, spread: 1, rng: rand.New(rand.NewPCG(4, 4))}
	s.place(k, func() float64 { return 3*s.rng.Float64() - 1.5 })
	labels, seen := make([]int, size[0]), map[int]bool{}
	err = create(args[0], func(w *bufio.Writer) {
		t, row := newTable(w, len(labels), d, true), make([]float64, d)
		for i := range labels {
			labels[i] = s.draw(row)
			t.add(row)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := create(args[2], func(w *bufio.Writer) { writeInts(w, labels) }); err != nil {
		return nil, err
	}
	for i, h := range labels {
		if s.rng.IntN(share) > 0 {
			labels[i] = -1
		} else {
			seen[h] = true
		}
	}
	if len(seen) < k {
		return nil, fmt.Errorf("%d rows are too few: only %d classes of %d have a label", size[0], len(seen), k)
	}
	return figures{}, create(args[1], func(w *bufio.Writer) { writeInts(w, labels) })
}
