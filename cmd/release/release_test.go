package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inklinghq/inkling/internal/support/version"
)

var example = &program{
	content: []byte("the program"),
	info: version.Info{Version: "0.1.0-dev", Commit: "0123456789abcdef", Time: "2026-01-02T03:04:05Z", Go: "go1.26.0", Platform: "linux/amd64",
		Modules: []version.Module{{Path: "example.com/a", Version: "v1.0.0", Sum: "h1:a="}}},
	time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
}

var notices = file{"THIRD-PARTY.txt", 0o644, []byte("licences")}

// A wheel holds the package and the program, names its platforms, and its RECORD
// is right about every file.
func TestWheel(t *testing.T) {
	p, err := projectOf(map[string]any{"project": map[string]any{
		"name": "inkling", "dynamic": []any{"version"}, "description": "clusters", "license": "Apache-2.0", "requires-python": ">=3.9",
		"dependencies": []any{"numpy>=1.22"}, "optional-dependencies": map[string]any{"test": []any{"pytest", "tomli; python_version < '3.11'"}},
		"scripts": map[string]any{"inkling": "inkling._command:main"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.files = []file{{"inkling/__init__.py", 0o644, []byte("pass\n")}}
	p.licence, p.readme = file{"LICENSE", 0o644, []byte("licence")}, []byte("# inkling\n")
	wheel, err := wheelOf(p, platforms[0], example, notices, file{"a.cdx.json", 0o644, []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	if want := "inkling-0.1.0.dev0-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"; wheel.name != want {
		t.Errorf("the wheel is called %s, wanted %s", wheel.name, want)
	}
	files, order := unzip(t, wheel.content)
	const info = "inkling-0.1.0.dev0.dist-info/"
	wantOrder := []string{"inkling/__init__.py", "inkling/bin/inkling", info + "METADATA", info + "WHEEL", info + "entry_points.txt",
		info + "licenses/LICENSE", info + "licenses/THIRD-PARTY.txt", info + "sboms/a.cdx.json", info + "RECORD"}
	if !slices.Equal(order, wantOrder) {
		t.Errorf("the files are\n%q, wanted\n%q", order, wantOrder)
	}
	wantMetadata := `Metadata-Version: 2.4
Name: inkling
Version: 0.1.0.dev0
Summary: clusters
License-Expression: Apache-2.0
License-File: LICENSE
License-File: THIRD-PARTY.txt
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: test
Requires-Dist: pytest; extra == 'test'
Requires-Dist: tomli; (python_version < '3.11') and extra == 'test'
Description-Content-Type: text/markdown

# inkling
`
	for name, want := range map[string]string{
		"inkling/bin/inkling": "the program", info + "METADATA": wantMetadata,
		info + "entry_points.txt": "[console_scripts]\ninkling = inkling._command:main\n",
		info + "WHEEL": "Wheel-Version: 1.0\nGenerator: inkling cmd/release/build\nRoot-Is-Purelib: false\n" +
			"Tag: py3-none-manylinux2014_x86_64\nTag: py3-none-manylinux_2_17_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n",
	} {
		if got := string(files[name]); got != want {
			t.Errorf("%s:\n%s\nwanted\n%s", name, got, want)
		}
	}
	var record strings.Builder
	for _, name := range wantOrder[:len(wantOrder)-1] {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(files[name]))
	}
	if want := record.String() + info + "RECORD,,\n"; string(files[info+"RECORD"]) != want {
		t.Errorf("RECORD:\n%s\nwanted\n%s", files[info+"RECORD"], want)
	}
}

// unzip returns the files of a zip and their order, and checks times and modes.
func unzip(t *testing.T, content []byte) (files map[string][]byte, order []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range z.File {
		if !f.Modified.Equal(example.time) {
			t.Errorf("the time of %s is %v", f.Name, f.Modified)
		}
		if program := strings.Contains(f.Name, "bin/") || strings.HasSuffix(f.Name, ".exe"); program != (f.Mode() == 0o755) {
			t.Errorf("the mode of %s is %v", f.Name, f.Mode())
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		order = append(order, f.Name)
	}
	return files, order
}

func TestArchive(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"LICENSE", "README.md"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := archiveOf(root, platforms[0], example, notices)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(a.content))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %o %d %d %q", h.Name, h.Mode, h.ModTime.Unix(), h.Uid, h.Uname))
	}
	const stem, rest = "inkling-0.1.0-dev-linux-amd64", `1767323045 0 ""`
	want := []string{stem + "/inkling 755 " + rest, stem + "/LICENSE 644 " + rest, stem + "/README.md 644 " + rest, stem + "/THIRD-PARTY.txt 644 " + rest}
	if a.name != stem+".tar.gz" || !slices.Equal(got, want) {
		t.Errorf("%s: found\n%q, wanted\n%q", a.name, got, want)
	}
	w, err := archiveOf(root, platforms[4], example, notices)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := unzip(t, w.content)
	if w.name != "inkling-0.1.0-dev-windows-amd64.zip" || string(files["inkling-0.1.0-dev-windows-amd64/inkling.exe"]) != "the program" {
		t.Errorf("%s has %d files", w.name, len(files))
	}
}

func TestChecksums(t *testing.T) {
	got := checksums([]file{{"b", 0o644, nil}, {"a", 0o644, []byte("x")}})
	const want = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n" + // printf x | sha256sum
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if string(got.content) != want {
		t.Errorf("found\n%swanted\n%s", got.content, want)
	}
}

func TestMaterialsOf(t *testing.T) {
	var b materials
	if err := json.Unmarshal(materialsOf(example), &b); err != nil {
		t.Fatal(err)
	}
	refs := []string{"pkg:golang/stdlib@1.26.0", "pkg:golang/example.com/a@v1.0.0"}
	if got := b.Dependencies[0]; got.Ref != "pkg:golang/github.com/inklinghq/inkling@v0.1.0-dev" || !slices.Equal(got.On, refs) {
		t.Errorf("the dependencies are %v", got)
	}
	if got, want := b.Metadata.Component.Hashes[0].Content, fmt.Sprintf("%x", sha256.Sum256(example.content)); got != want {
		t.Errorf("the checksum of the program is %s, wanted %s", got, want)
	}
	if got := b.Metadata.Timestamp; got != example.info.Time {
		t.Errorf("the time is %s, not that of the commit", got)
	}
	if got := b.Components[1].Properties; !slices.Equal(got, []property{{"go:sum", "h1:a="}}) {
		t.Errorf("the module is described by %v", got)
	}
}

// elfProgram returns a program of one segment.
func elfProgram(kind uint32, segment []byte) []byte {
	b := append([]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, make([]byte, 9)...) // 64 bits, little-endian
	le := binary.LittleEndian
	b = le.AppendUint16(b, 2)  // an executable
	b = le.AppendUint16(b, 62) // x86-64
	b = le.AppendUint32(b, 1)
	b = le.AppendUint64(b, 0)  // entry
	b = le.AppendUint64(b, 64) // the program header follows this one
	b = le.AppendUint64(b, 0)
	b = le.AppendUint32(b, 0)
	for _, size := range []uint16{64, 56, 1, 64, 0, 0} { // headers: sizes and counts
		b = le.AppendUint16(b, size)
	}
	b = le.AppendUint32(b, kind)
	b = le.AppendUint32(b, 4) // readable
	for _, v := range []uint64{120, 0, 0, uint64(len(segment)), uint64(len(segment)), 1} {
		b = le.AppendUint64(b, v)
	}
	return append(b, segment...)
}

func TestStatic(t *testing.T) {
	const load, interp = 1, 3
	if err := static(bytes.NewReader(elfProgram(load, []byte("code")))); err != nil {
		t.Errorf("a static program is refused: %v", err)
	}
	if err := static(bytes.NewReader(elfProgram(interp, []byte("/lib/ld.so\x00")))); err == nil {
		t.Error("a program that needs a loader is accepted")
	}
}

// A program that does not name its commit is refused, as is one for another
// platform: this test is both.
func TestDescribe(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := commit{hash: strings.Repeat("0123456789", 4)[2:], time: time.Now()}
	if _, err := describe(platform{os: runtime.GOOS, arch: runtime.GOARCH}, content, from); err == nil || !strings.Contains(err.Error(), "commit") {
		t.Errorf("found %v, wanted an error about the commit", err)
	}
	if _, err := describe(platform{os: "plan9", arch: "arm"}, content, from); err == nil || !strings.Contains(err.Error(), "is for") {
		t.Errorf("found %v, wanted an error about the platform", err)
	}
}

func TestPlatformsOf(t *testing.T) {
	for names, want := range map[string]int{"all": 5, "linux/amd64,windows/amd64": 2, "plan9/arm": 0, "": 0} {
		if got, err := platformsOf(names); len(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v", names, got, err)
		}
	}
}

func TestPythonVersion(t *testing.T) {
	for v, want := range map[string]string{"0.1.0-dev": "0.1.0.dev0", "1.2.3": "1.2.3", "1.0.0-rc.2": "1.0.0rc2", "1.0.0-beta1": "1.0.0b1"} {
		if got := pythonVersion(v); got != want {
			t.Errorf("%s: %s, wanted %s", v, got, want)
		}
	}
	if _, err := projectOf(map[string]any{"project": map[string]any{"name": "inkling", "version": "9.9"}}); err == nil {
		t.Error("another version than that of the program is accepted")
	}
	p := &project{version: "0.1.0.dev0", files: []file{{"inkling/__init__.py", 0o644, []byte("x\n__version__ = \"0.1.0.dev0\"\n")}}}
	if err := p.checkVersion(); err != nil {
		t.Error(err)
	}
	if p.version = "0.1.0"; p.checkVersion() == nil {
		t.Error("another __version__ than that of the program is accepted")
	}
}

// What git ignores stays out of the wheel, what is new is in it.
func TestPackageFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{".gitignore": "*.pyc\nbin/\n", "inkling/a.py": "", "inkling/a.pyc": "", "inkling/bin/inkling": "", "inkling/b/c.py": "", "tests/t.py": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "inkling/b", ".gitignore"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, said)
		}
	}
	files, err := packageFiles(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	if want := []string{"inkling/a.py", "inkling/b/c.py"}; !slices.Equal(names, want) {
		t.Errorf("found %q, wanted %q", names, want)
	}
}

func TestParseTOML(t *testing.T) {
	got, err := parseTOML(`# a project
[project]
name = "inkling" # its name
'quoted key' = 'C:\x'
list = [
  "a", # first
  "b\t\"c\"",
]
people = [{name = "N", email = "e"}, {}]
empty = []

[project.urls]
"Home page" = "https://example.com/#x"
[tool.x]
strict = true
limit = -12
`)
	want := map[string]any{
		"project": map[string]any{
			"name": "inkling", "quoted key": `C:\x`, "list": []any{"a", "b\t\"c\""}, "empty": []any{},
			"people": []any{map[string]any{"name": "N", "email": "e"}, map[string]any{}},
			"urls":   map[string]any{"Home page": "https://example.com/#x"},
		},
		"tool": map[string]any{"x": map[string]any{"strict": "true", "limit": "-12"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, %v", got, err)
	}
	for text, line := range map[string]string{
		"a = 1\nb": "line 2", "a = \"x": "line 1", "a = [1 2]": "line 1", "a = 1\na = 2": "line 2", "a = 1 b = 2": "line 1",
		"[a\nb = 1": "line 1", "a = 1\n[a]": "line 2", "a = \"\"\"x\"\"\"": "line 1", "= 1": "line 1", "a =": "line 1", "a = 'x\n'": "line 1",
	} {
		if got, err := parseTOML(text); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v, %v, wanted an error in %s", text, got, err, line)
		}
	}
}
