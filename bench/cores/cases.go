package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/method/centroid"
	"github.com/inklinghq/inkling/internal/numeric/affinity"
)

// A testCase makes a piece of work.
type testCase struct {
	name, about string
	prepare     func(shrink int) (work, error)
}

// work is done again and again, on the same data.
type work struct {
	do    func(workers int, m meter) error
	bytes float64 // of the data that it reads
	clean func()
}

// A meter is started and stopped around what is to be measured.
type meter struct{ start, stop func() }

func allCases() []testCase {
	return []testCase{
		{"kmeans-32", "iterations 2 to 11 of k-means, 2M × 32, k = 100, float32", iterations(2_000_000, 32, 100)},
		{"kmeans-128", "the same, 1M × 128, k = 256", iterations(1_000_000, 128, 256)},
		{"kmeans-768", "the same, 400k × 768, k = 256", iterations(400_000, 768, 256)},
		{"kmeans", "whole fit, 1M × 32, k = 50", blobs("kmeans", 1_000_000, 32, 50, 0)},
		{"pc", "pc-kmeans, whole fit, 1M × 32, k = 50, 100k pairs", blobs("pc-kmeans", 1_000_000, 32, 50, 100_000)},
		{"mpc", "mpc-kmeans, the same", blobs("mpc-kmeans", 1_000_000, 32, 50, 100_000)},
		{"hmrf-bp", "hmrf-kmeans by belief propagation, 100k × 32, k = 20, 20k pairs", blobs("hmrf-kmeans inference=bp", 100_000, 32, 20, 20_000)},
		{"cop", "cop-kmeans, 100k × 32, k = 20, 20k pairs", blobs("cop-kmeans", 100_000, 32, 20, 20_000)},
		{"graph-cut-rows", "graph-cut of 100k × 16 by their 10 nearest, k = 10, 500 pairs, with the search for neighbours", neighbourGraph(100_000, 16, 10, 500)},
		{"graph-cut", "graph-cut, 300k nodes, 8 edges each, k = 20, 3,000 pairs", planted("graph-cut", 300_000, 20)},
		{"ss-kernel", "ss-kernel-kmeans, the same graph", planted("ss-kernel-kmeans", 300_000, 20)},
		{"csp", "csp, 100k nodes", planted("csp", 100_000, 5)},
		{"spectral", "spectral, 100k nodes", planted("spectral", 100_000, 5)},
		{"kernel-hmrf", "kernel-hmrf-kmeans, 20k × 16, k = 10, 500 pairs", blobs("kernel-hmrf-kmeans", 20_000, 16, 10, 500)},
		{"kernel", "kernel-kmeans, the same", blobs("kernel-kmeans", 20_000, 16, 10, 0)},
		{"auto", "the automatic choice with all that follows, 40k × 20, k = 10, 400 pairs (at -shrink 4 the 10k × 20 of MACHINE.md)", auto(40_000, 20, 10, 400)},
		{"dedupe", "dedupe, 100k records of 5 fields", records(100_000)},
		{"csv", "reading a CSV file of 1M × 32", reading("csv", 1_000_000, 32)},
		{"jsonl", "reading JSON lines of 200k × 32", reading("jsonl", 200_000, 32)},
		{"ari", "adjusted Rand index of 10M labels in memory", scoring(10_000_000)},
		{"ari-files", "the same from two CSV files", scoringFiles(10_000_000)},
	}
}

// made returns blobs that overlap.
func made(n, d, k int) (*data.Dense, []int, error) {
	return example.Blobs(n, k, d, 1.5, 1, rand.New(rand.NewPCG(1, uint64(n))))
}

// iterations are those of k-means from random rows, in float32, without swaps.
func iterations(n, d, k int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		x, _, err := example.Blobs(n, k, d, 3/math.Sqrt(float64(d)), 1, rand.New(rand.NewPCG(1, uint64(n)))) // clusters overlap
		if err != nil {
			return work{}, err
		}
		y := &data.Dense32{Cols: d, V: make([]float32, len(x.V))}
		for i, v := range x.V {
			y.V[i] = float32(v)
		}
		p := &cluster.Problem{X: y, K: k}
		a := centroid.NewKMeans()
		a.Init = centroid.InitRandom
		return work{bytes: float64(4 * n * d), do: func(workers int, m meter) error {
			s := cluster.Default()
			s.Restarts, s.MaxIter, s.Tol, s.Workers, s.Effort = 1, 11, -1, workers, cluster.EffortLow
			s.Observe = func(e cluster.Event) {
				if e.Ended && e.Iter == 1 {
					m.start()
				}
			}
			_, err := cluster.Fit(context.Background(), p, a, s)
			m.stop()
			return err
		}}, nil
	}
}

