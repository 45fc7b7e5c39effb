// Package layers holds the rules of the architecture that the compiler cannot: which package belongs to which layer,
// who may import whom, and what nothing below the command line does (print,
// log, read flags, open files, use global randomness). Its test holds the whole
// module to it; docs/ARCHITECTURE.md says why.
package layers

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path that every import of our own begins with.
const Module = "github.com/inklinghq/inkling"

// root is the name of the package at the module's root.
const root = "inkling"

// table gives each package its layer. A name that ends in a slash stands for
// all packages below it that have no line of their own.
var table = []struct {
	layer int
	names []string
}{
	{1, []string{"cluster/data", "cluster/constraint", "internal/support/", "internal/layers", "web",
		"internal/compute/", "internal/numeric/contraction", "internal/numeric/device", "internal/numeric/device/wire"}},
	{2, []string{"cluster", "cluster/clustertest", "cluster/score", "internal/numeric/", "internal/method/pairgraph", "internal/method/nodeprices",
		"internal/input/", "internal/support/progress", "internal/present/report/picture", "internal/present/layout"}},
	{3, []string{"internal/method/", "internal/numeric/posterior"}},
	{4, []string{"internal/method/catalog", "internal/method/spectral/cuttest", "internal/method/spreading", "internal/judge/active", "internal/judge/confidence", "internal/judge/suspect", "segment", "dedupe"}},
	{5, []string{"internal/judge/", "internal/present/"}},
	{6, []string{root, "internal/door", "internal/door/gpu", "internal/door/gpu/window", "internal/serve/", "session", "server"}},
	{7, []string{"cmd/", "bench/"}},
}

// neighbours may be imported by a package of their own layer.
var neighbours = map[string][]string{
	"cluster/clustertest":               {"cluster"},
	"internal/numeric/lloyd":            {"cluster", "internal/numeric/metric"},
	"internal/numeric/starts":           {"cluster", "internal/numeric/lloyd"},
	"internal/method/pairgraph":         {"cluster"},
	"internal/method/nodeprices":        {"cluster"},
	"internal/method/csp":               {"internal/method/spectral"},
	"internal/numeric/metric":           {"internal/numeric/eigen"},
	"internal/numeric/hierarchy":        {"internal/numeric/affinity"},
	"internal/present/layout":           {"internal/numeric/eigen", "internal/numeric/affinity"},
	"internal/input/dataio":             {"internal/input/dataio/source", "internal/input/dataio/scan", "internal/input/dataio/table", "internal/input/dataio/matrix", "internal/input/dataio/constraints"},
	"internal/input/dataio/scan":        {"internal/input/dataio/source"},
	"internal/input/dataio/table":       {"internal/input/dataio/source", "internal/input/dataio/scan"},
	"internal/input/dataio/matrix":      {"internal/input/dataio/source", "internal/input/dataio/scan"},
	"internal/input/dataio/constraints": {"internal/input/dataio/source", "internal/input/dataio/scan", "internal/input/dataio/table"},
	"internal/input/dataio/records":     {"internal/input/dataio/source", "internal/input/dataio/scan", "internal/input/dataio/table"},
	"internal/input/dataio/readertest":  {"internal/input/dataio/source"},
	"internal/input/columns":            {"internal/input/dataio"},
	"internal/input/contents":           {"internal/input/dataio", "internal/input/columns"},
	"internal/input/prepare":            {"internal/input/dataio", "internal/input/columns"},
	"internal/present/report":           {"internal/present/saved", "internal/judge/experiment"},
	"internal/present/explain":          {"internal/present/report"},
	"internal/method/catalog":           {"internal/method/spreading"},
	"internal/judge/active":             {"internal/method/spreading"},
	"internal/judge/choose":             {"internal/judge/reliability"},
	root:                                {"internal/door"},
	"internal/door":                     {"internal/door/gpu"},
	"internal/door/gpu":                 {"internal/door/gpu/window"},
	"session":                           {root, "internal/door", "internal/serve/session"},
	"internal/serve/session":            {"internal/door"},
	"internal/serve/engine":             {"internal/door"},
	"internal/serve/workspace":          {"internal/door", "internal/serve/session"},
	"internal/serve/photo":              {"internal/door", "internal/serve/session", "internal/serve/workspace"},
	"server":                            {root, "internal/door", "internal/serve/session", "internal/serve/workspace", "internal/serve/photo"},
	"bench/cores":                       {"bench/internal/harness"},
	"bench/density/ours":                {"bench/internal/harness"},
	"bench/gpu":                         {"bench/internal/harness"},
	"bench/graph":                       {"bench/internal/harness"},
	"bench/hmrf":                        {"bench/internal/harness"},
	"bench/inference":                   {"bench/internal/harness"},
	"bench/layout":                      {"bench/internal/harness"},
	"bench/page":                        {"bench/internal/harness"},
	"bench/spectral":                    {"bench/internal/harness"},
	"bench/trust":                       {"bench/internal/harness"},
	"bench/peers/ours":                  {"bench/internal/harness"},

	"internal/numeric/contraction": {"cluster/data"},
}

