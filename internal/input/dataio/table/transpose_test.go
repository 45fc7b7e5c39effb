package table

import (
	"io"
	"strings"
	"testing"
)

func TestTranspose(t *testing.T) {
	for in, want := range map[string]string{
		"gene,s1,s2\ng1,1,2\ng2,3,4\n":          "id,g1,g2\ns1,1,3\ns2,2,4\n",
		"s1\ts2\ng1\t1\t2\ng2\t3\t4\n":          "id,g1,g2\ns1,1,3\ns2,2,4\n", // R's header
		"gene;s1\ng1;1,5\n\"a;b\";2\n":          "id,g1,a;b\ns1,\"1,5\",2\n",
		"x,s1\ng,1\ng,2\n,3\nid,4\ng,5\n":       "id,g,g.2,c2,id.2,g.3\ns1,1,2,3,4,5\n",
		"1,2,3\n4,5,6\n":                        "id,c0,c1\n0,1,4\n1,2,5\n2,3,6\n",
		"gene,s1,s2\ng1,1,\nkind,north,south\n": "id,g1,kind\ns1,1,north\ns2,,south\n",
	} {
		r, err := Transpose(strings.NewReader(in), "f", 0)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if b, _ := io.ReadAll(r); string(b) != want {
			t.Errorf("%q: %q, want %q", in, b, want)
		}
	}
	for in, want := range map[string]string{
		"":                  "f: a table to transpose needs",
		"gene\n":            "f: a table to transpose needs",
		"a,b,c\nx,1\n":      "f:2: the line has 2 cells, the first has 3",
		"a,b\nx,1\ny,1,2\n": "f:3: the line has 3 cells, the first has 2",
		"a,b\nx,\"1\n":      "f:",
	} {
		if _, err := Transpose(strings.NewReader(in), "f", 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func FuzzTranspose(f *testing.F) {
	f.Add("gene,s1,s2\ng1,1,2\n")
	f.Fuzz(func(t *testing.T, in string) {
		r, err := Transpose(strings.NewReader(in), "f", 0)
		if err != nil {
			return
		}
		again, err := Transpose(r, "f", ',')
		if err != nil {
			t.Fatalf("%q: what was transposed cannot be transposed back: %v", in, err)
		}
		if _, err := io.ReadAll(again); err != nil {
			t.Fatal(err)
		}
	})
}
