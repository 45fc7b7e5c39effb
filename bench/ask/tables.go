package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/example"
)

// A table is rows with the truth about them.
type table struct {
	name  string
	easy  bool // clustering without answers is right about nearly all rows
	rows  *door.Table
	truth []int
	k     int
	text  []byte // the file that the rows were read from; nil: none
}

// A maker makes a table when it is wanted.
type maker struct {
	name  string
	easy  bool
	files bool // it needs those of the data folder
	make  func() (*door.Table, []int, error)
}

// makers are all tables: those of papers/evidence/ASK.md, mixed ones, texts and graphs.
var makers = []maker{
	{"3 blobs", true, false, blobs(150, 3, 4, 6, 1)},
	{"6 blobs", true, false, blobs(420, 6, 6, 5, 2)},
	{"customers", true, false, customers},
	{"planted graph", true, false, planted(240, 4, 12, 3)},
	{"wine", true, false, builtIn("wine")},
	{"unequal blobs", true, false, unequalBlobs},
	{"10 blobs", false, false, builtIn("blobs")},
	{"iris", false, false, builtIn("iris")},
	{"5 overlapping blobs", false, false, blobs(400, 5, 8, 1.5, 101)},
	{"two moons", false, false, curves(example.TwoMoons)},
	{"two circles", false, false, curves(example.TwoCircles)},
	{"noisy graph", false, false, planted(200, 4, 5, 4)},
	{"stretched blobs", false, false, stretched},
	{"digits 2, 5, 6", false, true, classes("pendigits", 10, 5, "2", "5", "6")},
	{"digits 0, 4, 9", false, true, classes("pendigits", 10, 5, "0", "4", "9")},
	{"digits 3, 8, 9", false, true, classes("pendigits", 10, 0, "3", "8", "9")},
	{"letters I, J, L", false, true, classes("letter", 10, 0, "I", "J", "L")},
	{"letters M, N, W", false, true, classes("letter", 10, 5, "M", "N", "W")},
	{"letters E, F, P", false, true, classes("letter", 10, 5, "E", "F", "P")},
	{"breast cancer", false, true, classes("wdbc", 1, 0)},
	{"protein", false, true, classes("protein", 1, 0)},
	{"news, different topics", false, true, messages("alt.atheism", "rec.sport.baseball", "sci.space")},
	{"news, similar topics", false, true, messages("comp.graphics", "comp.os.ms-windows.misc", "comp.windows.x")},
	{"votes", false, true, mixed("votes")},
	{"olive", false, true, mixed("olive")},
	{"crabs", false, true, mixed("crabs")},
	{"scat", false, true, mixed("scat")},
	{"spam", false, true, mixed("spam")},
	{"texture", false, true, mixed("texture")},
}

// inEvidence are the tables of papers/evidence/ASK.md.
var inEvidence = []string{"iris", "wine", "breast cancer", "protein", "digits 3, 8, 9", "digits 2, 5, 6", "digits 0, 4, 9", "letters I, J, L",
	"letters M, N, W", "letters E, F, P", "5 overlapping blobs", "two circles", "news, different topics", "news, similar topics"}

// tables makes all tables, and names those without files.
func tables(quick bool) (list []table, missing []string, err error) {
	for _, m := range makers {
		if quick && m.files {
			continue
		}
		rows, truth, err := m.make()
		if errors.Is(err, fs.ErrNotExist) && m.files {
			missing = append(missing, m.name)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.name, err)
		}
		list = append(list, table{m.name, m.easy, rows, truth, 1 + slices.Max(truth), nil})
	}
	return list, missing, nil
}

func blobs(n, k, d int, spread float64, seed uint64) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		x, truth, err := example.Blobs(n, k, d, spread, 1, rand.New(rand.NewPCG(seed, 0)))
		return matrix(x, truth, err)
	}
}

func matrix(x *data.Dense, truth []int, err error) (*door.Table, []int, error) {
	if err != nil {
		return nil, nil, err
	}
	t, err := door.FromMatrix(x, door.Names{})
	return t, truth, err
}

// unequalBlobs have sizes from 20 to 200.
func unequalBlobs() (*door.Table, []int, error) {
	rng := rand.New(rand.NewPCG(3, 0))
	x, truth := &data.Dense{Cols: 3}, []int(nil)
	for c, n := range []int{200, 100, 50, 20} {
		for range n {
			x.V = append(x.V, 8*float64(c%2)+rng.NormFloat64(), 8*float64(c/2)+rng.NormFloat64(), rng.NormFloat64())
			truth = append(truth, c)
		}
	}
	return matrix(x, truth, nil)
}

// stretched are three long blobs side by side, which k-means cuts across.
func stretched() (*door.Table, []int, error) {
	rng := rand.New(rand.NewPCG(4, 0))
	x, truth := &data.Dense{Cols: 2}, []int(nil)
	for i := range 300 {
		c := i % 3
		along, across := 10*rng.NormFloat64(), 4*float64(c)+0.5*rng.NormFloat64()
		x.V = append(x.V, along+across, along-across)
		truth = append(truth, c)
	}
	return matrix(x, truth, nil)
}

func curves(draw func(int, float64, *rand.Rand) (*data.Dense, []int, error)) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		return matrix(draw(300, 0.12, rand.New(rand.NewPCG(14, 0))))
	}
}

