package layers

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the module promises is small, and may not grow by accident.
const (
	mostPublicPackages    = 12
	mostPublicIdentifiers = 400
	mostRootEntries       = 25
)

// listed is a package as go list has it.
type listed struct{ ImportPath, Name, Export string }

// publicPackages lists the packages that other modules can import, and where the
// compiler's export data of all that they need are.
func publicPackages(t *testing.T) (public []string, export map[string]string) {
	t.Helper()
	for _, p := range goList(t, "-json=ImportPath,Name", "./...") {
		if p.Name != "main" && !isInternal(p.ImportPath) && !strings.HasPrefix(p.ImportPath, Module+"/bench/") {
			public = append(public, p.ImportPath)
		}
	}
	export = map[string]string{}
	for _, p := range goList(t, append([]string{"-export", "-deps", "-json=ImportPath,Export"}, public...)...) {
		export[p.ImportPath] = p.Export
	}
	return public, export
}

func goList(t *testing.T, args ...string) (all []listed) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func isInternal(path string) bool {
	return strings.HasPrefix(path, Module) && strings.Contains(path+"/", "/internal/")
}

// The public packages and their identifiers are few, and none shows a type of an
// internal package, which a program outside could not name.
func TestPublicPackages(t *testing.T) {
	public, export := publicPackages(t)
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(export[path]) }
	from := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	identifiers := 0
	for _, p := range public {
		pkg, err := from.Import(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			if o := pkg.Scope().Lookup(name); o.Exported() {
				identifiers++
				for _, fault := range shown(o) {
					t.Errorf("%s.%s shows %s", p, name, fault)
				}
			}
		}
	}
	t.Logf("%d public packages, %d identifiers", len(public), identifiers)
	if len(public) > mostPublicPackages {
		t.Errorf("%d public packages, at most %d are allowed", len(public), mostPublicPackages)
	}
	if identifiers > mostPublicIdentifiers {
		t.Errorf("%d exported identifiers, at most %d are allowed", identifiers, mostPublicIdentifiers)
	}
}

func TestRootEntries(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Skip("the files of a checkout are counted by git: ", err)
	}
	entries := map[string]bool{}
	for file := range strings.Lines(string(out)) {
		first, _, _ := strings.Cut(strings.TrimSpace(file), "/")
		if _, err := os.Stat(filepath.Join("..", "..", first)); err == nil {
			entries[first] = true
		}
	}
	if len(entries) > mostRootEntries {
		t.Errorf("%d entries at the root, at most %d are allowed", len(entries), mostRootEntries)
	}
}

// shown returns the internal types that a user of an object meets.
func shown(o types.Object) (faults []string) {
	seen := map[types.Type]bool{}
	own := o.Pkg()
	var walk func(types.Type, string)
	tuple := func(v *types.Tuple, at string) {
		for i := range v.Len() {
			walk(v.At(i).Type(), at)
		}
	}
	walk = func(x types.Type, at string) {
		if x == nil || seen[x] {
			return
		}
		seen[x] = true
		switch x := x.(type) {
		case *types.Alias:
			walk(types.Unalias(x), at)
		case *types.Named:
			if pkg := x.Obj().Pkg(); pkg != nil && isInternal(pkg.Path()) {
				faults = append(faults, fmt.Sprintf("%s in %s", x, at))
				return
			}
			for i := range x.TypeArgs().Len() {
				walk(x.TypeArgs().At(i), at)
			}
			if x.Obj().Pkg() != own { // looked at in its own package
				return
			}
			for i := range x.NumMethods() {
				if m := x.Method(i); m.Exported() {
					walk(m.Type(), at+"."+m.Name())
				}
			}
			walk(x.Underlying(), at)
		case *types.Pointer:
			walk(x.Elem(), at)
		case *types.Slice:
			walk(x.Elem(), at)
		case *types.Array:
			walk(x.Elem(), at)
		case *types.Chan:
			walk(x.Elem(), at)
		case *types.Map:
			walk(x.Key(), at)
			walk(x.Elem(), at)
		case *types.Signature:
			tuple(x.Params(), at)
			tuple(x.Results(), at)
		case *types.Struct:
			for i := range x.NumFields() {
				if f := x.Field(i); f.Exported() || f.Embedded() {
					walk(f.Type(), at+"."+f.Name())
				}
			}
		case *types.Interface:
			for i := range x.NumMethods() {
				walk(x.Method(i).Type(), at+"."+x.Method(i).Name())
			}
		}
	}
	walk(o.Type(), o.Name())
	return faults
}
