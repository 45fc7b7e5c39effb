package layers

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// avoidedPhrases lists what no text for users contains, and what to write in its
// place. Texts are string literals, help tags and the documents.
var avoidedPhrases = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{phrase(`heed(s|ed|ing)?`), "use"},
	{phrase(`dear(er|est)?`), "expensive, costlier, costliest"},
	{phrase(`anew`), "again"},
	{phrase(`untold`), "pending"},
	{phrase(`told`), "given, reported"},
	{phrase(`tells`), "shows, prints, reports"},
	{phrase(`tell (the|about|all|what|where|how|which|of|whether|more)`), "print, show, report"},
	{phrase(`pieces? of knowledge`), "constraint, constraints"},
	{phrase(`(what|nothing|everything|all)( that)? (is|was) known`), "constraints"},
	{phrase(`honour(s|ed|ing)?`), "satisfy, satisfied"},
	{phrase(`is no`), `"is not a", or say what is needed: "must be an integer, got ..."`},
	{phrase(`are no`), `"are not"`},
	{phrase(`are none`), `"there are no ..."`},
	{phrase(`is none`), `"there is no ..."`},
	{phrase(`of which`), "two sentences, or a verb"},
	{phrase(`it is said`), "say who says it"},
	{phrase(`think much alike`), "nearly equivalent"},
	{phrase(`must earn`), "is used only if"},
	{phrase(`dealt`), "divided, split"},
	{phrase(`pressed`), "weighted, enforced"},
	{phrase(`means nothing`), "is arbitrary"},
	{phrase(`a fault of inkling`), "internal error (please report it)"},
	{phrase(`would be elsewhere`), "moved"},
	{phrase(`the fuller`), "darker"},
	{phrase(`can be measured by`), "the baseline"},
	{phrase(`knows no`), "has no"},
	{phrase(`has nothing to`), "no ... given"},
	{phrase(`verbs?`), "command"},
	{phrase(`began alike`), "duplicate starts skipped"},
	{phrase(`0 as by chance`), "1 = identical, 0 = chance"},
	{phrase(`they are nil`), "X must not be nil"},
	{phrase(`than anybody can`), "exceeds the limit"},
	{phrase(`somebody has`), "name what happened: job cancelled"},
	{phrase(`with the bits of`), "bit-identical to"},
	{phrase(`hold each other away`), "block one another"},
	{phrase(`(it|they) must (be|have)`), `"X must be Y, got Z"`},
	{phrase(`counts as when`), "say what the number is, with its unit"},
}

// honestPhrases are good English although they contain an avoided phrase.
var honestPhrases = phrase(`there (is|are) no|is there no|(is|are) no (longer|more|less|fewer|larger|greater|higher|lower|smaller|better|worse)|tells?( \S+){0,5} apart`)

func phrase(words string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(` + words + `)\b`) }

// AvoidedPhrases returns the phrases of text that users should not read, each
// with what to write in its place.
func AvoidedPhrases(text string) (found []string) {
	text = strings.Join(strings.Fields(text), " ")
	text = honestPhrases.ReplaceAllString(text, "·")
	for _, p := range avoidedPhrases {
		if at := p.pattern.FindString(text); at != "" {
			found = append(found, fmt.Sprintf("%q (write: %s)", at, p.instead))
		}
	}
	return found
}

// A TextBreach is an avoided phrase or name, and where it stands.
type TextBreach struct {
	Pos  token.Position
	What string
}

func (b TextBreach) String() string {
	return fmt.Sprintf("%s:%d: %s", b.Pos.Filename, b.Pos.Line, b.What)
}

// PhrasesOf returns the avoided phrases in the string literals and help tags of
// a file.
func PhrasesOf(fset *token.FileSet, file *ast.File) (breaches []TextBreach) {
	check := func(n ast.Node, text string) {
		for _, what := range AvoidedPhrases(text) {
			breaches = append(breaches, TextBreach{fset.Position(n.Pos()), "says " + what})
		}
	}
	tags := map[*ast.BasicLit]bool{} // read for their help only: names in JSON are not prose
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				if tag, err := strconv.Unquote(n.Tag.Value); err == nil {
					check(n.Tag, reflect.StructTag(tag).Get("help"))
				}
				tags[n.Tag] = true
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && !tags[n] {
				if text, err := strconv.Unquote(n.Value); err == nil {
					check(n, text)
				}
			}
		}
		return true
	})
	return breaches
}

// privateNames are words that say nothing to a reader who knows the papers, with
// what to write in their place. They occur in no file name and in no name of a
// function, method, type, variable or constant of a package.
var privateNames = map[string]string{
	"toll": "penalty", "tollgate": "penaltyScale",
	"bill": "moveCost", "tab": "clusterCost", "tally": "totals",
	"ground": "distortion", "gauge": "pointCost",
	"crowd": "largeComponent", "lump": "chunklet", "lumps": "chunklets",
	"tangle": "cannotComponent", "tangles": "cannotComponents",
	"news": "dirty", "loud": "alwaysVisit", "mood": "proposal",
	"told": "info", "untold": "pendingMoves",
	"thaw": "jointReassign", "weave": "affinityMatrix", "terrain": "graphOptions",
	"rising": "ascending", "falling": "descending",
	"dear": "expensive", "dearer": "costlier", "dearest": "costliest",
	"heed": "use", "heeds": "uses", "anew": "again", "verb": "command", "verbs": "commands",
}

// honestNames contain a private one by chance.
var honestNames = []string{"background", "foreground", "rectangle", "cloud"}

// privateFileName returns the private word in the name of a Go file, "" if there
// is none. File names run words together: longer words count at either end.
func privateFileName(name string) string {
	stem := strings.TrimSuffix(name, ".go")
	for _, part := range strings.Split(stem, "_") {
		for _, word := range sortedKeys(privateNames) {
			honest := slices.ContainsFunc(honestNames, func(h string) bool { return strings.Contains(part, h) })
			if part == word || len(word) > 3 && !honest && (strings.HasPrefix(part, word) || strings.HasSuffix(part, word)) {
				return word
			}
		}
	}
	return ""
}

// NamesOf returns the private names that a file declares at the level of its
// package, methods included, and that of the file itself.
func NamesOf(fset *token.FileSet, fileName string, file *ast.File) (breaches []TextBreach) {
	if word := privateFileName(fileName); word != "" {
		breaches = append(breaches, TextBreach{fset.Position(file.Package), fmt.Sprintf("the file name contains %q (as a name: %s)", word, privateNames[word])})
	}
	check := func(ident *ast.Ident) {
		for _, word := range camelWords(ident.Name) {
			if instead := privateNames[word]; instead != "" {
				breaches = append(breaches, TextBreach{fset.Position(ident.Pos()), fmt.Sprintf("the name %s contains %q (write: %s)", ident.Name, word, instead)})
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			check(d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					check(s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						check(name)
					}
				}
			}
		}
	}
	return breaches
}

// camelWords splits an identifier into its words, in lower case.
func camelWords(name string) (words []string) {
	start := 0
	letters := []rune(name)
	for i, r := range letters {
		if i > start && (r == '_' || unicode.IsUpper(r) && !unicode.IsUpper(letters[i-1])) {
			words = append(words, strings.ToLower(strings.Trim(string(letters[start:i]), "_")))
			start = i
		}
	}
	return append(words, strings.ToLower(strings.Trim(string(letters[start:]), "_")))
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
