package dataio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/dataio/readertest"
)

func writeText(path, text string) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// wantFiles fails unless the folder holds exactly these files: no temporary
// one is left over.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", path, got, err, want)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	for _, text := range []string{"one", "two, longer", ""} {
		if err := writeText(path, text); err != nil {
			t.Fatal(err)
		}
		wantText(t, path, text)
	}
	wantFiles(t, dir, "out.csv")
}

// What the shell has opened is written to after what it holds, not replaced.
func TestWriteFileToOpenFile(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("no /dev/fd here:", err)
	}
	path := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := f.WriteString("before\n"); err != nil {
		t.Fatal(err)
	}
	for _, to := range []*os.File{f, w} {
		if err := writeText(fmt.Sprintf("/dev/fd/%d", to.Fd()), "text"); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	wantText(t, path, "before\ntext")
	if got, err := io.ReadAll(r); err != nil || string(got) != "text" {
		t.Errorf("the pipe carried %q, %v", got, err)
	}
}

func TestWriteFileKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "out"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out", link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := os.Symlink("later", filepath.Join(dir, "ahead")); err != nil {
		t.Fatal(err)
	}
	if err := writeText(link, "text"); err != nil {
		t.Fatal(err)
	}
	if err := writeText(filepath.Join(dir, "ahead"), "new"); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, "text")
	wantText(t, filepath.Join(dir, "later"), "new")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := writeText(filepath.Join(dir, "loop"), "x"); err == nil {
		t.Error("a link to itself was written")
	}
	wantFiles(t, dir, "ahead", "later", "link", "loop", "out")
}

func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv.gz")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half", 1<<20))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	func() {
		defer func() { recover() }()
		WriteFile(path, func(io.Writer) error { panic("stop") })
	}()
	wantText(t, path, "old")
	wantFiles(t, dir, "out.csv.gz")
	if err := writeText(dir, "x"); err == nil || !strings.Contains(readertest.Full(err), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if err := writeText(filepath.Join(dir, "none", "x"), "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if err := writeText(os.DevNull, "x"); err != nil {
			t.Errorf("a device: %v", err)
		}
	}
}

// What can be written is found out, as far as rights tell, without a trace.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.csv")
	if err := os.WriteFile(there, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{there, filepath.Join(dir, "new.csv"), os.DevNull} {
		if err := Writable(path); err != nil {
			t.Errorf("Writable(%s) = %v", path, err)
		}
	}
	if runtime.GOOS != "windows" {
		if err := Writable(filepath.Join(dir, "none", "new.csv")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in a folder that is not there: %v", err)
		}
		shut := filepath.Join(t.TempDir(), "shut")
		if err := os.Mkdir(shut, 0o555); err != nil {
			t.Fatal(err)
		}
		if err := Writable(filepath.Join(shut, "new.csv")); os.Getuid() != 0 && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("in a folder that is shut: %v", err)
		}
	}
	got, err := os.ReadFile(there)
	left, _ := os.ReadDir(dir)
	if err != nil || string(got) != "old" || len(left) != 1 {
		t.Errorf("it left %d files, and %q in the one that was there (%v)", len(left), got, err)
	}
}

func TestWriteFileCompresses(t *testing.T) {
	for _, ext := range []string{".csv", ".csv.gz", ".csv.zst"} {
		path := filepath.Join(t.TempDir(), "x"+ext)
		if err := writeText(path, "a,b\n1,2\n"); err != nil {
			t.Fatal(err)
		}
		if ds, err := Open(path, Options{}); err != nil || ds.Len() != 1 {
			t.Errorf("%s: %v, %v", ext, ds, err)
		}
	}
}

// A file that is write-protected is refused before and while it is written, also by root.
func TestWriteProtectedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept.csv")
	if err := os.WriteFile(path, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Writable(path); err == nil || !strings.Contains(err.Error(), "write-protected") {
		t.Errorf("Writable: %v", err)
	}
	if err := writeText(path, "new"); err == nil || !strings.Contains(err.Error(), "write-protected") {
		t.Errorf("WriteFile: %v", err)
	}
	wantText(t, path, "old")
	wantFiles(t, filepath.Dir(path), "kept.csv")
}

func TestLongNamesAreWritten(t *testing.T) {
	for _, base := range []string{strings.Repeat("x", 251) + ".csv", strings.Repeat("ä", 125) + ".csv", strings.Repeat("x", 244)} {
		path := filepath.Join(t.TempDir(), base)
		if err := writeText(path, "text"); err != nil {
			t.Errorf("a name of %d bytes: %v", len(base), err)
			continue
		}
		wantText(t, path, "text")
		wantFiles(t, filepath.Dir(path), base)
	}
}

// What a killed process left is removed by the next that writes the same file; what belongs
// to a living process, to another file or to another machine stays.
func TestLeftoversAreRemoved(t *testing.T) {
	if !processGone(1 << 30) {
		t.Skip("no way to ask for processes here")
	}
	dir := t.TempDir()
	prefix := hiddenPrefix("out.csv")
	gone, living := fmt.Sprintf("%s%d-0.tmp", prefix, 1<<30), fmt.Sprintf("%s%d-7.tmp", prefix, os.Getppid())
	other, foreign := fmt.Sprintf("%s%d-0.tmp", hiddenPrefix("other.csv"), 1<<30), fmt.Sprintf(".out.csv.%d-0.tmp", 1<<30)
	for _, name := range []string{gone, living, other, foreign} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeText(filepath.Join(dir, "out.csv"), "text"); err != nil {
		t.Fatal(err)
	}
	want := []string{living, other, foreign, "out.csv"}
	slices.Sort(want)
	wantFiles(t, dir, want...)
}

func TestRemoveUnfinished(t *testing.T) {
	defer func() { unfinished.ended = false }()
	dir := t.TempDir()
	err := WriteFile(filepath.Join(dir, "out.csv"), func(io.Writer) error { RemoveUnfinished(); return nil })
	if err == nil {
		t.Error("a file was written although its hidden file is gone")
	}
	if err := writeText(filepath.Join(dir, "next.csv"), "x"); !errors.Is(err, errEnding) {
		t.Errorf("after the end: %v", err)
	}
	wantFiles(t, dir)
}