// algorithm returns the method of that name, with parameters as on the command line.
func algorithm(name string) (cluster.Algorithm, error) {
	parameters := []byte(nil)
	if name == "hmrf-kmeans inference=bp" {
		name, parameters = "hmrf-kmeans", []byte(`{"inference": "bp", "metric": "none"}`)
	}
	return catalog.New(name, parameters)
}

// fit is a whole fit, one restart where pairs make no second.
func fit(p *cluster.Problem, name string, bytes float64) (work, error) {
	return work{bytes: bytes, do: func(workers int, m meter) error {
		a, err := algorithm(name)
		if err != nil {
			return err
		}
		s := cluster.Default()
		s.Workers, s.Effort = workers, cluster.EffortNormal
		m.start()
		_, err = cluster.Fit(context.Background(), p, a, s)
		m.stop()
		return err
	}}, nil
}

// blobs is a whole fit of a method on rows.
func blobs(name string, n, d, k, pairs int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n, pairs := n/shrink, pairs/shrink
		x, truth, err := made(n, d, k)
		if err != nil {
			return work{}, err
		}
		p := &cluster.Problem{X: x, K: k}
		if pairs > 0 {
			p.Constraints = constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(2, 2)))
		}
		return fit(p, name, float64(8*n*d))
	}
}

// planted is a whole fit of a method on a planted partition, with a true pair for every
// hundred nodes.
func planted(name string, n, k int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		g, truth, err := example.PlantedPartition(n, k, 12, 4, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			return work{}, err
		}
		p := &cluster.Problem{Graph: g, K: k}
		if name != "spectral" {
			p.Constraints = constraint.RandomPairs(truth, n/100, rand.New(rand.NewPCG(2, 2)))
		}
		return fit(p, name, float64(12*len(g.To)))
	}
}

// neighbourGraph is graph-cut of the nearest neighbours of rows.
func neighbourGraph(n, d, k, pairs int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		x, truth, err := made(n, d, k)
		if err != nil {
			return work{}, err
		}
		known := constraint.RandomPairs(truth, pairs, rand.New(rand.NewPCG(2, 2)))
		return work{bytes: float64(8 * n * d), do: func(workers int, m meter) error {
			a, err := algorithm("graph-cut")
			if err != nil {
				return err
			}
			s := cluster.Default()
			s.Workers, s.Effort = workers, cluster.EffortNormal
			m.start()
			defer m.stop()
			near, err := affinity.KNN(context.Background(), x, 10, affinity.KNNOptions{Workers: workers})
			if err != nil {
				return err
			}
			g, err := near.Graph(context.Background(), affinity.Weights{Kind: "binary"})
			if err != nil {
				return err
			}
			_, err = cluster.Fit(context.Background(), &cluster.Problem{Graph: g, K: k, Constraints: known}, a, s)
			return err
		}}, nil
	}
}

// auto is the whole way of the automatic choice.
func auto(n, d, k, pairs int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		x, truth, err := made(n, d, k)
		if err != nil {
			return work{}, err
		}
		drawn := constraint.RandomPairs(truth, pairs/shrink, rand.New(rand.NewPCG(2, 2)))
		return work{bytes: float64(8 * n * d), do: func(workers int, m meter) error {
			t, err := door.FromMatrix(x, door.Names{})
			if err != nil {
				return err
			}
			known := door.NewConstraints(t)
			for _, p := range drawn.Must {
				known.Must(t.ID(p.I), t.ID(p.J))
			}
			for _, p := range drawn.Cannot {
				known.Cannot(t.ID(p.I), t.ID(p.J))
			}
			m.start()
			_, err = door.Cluster(context.Background(), t, known, door.Options{K: k, Workers: workers})
			m.stop()
			return err
		}}, nil
	}
}

