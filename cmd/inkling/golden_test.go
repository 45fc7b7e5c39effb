package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

var updateGolden = flag.Bool("update-golden", false, "rewrite testdata/golden.tsv")

// goldenData are the inputs of the golden fits, with the flags that each needs.
var goldenData = map[string][]string{
	"iris":        {"example:iris.csv", "-k", "3"},
	"wine":        {"example:wine.csv", "-k", "3", "--scale", "standard"},
	"blobs":       {"example:blobs.csv", "-k", "10"},
	"two-moons":   {"example:two-moons.csv", "-k", "2"},
	"two-circles": {"example:two-circles.csv", "-k", "2"},
	"noisy-moons": {"example:noisy-moons.csv", "-k", "2"},
	"text":        {"example:text.csv", "--text", "text", "-k", "3"},
	"graph":       {"example:graph.edges", "-k", "4"},
	"six-nodes":   {"example:six-nodes.edges", "-k", "2"},
	"large":       {"large.csv", "-k", "12", "--restarts", "1", "--max-iter", "15"},
}

// goldenVariants are settings beside the defaults, by method.
var goldenVariants = map[string][][]string{
	"kmeans": {{"--init", "k-means||"}, {"--init", "random"}, {"--init", "perturbed-mean"}, {"--batches", "5"},
		{"--distortion", "cosine"}},
	"seeded-kmeans":      {{"--fill", "k-means++"}, {"--distortion", "cosine"}},
	"constrained-kmeans": {{"--fill", "k-means++"}, {"--distortion", "cosine"}},
	"cop-kmeans":         {{"--assignment", "greedy"}, {"--trials", "0"}},
	"pc-kmeans": {{"--weight", "auto"}, {"--closure", "on"}, {"--sweeps", "1"}, {"--joint-reassign=false"}, {"--init", "largest"},
		{"--inference", "bp"}, {"--inference", "lp"}},
	"m-kmeans":   {{"--metric", "full"}, {"--complexity", "none"}},
	"mpc-kmeans": {{"--metric", "full"}, {"--metric", "diagonal"}, {"--metric", "per-cluster-full", "--complexity", "none"}, {"--literal=true"}, {"--weight", "auto"}},
	"hmrf-kmeans": {{"--inference", "bp"}, {"--inference", "lp"}, {"--inference", "nearest"}, {"--metric", "none", "--inference", "bp"},
		{"--metric", "per-cluster-diagonal"}, {"--distortion", "cosine", "--metric", "none"}, {"--closure", "on"}, {"--init", "k-means++"}},
	"graph-cut":          {{"--objective", "ratio-cut"}, {"--objective", "ratio-association"}, {"--cycles", "3"}},
	"ss-kernel-kmeans":   {{"--objective", "ratio-cut"}, {"--objective", "ratio-association"}, {"--refine=false"}, {"--init", "random"}},
	"kernel-kmeans":      {{"--kernel", "linear"}, {"--kernel", "poly"}, {"--features", "20"}},
	"kernel-hmrf-kmeans": {{"--kernel", "linear"}, {"--objective", "normalized-cut"}, {"--features", "20"}},
	"spectral":           {{"--affinity", "rbf"}},
	"spectral-learning":  {{"--normalise", "lbar"}, {"--normalise", "a"}},
	"csp":                {{"--beta", "one"}, {"--beta", "eq19"}, {"--closure", "on"}, {"--order", "lambda"}, {"--cut", "k-way"}, {"--cut", "k-way", "--discretise", "weighted"}},
	"fast-ge":            {{"--demand", "0.5"}},
}

// large are the methods that also run on a table on which bounds, sampled starts
// and components of many rows matter.
var goldenLarge = []string{"kmeans", "seeded-kmeans", "constrained-kmeans", "cop-kmeans", "pc-kmeans", "m-kmeans", "mpc-kmeans", "hmrf-kmeans"}

// TestGolden holds labels, objective and model of every method on the built-in
// data to the bits that testdata/golden.tsv records. A change of results that is
// meant is recorded by
//
//	go test ./cmd/inkling -run TestGolden -update-golden
//
// and its reason belongs into the commit message.
func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("some 400 fits: not in short mode")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the bits are recorded on amd64; other processors may fuse multiplication and addition")
	}
	path := filepath.Join("testdata", "golden.tsv")
	dir := t.TempDir()
	writeLarge(t, dir)
	want := readGolden(t, path)
	cases := goldenCases(dir)
	got := make([]string, len(cases))
	t.Run("fits", func(t *testing.T) {
		for i, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				if c.long && !longtest.Full() && !*updateGolden {
					t.Skip("fitted with INKLING_FULL=1")
				}
				t.Parallel()
				got[i] = c.name + "\t" + c.run(t)
				if !*updateGolden && want[c.name] != got[i] {
					t.Errorf("got  %s\nwant %s", got[i], want[c.name])
				}
			})
		}
	})
	if *updateGolden {
		if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if len(want) != len(got) {
		t.Errorf("%s records %d fits, there are %d", path, len(want), len(got))
	}
}

