package dataio

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
	"github.com/inklinghq/inkling/internal/support/hint"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	long := strings.Repeat("long ", 200_000)
	for _, c := range []struct {
		name, in string
		docs     []string
		notes    []hint.Hint
	}{
		{"lines", "a b\nc\n", []string{"a b", "c"}, nil},
		{"no end of line", "a b\nc", []string{"a b", "c"}, nil},
		{"windows", "\xef\xbb\xbfa\r\nb\r\n", []string{"a", "b"}, nil},
		{"blank lines", "a\n\n \nb\n\n", []string{"a", "", " ", "b", ""}, []hint.Hint{"3 blank lines kept as empty documents"}},
		{"Latin-1", "caf\xe9 5\x80\ncafé\n", []string{"café 5€", "café"}, []hint.Hint{"1 line not UTF-8, read as Latin-1"}},
		{"long line", long + "\nb", []string{long, "b"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := readertest.MustRead(t, readText, c.in, Options{As: "text"})
			if !slices.Equal(ds.Docs, c.docs) {
				t.Errorf("documents %.200q, want %.200q", ds.Docs, c.docs)
			}
			if !slices.Equal(ds.Notes, c.notes) {
				t.Errorf("notes %q, want %q", ds.Notes, c.notes)
			}
		})
	}
}

func TestTextRefuses(t *testing.T) {
	checkRefusals(t, readText, []refusal{
		{name: "empty", in: "", want: "f: there is no text in it"},
		{name: "binary", in: "a\nbc\x00d\n", want: "f:2:3: a NUL byte: this is binary, not text; name the format if it is another one"},
		{name: "as vectors", in: "a", opt: Options{As: "vectors"}, want: "f: text cannot be read as vectors, only as text"},
		{name: "label", in: "a", opt: Options{Label: "folder"}, want: "f: plain text has no named columns, so not the label column folder"},
	})
}

// Columns that are wanted only where there are any are no reason to refuse.
func TestTextIfNamed(t *testing.T) {
	if ds := readertest.MustRead(t, readText, "a", Options{ID: "key", Text: "body", IfNamed: true}); ds.Len() != 1 || ds.IDs != nil {
		t.Errorf("got %+v", ds)
	}
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SliceOfN(rapid.StringMatching(`[a-zäß €]{0,20}`), 1, 20).Draw(t, "docs")
		ds, err := readText(strings.NewReader(strings.Join(docs, "\n")+"\n"), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ds.Docs, docs) {
			t.Fatalf("got %q, want %q", ds.Docs, docs)
		}
	})
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTextDir(t *testing.T) {
	root := writeFiles(t, map[string]string{
		"sport/b.txt": "two\nlines\n", "sport/a.txt": "\xef\xbb\xbfone", "sport.txt": "top", "art/deep/x": "caf\xe9",
		".hidden": "no", "art/.git/y": "no", "art/pic": "\x89\x00", "wide": "\xff\xfeh\x00\xfc\x00\x3d\xd8\x00\xde", "Wide": "\xfe\xff\x00h",
	})
	ds, err := readTextDir(root, Options{Label: "folder"})
	if err != nil {
		t.Fatal(err)
	}
	readertest.CheckDataset(t, ds)
	if want := []string{"Wide", "art/deep/x", "sport.txt", "sport/a.txt", "sport/b.txt", "wide"}; !slices.Equal(ds.IDs, want) {
		t.Errorf("ids %q, want %q", ds.IDs, want)
	}
	if want := []string{"h", "café", "top", "one", "two\nlines\n", "hü😀"}; !slices.Equal(ds.Docs, want) {
		t.Errorf("documents %q, want %q", ds.Docs, want)
	}
	if want := []string{"", "art", "", "sport", "sport", ""}; !slices.Equal(ds.Labels, want) {
		t.Errorf("labels %q, want %q", ds.Labels, want)
	}
	if want := []hint.Hint{"2 entries left out: hidden, or neither file nor folder", "1 file left out: binary, not text (art/pic)",
		"1 document not UTF-8, read as Latin-1 (art/deep/x)"}; !slices.Equal(ds.Notes, want) {
		t.Errorf("notes %q, want %q", ds.Notes, want)
	}
	if ds, err = readTextDir(root, Options{}); err != nil || ds.Labels != nil {
		t.Errorf("labels nobody asked for: %q, %v", ds.Labels, err)
	}
}

func TestTextDirRefuses(t *testing.T) {
	root := writeFiles(t, map[string]string{"bad/x": "ab\nc\x00", "empty/.hidden": "x"})
	sep := string(filepath.Separator)
	for path, want := range map[string]string{
		"bad":   root + sep + "bad: all files in this folder are binary, not text (x)",
		"empty": root + sep + "empty: there are no files in this folder",
	} {
		if _, err := readTextDir(filepath.Join(root, path), Options{}); err == nil || readertest.Full(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if _, err := readTextDir(filepath.Join(root, "bad", "x"), Options{}); err == nil || !strings.HasSuffix(readertest.Full(err), "x: not a folder") {
		t.Errorf("a file as a folder: %v", err)
	}
	if _, err := readTextDir(filepath.Join(root, "none"), Options{}); err == nil {
		t.Error("a folder that is not there was read")
	}
}

func TestTextDirLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on this system")
	}
	root := writeFiles(t, map[string]string{"a": "x"})
	if err := os.Symlink(root, filepath.Join(root, "circle")); err != nil {
		t.Skipf("no circle of links can be made here: %v", err)
	}
	ds, err := readTextDir(root, Options{})
	if err != nil || ds.Len() != 1 {
		t.Errorf("a link in a circle: %+v, %v", ds, err)
	}
	if ds, err = readTextDir(filepath.Join(root, "circle"), Options{}); err != nil || !slices.Equal(ds.IDs, []string{"a"}) {
		t.Errorf("a link to a folder: %+v, %v", ds, err)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a b\n\nc\r\n"))
	f.Add([]byte("\xef\xbb\xbfcaf\xe9"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ds, err := readText(bytes.NewReader(b), "f", Options{})
		if err != nil {
			return
		}
		readertest.CheckDataset(t, ds)
		for i, doc := range ds.Docs {
			if !utf8.ValidString(doc) {
				t.Errorf("document %d is not UTF-8: %q", i, doc)
			}
		}
		lines := bytes.Count(b, []byte("\n"))
		if b[len(b)-1] != '\n' {
			lines++
		}
		if len(ds.Docs) != lines {
			t.Errorf("%d documents of %d lines", len(ds.Docs), lines)
		}
	})
}