// reading is reading a table of random numbers from a file.
func reading(format string, n, d int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		name, remove, err := scratchFile("table."+format, func(w *bufio.Writer) {
			rng, line := rand.New(rand.NewPCG(3, 3)), []byte(nil)
			if format == "csv" {
				for f := range d {
					line = append(strconv.AppendInt(append(line, 'x'), int64(f), 10), ',')
				}
				line[len(line)-1] = '\n'
				w.Write(line)
			}
			for range n {
				line = line[:0]
				for f := range d {
					if format == "jsonl" {
						line = fmt.Appendf(line, "%q: ", "x"+strconv.Itoa(f))
					}
					line = append(strconv.AppendFloat(line, rng.NormFloat64(), 'g', 8, 64), ',')
				}
				line = line[:len(line)-1]
				if format == "jsonl" {
					line = append(append([]byte{'{'}, line...), '}')
				}
				w.Write(append(line, '\n'))
			}
		})
		if err != nil {
			return work{}, err
		}
		return work{bytes: float64(8 * n * d), clean: remove, do: func(workers int, m meter) error {
			m.start()
			_, err := dataio.Open(name, dataio.Options{Workers: workers})
			m.stop()
			return err
		}}, nil
	}
}

// scratchFile writes a file that remove removes.
func scratchFile(name string, write func(*bufio.Writer)) (path string, remove func(), err error) {
	folder, err := os.MkdirTemp("", "cores")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	path = filepath.Join(folder, name)
	f, err := os.Create(path)
	if err != nil {
		return "", nil, err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	if err = w.Flush(); err == nil {
		err = f.Close()
	}
	return path, remove, err
}

// drawLabels returns two assignments that agree in nine of ten rows.
func drawLabels(n int) (truth, found []int) {
	rng := rand.New(rand.NewPCG(4, 4))
	truth, found = make([]int, n), make([]int, n)
	for i := range truth {
		truth[i] = rng.IntN(100)
		if found[i] = truth[i]; rng.IntN(10) == 0 {
			found[i] = rng.IntN(100)
		}
	}
	return truth, found
}

// scoring is the adjusted Rand index of labels in memory.
func scoring(n int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		truth, found := drawLabels(n / shrink)
		return work{bytes: float64(16 * len(truth)), do: func(_ int, m meter) error {
			m.start()
			_, err := score.ARI(truth, found)
			m.stop()
			return err
		}}, nil
	}
}

// scoringFiles is the adjusted Rand index of labels from two files.
func scoringFiles(n int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		truth, found := drawLabels(n)
		var names [2]string
		var removes [2]func()
		for at, labels := range [][]int{truth, found} {
			var err error
			names[at], removes[at], err = scratchFile("labels.csv", func(w *bufio.Writer) {
				w.WriteString("id,cluster\n")
				line := []byte(nil)
				for i, h := range labels {
					line = append(strconv.AppendInt(line[:0], int64(i), 10), ',')
					w.Write(append(strconv.AppendInt(line, int64(h), 10), '\n'))
				}
			})
			if err != nil {
				return work{}, err
			}
		}
		return work{bytes: float64(16 * n), clean: func() { removes[0](); removes[1]() }, do: func(workers int, m meter) error {
			m.start()
			_, err := door.Score(context.Background(), names[0], names[1], door.ScoreOptions{Workers: workers})
			m.stop()
			return err
		}}, nil
	}
}

// records is dedupe on invented people, each written down three times with typing errors.
func records(n int) func(int) (work, error) {
	return func(shrink int) (work, error) {
		n := n / shrink
		rng := rand.New(rand.NewPCG(5, 5))
		word := func(syllables int) string {
			out := ""
			for range syllables {
				out += string("bdfghklmnprstvw"[rng.IntN(15)]) + string("aeiou"[rng.IntN(5)])
			}
			return out
		}
		lasts := make([]string, max(10, n/20))
		for i := range lasts {
			lasts[i] = word(2 + rng.IntN(2))
		}
		r := &dedupe.Records{Fields: []string{"first", "last", "street", "town", "email"}, Cells: make([][]string, 5)}
		for range n / 3 {
			first, last := word(2), lasts[rng.IntN(len(lasts))]
			person := []string{first, last, word(3) + " " + strconv.Itoa(1+rng.IntN(200)), lasts[rng.IntN(10)], first + "." + last + "@" + word(2) + ".example"}
			for range 3 {
				for f, cell := range person {
					if rng.IntN(5) == 0 {
						at := rng.IntN(len(cell))
						cell = cell[:at] + cell[at+1:]
					}
					r.Cells[f] = append(r.Cells[f], cell)
				}
			}
		}
		return work{bytes: float64(n * 100), do: func(workers int, m meter) error {
			m.start()
			_, err := dedupe.Entities(context.Background(), r, nil, dedupe.Options{Workers: workers})
			m.stop()
			return err
		}}, nil
	}
}