// shared packages may be imported by every package of their own layer and above.
var shared = []string{"internal/support/", "internal/compute/",
	"internal/numeric/contraction", "internal/numeric/device", "internal/numeric/device/wire", "internal/numeric/lloyd", "internal/numeric/starts", "internal/method/pairgraph", "internal/method/nodeprices", "cmd/inkling/internal/"}

// strangers to every family of layer 3, although they stand below: a method
// neither judges itself nor knows where its points come from.
var strangers = []string{"cluster/score", "internal/input", "cluster/clustertest"}

// outside lists what only some packages may import of the standard library.
var outside = []struct {
	imports []string
	who     func(name string, layer int) bool
	why     string
}{
	{[]string{"os", "io/ioutil", "path/filepath", "syscall"},
		func(name string, layer int) bool {
			return layer >= 6 || strings.HasPrefix(name, "internal/input/dataio") || name == "internal/support/longtest" // reads the environment
		},
		"only dataio, with what is below it, the front door and the commands open files"},
	{[]string{"flag", "log", "log/slog", "os/exec", "os/signal"},
		func(name string, layer int) bool { return layer == 7 || name == "internal/door/gpu" }, // starts the program that drives a GPU
		"only the commands read flags, log, start programs and hear signals"},
	{[]string{"net/http"},
		func(name string, _ int) bool {
			return name == "server" || strings.HasSuffix(name, "/webcommand") || name == "bench/soak" || name == "bench/ask"
		},
		"only the server of the page, its command and the measurements of both speak HTTP"},
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

// Layer returns the layer of a package, 0 if it has none.
func Layer(name string) (layer int) {
	for _, row := range table {
		for _, n := range row.names {
			switch {
			case n == name:
				return row.layer
			case strings.HasSuffix(n, "/") && strings.HasPrefix(name, n):
				layer = row.layer
			}
		}
	}
	return layer
}

// Check returns every breach of the layers, in words, none if all is well.
func Check(pkgs []Package) (breaches []string) {
	for _, p := range pkgs {
		name, layer := p.Name(), Layer(p.Name())
		if layer == 0 {
			breaches = append(breaches, fmt.Sprintf("%s has no layer; give it one in internal/layers and in docs/ARCHITECTURE.md", name))
			continue
		}
		for _, path := range p.Imports {
			if why := refusal(name, layer, path); why != "" {
				breaches = append(breaches, fmt.Sprintf("%s imports %s: %s", name, strings.TrimPrefix(path, Module+"/"), why))
			}
		}
	}
	return breaches
}

// refusal says why a package may not import path; "" if it may.
func refusal(name string, layer int, path string) string {
	other := nameOf(path)
	if ours := other != path; !ours {
		for _, rule := range outside {
			if slices.Contains(rule.imports, path) && !rule.who(name, layer) {
				return rule.why
			}
		}
		return ""
	}
	above := Layer(other)
	switch {
	case above == 0:
		return "it has no layer"
	case above > layer:
		return fmt.Sprintf("layer %d does not know layer %d", layer, above)
	case name == "cluster" && above > 1:
		return "cluster knows layer 1 only"
	case slices.ContainsFunc(shared, func(s string) bool { return strings.HasPrefix(other, s) }):
		return ""
	case layer == 3 && slices.ContainsFunc(strangers, func(s string) bool { return other == s || strings.HasPrefix(other, s+"/") }):
		return "a family knows neither files nor scores"
	case above == layer && slices.Contains(neighbours[name], other):
		return ""
	case above == layer && layer == 3:
		return "families do not know each other"
	case above == layer:
		return fmt.Sprintf("both are in layer %d; what both need belongs in a lower layer", layer)
	}
	return ""
}
