package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"pgregory.net/rapid"
)

// blobs returns a small curve on overlapping blobs, every seventh truth
// unknown.
func blobs(t testing.TB, methods string) *Curve {
	x, truth, err := example.Blobs(90, 3, 2, 3, 1, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(truth); i += 7 {
		truth[i] = -1
	}
	c := &Curve{Problem: &cluster.Problem{X: x, K: 3}, Truth: truth, Vary: Pairs, Amounts: []Amount{{}, {Pairs: 10}, {Pairs: 40}},
		Folds: 3, Repeats: 2, Measure: "ari", Settings: cluster.Default(), Program: "test"}
	c.Settings.Restarts = 1
	if c.Methods, err = ParseMethods(methods); err != nil {
		t.Fatal(err)
	}
	return c
}

func text(t testing.TB, table *Table) string {
	var b bytes.Buffer
	for _, write := range []func() error{
		func() error { return table.WriteText(&b) }, func() error { return table.WriteCSV(&b) }, func() error { return table.WriteMarkdown(&b) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func run(t testing.TB, c *Curve, past []Fit, log *bytes.Buffer) string {
	var table *Table
	var err error
	if log == nil {
		table, err = Run(context.Background(), c, past, nil)
	} else {
		table, err = Run(context.Background(), c, past, log)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text(t, table)
}

func TestSameTableOnAnyNumberOfWorkers(t *testing.T) {
	c := blobs(t, "kmeans,cop-kmeans")
	c.Amounts = c.Amounts[:2]
	want := run(t, c, nil, nil)
	for _, workers := range []int{1, 7, 100} {
		c.Settings.Workers = workers
		if got := run(t, c, nil, nil); got != want {
			t.Errorf("with %d workers:\n%s\nwant\n%s", workers, got, want)
		}
	}
}

// A log cut anywhere, even within a line, gives the table of an undisturbed
// run, and is whole again after it.
func TestGoingOnGivesTheSameTable(t *testing.T) {
	c := blobs(t, "kmeans,seeded-kmeans")
	c.Vary, c.Amounts = Seeds, []Amount{{Seeds: 0.1}, {Seeds: 0.3}}
	var log bytes.Buffer
	want := run(t, c, nil, &log)
	total := strings.Count(log.String(), "\n")
	if total != 3*2*2*2 {
		t.Fatalf("%d lines", total)
	}
	rapid.Check(t, func(rt *rapid.T) {
		cut := rapid.IntRange(0, log.Len()).Draw(rt, "cut")
		c.Settings.Workers = rapid.IntRange(1, 3).Draw(rt, "workers")
		past, whole, err := ReadLog(bytes.NewReader(log.Bytes()[:cut]))
		if err != nil {
			rt.Fatal(err)
		}
		if n := bytes.Count(log.Bytes()[:cut], []byte("\n")); n != len(past) || whole > int64(cut) {
			rt.Fatalf("%d fits of %d lines, whole to %d of %d", len(past), n, whole, cut)
		}
		made := 0
		c.Observe = func(Progress) { made++ }
		again := bytes.NewBuffer(slices.Clone(log.Bytes()[:whole]))
		if got := run(t, c, past, again); got != want {
			rt.Fatalf("cut at %d:\n%s\nwant\n%s", cut, got, want)
		}
		if made != total-len(past) {
			rt.Fatalf("%d fits made, %d were missing", made, total-len(past))
		}
		if fits, _, err := ReadLog(again); err != nil || len(fits) != total {
			rt.Fatalf("%d fits in the log, %v", len(fits), err)
		}
	})
}

// What determines a fit is in its key: a change of any of it makes the fit again.
func TestOtherFitsAreMadeAnew(t *testing.T) {
	c := blobs(t, "kmeans,seeded-kmeans")
	var log bytes.Buffer
	run(t, c, nil, &log)
	past, _, err := ReadLog(&log)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Curve){
		"program":    func(c *Curve) { c.Program = "other" },
		"seed":       func(c *Curve) { c.Settings.Seed++ },
		"restarts":   func(c *Curve) { c.Settings.Restarts++ },
		"iterations": func(c *Curve) { c.Settings.MaxIter-- },
		"tolerance":  func(c *Curve) { c.Settings.Tol /= 2 },
		"k":          func(c *Curve) { c.Problem.K++ },
		"folds":      func(c *Curve) { c.Folds++ },
		"noise":      func(c *Curve) { c.Amounts = []Amount{{Pairs: 10, Noise: 0.1}} },
		"truth":      func(c *Curve) { c.Truth[1] = (c.Truth[1] + 1) % 3 },
		"rows":       func(c *Curve) { c.Problem.X.(*data.Dense).V[5] += 1e-9 },
		"weights":    func(c *Curve) { c.Problem.Weight = slices.Repeat([]float64{2}, 90) },
		"parameters": func(c *Curve) { c.Methods, _ = ParseMethods("kmeans:init=random") },
	} {
		c := blobs(t, "kmeans,seeded-kmeans")
		change(c)
		made, total := 0, 0
		c.Observe = func(p Progress) { made, total = p.Made, p.Total }
		run(t, c, past, nil)
		if made == 0 || made != total {
			t.Errorf("another %s: %d of %d fits were made again", what, made, total)
		}
	}
	c.Measure, c.Repeats, c.Amounts = "nmi", 3, []Amount{{Pairs: 40}, {Pairs: 20}}
	made := 0
	c.Observe = func(p Progress) { made = p.Made }
	run(t, c, past, nil)
	if want := 2 * 3 * (3 + 1); made != want { // 20 pairs in three repeats, 40 in the third
		t.Errorf("%d fits made where %d were new", made, want)
	}
}

type spyKind string

func (spyKind) Values() []string { return []string{"a", "b", "fails"} }

// A spy is a method that remembers what it was given.
type spy struct {
	Kind spyKind `json:"kind" help:"nothing"`
	saw  *sightings
}

type sightings struct {
	mu   sync.Mutex
	list map[string][]string // by kind
}

func (*spy) Capabilities() cluster.Capabilities {
	return cluster.Capabilities{Inputs: []cluster.Input{cluster.InputRows, cluster.InputGraph, cluster.InputKernel}}
}

func (s *spy) Check(*cluster.Problem) error { return nil }

func (s *spy) Start(_ context.Context, p *cluster.Problem, e *cluster.Env) (cluster.Run, error) {
	if s.Kind == "fails" && !p.Constraints.Empty() && p.Constraints.Must[0].I%2 == 0 {
		return nil, errors.New("spy: an even row")
	}
	s.saw.mu.Lock()
	defer s.saw.mu.Unlock()
	s.saw.list[string(s.Kind)] = append(s.saw.list[string(s.Kind)], fmt.Sprint(p.Len(), p.Constraints, e.Rand.Uint64()))
	labels := make([]int, p.Len())
	for i := range labels {
		labels[i] = i * p.K / len(labels)
	}
	return fixed(labels), nil
}

type fixed []int

func (f fixed) Stages() []cluster.Stage { return nil }
func (f fixed) Labels() []int           { return f }
func (f fixed) Model() cluster.Model    { return nil }
func (f fixed) Objective(context.Context) (cluster.Terms, error) {
	return cluster.Terms{{Name: "none", Value: 1}}, nil
}

func spies(t testing.TB, kinds ...string) (c *Curve, saw *sightings) {
	c, saw = blobs(t, "kmeans"), &sightings{list: map[string][]string{}}
	c.Methods = nil
	for _, kind := range kinds {
		m := Method{Method: catalog.Method{Name: "spy", New: func() cluster.Algorithm { return &spy{Kind: "a", saw: saw} }}}
		m, err := m.With("kind", kind)
		if err != nil {
			t.Fatal(err)
		}
		c.Methods = append(c.Methods, m)
	}
	return c, saw
}

// Every method is given all rows, the same constraints and the same randomness.
func TestMethodsArePaired(t *testing.T) {
	c, saw := spies(t, "a", "b")
	table, err := Run(context.Background(), c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := saw.list["a"], saw.list["b"]
	slices.Sort(a) // fits are made in any order
	slices.Sort(b)
	if len(a) != 3*3*2 || !slices.Equal(a, b) {
		t.Errorf("%d and %d fits saw different things", len(a), len(b))
	}
	if len(slices.Compact(a)) != 3*3*2 {
		t.Error("two fits saw the same")
	}
	if d := table.Cells[1][2].Against; d.Equal != 6 || d.P != 1 {
		t.Errorf("equal methods differ: %+v", d)
	}
}

// The score is that of the test fold: here computed another way.
func TestScoresAreOfTheFoldAlone(t *testing.T) {
	c, _ := spies(t, "a")
	c.Measure = "rand"
	table, err := Run(context.Background(), c, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []float64
	for repeat := range c.Repeats {
		foldOf := c.Deal(repeat)
		for fold := range c.Folds {
			agree, all := 0.0, 0.0
			for i := range foldOf {
				for j := range i {
					if foldOf[i] == fold && foldOf[j] == fold {
						all++
						if (i*3/90 == j*3/90) == (c.Truth[i] == c.Truth[j]) {
							agree++
						}
					}
				}
			}
			want = append(want, agree/all)
		}
	}
	if got, want := table.Cells[0][1].Score, meanOf(want); !near(got.Mean, want.Mean, 1e-12) || !near(got.SE, want.SE, 1e-12) || got.N != want.N {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFailedFitsAreCountedAndLeftOut(t *testing.T) {
	c, _ := spies(t, "a", "fails")
	var log bytes.Buffer
	table, err := Run(context.Background(), c, nil, &log)
	if err != nil {
		t.Fatal(err)
	}
	cell := table.Cells[1][2]
	if cell.Failed == 0 || cell.Failed+cell.Score.N != 6 || cell.Why != "spy: an even row" || cell.Against.Difference.N != cell.Score.N {
		t.Errorf("got %+v", cell)
	}
	if table.Cells[1][0].Failed != 0 || table.Failed < cell.Failed || table.Done != table.Total {
		t.Errorf("got %+v", table)
	}
	past, _, err := ReadLog(&log)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, c, past, nil), text(t, table); got != want {
		t.Errorf("from the log\n%s\nwant\n%s", got, want)
	}
	// A method of which nothing is left has no mean, and no comparison.
	c.Methods = c.Methods[1:]
	for i := range past {
		past[i].Error = "gone"
	}
	table, err = Run(context.Background(), c, past, nil)
	if err != nil || !math.IsNaN(table.Cells[0][0].Score.Mean) || !strings.Contains(text(t, table), "– (6 failed)") {
		t.Errorf("%v: %s", err, text(t, table))
	}
}

func TestInterruptedRunHasWhatIsDone(t *testing.T) {
	c := blobs(t, "kmeans,seeded-kmeans")
	want := run(t, c, nil, nil)
	ctx, cancel := context.WithCancel(context.Background())
	c.Observe = func(p Progress) {
		if p.Done == 10 {
			cancel()
		}
	}
	var log bytes.Buffer
	table, err := Run(ctx, c, nil, &log)
	if !errors.Is(err, context.Canceled) || table == nil || table.Done != 10 || !strings.HasPrefix(text(t, table), "CUT SHORT: 10 of 36") {
		t.Fatalf("%v, %+v", err, table)
	}
	past, _, err := ReadLog(&log)
	if err != nil || len(past) != 10 {
		t.Fatalf("%d fits in the log, %v", len(past), err)
	}
	c.Observe = nil
	if got := run(t, c, past, nil); got != want {
		t.Errorf("after going on\n%s\nwant\n%s", got, want)
	}
}

type full struct{ after int }

func (f *full) Write(b []byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func TestALogThatCannotBeWrittenEndsTheRun(t *testing.T) {
	c := blobs(t, "kmeans")
	if table, err := Run(context.Background(), c, nil, &full{after: 4}); err == nil || table != nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("%v, %v", table, err)
	}
}

func TestBadCurvesAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Curve){
		"folds must be at least 2, got 1":       func(c *Curve) { c.Folds = 1 },
		"repeats must be at least 1, got 0":     func(c *Curve) { c.Repeats = 0 },
		"each of 60 folds must have at least 2": func(c *Curve) { c.Folds = 60 },
		"given for all 90 rows, got 89":         func(c *Curve) { c.Truth = c.Truth[1:] },
		`did you mean "nmi"?`:                   func(c *Curve) { c.Measure = "nmj" },
		"pairs must be from 0 to 1275, all that the 51 training rows of a fold have, got -1": func(c *Curve) { c.Amounts[1].Pairs = -1 },
		"fold have, got 1276":                       func(c *Curve) { c.Amounts[1].Pairs = 1276 }, // 77 known rows, 26 in a fold: 51·50/2
		"from 0 to 1, got 1.5":                      func(c *Curve) { c.Amounts[1].Seeds = 1.5 },
		"noise must be from 0 to 1, got NaN":        func(c *Curve) { c.Amounts[1].Noise = math.NaN() },
		"seeds of 3 classes":                        func(c *Curve) { c.Amounts[1].Seeds, c.Problem.K = 0.5, 2 },
		"pairs 0 is given twice":                    func(c *Curve) { c.Amounts[1] = c.Amounts[0] },
		"kmeans is given twice":                     func(c *Curve) { c.Methods = append(c.Methods, c.Methods[0]) },
		"method kmeans:batches=-1":                  func(c *Curve) { c.Methods, _ = ParseMethods("kmeans:batches=-1") },
		"at least one method and one amount, got 0": func(c *Curve) { c.Methods = nil },
		`or noise, got "bits"`:                      func(c *Curve) { c.Vary = "bits" },
		"k is 0":                                    func(c *Curve) { c.Problem.K = 0 },
		"the problem is nil":                        func(c *Curve) { c.Problem = nil },
		"only one class to label":                   func(c *Curve) { c.Amounts[1] = Amount{Seeds: 1, Noise: 0.5}; clear(c.Truth) },
		"has constraints already":                   func(c *Curve) { c.Problem.Constraints, _ = c.Known(0, 0, Amount{Pairs: 1}) },
	} {
		c := blobs(t, "kmeans")
		change(c)
		if _, err := Run(context.Background(), c, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestFitsKeepEveryBit(t *testing.T) {
	c := blobs(t, "kmeans,cop-kmeans")
	c.Amounts = []Amount{{Pairs: 10, Seeds: 1.0 / 3, Noise: 0}}
	var log bytes.Buffer
	run(t, c, nil, &log)
	fits, _, err := ReadLog(bytes.NewReader(log.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	for i := range fits {
		if err := appendFit(&again, &fits[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(log.Bytes(), again.Bytes()) {
		t.Error("a log read and written again is another")
	}
	for _, f := range fits { // 77 rows have a truth, in three folds
		if n := f.Score.N; n != 25 && n != 26 || f.Score.Must.Given+f.Score.Cannot.Given != 10 || f.Score.Labels == nil {
			t.Errorf("a fit without scores: %+v", f)
		}
	}
}

// Views go to the methods that use them, and to no others, whose fits are those of
// a curve without: they are found in its log.
func TestViewsGoToMethodsThatUseThem(t *testing.T) {
	plain, viewed := blobs(t, "kmeans,csp:knn=5"), blobs(t, "kmeans,csp:knn=5,csp:knn=5:view-weight=0")
	n := viewed.Problem.Len()
	var edges []data.Edge
	for i, a := range viewed.Truth { // joins what belongs together
		for j := i + 1; j < n; j++ {
			if a >= 0 && a == viewed.Truth[j] {
				edges = append(edges, data.Edge{U: i, V: j, W: 1})
			}
		}
	}
	graph, err := data.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	viewed.Problem.Views = []cluster.View{{Name: "truth", Graph: graph}}
	for _, c := range []*Curve{plain, viewed} {
		c.Amounts, c.Repeats = []Amount{{Pairs: 10}}, 1
	}
	var log bytes.Buffer
	run(t, plain, nil, &log)
	past, _, err := ReadLog(&log)
	if err != nil {
		t.Fatal(err)
	}
	made := map[int]int{}
	viewed.Observe = func(p Progress) { made[p.Method]++ }
	table, err := Run(context.Background(), viewed, past, nil)
	if err != nil {
		t.Fatal(err)
	}
	if made[0] != 0 || made[1] != 3 || table.Failed > 0 {
		t.Errorf("%v fits were made, want none of k-means, which the log has; %d failed", made, table.Failed)
	}
	with, without := table.Cells[1][0].Score.Mean, table.Cells[2][0].Score.Mean
	if with < 0.99 || without > 0.98 {
		t.Errorf("csp has ARI %v with a view of the truth and %v without", with, without)
	}
}
