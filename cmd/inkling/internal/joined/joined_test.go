package joined

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

var three = Columns{Names: []string{"cluster", "confidence", "second", "margin"}, Rows: 3, Cells: func(row int) []string {
	return [][]string{{"a", "0.9", "b", "1.5"}, nil, {"1", "0.5", "", ""}}[row]
}}

func TestCSV(t *testing.T) {
	for in, want := range map[string]string{
		"x,y\n1,2\n3,\n5,\"6,7\"\n":          "x,y,cluster,confidence,second,margin\n1,2,a,0.9,b,1.5\n3,,,,,\n5,\"6,7\",1,0.5,,\n",
		"\xef\xbb\xbfx;y\r\n1;2\n3;4\n5;6\n": "x;y;cluster;confidence;second;margin\n1;2;a;0.9;b;1.5\n3;4;;;;\n5;6;1;0.5;;\n",
	} {
		var out bytes.Buffer
		if err := CSV(&out, strings.NewReader(in), three); err != nil || out.String() != want {
			t.Errorf("%q: %q, %v", in, out.String(), err)
		}
	}
	for _, in := range []string{"", "x\n1\n", "x\n1\n2\n3\n4\n"} {
		if err := CSV(new(bytes.Buffer), strings.NewReader(in), three); err == nil {
			t.Errorf("%q: no error for another number of rows", in)
		}
	}
}

func TestJSONLines(t *testing.T) {
	const in = "{\"x\": 1}\n\n{}\n {\"x\":{\"y\":2}} \n"
	const want = "{\"x\": 1,\"cluster\":\"a\",\"confidence\":0.9,\"second\":\"b\",\"margin\":1.5}\n" +
		"{\"cluster\":null,\"confidence\":null,\"second\":null,\"margin\":null}\n" +
		"{\"x\":{\"y\":2},\"cluster\":\"1\",\"confidence\":0.5,\"second\":null,\"margin\":null}\n"
	var out bytes.Buffer
	if err := JSONLines(&out, strings.NewReader(in), three); err != nil || out.String() != want {
		t.Errorf("%q, %v", out.String(), err)
	}
	for _, bad := range []string{"[1]\n", "{\n", "x}\n", "{}\n"} {
		if err := JSONLines(new(bytes.Buffer), strings.NewReader(bad), three); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("x,y\n1,2\n3,4\n5,6\n"))
	f.Add([]byte("\xef\xbb\xbfa;b\n\"x;\"\"\";2\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		if CSV(&out, bytes.NewReader(in), three) != nil {
			return
		}
		if !bytes.Contains(out.Bytes(), []byte("confidence")) {
			t.Errorf("%q: %q", in, out.Bytes())
		}
		if _, err := csv.NewReader(&out).ReadAll(); err != nil && !strings.Contains(err.Error(), "wrong number of fields") && !strings.Contains(err.Error(), "quote") {
			t.Errorf("%q: %v", in, err)
		}
	})
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte("{}\n{}\n{\"x\":1}\n"))
	f.Fuzz(func(t *testing.T, in []byte) { _ = JSONLines(new(bytes.Buffer), bytes.NewReader(in), three) })
}
