package floors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pendingStructure lists packages that still exceed a limit of structure.go. One
// that keeps all limits must be taken off: the list only gets shorter.
var pendingStructure = []string{}

// measureVariable names the environment variable that holds the package whose
// back references the test prints.
const measureVariable = "STRUCTURE"

// A listed package is what go list says about a package, dependencies included.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, IgnoredGoFiles []string
	Standard                bool
}

// measureModule type-checks and measures every package of the module.
func measureModule(t *testing.T) (measured []*Structure) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,IgnoredGoFiles,Standard", "./...")
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	exports := map[string]string{}
	var own []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == Module || strings.HasPrefix(p.ImportPath, Module+"/") {
			own = append(own, p)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	for _, p := range own {
		measured = append(measured, measurePackage(t, fset, imports, p))
	}
	slices.SortFunc(measured, func(a, b *Structure) int { return strings.Compare(a.Name, b.Name) })
	return measured
}

func measurePackage(t *testing.T, fset *token.FileSet, imports types.Importer, p listed) *Structure {
	t.Helper()
	s := &Structure{Name: Package{ImportPath: p.ImportPath}.Name()}
	var files []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(p.GoFiles, name) {
			files = append(files, file)
		}
		if !ast.IsGenerated(file) {
			s.Files++
			s.Lines += bytes.Count(source, []byte("\n"))
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	if _, err := config.Check(p.ImportPath, fset, files, info); err != nil {
		t.Fatal(err)
	}
	s.References = FileReferences(fset, files, info)
	s.OrderFiles()
	return s
}

// TestStructure holds every package to the limits of structure.go. With -v it
// prints what it measures.
func TestStructure(t *testing.T) {
	watch(t)
	wanted := os.Getenv(measureVariable)
	t.Logf("%-28s %5s %6s %10s %5s", "package", "files", "lines", "references", "back")
	known := map[string]bool{}
	for _, s := range measureModule(t) {
		known[s.Name] = true
		t.Logf("%-28s %5d %6d %10d %5d", s.Name, s.Files, s.Lines, len(s.References), len(s.Back))
		breaches, isPending := s.Breaches(), slices.Contains(pendingStructure, s.Name)
		switch {
		case len(breaches) == 0 && isPending:
			t.Errorf("%s keeps all limits now: take it off pendingStructure in internal/floors/structure_test.go", s.Name)
		case len(breaches) > 0 && !isPending:
			t.Errorf("%s: %s", s.Name, strings.Join(breaches, "; "))
			if len(s.Back) > 0 {
				t.Errorf("see which names tie the files of %s: %s=%s go test -count=1 -v -run Structure ./internal/floors", s.Name, measureVariable, s.Name)
			}
		case isPending:
			t.Logf("  pending: %s", strings.Join(breaches, "; "))
		}
		if s.Name == wanted {
			t.Logf("files of %s, users before what they use:\n\t%s", s.Name, strings.Join(s.Order, "\n\t"))
			for _, r := range s.Back {
				t.Logf("runs back up: %s", r)
			}
		}
	}
	for _, name := range pendingStructure {
		if !known[name] {
			t.Errorf("%s is no longer a package: take it off pendingStructure in internal/floors/structure_test.go", name)
		}
	}
	if wanted != "" && !known[wanted] {
		t.Errorf("%s=%s names no package of the module", measureVariable, wanted)
	}
}

// backArcs counts the arcs that run from a later to an earlier node of order.
func backArcs(order []int, arcs [][2]int) (count int) {
	rank := make([]int, len(order))
	for at, v := range order {
		rank[v] = at
	}
	for _, a := range arcs {
		if rank[a[0]] > rank[a[1]] {
			count++
		}
	}
	return count
}

// The exact order is as good as the best of all permutations, and the heuristic
// is not much worse.
func TestFeedbackOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	exactTotal, heuristicTotal := 0, 0
	for range 200 {
		n := 2 + random.IntN(6)
		has := make([][]bool, n)
		var arcs [][2]int
		for u := range has {
			has[u] = make([]bool, n)
			for v := range n {
				if u != v && random.IntN(2) == 0 {
					has[u][v] = true
					arcs = append(arcs, [2]int{u, v})
				}
			}
		}
		best := len(arcs)
		permutations(n, func(order []int) { best = min(best, backArcs(order, arcs)) })
		if got := backArcs(exactOrder(has), arcs); got != best {
			t.Fatalf("%v: the exact order has %d back arcs, the best %d", arcs, got, best)
		}
		order := feedbackOrder(n, arcs)
		if sorted := slices.Sorted(slices.Values(order)); len(sorted) != n || sorted[0] != 0 || sorted[n-1] != n-1 {
			t.Fatalf("%v is no permutation of %d nodes", order, n)
		}
		if got := backArcs(order, arcs); got != best {
			t.Fatalf("%v: the order by components has %d back arcs, the best %d", arcs, got, best)
		}
		exactTotal += best
		heuristicTotal += backArcs(heuristicOrder(has), arcs)
	}
	if heuristicTotal < exactTotal || 100*heuristicTotal > 110*exactTotal {
		t.Errorf("the heuristic leaves %d back arcs, the exact order %d", heuristicTotal, exactTotal)
	}
}

// permutations calls visit with every order of n nodes.
func permutations(n int, visit func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var place func(at int)
	place = func(at int) {
		if at == n {
			visit(order)
			return
		}
		for i := at; i < n; i++ {
			order[at], order[i] = order[i], order[at]
			place(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	place(0)
}

func TestFileReferencesOfASmallPackage(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range []struct{ name, code string }{
		{"a.go", "package p\nfunc A(b B) int { return b.size() + b.n }"},
		{"b.go", "package p\ntype B struct { n int }\nfunc (b B) size() int { return limit }"},
		{"c.go", "package p\nconst limit = 3\nvar _ = A"},
	} {
		file, err := parser.ParseFile(fset, f.name, f.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{}).Check("p", fset, files, info); err != nil {
		t.Fatal(err)
	}
	s := Structure{Name: "p", Files: 3, Lines: 10, References: FileReferences(fset, files, info)}
	s.OrderFiles()
	if got := fmt.Sprint(s.References); got != "[a.go -> b.go (B, n, size) b.go -> c.go (limit) c.go -> a.go (A)]" {
		t.Errorf("the references are %s", got)
	}
	if len(s.Back) != 1 || len(s.Order) != 3 {
		t.Errorf("the order is %v, back references %v", s.Order, s.Back)
	}
	if breaches := s.Breaches(); len(breaches) != 1 || !strings.Contains(breaches[0], "1 of 3 references") {
		t.Errorf("the breaches are %q", breaches)
	}
	s = Structure{Name: "cmd/inkling", Files: 31, Lines: 4000}
	if breaches := s.Breaches(); len(breaches) != 2 {
		t.Errorf("the breaches are %q", breaches)
	}
}
