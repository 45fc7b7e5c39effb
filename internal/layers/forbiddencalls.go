package layers

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// sources are the functions of math/rand/v2 that make a generator; all others
// use the global one.
var sources = []string{"New", "NewPCG", "NewChaCha8", "NewZipf"}

// ForbiddenCalls returns the uses of the global generator and the init functions
// in a file of the named package and, below the commands, what prints.
func ForbiddenCalls(name string, fset *token.FileSet, file *ast.File) (breaches []string) {
	say := func(n ast.Node, what string) {
		at := fset.Position(n.Pos())
		breaches = append(breaches, fmt.Sprintf("%s: %s:%d %s", name, at.Filename, at.Line, what))
	}
	local := importNames(file)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				say(n, "has an init function")
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || x.Obj != nil { // a variable of that name hides the package
				return true
			}
			switch path, f := local[x.Name], n.Sel.Name; {
			case path == "math/rand/v2" && globalRandom(f):
				say(n, "uses the global generator: rand."+f)
			case Layer(name) < 6 && (path == "fmt" && strings.HasPrefix(f, "Print") || path == "runtime/debug" && f == "PrintStack"):
				say(n, "prints: "+x.Name+"."+f)
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.Ident); ok && x.Obj == nil && Layer(name) < 6 && (x.Name == "print" || x.Name == "println") {
				say(n, "prints: "+x.Name)
			}
		}
		return true
	})
	return breaches
}

// globalRandom reports whether f, of math/rand/v2, is a function that makes no
// generator. Types, such as Rand and PCG, are neither.
func globalRandom(f string) bool {
	types := []string{"Rand", "Source", "PCG", "ChaCha8", "Zipf"}
	return !slices.Contains(sources, f) && !slices.Contains(types, f)
}

// importNames maps the name by which file knows a package to its path.
func importNames(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, s := range file.Imports {
		path := strings.Trim(s.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if path == "math/rand/v2" {
			name = "rand"
		}
		if s.Name != nil {
			name = s.Name.Name
		}
		names[name] = path
	}
	return names
}
