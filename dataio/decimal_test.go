package dataio

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/data"
	"pgregory.net/rapid"
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
			ds, err := Read(strings.NewReader(c.in), "x.csv", Options{Format: map[bool]string{true: "tsv", false: "csv"}[c.name == "tabs"]})
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
		if _, err := Read(strings.NewReader(in), "x.csv", Options{}); err == nil || full(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// far returns a thousand lines and a last one.
func far(line, last string) string { return strings.Repeat(line, 1000) + last }

// A number written with a comma is the number.
func TestCommaNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.Float64Range(-1e9, 1e9).Draw(t, "y")
		s := strings.Replace(strconv.FormatFloat(y, 'f', rapid.IntRange(0, 6).Draw(t, "digits"), 64), ".", ",", 1)
		plain, ok, _ := commaNumber([]byte(s))
		if want := strings.Replace(s, ",", ".", 1); !ok || string(plain) != want {
			t.Fatalf("%s became %s, %v", s, plain, ok)
		}
	})
	for s, want := range map[string]string{
		"1.234,5": "1234.5", "12.345.678": "12345678", "-1.234": "-1234", "": "", "1.5": "", "1.5e5": "", "1.2345": "", ".500": "", "1,": "",
		"1,2,3": "", "--1,5": "", "1.234.56": "", "0001.234": "", ",5": ".5", "x": "",
	} {
		if plain, ok, _ := commaNumber([]byte(s)); ok != (want != "") || ok && string(plain) != want {
			t.Errorf("%q became %q, %v, want %q", s, plain, ok, want)
		}
	}
}
