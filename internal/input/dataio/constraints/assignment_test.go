package constraints

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/input/dataio/scan"
	"pgregory.net/rapid"
)

func mustAssign(t testing.TB, in string) *Assignment {
	t.Helper()
	a, err := ReadAssignment(strings.NewReader(in), "f", 0)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestReadAssignment(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"id,label\n0,a\n1,b\n2,a\n", "0=a 1=b 2=a"},
		{"id,cluster\r\n5,1\r\n3,0\r\n\r\n4,1", "5=1 3=0 4=1"},
		{"cluster\tid\n1\tx\n2\ty\n", "x=1 y=2"},
		{"ID,x,Label\nu, 7 ,\"a,b\"\n\"v\",8, c \n", "u=a,b v=c"},
		{"id,species\n1,s\n01,t\n+1,u\n", "1=s 01=t +1=u"},
		{"id,label\n0,a\n1,b\nx,c\n7,d\n", "0=a 1=b x=c 7=d"},
		{"id,label\n123456789012345678901,a\n1,b\n", "123456789012345678901=a 1=b"},
	} {
		a := mustAssign(t, c.in)
		var got []string
		for i := range a.Len() {
			got = append(got, a.ID(i)+"="+a.Label(i))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: got %s, want %s", c.in, s, c.want)
		}
	}
}

func TestReadAssignmentRefuses(t *testing.T) {
	header := "; the first line names the columns, as in id,label or id,cluster"
	for _, c := range []struct{ in, want string }{
		{"0,1\n1,1\n", "f:1: there is no header" + header},
		{"id,label\n", "f: there are no rows"},
		{"row,label\n1,2\n", "f:1: the columns are row, label" + header},
		{"id,a,b\n1,2,3\n", "f:1: the columns are id, a, b" + header},
		{"id,label,cluster\n1,2,3\n", `f:1: columns "label" and "cluster" could both be the label; leave one of them`},
		{"id,label\n1,a\n\n1,b\n", `f:4: id "1" is already on line 2; every row needs its own id`},
		{"id,label\nx,a\ny,b\nx,b\n", `f:4: id "x" is already on line 2; every row needs its own id`},
		{"id,label\n99999999999,a\n5,b\n5,b\n", `f:4: id "5" is already on line 3; every row needs its own id`},
		{"id,label\n1,\n2,NA\n", `f: no row has a label`},
		{"id,label\n ,x\n", `f:2:2: column "id": the row has no id`},
		{"id,label\n1,a,b\n", `f:2:5: the line has 3 cells, the header has 2; a cell that holds the delimiter must stand in quotes`},
		{"id,label\n1\n", `f:2: the line has 1 cell, the header has 2`},
	} {
		_, err := ReadAssignment(strings.NewReader(c.in), "f", 0)
		if err == nil || readertest.Full(err) != c.want {
			t.Errorf("%q: got  %v\nwant %s", c.in, err, c.want)
		}
	}
}

