package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/support/longtest"
)

// linesOnWorkers are commands that work in parallel, at least one line of each command that takes --workers, which web, a program that goes on,
// is tested for in package server. Files that a line reads are those of writeLarge and saved.ink, a model of k-means.
var linesOnWorkers = []struct {
	name, line string
	long       bool
}{
	{name: "k-means", line: "cluster large.csv -k 12 --method kmeans --seed 7 --max-iter 5 -q -o rows.csv --save model.ink"},
	{name: "mpc-kmeans", line: "cluster large.csv -k 12 --method mpc-kmeans --links large-links.csv --labels large-labels.csv --seed 7 --restarts 1 --max-iter 3 -q -o rows.csv --save model.ink"},
	{name: "hmrf-kmeans", line: "cluster large.csv -k 12 --method hmrf-kmeans --links large-links.csv --inference bp --seed 7 --restarts 1 --max-iter 2 -q -o rows.csv --save model.ink", long: true},
	{name: "cop-kmeans", line: "cluster large.csv -k 12 --method cop-kmeans --links large-links.csv --seed 7 --restarts 1 --max-iter 2 -q -o rows.csv --save model.ink", long: true},
	{name: "density", line: "cluster large.csv --method density --links large-links.csv --json -q -o rows.csv --save model.ink --report report.html", long: true},
	{name: "automatic", line: "cluster example:wine.csv -k 3 --links example:wine-links.csv -q -o rows.csv --save model.ink"},
	{name: "graph", line: "cluster example:graph.edges -k 4 --seed 7 -q -o rows.csv"},
	{name: "text", line: "cluster example:text.csv --text text -k 3 -q -o rows.csv", long: true},
	{name: "predict", line: "predict saved.ink large.csv --rows --json -q -o rows.csv"},
	{name: "report", line: "report saved.ink large.csv -q -o report.html"},
	{name: "explain a row", line: "explain saved.ink large.csv --row 77 --json -q"},
	{name: "explain a cluster", line: "explain saved.ink large.csv --cluster 0 --json -q"},
	{name: "check", line: "check large.csv --links large-links.csv --labels large-labels.csv -k 12 --json -q"},
	{name: "ask", line: "ask example:iris.csv -k 3 --session session.jsonl --oracle example:iris-truth.csv --budget 12 --every 6 -q -o rows.csv"},
	{name: "suspect", line: "suspect example:iris.csv --labels example:iris-mislabelled.csv --json -q"},
	{name: "curve", line: "curve example:iris.csv --truth example:iris-truth.csv --methods kmeans,cop-kmeans --pairs 0,15 --folds 3 --repeats 1 -q -o cells.csv", long: true},
	{name: "dedupe", line: "dedupe example:contacts.csv -q -o entities.csv"},
	{name: "score", line: "score example:contacts-truth.csv example:contacts-truth.csv"},
	{name: "segment", line: "segment example:scene.png --scribbles example:scene-strokes.png -q -o mask.png", long: true},
}

// TestSameBitsOnAnyWorkers runs commands that work in parallel on 1 and 7 workers, with
// INKLING_FULL=1 on 2, 3 and 16 too, also where there are fewer processors: the files that they
// write and what they print are the same to the byte.
func TestSameBitsOnAnyWorkers(t *testing.T) {
	data := t.TempDir()
	writeLarge(t, data)
	runOnWorkers(t, data, "cluster large.csv -k 12 --method kmeans --max-iter 3 -q --save "+filepath.Join(data, "saved.ink"), 2)
	for _, c := range linesOnWorkers {
		t.Run(c.name, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("takes long: not in short mode")
			}
			t.Parallel()
			var want map[string]string
			for _, workers := range longtest.Size([]int{1, 3}, []int{1, 7}, []int{1, 2, 3, 7, 16}) {
				got := runOnWorkers(t, data, c.line, workers)
				if want == nil {
					want = got
				}
				if len(got) != len(want) {
					t.Errorf("%d workers: %d files, one writes %d", workers, len(got), len(want))
				}
				for _, name := range slices.Sorted(maps.Keys(want)) {
					if got[name] != want[name] {
						t.Errorf("%d workers: %s differs from that of one", workers, name)
					}
				}
			}
		})
	}
}

// Every command that takes --workers is held to the same bits.
func TestEveryCommandIsRunOnWorkers(t *testing.T) {
	tested := map[string]bool{"web": true}
	for _, c := range linesOnWorkers {
		name, _, _ := strings.Cut(c.line, " ")
		tested[name] = true
	}
	help, err := exec.Command("inkling", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	with := 0
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(list, -1) {
		help, err := exec.Command("inkling", m[1], "--help-all").Output()
		if err != nil {
			t.Fatalf("%s: %v", m[1], err)
		}
		if strings.Contains(string(help), "--workers N") {
			if with++; !tested[m[1]] {
				t.Errorf("%s takes --workers, and no line of it is run on several numbers of them", m[1])
			}
		}
	}
	if with < 10 {
		t.Errorf("%d commands take --workers: the list of commands is read wrong", with)
	}
}

// clocked is what differs from run to run: seconds, the times of events, and in reports the command line.
var clocked = regexp.MustCompile(`"seconds": ([0-9.e-]+|\{[^}]*\})|"(at|created)":"[^"]*"| --workers \d+`)

// runOnWorkers runs a command line in a folder of its own, with the files of data, and
// returns the files that it writes, by name, and what it prints.
func runOnWorkers(t *testing.T, data, line string, workers int) map[string]string {
	dir := t.TempDir()
	var words []string
	for _, w := range strings.Fields(line) {
		if strings.HasPrefix(w, "large") || w == "saved.ink" {
			w = filepath.Join(data, w)
		}
		words = append(words, w)
	}
	cmd := exec.Command("inkling", append(words, "--workers", strconv.Itoa(workers))...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s on %d workers: %v", line, workers, err)
	}
	files := map[string]string{"what it prints": clocked.ReplaceAllString(string(out), "")}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = clocked.ReplaceAllString(string(b), "")
	}
	if strings.Contains(line, " -o ") && len(files) == 1 {
		t.Fatalf("%s wrote no file", line)
	}
	return files
}
