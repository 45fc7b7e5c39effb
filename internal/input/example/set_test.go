package example_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
)

func load(t testing.TB, name string) *example.Set {
	t.Helper()
	s, err := example.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func counts(s *example.Set) map[string]int {
	m := map[string]int{}
	for _, c := range s.Truth {
		m[c]++
	}
	return m
}

func TestSets(t *testing.T) {
	for name, want := range map[string]struct {
		n, d, k int
		classes string
	}{
		"iris":        {150, 4, 3, "map[setosa:50 versicolor:50 virginica:50]"},
		"wine":        {178, 13, 3, "map[class_1:59 class_2:71 class_3:48]"},
		"blobs":       {1000, 16, 10, "map[blob-0:100 blob-1:100 blob-2:100 blob-3:100 blob-4:100 blob-5:100 blob-6:100 blob-7:100 blob-8:100 blob-9:100]"},
		"two-moons":   {200, 2, 2, "map[lower:100 upper:100]"},
		"two-circles": {300, 2, 2, "map[inner:150 outer:150]"},
		"noisy-moons": {600, 2, 2, "map[lower:250 noise:100 upper:250]"},
		"text":        {78, 0, 3, "map[astronomy:26 cooking:26 football:26]"},
		"graph":       {400, 0, 4, "map[group-0:100 group-1:100 group-2:100 group-3:100]"},
		"scene":       {24576, 3, 3, "map[balloon:3402 hills:5980 sky:15194]"},
		"six-nodes":   {6, 0, 2, "map[left:4 right:2]"},
	} {
		s := load(t, name)
		if s.Name != name || s.Title == "" || s.Source == "" || s.Licence == "" {
			t.Errorf("%s: name %q, title %q, source %q, licence %q", name, s.Name, s.Title, s.Source, s.Licence)
		}
		if got := fmt.Sprint(counts(s)); got != want.classes || s.Len() != want.n || s.K != want.k {
			t.Errorf("%s: %d rows, k %d, %s", name, s.Len(), s.K, got)
		}
		if _, names := s.Classes(); len(names) != s.K {
			t.Errorf("%s: classes %q, k %d", name, names, s.K)
		}
		rows := len(s.Docs)
		if s.X != nil {
			rows = s.X.Len()
			if s.X.Dim() != want.d || len(s.Columns) != want.d {
				t.Errorf("%s: %d features called %q", name, s.X.Dim(), s.Columns)
			}
			if err := data.CheckFinite(s.X); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if s.Graph != nil {
			rows = s.Graph.Len()
		}
		rows = max(rows, len(s.Records))
		if rows != want.n {
			t.Errorf("%s: %d rows, want %d", name, rows, want.n)
		}
	}
	if len(example.Names()) != 11 {
		t.Errorf("names %q", example.Names())
	}
}

func TestUnknownName(t *testing.T) {
	_, err := example.Load("irsi")
	if !errors.Is(err, example.ErrUnknown) || !strings.Contains(err.Error(), "iris, wine") {
		t.Errorf("%v", err)
	}
}

// The UCI file has two slips against Fisher's table: rows 34 and 37 read
// 4.9 3.1 1.5 0.1. The papers used that file.
func TestIrisIsUCIs(t *testing.T) {
	s := load(t, "iris")
	for _, i := range []int{34, 37} {
		if got := data.Copy(s.X, i); !slices.Equal(got, []float64{4.9, 3.1, 1.5, 0.1}) {
			t.Errorf("row %d: %v", i, got)
		}
	}
	if got := data.Copy(s.X, 149); !slices.Equal(got, []float64{5.9, 3, 5.1, 1.8}) {
		t.Errorf("row 149: %v", got)
	}
}

// What a graph's nodes share must not be lost in an edge list.
func TestGraphsAreConnected(t *testing.T) {
	for _, name := range []string{"graph", "six-nodes"} {
		g := load(t, name).Graph
		seen, queue := make([]bool, g.Len()), []int32{0}
		seen[0] = true
		reached := 1
		for len(queue) > 0 {
			to, _ := g.Neighbours(int(queue[0]))
			queue = queue[1:]
			for _, j := range to {
				if !seen[j] {
					seen[j] = true
					reached++
					queue = append(queue, j)
				}
			}
		}
		if reached != g.Len() {
			t.Errorf("%s: %d of %d nodes reached from node 0", name, reached, g.Len())
		}
	}
}

func TestConstraints(t *testing.T) {
	for _, name := range example.Names() {
		s := load(t, name)
		known, err := s.Constraints(7)
		if err != nil {
			t.Fatal(err)
		}
		per := map[string]int{}
		for _, l := range known.Labels {
			if known.Names[l.Class] != s.Truth[l.I] {
				t.Errorf("%s: row %d is %s, labelled %s", name, l.I, s.Truth[l.I], known.Names[l.Class])
			}
			per[s.Truth[l.I]]++
		}
		if s.Records != nil && (len(known.Labels) != 20 || len(per) != 10) {
			t.Errorf("%s: %d labels of %d people", name, len(known.Labels), len(per))
		}
		for class, n := range counts(s) {
			if s.Records != nil {
				break // most people have no label
			}
			got := per[class]
			if class == example.Noise {
				if got != 0 {
					t.Errorf("%s: %d labels of noise", name, got)
				}
			} else if got < 2 || name != "six-nodes" && got > n/10+1 {
				t.Errorf("%s: %d of %d labelled in %s", name, got, n, class)
			}
		}
		want := 30
		if name == "six-nodes" {
			want = 15
		}
		if s.Records != nil {
			want = 60
		}
		if got := len(known.Must) + len(known.Cannot); got != want || len(known.Must) == 0 || len(known.Cannot) == 0 {
			t.Errorf("%s: %d must, %d cannot, want %d together", name, len(known.Must), len(known.Cannot), want)
		}
		for _, p := range known.Must {
			wantPair(t, s, p, true)
		}
		for _, p := range known.Cannot {
			wantPair(t, s, p, false)
		}
		again, _ := s.Constraints(7)
		other, _ := s.Constraints(8)
		if fmt.Sprint(again) != fmt.Sprint(known) {
			t.Errorf("%s: the same seed drew other constraints", name)
		}
		if name != "six-nodes" && fmt.Sprint(other) == fmt.Sprint(known) {
			t.Errorf("%s: another seed drew the same constraints", name)
		}
	}
}

func wantPair(t *testing.T, s *example.Set, p constraint.Pair, together bool) {
	t.Helper()
	a, b := s.Truth[p.I], s.Truth[p.J]
	if p.I == p.J || (a == b) != together || a == example.Noise || b == example.Noise {
		t.Errorf("%s: pair %d (%s), %d (%s), together %v", s.Name, p.I, a, p.J, b, together)
	}
}

func written(t *testing.T, f example.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFiles(t *testing.T) {
	for _, name := range example.Names() {
		s := load(t, name)
		var names []string
		text := map[string]string{}
		for _, f := range s.Files() {
			names = append(names, f.Name)
			text[strings.TrimPrefix(f.Name, name)] = written(t, f)
			if again := written(t, f); again != text[strings.TrimPrefix(f.Name, name)] {
				t.Errorf("%s: other bytes on the second call", f.Name)
			}
		}
		first := ".csv"
		if s.Graph != nil {
			first = ".edges"
		}
		want := []string{name + first, name + "-truth.csv", name + "-labels.csv", name + "-links.csv"}
		if name == "iris" || name == "wine" {
			want = append(want, name+"-mislabelled.csv")
			wrong, rows := 0, cells(t, text["-mislabelled.csv"], "id,label")
			for _, row := range rows {
				if i, err := strconv.Atoi(row[0]); err != nil || s.Truth[i] != row[1] {
					wrong++
				}
			}
			if len(rows) != 60 || wrong != 8 {
				t.Errorf("%s: %d of %d labels are wrong", name, wrong, len(rows))
			}
		}
		if s.Width > 0 {
			first = ".png"
			want = append(want, name+"-strokes.png", name+"-object.png")
			want[0] = name + first
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q", name, names)
		}
		wantData(t, s, text[first])
		truth := cells(t, text["-truth.csv"], "id,label")
		for i, row := range truth {
			if row[0] != strconv.Itoa(i) || row[1] != s.Truth[i] {
				t.Fatalf("%s: truth of row %d is %q", name, i, row)
			}
		}
		if len(truth) != s.Len() {
			t.Errorf("%s: truth of %d rows", name, len(truth))
		}
		cells(t, text["-labels.csv"], "id,label")
		for _, row := range cells(t, text["-links.csv"], "a,b,kind") {
			if row[2] != "must" && row[2] != "cannot" {
				t.Errorf("%s: link %q", name, row)
			}
		}
	}
}

// cells parses a CSV text and returns what follows its header.
func cells(t *testing.T, text, header string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], ","); got != header || len(rows) < 2 {
		t.Fatalf("header %q and %d rows, want %q", got, len(rows)-1, header)
	}
	return rows[1:]
}

// wantData reads back the file of the data and compares it with the set.
func wantData(t *testing.T, s *example.Set, text string) {
	t.Helper()
	switch {
	case s.Width > 0: // read back by TestFilesAreRead
	case s.X != nil:
		for i, row := range cells(t, text, strings.Join(s.Columns, ",")) {
			for f, want := range data.Copy(s.X, i) {
				if got, err := strconv.ParseFloat(row[f], 64); err != nil || got != want {
					t.Fatalf("%s: row %d, column %d: %v (%v), want %v", s.Name, i, f, got, err, want)
				}
			}
		}
	case s.Records != nil: // read back by TestFilesAreRead
	case s.Docs != nil:
		for i, row := range cells(t, text, "text") {
			if row[0] != s.Docs[i] {
				t.Fatalf("%s: document %d is %q", s.Name, i, row[0])
			}
		}
	default:
		var edges []data.Edge
		for line := range strings.Lines(text) {
			e := data.Edge{W: 1}
			if _, err := fmt.Sscan(line, &e.U, &e.V); err != nil {
				t.Fatalf("%s: %q: %v", s.Name, line, err)
			}
			edges = append(edges, e)
		}
		g, err := data.NewGraph(s.Len(), edges)
		if err != nil || !slices.Equal(g.To, s.Graph.To) || !slices.Equal(g.W, s.Graph.W) {
			t.Errorf("%s: edges read back differ (%v)", s.Name, err)
		}
	}
}
