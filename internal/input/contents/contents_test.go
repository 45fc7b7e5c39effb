package contents_test

import (
	"context"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

func read(t *testing.T, name, text string, s door.Source) *door.Table {
	t.Helper()
	table, err := door.Read(context.Background(), strings.NewReader(text), name, s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestCellsAreShownAsInTheFile(t *testing.T) {
	table := read(t, "people.csv", "name,age,town,since,note,one\nAnna,31,Ulm,2024-01-05,,1\nBert,32,Bonn,2024-01-05,x y,1\nCora,,Ulm,2023-07-01,,1\nDora,70,Ulm,2023-07-02,,1\n"+
		"Emil,50,Bonn,2023-07-02,,1\nFritz,51,Bonn,2023-07-09,,1\n", door.Source{ID: "name"})
	p := table.Contents().Pair(0, 1)
	got := map[string]string{}
	for _, f := range p.Fields {
		mark := ""
		if f.Differs {
			mark = "*"
		}
		got[f.Column] = mark + f.A + "|" + f.B
	}
	for column, want := range map[string]string{"age": "31|32", "town": "*Ulm|Bonn", "since": "2024-01-05|2024-01-05", "note": "*|x y"} {
		if got[column] != want {
			t.Errorf("%s: %q, want %q", column, got[column], want)
		}
	}
	if _, shown := got["one"]; shown {
		t.Error("a column in which all rows are alike is shown")
	}
	for _, f := range table.Contents().Pair(2, 3).Fields {
		if f.Column == "age" && (f.A != "" || f.B != "70" || !f.Differs) {
			t.Error("a missing cell:", f)
		}
	}
	for _, f := range table.Contents().Pair(0, 3).Fields {
		if f.Column == "age" && !f.Differs {
			t.Error("31 and 70 years do not differ")
		}
	}
}

func TestTextsAndNodes(t *testing.T) {
	texts := read(t, "texts.csv", "text\nred wine\nwhite wine\n", door.Source{Text: "text"})
	if p := texts.Contents().Pair(0, 1); p.Texts == nil || p.Texts.A != "red wine" || p.Texts.B != "white wine" || p.Fields != nil {
		t.Error(p)
	}
	graph := read(t, "g.edges", "0 1 2\n0 2 1\n1 2 3\n2 3 1\n", door.Source{})
	p := graph.Contents().Pair(0, 1)
	if p.Neighbours == nil || p.Joined == nil || *p.Joined != 2 {
		t.Fatal(p)
	}
	a := p.Neighbours.A
	if a.Count != 2 || a.Common != 1 || a.List[0].ID != "2" || !a.List[0].Common || a.List[1].ID != "1" || a.List[1].Weight != 2 || a.List[1].Common {
		t.Error(a)
	}
	if p := graph.Contents().Pair(0, 3); p.Joined != nil {
		t.Error("an edge that is not there")
	}
	kernel, err := door.FromKernel(matrix(t, [][]float64{{1, .5, .1}, {.5, 1, .2}, {.1, .2, 1}}), door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	if p := kernel.Contents().Pair(0, 2); p.Joined == nil || *p.Joined != .1 || p.Neighbours.A.List[0].ID != "1" || !p.Neighbours.A.List[0].Common {
		t.Error(p)
	}
}

func TestFeaturesWithoutNamesAndPixels(t *testing.T) {
	rows, err := door.FromRows([][]float64{{1, 2}, {3, 2}, {1, 2}}, door.Names{})
	if err != nil {
		t.Fatal(err)
	}
	if f := rows.Contents().Pair(0, 1).Fields; len(f) != 2 || f[0].Column != "column 0" || !f[0].Differs || f[1].Differs {
		t.Error(f)
	}
	sparse := read(t, "x.svm", "0 1:1 5:2\n0 5:2 9:1\n", door.Source{})
	if f := sparse.Contents().Pair(0, 1).Fields; len(f) != 3 {
		t.Error("features that neither row has are shown:", f)
	}
	scene, err := door.Open(context.Background(), "example:scene.png", door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	p := scene.Contents().Pair(0, 193)
	if p.Colours == nil || len(p.Fields) != 2 || p.Fields[0].B != "1" || p.Fields[1].B != "1" || p.Colours.A == [3]uint8{} {
		t.Error(p)
	}
}

func matrix(t *testing.T, rows [][]float64) *data.Dense {
	t.Helper()
	m, err := data.FromRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
