package dataio

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// ring is an edge list of n named nodes.
func ring(n int, sign, weight string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "YAL%03dW%sYAL%03dW%s\n", i, sign, (i+1)%n, weight)
	}
	return b.String()
}

// shops is a table with two columns of names that have nothing in common.
func shops() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "shop%d,article%d,%d\n", i%30, i, i)
	}
	return b.String()
}

func TestEdgeListsAreRecognisedByContent(t *testing.T) {
	for _, c := range []struct {
		about, text string
		names       string
		format      Format
	}{
		{"names and blanks", ring(30, " ", ""), "f.txt f.csv f.tsv f -", source.Edges},
		{"names and tabs", ring(30, "\t", "\t0.5"), "f.txt f.csv f.tsv f", source.Edges},
		{"names and commas", ring(30, ",", ",2"), "f.txt f.csv f", source.Edges},
		{"comments", "# a network\n" + ring(5, " ", ""), "f.txt f", source.Edges},
		{"a header", "u\tv\tw\tconfidence\n0\t25\t1\thigh\n0\t26\t1\thigh\n", "f.txt f.tsv f.csv f", source.Edges},
		{"a header of names", "node1,node2\n" + ring(4, ",", ""), "f.csv", source.Edges},
		{"a header of something", "author1;author2;papers\n" + ring(30, ";", ";3"), "f.csv", source.Edges},
		{"few names", "home,away,goals\n" + ring(6, ",", ",3"), "f.csv", source.CSV},
		{"answers", "before,after,points\n" + strings.Repeat("yes,no,3\nno,no,2\nno,yes,4\n", 30), "f.csv", source.CSV},
		{"names of two kinds", "shop,article,price\n" + shops(), "f.csv", source.CSV},
		{"whole numbers in text", "0 1\n1 2\n2 0\n3 1\n", "f.txt f", source.Edges},
		{"whole numbers in a table", "0,1\n1,2\n2,0\n3,1\n", "f.csv", source.CSV},
		{"a table of two columns", "a,b\n1,2\n2,1\n3,3\n1,1\n", "f.csv", source.CSV},
		{"a table with missing cells", "x,y\n1,N/A\n#N/A,2\n<NA>,9\n9,n/a\n", "f.csv", source.CSV},
		{"measurements", "0.5 1\n1.5 2\n2 0.5\n", "f.txt f.dat f", source.CSV},
		{"documents", "good morning everybody here\nthe morning is good\nno\n", "f.txt", source.Text},
		{"short documents", "red car\nblue sky\ngreen tree\nold house\n", "f.txt", source.Text},
		{"ids and classes", "id,kind\nu1,x\nu2,y\nu3,x\nu4,y\n", "f.csv", source.CSV},
	} {
		for _, name := range strings.Fields(c.names) {
			got, _, err := pickFormat(name, []byte(c.text), Options{}, name)
			if err != nil || got != c.format {
				t.Errorf("%s as %s: %s, %v, want %s", c.about, name, got, err, c.format)
			}
			if got, _, _ := pickFormat(name, []byte(c.text), Options{ID: "x"}, name); got == source.Edges {
				t.Errorf("%s as %s with an id column: edges", c.about, name)
			}
		}
	}
	ds, err := Read(strings.NewReader("node1,node2\n"+ring(4, ",", "")), "f.csv", Options{})
	if err != nil || ds.Graph == nil || ds.Graph.Len() != 4 {
		t.Errorf("%+v, %v", ds, err)
	}
}

func TestIDsFromAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		path := filepath.Join(dir, "ids.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(ids string) (*Dataset, error) {
		return Read(strings.NewReader("1 1:2\n0 2:3\n"), "f.svm", Options{IDs: write(ids)})
	}
	for _, text := range []string{"u\nv\n", "name\nu\nv\n", "id,more\nu,1\n\"v\",2\n", "\xef\xbb\xbfu\r\nv\r\n"} {
		ds, err := read(text)
		if err != nil || ds.ID(0) != "u" || ds.ID(1) != "v" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{"u\n": "1 ids for 2 rows", "a\nb\nc\nd\n": "more than 2 ids for 2 rows", "u\nu\n": ":2: id", "u\n\nv\n": ":2: the line has no id"} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := Read(strings.NewReader("a,b\n1,2\n"), "f.csv", Options{IDs: write("u\n")}); err == nil {
		t.Error("ids for a table with columns")
	}
}

func FuzzEdgeContent(f *testing.F) {
	f.Add([]byte("u v\na b\n"))
	f.Add([]byte("0\t1\t2\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		looksLikeEdges(head, true)
		looksLikeEdges(head, false)
	})
}
