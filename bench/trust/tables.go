package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/example"
)

// A table is rows with the truth about them.
type table struct {
	name  string
	x     *data.Dense
	truth []int
	k     int
}

// tables returns those of package example, samples of UCI's, where they are at
// hand, and generated ones, each with a difficulty of its own.
func tables() (list []table, err error) {
	for _, name := range []string{"iris", "wine"} {
		s, err := example.Load(name)
		if err != nil {
			return nil, err
		}
		truth, classes := s.Classes()
		list = append(list, table{name, dense(s.X), truth, len(classes)})
	}
	for _, part := range []struct {
		set     string
		classes []string
	}{{"letter", []string{"ABC", "IJL", "HKR", "DOQ", "GSZ", "TUVXY"}}, {"pendigits", []string{"138", "137", "178", "1378"}}} {
		for _, classes := range part.classes {
			t, err := sampleClasses(part.set, classes, 100)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	for _, b := range blobTables {
		x, truth, err := b.draw()
		if err != nil {
			return nil, err
		}
		list = append(list, table{b.name(), x, truth, b.k})
	}
	for _, g := range generated {
		rng := rand.New(rand.NewPCG(14, uint64(len(list))))
		x, truth := &data.Dense{Cols: g.d}, []int(nil)
		at := g.centres(rng)
		for c, n := range g.sizes {
			for range n {
				row := make([]float64, g.d)
				g.fill(rng, c, at[c], row)
				x.V, truth = append(x.V, row...), append(truth, c)
			}
		}
		list = append(list, table{g.name, x, truth, len(g.sizes)})
	}
	moons, truth, err := example.TwoMoons(300, 0.12, rand.New(rand.NewPCG(14, 0)))
	return append(list, table{"moons", moons, truth, 2}), err
}

// blobTables are normal blobs of many numbers of clusters, of equal and unequal sizes.
var blobTables = []blobTable{
	{300, 3, 3, 2, 1, false}, {400, 4, 6, 1.5, 2, false}, {450, 6, 5, 2, 3, false}, {500, 10, 6, 2.5, 4, false}, {350, 5, 12, 1.2, 5, false},
	{300, 3, 3, 2, 6, true}, {400, 4, 2, 4, 7, true}, {500, 6, 4, 3, 8, true}, {600, 10, 5, 3, 9, true}, {450, 7, 3, 4, 10, true}, {550, 9, 8, 2, 11, true},
}

type blobTable struct {
	n, k, d int
	spread  float64 // of the centres; that of the rows is 1
	seed    uint64
	unequal bool // cluster h has k-h times as many rows as the last one
}

func (b blobTable) name() string {
	s := fmt.Sprintf("%d blobs in %d", b.k, b.d)
	if b.unequal {
		s += ", unequal"
	}
	return s
}

func (b blobTable) draw() (*data.Dense, []int, error) {
	drawn := b.n
	if b.unequal {
		drawn = 2 * b.n * b.k / (b.k + 1)
	}
	x, truth, err := example.Blobs(drawn, b.k, b.d, b.spread, 1, rand.New(rand.NewPCG(b.seed, 14)))
	if err != nil || !b.unequal {
		return x, truth, err
	}
	rows, kept := &data.Dense{Cols: b.d}, []int(nil)
	for i, h := range truth {
		if b.k*(i/b.k) < (b.k-h)*(drawn/b.k) {
			rows.V, kept = append(rows.V, x.Row(i, nil).Val...), append(kept, h)
		}
	}
	return rows, kept, nil
}

// A generator makes rows of d features around the centres of classes.
type generator struct {
	name   string
	d      int
	sizes  []int
	spread float64 // standard deviation of the centres
	fill   func(rng *rand.Rand, c int, centre, row []float64)
}

func (g *generator) centres(rng *rand.Rand) [][]float64 {
	at := make([][]float64, len(g.sizes))
	for c := range at {
		for range g.d {
			at[c] = append(at[c], g.spread*rng.NormFloat64())
		}
	}
	return at
}

var generated = []generator{
	{"overlapping", 4, []int{100, 100, 100}, 1.4, func(rng *rand.Rand, _ int, centre, row []float64) {
		for f := range row {
			row[f] = centre[f] + rng.NormFloat64()
		}
	}},
	{"elongated", 5, []int{100, 100, 100}, 2, func(rng *rand.Rand, c int, centre, row []float64) {
		along := 4 * rng.NormFloat64() // each class along another direction
		for f := range row {
			row[f] = centre[f] + rng.NormFloat64() + along*math.Cos(float64(f+2*c))
		}
	}},
	{"noise columns", 8, []int{100, 100, 100}, 3, func(rng *rand.Rand, _ int, centre, row []float64) {
		for f := range row {
			if row[f] = centre[f] + rng.NormFloat64(); f > 2 {
				row[f] = 3 * rng.NormFloat64()
			}
		}
	}},
	{"unequal sizes", 4, []int{220, 60, 20}, 2, func(rng *rand.Rand, c int, centre, row []float64) {
		for f := range row {
			row[f] = centre[f] + rng.NormFloat64()*[]float64{2, 1, 0.7}[c]
		}
	}},
	{"heavy tails", 4, []int{100, 100, 100}, 3, func(rng *rand.Rand, _ int, centre, row []float64) {
		chi := 0.0
		for range 3 {
			y := rng.NormFloat64()
			chi += y * y
		}
		for f := range row {
			row[f] = centre[f] + rng.NormFloat64()/math.Sqrt(chi/3)
		}
	}},
	{"other units", 6, []int{75, 75, 75, 75}, 1.6, func(rng *rand.Rand, _ int, centre, row []float64) {
		for f := range row {
			row[f] = (centre[f] + rng.NormFloat64()) * math.Pow(4, float64(f))
		}
	}},
}

// sampleClasses returns the first rows of some classes of a set of UCI.
func sampleClasses(set, classes string, each int) (table, error) {
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "shared", "data")
	}
	ds, err := dataio.Open(filepath.Join(dir, set, "data.csv.gz"), dataio.Options{})
	if err != nil {
		return table{}, fmt.Errorf("%w (INKLING_DATA names the folder of the data)", err)
	}
	labels, err := dataio.Open(filepath.Join(dir, set, "labels.txt.gz"), dataio.Options{Format: "text"})
	if err != nil {
		return table{}, err
	}
	t := table{name: set + " " + classes, x: &data.Dense{Cols: ds.X.Dim()}, k: len(classes)}
	left := map[string]int{}
	for _, c := range classes {
		left[string(c)] = each
	}
	for i, name := range labels.Docs {
		if left[name] > 0 {
			left[name]--
			t.x.V = append(t.x.V, data.Copy(ds.X, i)...)
			for c, r := range classes {
				if string(r) == name {
					t.truth = append(t.truth, c)
				}
			}
		}
	}
	return t, nil
}

func dense(x data.Rows) *data.Dense {
	out := &data.Dense{Cols: x.Dim()}
	for i := range x.Len() {
		out.V = append(out.V, data.Copy(x, i)...)
	}
	return out
}

// standardised returns the rows with mean 0 and deviation 1 in every column.
func (t table) standardised() table {
	d, n := t.x.Cols, float64(t.x.Len())
	out := &data.Dense{Cols: d, V: make([]float64, len(t.x.V))}
	for f := range d {
		mean, square := 0.0, 0.0
		for i := f; i < len(t.x.V); i += d {
			mean += t.x.V[i] / n
		}
		for i := f; i < len(t.x.V); i += d {
			square += (t.x.V[i] - mean) * (t.x.V[i] - mean) / n
		}
		for i := f; i < len(t.x.V); i += d {
			if square > 0 {
				out.V[i] = (t.x.V[i] - mean) / math.Sqrt(square)
			}
		}
	}
	t.x = out
	return t
}