// Match is compared with a join by a map, for ids of every kind and order.
func TestMatch(t *testing.T) {
	id := rapid.OneOf(rapid.StringMatching(`[0-9]{1,2}`), rapid.StringMatching(`[1-9][0-9]{5,8}`), rapid.StringMatching(`[a-c]{1,2}`))
	file := func(t *rapid.T, which string) (string, map[string]string, []string) {
		var ids []string
		switch rapid.IntRange(0, 2).Draw(t, which) {
		case 0:
			for i := range rapid.IntRange(1, 20).Draw(t, "n") {
				ids = append(ids, strconv.Itoa(i))
			}
		case 1:
			for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, 1<<rapid.IntRange(5, 40).Draw(t, "bits")), 1, 20, rapid.ID).Draw(t, "numbers") {
				ids = append(ids, strconv.Itoa(i))
			}
		default:
			ids = rapid.SliceOfNDistinct(id, 1, 20, rapid.ID).Draw(t, "ids")
		}
		var b strings.Builder
		b.WriteString("id,label\n")
		labels := map[string]string{}
		for _, id := range ids {
			labels[id] = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "label")
			fmt.Fprintf(&b, "%s,%s\n", id, labels[id])
		}
		return b.String(), labels, ids
	}
	rapid.Check(t, func(t *rapid.T) {
		textA, inA, idsA := file(t, "a")
		textB, inB, idsB := file(t, "b")
		read := func(text string) *Assignment {
			s := scan.NewChunks(strings.NewReader(text), true)
			s.ChunkSize = rapid.IntRange(1, 50).Draw(t, "size")
			a, err := readAssignment(s, "f", ',', rapid.IntRange(1, 3).Draw(t, "workers"))
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		a, b := read(textA), read(textB)
		truth, pred, onlyA, onlyB := Match(a, b)
		var got, want []string
		for p := range truth {
			got = append(got, a.Names[truth[p]]+b.Names[pred[p]])
		}
		for _, i := range onlyA {
			got = append(got, "a"+a.ID(i))
		}
		for _, j := range onlyB {
			got = append(got, "b"+b.ID(j))
		}
		for _, id := range idsA {
			if l, ok := inB[id]; ok {
				want = append(want, inA[id]+l)
			}
		}
		for _, id := range idsA {
			if _, ok := inB[id]; !ok {
				want = append(want, "a"+id)
			}
		}
		for _, id := range idsB {
			if _, ok := inA[id]; !ok {
				want = append(want, "b"+id)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q and %q: got %q, want %q", textA, textB, got, want)
		}
	})
}

func describeAssignment(in string, size, workers int) string {
	s := scan.NewChunks(strings.NewReader(in), true)
	s.ChunkSize, s.Longest = size, 64
	a, err := readAssignment(s, "f", ',', workers)
	if err != nil {
		return readertest.Full(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v %q", a.Codes, a.Names)
	for i := range a.Len() {
		fmt.Fprintf(&b, " %q", a.ID(i))
	}
	return b.String()
}

func FuzzAssignment(f *testing.F) {
	f.Add("id,label\n0,a\n1,b\n", 3)
	f.Add("id,label\n\"x\n\",a\n1,b\n", 2)
	f.Add("id,x,cluster\n7,,1\n3,,2\n3,,2\n", 9)
	f.Fuzz(func(t *testing.T, in string, size int) {
		size = 1 + (size%97+97)%97
		want := describeAssignment(in, 1<<20, 1)
		if got := describeAssignment(in, size, 2); got != want {
			t.Fatalf("in chunks of %d: got %s, want %s", size, got, want)
		}
	})
}

func BenchmarkReadAssignment(b *testing.B) {
	const n = 10000000
	path := filepath.Join(b.TempDir(), "a.csv")
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i * 7 % 50
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(WriteAssignment(f, strconv.Itoa, labels, nil), f.Close()); err != nil {
		b.Fatal(err)
	}
	b.Run("n=10000000", func(b *testing.B) {
		for b.Loop() {
			if _, err := OpenAssignment(path, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func ExampleMatch() {
	truth, _ := ReadAssignment(strings.NewReader("id,label\nann,x\nbob,y\ncy,x\n"), "truth.csv", 0)
	pred, _ := ReadAssignment(strings.NewReader("id,cluster\ncy,0\nann,0\ndee,1\n"), "pred.csv", 0)
	a, b, onlyA, onlyB := Match(truth, pred)
	for p := range a {
		fmt.Println(truth.Names[a[p]], pred.Names[b[p]])
	}
	fmt.Println(truth.ID(onlyA[0]), pred.ID(onlyB[0]))
	// Output:
	// x 0
	// x 0
	// bob dee
}

func TestAssignmentWithoutLabels(t *testing.T) {
	a, err := ReadAssignment(strings.NewReader("id,label\nx,1\ny,?\n\nz, \n\"w\",2\n"), "f", 1)
	if err != nil {
		t.Fatal(err)
	}
	if a.Len() != 2 || a.ID(1) != "w" || a.Label(1) != "2" || a.Unlabelled != 2 {
		t.Errorf("%d rows, %d without a label", a.Len(), a.Unlabelled)
	}
	if want := `f:3:3: column "label": the row has no label; {common} leaves such rows out`; a.NoLabel == nil || readertest.Full(a.NoLabel) != want {
		t.Errorf("got %v, want %s", a.NoLabel, want)
	}
	if _, err = ReadAssignment(strings.NewReader("id,label\nx,1\ny,?\nx,2\n"), "f", 1); err == nil || readertest.Full(err) != `f:4: id "x" is already on line 2; every row needs its own id` {
		t.Errorf("got %v", err)
	}
}