type goldenCase struct {
	name string
	args []string
	long bool // 10,000 or 20,000 rows, and other fits meet the same code: more than half of the time of all
}

func goldenCases(dir string) (cases []goldenCase) {
	var sets []string
	for name := range goldenData {
		sets = append(sets, name)
	}
	slices.Sort(sets)
	for _, m := range catalog.Methods() {
		for _, set := range sets {
			graph := set == "graph" || set == "six-nodes"
			if set == "large" && !slices.Contains(goldenLarge, m.Name) || graph && !m.Takes("graph") {
				continue
			}
			for _, v := range append([][]string{nil}, goldenVariants[m.Name]...) {
				for _, known := range []bool{false, true} {
					args := append([]string{"cluster"}, goldenData[set]...)
					if set == "large" {
						args[1] = filepath.Join(dir, args[1])
					}
					args = append(args, "--method", m.Name, "--seed", "7")
					args = append(args, v...)
					if !graph && !m.Takes("rows") {
						args = append(args, "--knn", "10")
					}
					name := strings.Join(append([]string{m.Name, set}, v...), " ")
					if len(v) > 0 && (!known || !slices.Contains([]string{"iris", "blobs", "graph", "two-moons", "large"}, set)) {
						continue // variants on some sets only
					}
					if known {
						files := "example:" + set
						if set == "large" {
							files = filepath.Join(dir, set)
						}
						args = append(args, "--labels", files+"-labels.csv", "--links", files+"-links.csv")
						name += " +constraints"
					}
					// Of many rows each method is fitted once as a rule, with constraints where it can use them.
					variant, plain := len(v) > 0, !known && m.Name != "kmeans"
					cases = append(cases, goldenCase{name, args, set == "large" && (variant || plain) || set == "blobs" && (variant || plain || slices.Contains(goldenLarge, m.Name))})
				}
			}
		}
	}
	return cases
}

// run returns what is recorded of a fit: the hash of its labels, the objective
// and its terms, the iterations and the hash of its model; or the exit code of a
// fit that is refused. The command runs in this process, and what is said about a fit
// afterwards, which takes longer than most fits, is left out.
func (c goldenCase) run(t *testing.T) string {
	out := filepath.Join(t.TempDir(), "labels.csv")
	var stdout bytes.Buffer
	a := &app{stdout: &outlet{to: &stdout}, stderr: os.Stderr, unjudged: true}
	a.screen = terminal.NewScreen(os.Stderr, &a.quiet)
	root := a.root()
	root.SetArgs(append(c.args, "--json", "-q", "--no-suspects", "-o", out))
	if err := root.ExecuteContext(t.Context()); err != nil {
		code := codeOf(err)
		if code == exitInternal {
			t.Fatalf("%s: %v", strings.Join(c.args, " "), err)
		}
		return "exit " + strconv.Itoa(code)
	}
	labels, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Iterations int
		Objective  json.RawMessage
		Model      json.RawMessage
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	var objective, model bytes.Buffer
	if err := json.Compact(&objective, r.Objective); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&model, r.Model); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x\t%d\t%s\t%x", sha256.Sum256(labels), r.Iterations, objective.String(), sha256.Sum256(model.Bytes()))
}

func readGolden(t *testing.T, path string) map[string]string {
	b, err := os.ReadFile(path)
	if err != nil && !*updateGolden {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		name, _, _ := strings.Cut(line, "\t")
		lines[name] = line
	}
	return lines
}

// writeLarge makes 20,000 rows around 12 overlapping spots, labels of some of
// them and true links.
func writeLarge(t *testing.T, dir string) {
	const n, d, k = 20_000, 6, 12
	r := rand.New(rand.NewPCG(1, 2))
	var spots [k][d]float64
	for h := range spots {
		for j := range d {
			spots[h][j] = 8 * r.Float64()
		}
	}
	var rows, labels, links strings.Builder
	rows.WriteString("a,b,c,d,e,f\n")
	labels.WriteString("id,label\n")
	links.WriteString("a,b,kind\n")
	class := make([]int, n)
	for i := range n {
		h := r.IntN(k)
		class[i] = h
		for j := range d {
			if j > 0 {
				rows.WriteByte(',')
			}
			fmt.Fprintf(&rows, "%.3f", spots[h][j]+r.NormFloat64())
		}
		rows.WriteByte('\n')
		if r.IntN(200) == 0 {
			fmt.Fprintf(&labels, "%d,c%02d\n", i, h)
		}
	}
	for range 2000 {
		i, j := r.IntN(n), r.IntN(n)
		kind := "cannot"
		if class[i] == class[j] {
			kind = "must"
		}
		if i != j {
			fmt.Fprintf(&links, "%d,%d,%s\n", i, j, kind)
		}
	}
	for name, b := range map[string]string{"large.csv": rows.String(), "large-labels.csv": labels.String(), "large-links.csv": links.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
