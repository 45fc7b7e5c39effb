package layers

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
)

// sentenceStart matches the start of a comment that says what one thing does or
// is: "Name returns", "A Name holds", "Names are".
var sentenceStart = regexp.MustCompile(`^(An? )?([A-Za-z]\w*) ([a-z]+s|are)\b`)

// quantifiers begin sentences that are not about one declared thing, such as "Two
// groups".
var quantifiers = []string{"All", "Any", "Both", "Few", "Many", "Most", "No", "Only", "Other", "Several", "Some", "Such",
	"The", "These", "They", "Those", "Two", "Three", "Four", "What", "Which"}

// StaleDocComments returns the doc comments of functions, methods, types, fields
// and single variables and constants that begin as a sentence about a thing of
// another name: mostly the name that the thing had before.
func StaleDocComments(fset *token.FileSet, file *ast.File) (breaches []TextBreach) {
	check := func(doc *ast.CommentGroup, names ...*ast.Ident) {
		if len(names) != 1 {
			return
		}
		start := sentenceStart.FindStringSubmatch(doc.Text())
		if start == nil || start[2] == names[0].Name || slices.Contains(quantifiers, start[2]) {
			return
		}
		breaches = append(breaches, TextBreach{fset.Position(doc.Pos()),
			fmt.Sprintf("the comment of %s begins %q", names[0].Name, start[0])})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			check(n.Doc, n.Name)
		case *ast.GenDecl:
			if n.Lparen.IsValid() || len(n.Specs) != 1 {
				break // the comment is about the group
			}
			switch s := n.Specs[0].(type) {
			case *ast.TypeSpec:
				check(n.Doc, s.Name)
			case *ast.ValueSpec:
				check(n.Doc, s.Names...)
			}
		case *ast.TypeSpec:
			check(n.Doc, n.Name)
		case *ast.ValueSpec:
			check(n.Doc, n.Names...)
		case *ast.Field:
			check(n.Doc, n.Names...)
		}
		return true
	})
	return breaches
}
