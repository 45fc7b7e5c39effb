package constraints

import (
	"strings"
	"testing"
)

// A first line is never lost as a header where it is a row, nor read as a row where it is a header.
func TestFilesWithoutHeader(t *testing.T) {
	known := func(id string) bool { return len(id) == 1 }
	for text, want := range map[string]int{
		"a,p\nb,q\n":            2, // a is a row
		"a,p\nb,p\n":            2,
		"customer,segment\na,p": 1,
		"x1,p\nb,p\n":           2, // not a row, but p is a class
		"1,p\n2,q\n":            2,
		"1,p\n22,p\n":           2,
		"id,label\na,p\n":       1,
		"a,?\nb,p\n":            1, // a row without a label
		"a;p\nb;q\n":            2,
	} {
		rows, err := ReadLabelsOf(strings.NewReader(text), "f", "", known)
		if err != nil || len(rows) != want {
			t.Errorf("%q: %+v %v, want %d rows", text, rows, err, want)
		}
		if want == 2 && (rows[0].Line != 1 || rows[0].Label != "p" || rows[0].Weight != 1) {
			t.Errorf("%q: %+v", text, rows)
		}
	}
	for text, want := range map[string]string{
		"11,p\n22,q\n":               `f:1: the header is "11,p"`,
		"a,p,2\nb,q,3\n":             "f:1: the first line is a row, and more columns",
		"a,b,must,1\nb,c,cannot,1\n": "",
	} {
		if _, err := ReadLabelsOf(strings.NewReader(text), "f", "", known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]int{
		"a,c,must\nb,c,cannot\n": 2, "p,q,must\nq,a,1\n": 2, "1,2,ML\n3,4,CL\n": 2, "a,b,kind\na,c,must\n": 1, "one,two,three\na,c,1\n": 1, "left,right,same\na,c,1\n": 1,
	} {
		rows, err := ReadLinksOf(strings.NewReader(text), "f", known)
		if err != nil || len(rows) != want || rows[0].Kind != Must {
			t.Errorf("%q: %+v %v, want %d rows", text, rows, err, want)
		}
	}
}
