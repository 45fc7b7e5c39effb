package web

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var importLine = regexp.MustCompile(`(?m)^\s*(?:import|export)\b[^'"\n]*(?:\{[^}]*\})?[^'"\n]*from '(\.[^']+)'`)

// Imports of the page's sources go one way: neither files nor folders know each other in a circle.
func TestImportsOfThePageGoOneWay(t *testing.T) {
	src := os.DirFS("src")
	files, folders := map[string][]string{}, map[string][]string{}
	err := fs.WalkDir(src, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".tsx") {
			return err
		}
		text, err := fs.ReadFile(src, name)
		if err != nil {
			return err
		}
		files[name] = nil
		for _, m := range importLine.FindAllStringSubmatch(string(text), -1) {
			to := path.Join(path.Dir(name), m[1])
			for _, end := range []string{"", ".ts", ".tsx"} {
				if info, err := fs.Stat(src, to+end); err == nil && !info.IsDir() {
					files[name] = append(files[name], to+end)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for from, list := range files {
		for _, to := range list {
			edges++
			if a, b := path.Dir(from), path.Dir(to); a != b && a != "." {
				folders[a] = append(folders[a], b)
			}
		}
	}
	if len(files) < 80 || edges < 300 {
		t.Fatalf("found %d imports of %d files, which are fewer than there are", edges, len(files))
	}
	for what, graph := range map[string]map[string][]string{"files": files, "folders": folders} {
		if c := circle(graph); c != nil {
			t.Errorf("%s import each other in a circle: %s", what, strings.Join(c, " → "))
		}
	}
}

// circle returns a circle of a graph; nil where there is none.
func circle(graph map[string][]string) []string {
	const open, done = 1, 2
	state := map[string]int{}
	var way []string
	var visit func(at string) []string
	visit = func(at string) []string {
		switch state[at] {
		case done:
			return nil
		case open:
			return append(slices.Clone(way[slices.Index(way, at):]), at)
		}
		state[at], way = open, append(way, at)
		for _, to := range slices.Sorted(slices.Values(graph[at])) {
			if c := visit(to); c != nil {
				return c
			}
		}
		state[at], way = done, way[:len(way)-1]
		return nil
	}
	for _, at := range slices.Sorted(maps.Keys(graph)) {
		if c := visit(at); c != nil {
			return c
		}
	}
	return nil
}
