package example

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/suggest"
)

// A File is one file of a set: its name and how to write it. Write
// gives the same bytes on every call.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// constraintSeed draws the constraints of the files.
const constraintSeed = 1

// Files returns the files of the set. NAME is the data: NAME.csv of numbers
// with a header line, of one column text, or of records; NAME.edges for a graph, NAME.png for an
// image, which has NAME-strokes.png and NAME-object.png beside it, strokes for
// all its segments and for one against the others. Rows are identified by their
// 0-based numbers in the rest: NAME-truth.csv (id,label, all
// rows), NAME-labels.csv (id,label, a few rows) and NAME-links.csv
// (a,b,kind). Iris and wine also have NAME-mislabelled.csv: 60 labels, 8 of
// them wrong.
func (s *Set) Files() []File {
	first := File{s.Name + ".csv", s.writeRows}
	if s.Docs != nil {
		first.Write = s.writeDocs
	}
	if s.Records != nil {
		first.Write = s.writeRecords
	}
	if s.Graph != nil {
		first = File{s.Name + ".edges", s.writeEdges}
	}
	if s.Width > 0 {
		first = File{s.Name + ".png", s.writePixels}
	}
	files := []File{
		first,
		{s.Name + "-truth.csv", s.writeTruth},
		{s.Name + "-labels.csv", s.writeLabels},
		{s.Name + "-links.csv", s.writeLinks},
	}
	if s.Name == "iris" || s.Name == "wine" {
		files = append(files, File{s.Name + "-mislabelled.csv", s.writeMislabelled})
	}
	if s.Width > 0 {
		files = append(files, File{s.Name + "-strokes.png", s.strokeWriter(sceneStrokes())}, File{s.Name + "-object.png", s.strokeWriter(sceneObject())})
	}
	return files
}

func (s *Set) writeRows(w io.Writer) error {
	t := newTable(w, s.Columns...)
	row := make([]string, s.X.Dim())
	for i := range s.X.Len() {
		for f, y := range data.Copy(s.X, i) {
			row[f] = strconv.FormatFloat(y, 'g', -1, 64)
		}
		t.writeLine(row...)
	}
	return t.finish()
}

func (s *Set) writeRecords(w io.Writer) error {
	t := newTable(w, s.Columns...)
	for _, r := range s.Records {
		t.writeLine(r...)
	}
	return t.finish()
}

func (s *Set) writeDocs(w io.Writer) error {
	t := newTable(w, "text")
	for _, d := range s.Docs {
		t.writeLine(d)
	}
	return t.finish()
}

func (s *Set) writeEdges(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range s.Graph.Len() {
		to, weight := s.Graph.Neighbours(i)
		for p, j := range to {
			if int(j) < i {
				continue
			}
			fmt.Fprintf(b, "%d %d", i, j)
			if weight[p] != 1 {
				fmt.Fprintf(b, " %v", weight[p])
			}
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}

func (s *Set) writeTruth(w io.Writer) error {
	t := newTable(w, "id", "label")
	for i, c := range s.Truth {
		t.writeLine(strconv.Itoa(i), c)
	}
	return t.finish()
}

func (s *Set) writeLabels(w io.Writer) error {
	set, err := s.Constraints(constraintSeed)
	if err != nil {
		return err
	}
	t := newTable(w, "id", "label")
	for _, l := range set.Labels {
		t.writeLine(strconv.Itoa(l.I), set.Names[l.Class])
	}
	return t.finish()
}

// writeMislabelled writes 60 labels; 8 of them name another class.
func (s *Set) writeMislabelled(w io.Writer) error {
	const labels, wrong = 60, 8
	truth, names := s.Classes()
	rng := stream(constraintSeed + 1)
	rows := rng.Perm(len(truth))[:labels]
	bad := map[int]bool{}
	for _, i := range rows[:wrong] {
		bad[i] = true
	}
	slices.Sort(rows)
	t := newTable(w, "id", "label")
	for _, i := range rows {
		class := truth[i]
		if bad[i] {
			class = (class + 1 + rng.IntN(len(names)-1)) % len(names)
		}
		t.writeLine(strconv.Itoa(i), names[class])
	}
	return t.finish()
}

func (s *Set) writeLinks(w io.Writer) error {
	set, err := s.Constraints(constraintSeed)
	if err != nil {
		return err
	}
	t := newTable(w, "a", "b", "kind")
	writeLinks := func(links []constraint.Pair, kind string) {
		for _, p := range links {
			t.writeLine(strconv.Itoa(p.I), strconv.Itoa(p.J), kind)
		}
	}
	writeLinks(set.Must, "must")
	writeLinks(set.Cannot, "cannot")
	return t.finish()
}

// A table writes CSV and keeps the first error until the end.
type table struct {
	w   *csv.Writer
	err error
}

func newTable(w io.Writer, header ...string) *table {
	t := &table{w: csv.NewWriter(w)}
	t.writeLine(header...)
	return t
}

func (t *table) writeLine(cells ...string) {
	if t.err == nil {
		t.err = t.w.Write(cells)
	}
}

func (t *table) finish() error {
	if t.err != nil {
		return t.err
	}
	t.w.Flush()
	return t.w.Error()
}

// Content returns the bytes of the file of that name of a built-in set, or the name that was
// perhaps meant where there is none.
func Content(name string) (b []byte, meant string, err error) {
	var sets, all []string
	for _, s := range List() {
		sets = append(sets, s.Name)
	}
	stem, _, _ := strings.Cut(name, ".")
	near := suggest.Nearest(stem, sets)
	for _, s := range List() {
		if s.Name != near && !strings.HasPrefix(name, s.Name) {
			continue
		}
		set, err := Load(s.Name)
		if err != nil {
			return nil, "", err
		}
		for _, f := range set.Files() {
			all = append(all, f.Name)
			if f.Name == name {
				var buf bytes.Buffer
				err := f.Write(&buf)
				return buf.Bytes(), "", err
			}
		}
	}
	meant = suggest.Nearest(name, all)
	if meant == "" && len(all) > 0 {
		meant = all[0]
	}
	return nil, meant, nil
}
