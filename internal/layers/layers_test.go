package layers

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
// answer where there is a new package.
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

func TestLayersHold(t *testing.T) {
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

func TestBreachesOfLayersAreFound(t *testing.T) {
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
		{"cluster/data", []string{"fmt", "math"}, ""},
		{"cluster/data", own("internal/compute/simd"), ""},
		{"cluster/data", own("cluster/constraint"), "both are in layer 1"},
		{"cluster/data", own("cluster"), "layer 1 does not know layer 2"},
		{"internal/compute/simd", own("internal/method/catalog"), "layer 1 does not know layer 4"},
		{"cluster", own("cluster/data", "cluster/constraint", "internal/compute/simd"), ""},
		{"cluster", own("cluster/score"), "cluster knows layer 1 only"},
		{"cluster", own("internal/method/centroid"), "layer 2 does not know layer 3"},
		{"cluster", []string{"testing"}, "only tests"},
		{"cluster/clustertest", append(own("cluster", "cluster/data"), "testing"), ""},
		{"internal/input/prepare", own("internal/input/dataio", "cluster/data"), ""},
		{"internal/input/dataio", own("internal/input/prepare"), "both are in layer 2"},
		{"cluster/score", own("internal/input/dataio"), "both are in layer 2"},
		{"internal/method/centroid", own("cluster/data", "cluster/constraint", "cluster", "internal/numeric/metric", "internal/numeric/infer"), ""},
		{"internal/method/cop", own("internal/numeric/lloyd", "internal/compute/simd", "cluster"), ""},
		{"internal/method/cop", own("internal/method/centroid"), "families do not know each other"},
		{"internal/numeric/lloyd", own("cluster", "internal/numeric/metric", "internal/compute/simd"), ""},
		{"internal/numeric/lloyd", own("internal/method/centroid"), "layer 2 does not know layer 3"},
		{"internal/compute/simd", own("internal/numeric/lloyd"), "layer 1 does not know layer 2"},
		{"internal/method/centroid", own("internal/method/spectral"), "families do not know each other"},
		{"internal/method/csp", own("internal/method/spectral"), ""},
		{"internal/method/spectral", own("internal/method/csp"), "families do not know each other"},
		{"internal/method/kernel", own("internal/numeric/posterior"), "families do not know each other"},
		{"internal/method/centroid", own("cluster/score"), "neither files nor scores"},
		{"internal/method/centroid", own("internal/input/dataio"), "neither files nor scores"},
		{"internal/method/centroid", own("internal/input/dataio/source"), "neither files nor scores"},
		{"internal/input/dataio", own("internal/input/dataio/table"), ""},
		{"internal/input/dataio/table", own("internal/input/dataio/matrix"), "both are in layer 2"},
		{"internal/input/prepare", own("internal/input/dataio/source"), "both are in layer 2"},
		{"internal/method/centroid", own("internal/method/catalog"), "layer 3 does not know layer 4"},
		{"internal/method/catalog", own("internal/method/centroid", "cluster"), ""},
		{"internal/method/catalog", own("internal/present/saved"), "layer 4 does not know layer 5"},
		{"internal/present/saved", own("internal/method/catalog", "cluster", "internal/input/prepare"), ""},
		{"internal/present/saved", own("internal/present/report"), "both are in layer 5"},
		{"internal/present/saved", []string{"io"}, ""},
		{"internal/present/saved", []string{"os"}, "only dataio, with what is below it, the front door and the commands open files"},
		{"cluster/score", []string{"log/slog"}, "only the commands"},
		{"internal/input/dataio", []string{"os", "path/filepath"}, ""},
		{"internal/input/dataio/source", []string{"os", "path/filepath"}, ""},
		{"internal/input/dataio", []string{"flag"}, "only the commands"},
		{"internal/input/dataio", []string{"log"}, "only the commands"},
		{"cmd/inkling", append(own("internal/present/saved", "internal/method/catalog", "internal/input/dataio", "cluster/data"), "os", "flag", "log/slog"), ""},
		{"cmd/inkling", []string{"math/rand"}, "math/rand/v2"},
		{"internal/method/centroid", []string{"C"}, "pure Go"},
		{"util", nil, "util has no layer"},
		{"internal/method/catalog", own("common"), "it has no layer"},
		{"databases", nil, "has no layer"},
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
		{"cluster/data", `import "fmt"; func f() { fmt.Println() }`, "prints: fmt.Println"},
		{"cluster/data", `import "fmt"; var p = fmt.Printf`, "prints: fmt.Printf"},
		{"cluster/data", `import out "fmt"; func f() { out.Print(1) }`, "prints: out.Print"},
		{"cluster/data", `import "fmt"; func f(w io.Writer) error { fmt.Fprintln(w); return fmt.Errorf("%s", fmt.Sprint(1)) }`, ""},
		{"cluster/data", `func f() { println(1) }`, "prints: println"},
		{"cluster/data", `func f(print func(int)) { print(1) }`, ""},
		{"cluster/data", `import "runtime/debug"; func f() { debug.PrintStack() }`, "prints: debug.PrintStack"},
		{"cmd/inkling", `import "fmt"; func f() { fmt.Println() }`, ""},
		{"cmd/inkling", `func init() {}`, "init function"},
		{"internal/method/catalog", `type t int; func (t) init() {}`, ""},
		{"internal/method/centroid", `import "math/rand/v2"; func f() int { return rand.IntN(3) }`, "global generator: rand.IntN"},
		{"internal/method/centroid", `import r "math/rand/v2"; func f() { r.Shuffle(0, nil) }`, "global generator: rand.Shuffle"},
		{"internal/method/centroid", `import "math/rand/v2"; func f() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }`, ""},
		{"internal/method/centroid", `import "math/rand/v2"; func f(rand *rand.Rand) int { return rand.IntN(3) }`, ""},
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
