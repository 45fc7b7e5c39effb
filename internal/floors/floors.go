// Package floors keeps the house in order: which package stands on which floor,
// who may import whom, and what no room below the command line does (print,
// log, read flags, open files, use global randomness). Its test holds the whole
// module to it; docs/ARCHITECTURE.md says why.
package floors

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path that every import of our own begins with.
const Module = "github.com/inklinghq/inkling"

// root is the name of the package at the module's root.
const root = "inkling"

// table gives each package its floor. A name that ends in a slash stands for
// all packages below it that have no line of their own. Rooms that are planned
// have their place already.
var table = []struct {
	floor int
	names []string
}{
	{1, []string{"data", "constraint", "hint", "web", "internal/"}},
	{2, []string{"cluster", "cluster/clustertest", "internal/lloyd", "internal/starts", "internal/pairgraph", "internal/nodeprices", "metric", "infer", "affinity", "eigen", "score", "dataio", "dataio/", "columns", "contents", "prepare", "progress", "example", "report/picture", "layout"}},
	{3, []string{"centroid", "centroid/cop", "centroid/hmrf", "kernel", "spectral", "posterior"}},
	{4, []string{"catalog", "segment", "confidence", "suspect", "active", "dedupe", "spreading"}},
	{5, []string{"saved", "experiment", "choose", "explain", "effect", "report", "reproduce"}},
	{6, []string{root, "session", "engine", "server", "server/"}},
	{7, []string{"cmd/", "bench/", "release"}},
}

// neighbours may be imported by a package of their own floor.
var neighbours = map[string][]string{
	"data":                {"internal/simd", "internal/blocks"},
	"cluster/clustertest": {"cluster"},
	"internal/lloyd":      {"cluster", "metric"},
	"internal/starts":     {"cluster", "internal/lloyd"},
	"internal/pairgraph":  {"cluster"},
	"internal/nodeprices": {"cluster"},
	"metric":              {"eigen"},
	"layout":              {"eigen"},
	"dataio":              {"dataio/source", "dataio/scan", "dataio/table", "dataio/matrix", "dataio/constraints"},
	"dataio/scan":         {"dataio/source"},
	"dataio/table":        {"dataio/source", "dataio/scan"},
	"dataio/matrix":       {"dataio/source", "dataio/scan"},
	"dataio/constraints":  {"dataio/source", "dataio/scan", "dataio/table"},
	"dataio/records":      {"dataio/source", "dataio/scan", "dataio/table"},
	"dataio/readertest":   {"dataio/source"},
	"columns":             {"dataio"},
	"contents":            {"dataio", "columns"},
	"prepare":             {"dataio", "columns"},
	"report":              {"saved", "experiment"},
	"explain":             {"report"},
	"catalog":             {"spreading"},
	"active":              {"spreading"},
	"session":             {root},
	"engine":              {root},
	"server/workspace":    {root, "session"},
	"server/photo":        {root, "session", "server/workspace"},
	"server":              {root, "session", "server/workspace", "server/photo"},
	"reproduce":           {"experiment", "report", "choose"},
	"bench/graph":         {"bench/harness"},
	"bench/hmrf":          {"bench/harness"},
	"bench/inference":     {"bench/harness"},
	"bench/spectral":      {"bench/harness"},
	"bench/trust":         {"bench/harness"},
	"bench/peers/ours":    {"bench/harness"},

	"internal/contraction": {"data"},
}

// strangers to every family of floor 3, although they stand below: a method
// neither judges itself nor knows where its points come from.
var strangers = []string{"score", "dataio", "prepare", "example", "cluster/clustertest"}

// outside lists what only some packages may import of the standard library.
var outside = []struct {
	imports []string
	who     func(name string, floor int) bool
	why     string
}{
	{[]string{"os", "io/ioutil", "path/filepath", "syscall"},
		func(name string, floor int) bool {
			return floor >= 6 || name == "dataio" || strings.HasPrefix(name, "dataio/")
		},
		"only dataio, with what is below it, the front door and the commands open files"},
	{[]string{"flag", "log", "log/slog", "os/exec", "os/signal"},
		func(_ string, floor int) bool { return floor == 7 },
		"only the commands read flags, log, start programs and hear signals"},
	{[]string{"net/http"},
		func(name string, _ int) bool {
			return name == "server" || strings.HasSuffix(name, "/webcommand")
		},
		"only the server of the page and its command speak HTTP"},
	{[]string{"testing"},
		func(name string, _ int) bool { return strings.HasSuffix(name, "test") },
		"only tests and packages of checks for tests test"},
	{[]string{"C"},
		func(string, int) bool { return false },
		"inkling is pure Go"},
	{[]string{"math/rand"},
		func(string, int) bool { return false },
		"randomness comes from math/rand/v2 and a seed"},
}

// A Package is one line of go list: its import path and what it imports, tests
// left out.
type Package struct {
	ImportPath     string
	Dir            string
	GoFiles        []string
	IgnoredGoFiles []string // for other platforms
	Imports        []string
}

// Name returns the path of p below the module.
func (p Package) Name() string { return nameOf(p.ImportPath) }

func nameOf(path string) string {
	if path == Module {
		return root
	}
	return strings.TrimPrefix(path, Module+"/")
}

// Floor returns the floor of a package, 0 if it has none.
func Floor(name string) (floor int) {
	for _, row := range table {
		for _, n := range row.names {
			switch {
			case n == name:
				return row.floor
			case strings.HasSuffix(n, "/") && strings.HasPrefix(name, n):
				floor = row.floor
			}
		}
	}
	return floor
}

// Check returns every breach of the floors, in words, none if all is well.
func Check(pkgs []Package) (breaches []string) {
	for _, p := range pkgs {
		name, floor := p.Name(), Floor(p.Name())
		if floor == 0 {
			breaches = append(breaches, fmt.Sprintf("%s has no floor; give it one in internal/floors and in docs/ARCHITECTURE.md", name))
			continue
		}
		for _, path := range p.Imports {
			if why := refusal(name, floor, path); why != "" {
				breaches = append(breaches, fmt.Sprintf("%s imports %s: %s", name, strings.TrimPrefix(path, Module+"/"), why))
			}
		}
	}
	return breaches
}

// refusal says why a package may not import path; "" if it may.
func refusal(name string, floor int, path string) string {
	other := nameOf(path)
	if ours := other != path; !ours {
		for _, rule := range outside {
			if slices.Contains(rule.imports, path) && !rule.who(name, floor) {
				return rule.why
			}
		}
		return ""
	}
	above := Floor(other)
	switch {
	case above == 0:
		return "it has no floor"
	case above > floor:
		return fmt.Sprintf("floor %d does not know floor %d", floor, above)
	case name == "cluster" && above > 1:
		return "cluster knows floor 1 only"
	case strings.Contains(other, "internal/"):
		return ""
	case floor == 3 && slices.ContainsFunc(strangers, func(s string) bool { return other == s || strings.HasPrefix(other, s+"/") }):
		return "a family knows neither files nor scores"
	case above == floor && floor == 3:
		return "families do not know each other"
	case above == floor && !slices.Contains(neighbours[name], other):
		return fmt.Sprintf("both stand on floor %d; what two rooms need belongs one floor lower", floor)
	}
	return ""
}
