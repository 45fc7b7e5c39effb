package floors

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// Limits of one package. Generated files do not count.
const (
	maxFiles        = 30
	maxLines        = 4500
	maxCommandLines = 3999 // of cmd/inkling, which only reads flags, prints and exits
	maxBackPercent  = 10   // back references must stay below this share of all references
)

// unlimitedSize lists packages of any size: reproduce holds the experiments of
// the papers, one beside the other.
var unlimitedSize = []string{"reproduce"}

// A Structure is what is measured of one package.
type Structure struct {
	Name       string
	Files      int // without tests and generated files
	Lines      int
	References []Reference // between two files, each pair and direction once
	Back       []Reference // those that run back up in the best order found
	Order      []string    // file names, each using mostly later ones
}

// A Reference says that one file uses names that another declares: package-level
// identifiers, methods or fields.
type Reference struct {
	From, To string
	Names    []string // ascending
}

func (r Reference) String() string {
	return fmt.Sprintf("%s -> %s (%s)", r.From, r.To, strings.Join(r.Names, ", "))
}

// Breaches returns the limits that s exceeds, none if it keeps all.
func (s *Structure) Breaches() (breaches []string) {
	lines := maxLines
	if s.Name == "cmd/inkling" {
		lines = maxCommandLines
	}
	if !slices.Contains(unlimitedSize, s.Name) {
		if s.Files > maxFiles {
			breaches = append(breaches, fmt.Sprintf("%d files, at most %d are allowed", s.Files, maxFiles))
		}
		if s.Lines > lines {
			breaches = append(breaches, fmt.Sprintf("%d lines, at most %d are allowed", s.Lines, lines))
		}
	}
	if back, all := len(s.Back), len(s.References); back > 0 && 100*back >= maxBackPercent*all {
		breaches = append(breaches, fmt.Sprintf("%d of %d references between files run back up, it must be less than %d %%", back, all, maxBackPercent))
	}
	return breaches
}

// FileReferences returns the references between the files of a package that was
// type-checked: info.Uses says which name means what.
func FileReferences(fset *token.FileSet, files []*ast.File, info *types.Info) (refs []Reference) {
	fileOf := func(pos token.Pos) string { return fset.Position(pos).Filename } // whole: other packages have files of the same name
	own := map[string]bool{}
	for _, f := range files {
		own[fileOf(f.Package)] = true
	}
	used := map[[2]string]map[string]bool{}
	for ident, object := range info.Uses {
		if !object.Pos().IsValid() {
			continue
		}
		from, to := fileOf(ident.Pos()), fileOf(object.Pos())
		if from == to || !own[to] || object.Pkg() == nil {
			continue
		}
		if _, isImport := object.(*types.PkgName); isImport {
			continue
		}
		pair := [2]string{path.Base(from), path.Base(to)}
		if used[pair] == nil {
			used[pair] = map[string]bool{}
		}
		used[pair][ident.Name] = true
	}
	for pair, names := range used {
		r := Reference{From: pair[0], To: pair[1]}
		for n := range names {
			r.Names = append(r.Names, n)
		}
		slices.Sort(r.Names)
		refs = append(refs, r)
	}
	slices.SortFunc(refs, func(a, b Reference) int {
		if c := strings.Compare(a.From, b.From); c != 0 {
			return c
		}
		return strings.Compare(a.To, b.To)
	})
	return refs
}

// OrderFiles sets s.Order and s.Back from s.References: the order of the files
// in which few references run back up.
func (s *Structure) OrderFiles() {
	number, names := map[string]int{}, []string{}
	node := func(name string) int {
		if _, ok := number[name]; !ok {
			number[name] = len(names)
			names = append(names, name)
		}
		return number[name]
	}
	arcs := make([][2]int, len(s.References))
	for i, r := range s.References {
		arcs[i] = [2]int{node(r.From), node(r.To)}
	}
	rank := make([]int, len(names))
	s.Order = make([]string, len(names))
	for at, v := range feedbackOrder(len(names), arcs) {
		rank[v], s.Order[at] = at, names[v]
	}
	s.Back = nil
	for i, a := range arcs {
		if rank[a[0]] > rank[a[1]] {
			s.Back = append(s.Back, s.References[i])
		}
	}
}
