package floors

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// list returns every package of the module.
func list(t *testing.T) (pkgs []Package) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,IgnoredGoFiles,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// watch opens every folder of the module, so that go test does not take an old
// answer for a house that has a new room.
func watch(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheHouseKeepsItsFloors(t *testing.T) {
	watch(t)
	pkgs := list(t)
	if len(pkgs) < 5 {
		t.Fatalf("go list finds %d packages only", len(pkgs))
	}
	for _, b := range Check(pkgs) {
		t.Error(b)
	}
	fset := token.NewFileSet()
	for _, p := range pkgs {
		for _, f := range p.GoFiles {
			path, err := filepath.Rel(filepath.Dir(filepath.Dir(mustAbs(t))), filepath.Join(p.Dir, f))
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(filepath.Join(p.Dir, f))
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(fset, path, source, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range ForbiddenCalls(p.Name(), fset, file) {
				t.Error(b)
			}
		}
	}
}

func mustAbs(t *testing.T) string {
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestBreachesOfFloorsAreFound(t *testing.T) {
	own := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, Module+"/"+n)
		}
		return paths
	}
	for _, c := range []struct {
		name    string
		imports []string
		says    string // "": allowed
	}{
		{"data", []string{"fmt", "math"}, ""},
		{"data", own("internal/simd"), ""},
		{"data", own("constraint"), "both stand on floor 1"},
		{"data", own("cluster"), "floor 1 does not know floor 2"},
		{"internal/simd", own("catalog"), "floor 1 does not know floor 4"},
		{"cluster", own("data", "constraint", "internal/simd"), ""},
		{"cluster", own("score"), "cluster knows floor 1 only"},
		{"cluster", own("centroid"), "floor 2 does not know floor 3"},
		{"cluster", []string{"testing"}, "only tests"},
		{"cluster/clustertest", append(own("cluster", "data"), "testing"), ""},
		{"prepare", own("dataio", "data"), ""},
		{"dataio", own("prepare"), "both stand on floor 2"},
		{"score", own("dataio"), "both stand on floor 2"},
		{"centroid", own("data", "constraint", "cluster", "metric", "infer"), ""},
		{"centroid/cop", own("internal/lloyd", "internal/simd", "cluster"), ""},
		{"centroid/cop", own("centroid"), "families do not know each other"},
		{"internal/lloyd", own("cluster", "metric", "internal/simd"), ""},
		{"internal/lloyd", own("centroid"), "floor 2 does not know floor 3"},
		{"internal/simd", own("internal/lloyd"), "floor 1 does not know floor 2"},
		{"centroid", own("spectral"), "families do not know each other"},
		{"kernel", own("posterior"), "families do not know each other"},
		{"centroid", own("score"), "neither files nor scores"},
		{"centroid", own("dataio"), "neither files nor scores"},
		{"centroid", own("dataio/source"), "neither files nor scores"},
		{"dataio", own("dataio/table"), ""},
		{"dataio/table", own("dataio/matrix"), "both stand on floor 2"},
		{"prepare", own("dataio/source"), "both stand on floor 2"},
		{"centroid", own("catalog"), "floor 3 does not know floor 4"},
		{"catalog", own("centroid", "cluster"), ""},
		{"catalog", own("saved"), "floor 4 does not know floor 5"},
		{"saved", own("catalog", "cluster", "prepare"), ""},
		{"saved", own("report"), "both stand on floor 5"},
		{"saved", []string{"io"}, ""},
		{"saved", []string{"os"}, "only dataio, with what is below it, the front door and the commands open files"},
		{"score", []string{"log/slog"}, "only the commands"},
		{"dataio", []string{"os", "path/filepath"}, ""},
		{"dataio/source", []string{"os", "path/filepath"}, ""},
		{"dataio", []string{"flag"}, "only the commands"},
		{"dataio", []string{"log"}, "only the commands"},
		{"cmd/inkling", append(own("saved", "catalog", "dataio", "data"), "os", "flag", "log/slog"), ""},
		{"cmd/inkling", []string{"math/rand"}, "math/rand/v2"},
		{"centroid", []string{"C"}, "pure Go"},
		{"util", nil, "util has no floor"},
		{"catalog", own("common"), "it has no floor"},
		{"databases", nil, "has no floor"},
	} {
		got := Check([]Package{{ImportPath: Module + "/" + c.name, Imports: c.imports}})
		switch {
		case c.says == "" && len(got) > 0:
			t.Errorf("%s with %v is refused: %v", c.name, c.imports, got)
		case c.says != "" && (len(got) != 1 || !strings.Contains(got[0], c.says)):
			t.Errorf("%s with %v: found %q, wanted one that says %q", c.name, c.imports, got, c.says)
		}
	}
}

func TestForbiddenCallsAreFound(t *testing.T) {
	for _, c := range []struct{ name, code, says string }{
		{"data", `import "fmt"; func f() { fmt.Println() }`, "prints: fmt.Println"},
		{"data", `import "fmt"; var p = fmt.Printf`, "prints: fmt.Printf"},
		{"data", `import out "fmt"; func f() { out.Print(1) }`, "prints: out.Print"},
		{"data", `import "fmt"; func f(w io.Writer) error { fmt.Fprintln(w); return fmt.Errorf("%s", fmt.Sprint(1)) }`, ""},
		{"data", `func f() { println(1) }`, "prints: println"},
		{"data", `func f(print func(int)) { print(1) }`, ""},
		{"data", `import "runtime/debug"; func f() { debug.PrintStack() }`, "prints: debug.PrintStack"},
		{"cmd/inkling", `import "fmt"; func f() { fmt.Println() }`, ""},
		{"cmd/inkling", `func init() {}`, "init function"},
		{"catalog", `type t int; func (t) init() {}`, ""},
		{"centroid", `import "math/rand/v2"; func f() int { return rand.IntN(3) }`, "global generator: rand.IntN"},
		{"centroid", `import r "math/rand/v2"; func f() { r.Shuffle(0, nil) }`, "global generator: rand.Shuffle"},
		{"centroid", `import "math/rand/v2"; func f() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }`, ""},
		{"centroid", `import "math/rand/v2"; func f(rand *rand.Rand) int { return rand.IntN(3) }`, ""},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "planted.go", "package p\n"+c.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ForbiddenCalls(c.name, fset, file)
		switch {
		case c.says == "" && len(got) > 0:
			t.Errorf("%s is refused: %v", c.code, got)
		case c.says != "" && (len(got) != 1 || !strings.Contains(got[0], c.says)):
			t.Errorf("%s: found %q, wanted one that says %q", c.code, got, c.says)
		}
	}
}
