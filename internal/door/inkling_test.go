package door_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// background is the context of the tests.
var background = context.Background()

var ctx = context.Background()

// groups are six rows in two groups, with ids.
func groups(t *testing.T) *door.Table {
	t.Helper()
	x, err := door.FromRows([][]float64{{1, 1}, {1, 2}, {2, 1}, {8, 8}, {8, 9}, {9, 8}},
		door.Names{IDs: []string{"a", "b", "c", "d", "e", "f"}, Columns: []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func open(t *testing.T, path string, s door.Source) *door.Table {
	t.Helper()
	x, err := door.Open(ctx, path, s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestRowsInMemoryNeedNoFiles(t *testing.T) {
	x := groups(t)
	c := door.NewConstraints(x)
	c.Label("a", "small")
	c.Label("f", "large")
	c.Must("a", "d")
	r, err := door.Cluster(ctx, x, c, door.Options{Method: "cop-kmeans"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for row := range r.Rows() {
		got[row.ID] = row.Cluster
		if r.Clusters[row.ClusterIndex] != row.Cluster {
			t.Errorf("row %s is in cluster %d, %s", row.ID, row.ClusterIndex, row.Cluster)
		}
	}
	for id, want := range map[string]string{"a": "small", "b": "small", "c": "small", "d": "small", "e": "large", "f": "large"} {
		if got[id] != want {
			t.Errorf("%s is in %s, wanted %s", id, got[id], want)
		}
	}
	if r.Method != "cop-kmeans" || r.K != 2 || r.Violated() != 0 {
		t.Errorf("method %s, k %d, %d violated", r.Method, r.K, r.Violated())
	}
}

func TestNilConstraintsAreTheLabelColumn(t *testing.T) {
	rows := [][]float64{{1}, {2}, {11}, {12}}
	x, err := door.FromRows(rows, door.Names{Labels: []string{"low", "", "", "high"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := door.Cluster(ctx, x, nil, door.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Clusters, []string{"low", "high"}) || !slices.Equal(r.Assignment(), []int{0, 0, 1, 1}) {
		t.Errorf("clusters %v, rows %v", r.Clusters, r.Assignment())
	}
}

// Weights of 0 are weights of 1, and a belief of 0 is a belief.
func TestZeroWeightsAreOne(t *testing.T) {
	fit := func(add func(c *door.Constraints)) float64 {
		x := groups(t)
		c := door.NewConstraints(x)
		add(c)
		r, err := door.Cluster(ctx, x, c, door.Options{K: 2, Method: "pc-kmeans", Parameters: map[string]any{"weight": "0.001"}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Objective.Total
	}
	zero := fit(func(c *door.Constraints) { c.Add(door.Link{A: "a", B: "f", Kind: door.MustLink}) })
	one := fit(func(c *door.Constraints) { c.Add(door.Link{A: "a", B: "f", Kind: door.MustLink, Weight: 1}) })
	two := fit(func(c *door.Constraints) { c.Add(door.Link{A: "a", B: "f", Kind: door.MustLink, Weight: 2}) })
	if zero != one || !(two > one) {
		t.Errorf("objective %v with weight 0, %v with 1, %v with 2", zero, one, two)
	}
}

func TestConstraintsThatAreNotUsedAreListed(t *testing.T) {
	x := groups(t)
	c := door.NewConstraints(x)
	c.Must("a", "f")
	c.Label("a", "small")
	r, err := door.Cluster(ctx, x, c, door.Options{K: 2, Method: "kmeans"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Ignored, []cluster.Kind{cluster.Labels, cluster.MustLinks}) {
		t.Errorf("ignored %v", r.Ignored)
	}
	if len(r.Violations) != 1 || r.Violations[0].A != "a" || r.Violations[0].B != "f" || r.Violations[0].Cost == nil {
		t.Errorf("violations %+v", r.Violations)
	}
	if !slices.ContainsFunc(r.Notes, func(n door.Note) bool {
		return strings.Contains(n.String(), "does not use labels or must-links")
	}) {
		t.Errorf("notes %v", r.Notes)
	}
}

func TestErrorsHaveTypesAndAdvice(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table := write("rows.csv", "id,x\na,1\nb,2\nc,9\n")
	holes := write("holes.csv", "id,x\na,1\nb,\n")
	links := write("links.csv", "a,b,kind\na,b,must\nb,c,must\na,c,cannot\n")
	unknown := write("unknown.csv", "a,b,kind\na,z,must\n")
	fit := func(path string, files []string, o door.Options) error {
		x, err := door.Open(ctx, path, door.Source{ID: "id", Missing: "error"})
		if err != nil {
			return err
		}
		c, err := door.ReadConstraints(ctx, x, door.ConstraintFiles{Links: files})
		if err != nil {
			return err
		}
		_, err = door.Cluster(ctx, x, c, o)
		return err
	}
	for name, c := range map[string]struct {
		err          error
		kind         any
		says, advice string
	}{
		"missing cell":    {fit(holes, nil, door.Options{K: 2}), new(*door.InputError), "holes.csv:3:3", "{missing=drop}"},
		"no such file":    {fit(filepath.Join(dir, "none.csv"), nil, door.Options{K: 2}), new(*door.InputError), "none.csv", ""},
		"unknown id":      {fit(table, []string{unknown}, door.Options{K: 2}), new(*door.InputError), "unknown.csv:2", ""},
		"contradiction":   {fit(table, []string{links}, door.Options{K: 2, Strict: true}), new(*door.ConstraintError), "a and c cannot be together, yet a = b = c", "{method=pc-kmeans}"},
		"no k":            {fit(table, nil, door.Options{}), new(*door.OptionError), "k is missing", "give a number, auto, or labels"},
		"k too large":     {fit(table, nil, door.Options{K: 4}), new(*door.OptionError), "only 3 rows", ""},
		"k below 1":       {fit(table, nil, door.Options{K: -1}), new(*door.OptionError), "k must be at least 1, got -1", ""},
		"method":          {fit(table, nil, door.Options{K: 2, Method: "k-means"}), new(*door.OptionError), "did you mean kmeans?", ""},
		"graph method":    {fit(table, nil, door.Options{K: 2, Method: "graph-cut"}), new(*door.OptionError), "does not take rows", "{knn=10}"},
		"parameter":       {fit(table, nil, door.Options{K: 2, Parameters: map[string]any{"inits": "x"}}), new(*door.OptionError), "did you mean init?", ""},
		"parameter value": {fit(table, nil, door.Options{K: 2, Method: "kmeans", Parameters: map[string]any{"batches": "x"}}), new(*door.OptionError), "batches", ""},
		"not its own":     {fit(table, nil, door.Options{K: 2, Method: "kmeans", Parameters: map[string]any{"knn": 3}}), new(*door.OptionError), "does not apply to kmeans", ""},
		"scale":           {fit(table, nil, door.Options{K: 2, Scale: "stanard"}), new(*door.OptionError), "did you mean standard?", ""},
		"tolerance":       {fit(table, nil, door.Options{K: 2, Tol: math.NaN()}), new(*door.OptionError), "tol", ""},
	} {
		if !errors.As(c.err, c.kind) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %T %v; it should be a %T that says %q", name, c.err, c.err, c.kind, c.says)
		}
		if h := door.Advice(c.err); !strings.Contains(string(h), c.advice) {
			t.Errorf("%s: the advice is %q, it should name %s", name, h, c.advice)
		}
	}
}

func TestNothingPanicsOnNil(t *testing.T) {
	if _, err := door.Cluster(ctx, nil, nil, door.Options{K: 2}); err == nil {
		t.Error("a nil table is clustered")
	}
	//lint:ignore SA1012 that is what is tested
	if _, err := door.Cluster(nil, groups(t), nil, door.Options{K: 2}); err == nil { //nolint:staticcheck
		t.Error("a nil context is accepted")
	}
	if _, err := door.Cluster(ctx, groups(t), door.NewConstraints(groups(t)), door.Options{K: 2}); err == nil {
		t.Error("constraints on another table are accepted")
	}
	for name, make := range map[string]func() (*door.Table, error){
		"rows":   func() (*door.Table, error) { return door.FromMatrix(nil, door.Names{}) },
		"graph":  func() (*door.Table, error) { return door.FromGraph(nil, door.Names{}) },
		"kernel": func() (*door.Table, error) { return door.FromKernel(nil, door.Names{}) },
		"ids": func() (*door.Table, error) {
			return door.FromTexts([]string{"x", "y"}, door.Names{IDs: []string{"a"}})
		},
		"twice": func() (*door.Table, error) {
			return door.FromTexts([]string{"x", "y"}, door.Names{IDs: []string{"a", "a"}})
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: a broken table is accepted", name)
		}
	}
}

// Constraints that cannot be are reported by ids, as errors of the input.
func TestBadConstraintsAreInputErrors(t *testing.T) {
	for name, add := range map[string]func(c *door.Constraints){
		"weight below 0": func(c *door.Constraints) { c.Add(door.Link{A: "a", B: "b", Kind: door.MustLink, Weight: -1}) },
		"weight NaN":     func(c *door.Constraints) { c.LabelWeighted("a", "x", math.NaN()) },
		"weight Inf": func(c *door.Constraints) {
			c.Add(door.Link{A: "a", B: "b", Kind: door.CannotLink, Weight: math.Inf(1)})
		},
		"belief of 4": func(c *door.Constraints) { c.Belief("a", "b", 4) },
		"no kind":     func(c *door.Constraints) { c.Add(door.Link{A: "a", B: "b"}) },
		"no row":      func(c *door.Constraints) { c.Must("a", "z") },
	} {
		x := groups(t)
		c := door.NewConstraints(x)
		add(c)
		var input *door.InputError
		if _, err := door.Cluster(ctx, x, c, door.Options{K: 2}); !errors.As(err, &input) || !errors.As(c.Err(), &input) {
			t.Errorf("%s: %T %v", name, err, err)
		}
		if r, err := door.CheckConstraints(ctx, x, c, door.Options{K: 2}); err != nil || !errors.As(r.Err(), &input) {
			t.Errorf("%s, checked: %v", name, err)
		}
	}
	if c := door.NewConstraints(nil); c.Err() != nil {
		t.Error(c.Err())
	} else if c.Must("a", "b"); c.Err() == nil {
		t.Error("constraints of no table are accepted")
	}
}

func TestConstraintsOnAnotherTableAreRefused(t *testing.T) {
	x, other := groups(t), groups(t)
	r, err := door.Cluster(ctx, x, nil, door.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	c := door.NewConstraints(other)
	c.Must("a", "b")
	if _, err := m.Evaluate(ctx, x, c, 0); err == nil {
		t.Error("Evaluate takes constraints on another table")
	}
	if _, err := door.CheckConstraints(ctx, x, c, door.Options{}); err == nil {
		t.Error("CheckConstraints takes constraints on another table")
	}
	if _, err := door.CheckConstraints(ctx, nil, nil, door.Options{}); err == nil {
		t.Error("CheckConstraints takes no table")
	}
	if _, err := door.CheckConstraints(ctx, x, nil, door.Options{K: -3}); err == nil {
		t.Error("CheckConstraints takes a negative k")
	}
}

func TestNaNInMemoryIsAMissingValue(t *testing.T) {
	rows := [][]float64{{1}, {math.NaN()}, {2}, {9}}
	for missing, want := range map[door.Missing]int{"drop": 3, "mean": 4} {
		x, err := door.FromRows(rows, door.Names{IDs: []string{}, Missing: missing})
		if err != nil {
			t.Fatal(err)
		}
		r, err := door.Cluster(ctx, x, nil, door.Options{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range r.Rows() {
			n++
		}
		if n != want {
			t.Errorf("%s: %d rows, wanted %d", missing, n, want)
		}
	}
	if _, err := door.FromRows([][]float64{{1, 2}}, door.Names{Columns: []string{"x", "x"}}); err == nil {
		t.Error("two columns of one name are accepted")
	}
	x, err := door.FromRows([][]float64{{1}, {2}}, door.Names{Columns: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if x.Columns()[0] = "changed"; x.Columns()[0] != "x" {
		t.Error("a table can be changed from outside")
	}
}

func TestASavedModelPlacesRowsAsTheFitDid(t *testing.T) {
	x := open(t, "example:wine.csv", door.Source{})
	r, err := door.Cluster(ctx, x, nil, door.Options{K: 3, Scale: "standard"})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := r.Save(&file); err != nil {
		t.Fatal(err)
	}
	m, err := door.Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 { // one model serves many
		wait.Go(func() {
			p, err := m.Predict(ctx, x, 0)
			if err != nil {
				t.Error(err)
				return
			}
			var placed []int
			for row := range p.Rows() {
				placed = append(placed, row.ClusterIndex)
			}
			if !slices.Equal(placed, r.Assignment()) {
				t.Error("the model places rows elsewhere than the fit")
			}
		})
	}
	wait.Wait()
	if _, err := door.Load(strings.NewReader("id,x\n")); !errors.Is(err, door.ErrNotModel) {
		t.Errorf("a table is loaded as a model: %v", err)
	}
	graph := open(t, "example:graph.edges", door.Source{})
	cut, err := door.Cluster(ctx, graph, nil, door.Options{K: 4})
	if err != nil {
		t.Fatal(err)
	}
	var option *door.OptionError
	if err := cut.Save(&file); !errors.As(err, &option) {
		t.Errorf("a graph method is saved: %v", err)
	}
	if _, err := door.Cluster(ctx, graph, nil, door.Options{K: 4, NeedModel: true}); !errors.As(err, &option) {
		t.Errorf("a method without a model is fitted where one is needed: %v", err)
	}
}

// A model names the id column of later tables, unless they have none.
func TestNoColumn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	x := open(t, write("a.csv", "id,x\na,1\nb,2\nc,9\nd,10\n"), door.Source{ID: "id"})
	r, err := door.Cluster(ctx, x, nil, door.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	bare := write("b.csv", "x\n1\n10\n")
	numbered, err := m.Open(ctx, bare, door.Source{})
	if err != nil || numbered.ID(1) != "1" {
		t.Errorf("a table without the id column of the model: %v, %v", numbered, err)
	}
	y, err := m.Open(ctx, bare, door.Source{ID: door.NoColumn})
	if err != nil || y.ID(1) != "1" {
		t.Errorf("%v, %v", y, err)
	}
	if _, err := m.Open(ctx, bare, door.Source{Missing: "drop"}); err == nil {
		t.Error("missing values are treated otherwise than in the fit")
	}
}

// The hint of a column whose ids repeat names a way that works: a table, an array and a saved model take none for row numbers, unless a
// column is called so.
func TestNoneNumbersTheRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	text := "id,x,y\n"
	for i := range 40 {
		text += fmt.Sprintf("K%d,%d.5,%d.25\n", min(i, 38), i*i, i%7)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var bad *door.InputError
	if _, err := door.Open(ctx, path, door.Source{}); !errors.As(err, &bad) || !strings.Contains(string(bad.Hint), "{id=none}") {
		t.Fatalf("ids that repeat: %v", err)
	}
	x := open(t, path, door.Source{ID: "none"})
	if x.ID(39) != "39" || x.Plan().IDColumn() != "" {
		t.Errorf("row 39 is %s, the ids are %q", x.ID(39), x.Plan().IDColumn())
	}
	r, err := door.Cluster(ctx, x, nil, door.Options{K: 2, NeedModel: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Open(ctx, path, door.Source{ID: "none"}); err != nil || again.ID(39) != "39" {
		t.Errorf("%v, %v", again, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(strings.Replace(text, "id,", "none,", 1), "K38", "K77", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if named := open(t, path, door.Source{ID: "none"}); named.ID(3) != "K3" {
		t.Errorf("row 3 of a table with a column none is %s", named.ID(3))
	}
}

// The reason of a fit without constraints says once that there were none.
func TestWhyWithoutConstraints(t *testing.T) {
	t.Parallel()
	r, err := door.Cluster(ctx, open(t, "example:blobs.csv", door.Source{}), nil, door.Options{K: 10, NeedModel: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Why(), "method kmeans: there were no constraints to compare methods by"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Parameters as a decoded JSON object has them.
func TestWholeNumbersAreIntegers(t *testing.T) {
	if _, err := door.Cluster(ctx, groups(t), nil, door.Options{K: 2, Method: "kernel-kmeans", Parameters: map[string]any{"memory": 1e6}}); err != nil {
		t.Error(err)
	}
}

// A context that ends during the fit gives the best so far; a time limit too, and
// then without an error.
func TestCancellationGivesTheBestSoFar(t *testing.T) {
	t.Parallel()
	x := open(t, "example:blobs.csv", door.Source{})
	stopped, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := door.Cluster(stopped, x, nil, door.Options{K: 10, Restarts: 100_000, Progress: func(p door.Progress) {
		if p.Run == 3 {
			cancel()
		}
	}})
	if r == nil || !errors.Is(err, context.Canceled) || r.Status != cluster.Interrupted || len(r.Assignment()) != 1000 {
		t.Fatalf("%v, %v", r, err)
	}
	r, err = door.Cluster(ctx, x, nil, door.Options{K: 10, Restarts: 100_000_000, Timeout: 500 * time.Millisecond})
	if err != nil || r.Status != cluster.Timeout {
		t.Fatalf("%v, %v", r, err)
	}
	cancel()
	if r, err := door.Cluster(stopped, x, nil, door.Options{K: 10}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v, %v", r, err)
	}
}

func TestSeedAndLimitsHaveDefaults(t *testing.T) {
	x := open(t, "example:blobs.csv", door.Source{})
	fit := func(o door.Options) *door.Result {
		o.K, o.Unjudged = 10, true
		r, err := door.Cluster(ctx, x, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := fit(door.Options{})
	one := fit(door.Options{Seed: new(uint64(1)), MaxIter: 300, Tol: 1e-7, Restarts: 10, Workers: 3})
	if plain.Seed != 1 || plain.Objective.Total != one.Objective.Total || !slices.Equal(plain.Assignment(), one.Assignment()) {
		t.Errorf("the defaults give %v, the same settings written out %v", plain.Objective, one.Objective)
	}
	if zero := fit(door.Options{Seed: new(uint64), Restarts: 1}); zero.Seed != 0 {
		t.Errorf("seed 0 became %d", zero.Seed)
	}
	if start := fit(door.Options{MaxIter: -1}); start.Iterations != 0 || start.Status != cluster.IterLimit {
		t.Errorf("%d iterations, %s", start.Iterations, start.Status)
	}
}

func TestNewProblemIsWhatClusterFits(t *testing.T) {
	x := open(t, "example:iris.csv", door.Source{})
	c, err := door.ReadConstraints(ctx, x, door.ConstraintFiles{Labels: []string{"example:iris-labels.csv"}})
	if err != nil {
		t.Fatal(err)
	}
	p, id, err := door.NewProblem(ctx, x, c, door.Options{Scale: "standard"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Len() != 150 || p.K != 3 || len(p.Constraints.Labels) != 15 || id(7) != "7" || p.X.(*data.Dense).Cols != 4 {
		t.Errorf("%d rows, k %d, %d labels", p.Len(), p.K, len(p.Constraints.Labels))
	}
}

func TestRowsDroppedForMissingValuesTakeTheirConstraintsAlong(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.csv")
	if err := os.WriteFile(path, []byte("id,x\na,1\nb,\nc,2\nd,10\ne,11\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	x := open(t, path, door.Source{ID: "id", Missing: "drop"})
	c := door.NewConstraints(x)
	c.Must("a", "b")
	c.Must("c", "d")
	r, err := door.Cluster(ctx, x, c, door.Options{K: 2, Method: "cop-kmeans"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for row := range r.Rows() {
		got[row.ID] = row.ClusterIndex
	}
	if _, ok := got["b"]; ok || len(got) != 4 || got["c"] != got["d"] || r.Dropped != 1 || r.Must.Given != 1 {
		t.Errorf("rows %v, %d dropped, %d must-links", got, r.Dropped, r.Must.Given)
	}
	if !slices.ContainsFunc(r.Notes, func(n door.Note) bool { return n.Warning && strings.Contains(n.String(), "ignored 1 constraint") }) {
		t.Errorf("notes %v", r.Notes)
	}
}

func TestCheckConstraintsProvesContradictions(t *testing.T) {
	x := groups(t)
	c := door.NewConstraints(x)
	c.Must("a", "b")
	c.Must("b", "c")
	c.Cannot("a", "c")
	c.Must("a", "nobody")
	r, err := door.CheckConstraints(ctx, x, c, door.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Conflicts) != 1 || !slices.Equal(r.Conflicts[0].Chain, []string{"a", "b", "c"}) || len(r.Drop) != 1 || r.Feasible != door.FeasibleNo {
		t.Errorf("%+v", r)
	}
	var input *door.InputError
	if err := r.Err(); !errors.As(err, &input) || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("the worst is %v", err)
	}
}