// planted is a graph of n nodes in k groups, with so many neighbours in the own group and in others.
func planted(n, k int, in, out float64) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		g, truth, err := example.PlantedPartition(n, k, in, out, rand.New(rand.NewPCG(5, 0)))
		if err != nil {
			return nil, nil, err
		}
		t, err := door.FromGraph(g, door.Names{})
		return t, truth, err
	}
}

func builtIn(name string) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		text, truth, err := builtInFile(name)()
		if err != nil {
			return nil, nil, err
		}
		return readTable(text, truth)
	}
}

// customers is a table of numbers and categories with four groups.
func customers() (*door.Table, []int, error) { return readTable(customersFile()) }

func customersFile() ([]byte, []int) {
	rng := rand.New(rand.NewPCG(6, 0))
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	w.Write([]string{"customer", "visits", "basket", "years", "plan", "region"})
	var truth []int
	plans := []string{"basic", "pro", "team", "basic"}
	for i := range 400 {
		c := i % 4
		plan := plans[c]
		if rng.IntN(20) == 0 {
			plan = plans[rng.IntN(4)]
		}
		w.Write([]string{fmt.Sprint("c", i), fmt.Sprintf("%.1f", math.Exp([]float64{1, 3, 2, 3.2}[c]+0.3*rng.NormFloat64())),
			fmt.Sprintf("%.2f", math.Exp([]float64{3, 4.5, 2, 2.2}[c]+0.3*rng.NormFloat64())),
			fmt.Sprintf("%.1f", max(0, []float64{2, 5, 8, 3}[c]+rng.NormFloat64())), plan, []string{"north", "south", "east"}[rng.IntN(3)]})
		truth = append(truth, c)
	}
	w.Flush()
	return text.Bytes(), truth
}

// readTable reads a table from a file whose first column has the ids.
func readTable(text []byte, truth []int) (*door.Table, []int, error) {
	t, err := door.Read(context.Background(), bytes.NewReader(text), "rows.csv", door.Source{ID: idColumn(text)})
	return t, truth, err
}

func idColumn(text []byte) string {
	id, _, _ := bytes.Cut(text, []byte(","))
	return string(id)
}

// fileOf is a matrix as people give it, as a file with a column of ids.
func fileOf(x data.Rows) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	line := []string{"id"}
	for j := range x.Dim() {
		line = append(line, fmt.Sprint("x", j))
	}
	w.Write(line)
	for i := range x.Len() {
		line = append(line[:0], fmt.Sprint("r", i))
		for _, v := range data.Copy(x, i) {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		w.Write(line)
	}
	w.Flush()
	return text.Bytes()
}

func folder(parts ...string) string {
	dir := os.Getenv("INKLING_DATA")
	if dir == "" {
		dir = filepath.Join("..", "shared", "data")
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}

// classes are every so many rows of some classes of a table of UCI, from row first.
func classes(set string, every, first int, names ...string) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		ds, err := dataio.Open(folder(set, "data.csv.gz"), dataio.Options{})
		if err != nil {
			return nil, nil, err
		}
		labels, err := dataio.Open(folder(set, "labels.txt.gz"), dataio.Options{Format: "text"})
		if err != nil {
			return nil, nil, err
		}
		if len(names) == 0 {
			names = slices.Compact(slices.Sorted(slices.Values(labels.Docs)))
		}
		x, truth, at := &data.Dense{Cols: ds.X.Dim()}, []int(nil), 0
		for i, label := range labels.Docs {
			class := slices.Index(names, label)
			if class < 0 {
				continue
			}
			if at%every == first {
				x.V, truth = append(x.V, data.Copy(ds.X, i)...), append(truth, class)
			}
			at++
		}
		return matrix(x, truth, nil)
	}
}

// mixed is one of the tables with categories, missing cells and hard classes.
func mixed(name string) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		t, err := door.Open(context.Background(), folder("mixed", name+".csv"), door.Source{})
		if err != nil {
			return nil, nil, err
		}
		truth, err := dataio.Open(folder("mixed", name+"-truth.csv"), dataio.Options{Label: "label"})
		if err != nil {
			return nil, nil, err
		}
		names := slices.Compact(slices.Sorted(slices.Values(truth.Labels)))
		class := make([]int, len(truth.Labels))
		for i, label := range truth.Labels {
			class[i] = slices.Index(names, label)
		}
		return t, class, nil
	}
}

// messagesEach is how many messages of a group are taken.
const messagesEach = 100

// messages are those of newsgroups without their headers.
func messages(groups ...string) func() (*door.Table, []int, error) {
	return func() (*door.Table, []int, error) {
		f, err := os.Open(folder("20news", "messages.tar.gz"))
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, nil, err
		}
		var texts []string
		var truth []int
		count := map[int]int{}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, nil, err
			}
			class := slices.Index(groups, filepath.Dir(h.Name))
			if class < 0 || count[class] == messagesEach {
				continue
			}
			raw, err := io.ReadAll(r)
			if err != nil {
				return nil, nil, err
			}
			_, body, _ := strings.Cut(string(raw), "\n\n")
			texts, truth = append(texts, strings.ToValidUTF8(body, " ")), append(truth, class)
			if count[class]++; len(texts) == messagesEach*len(groups) {
				break
			}
		}
		t, err := door.FromTexts(texts, door.Names{})
		return t, truth, err
	}
}
