package dataio

import (
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
)

func TestDecimalCommas(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []float64
		header   bool
	}{
		{"Excel in Germany", "a;b\n1,5;2\n-0,25;1.234,5\n", []float64{1.5, 2, -0.25, 1234.5}, true},
		{"thousands among them", "a;b\n1,5;1.234\n2;1.234.567\n", []float64{1.5, 1234, 2, 1234567}, true},
		{"tabs", "a\tb\n1,5\t2\n", []float64{1.5, 2}, true},
		{"no header", "1,5;2\n3;4,25\n", []float64{1.5, 2, 3, 4.25}, false},
		{"powers", "a;b\n1,5E+03;2e2\n", []float64{1500, 200}, true},
		{"quoted", "a;b\n\"1,5\";2\n", []float64{1.5, 2}, true},
		{"later", "a;b\n1;2\n3;0,125\n", []float64{1, 2, 3, 0.125}, true},
		{"points", "a;b\n1.5;2\n", []float64{1.5, 2}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds, err := Read(strings.NewReader(c.in), "x.csv", Options{Format: map[bool]Format{true: "tsv", false: "csv"}[c.name == "tabs"]})
			if err != nil {
				t.Fatal(err)
			}
			if got := ds.X.(*data.Dense).V; !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if said := strings.Contains(string(ds.Notes[0]), "decimal commas"); said != (c.name != "points") || strings.Contains(string(ds.Notes[0]), "no header") == c.header {
				t.Errorf("notes %q", ds.Notes)
			}
		})
	}
}

// What may be thousands is not guessed, nor two ways of writing put together.
func TestDecimalCommasRefused(t *testing.T) {
	const point = "is not a number; write a decimal point, not a comma, and nothing between thousands"
	for in, want := range map[string]string{
		"a;b\n1,500;2\n":                    `x.csv:2:1: column "a": "1,500" ` + point,
		"a;b\n1,5;2\n1;1.5\n":               `x.csv:2:1: column "a": "1,5" ` + point,
		"a;b\n1,5;2\n1;1,2,3\n":             `x.csv:3:3: column "b": "1,2,3" is not a number; name the column with {label-col}, {id} or {text}, or leave it out with {drop}`,
		"a;b\n1,5;x\n":                      `x.csv:2:5: column "b": "x" is not a number; name the column with {label-col}, {id} or {text}, or leave it out with {drop}`,
		"a;b\n" + far("1,5;2\n", "1.5;2\n"): `x.csv:1002:1: column "a": "1.5" has a decimal point, where others have a comma; write all numbers in one way`,
	} {
		if _, err := Read(strings.NewReader(in), "x.csv", Options{}); err == nil || readertest.Full(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// far returns a thousand lines and a last one.
func far(line, last string) string { return strings.Repeat(line, 1000) + last }
