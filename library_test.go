package inkling_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inklinghq/inkling"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/dedupe"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/contents"
	"github.com/inklinghq/inkling/internal/method/catalog"
	behind "github.com/inklinghq/inkling/internal/serve/session"
	"github.com/inklinghq/inkling/internal/support/mirror"
	"github.com/inklinghq/inkling/server"
	"github.com/inklinghq/inkling/session"
)

// The examples of this file are the code of docs/LIBRARY.md: a test compares
// the two.

var background = context.Background()

// clusterFlowers reads a table, labels and links, and writes the cluster of every
// row, the violated links and a model.
func clusterFlowers(ctx context.Context, w, model io.Writer) error {
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		return err
	}
	c, err := inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{
		Labels: []string{"example:iris-labels.csv"},
		Links:  []string{"example:iris-links.csv"},
	})
	if err != nil {
		return err
	}
	r, err := inkling.Cluster(ctx, t, c, inkling.Options{NeedModel: true})
	if err != nil {
		return err
	}
	for row := range r.Rows() {
		fmt.Fprintln(w, row.ID, row.Cluster)
	}
	fmt.Fprintln(w, r.Method, r.Clusters, r.Sizes)
	for _, v := range r.Violations {
		fmt.Fprintln(w, v.A, "and", v.B, v.Kind, "be together")
	}
	return r.Save(model)
}

func Example_program() {
	var out, model bytes.Buffer
	err := clusterFlowers(background, &out, &model)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(len(lines), lines[0])
	fmt.Println(lines[len(lines)-1], err)
	// Output:
	// 151 0 setosa
	// hmrf-kmeans [setosa versicolor virginica] [50 48 52] <nil>
}

// Rows in memory, named by ids.
func Example_memory() {
	ctx := background
	t, err := inkling.FromRows([][]float64{{1, 1}, {1, 2}, {2, 1}, {8, 8}, {8, 9}, {9, 8}},
		inkling.Names{IDs: []string{"ann", "bob", "cat", "dan", "eve", "fay"}, Columns: []string{"spend", "visits"}})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{K: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Method, r.Status, r.Sizes)
	// Output: kmeans converged [3 3]
}

// Sparse rows, compared by direction.
func Example_sparse() {
	ctx := background
	x, err := data.NewSparse(1000, []int{0, 2, 4, 6, 8}, // four rows of 1,000 columns: where each begins, columns, values
		[]int32{7, 30, 7, 30, 512, 900, 512, 900},
		[]float64{1, 2, 10, 20, 3, 1, 9, 4})
	if err != nil {
		panic(err)
	}
	t, err := inkling.FromMatrix(x, inkling.Names{})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{K: 2, Parameters: map[string]any{"distortion": "cosine"}}) // spherical k-means
	if err != nil {
		panic(err)
	}
	h := r.Assignment()
	fmt.Println(h[0] == h[1], h[2] == h[3], h[0] == h[2])
	// Output: true true false
}

// Documents, and the words that distinguish their clusters.
func Example_documents() {
	ctx := background
	t, err := inkling.FromTexts([]string{
		"the cat sat on the mat", "a cat on a warm mat", "one cat, one mat",
		"stocks fall as the market waits", "the market and its stocks", "stocks lift the market",
	}, inkling.Names{Labels: []string{"pets", "", "", "money", "", ""}})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{})
	if err != nil {
		panic(err)
	}
	for h, name := range r.Clusters {
		fmt.Println(name, r.Sizes[h], r.Terms[h][:2])
	}

	later, err := inkling.FromTexts([]string{"my cat", "a stock market"}, inkling.Names{})
	if err != nil {
		panic(err)
	}
	m, err := r.Model()
	if err != nil {
		panic(err)
	}
	placed, err := m.Predict(ctx, later, 0)
	if err != nil {
		panic(err)
	}
	for row := range placed.Rows() {
		fmt.Println(row.ID, row.Cluster)
	}
	// Output:
	// pets 3 [cat mat]
	// money 3 [market stocks]
	// 0 pets
	// 1 money
}

// A graph, cut by a method that satisfies links where it can and by one that weighs
// them.
func Example_graph() {
	ctx := background
	g, err := data.NewGraph(6, []data.Edge{
		{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 1}, {U: 0, V: 2, W: 1}, {U: 2, V: 3, W: 0.5},
		{U: 3, V: 4, W: 1}, {U: 4, V: 5, W: 1}, {U: 3, V: 5, W: 1},
	})
	if err != nil {
		panic(err)
	}
	t, err := inkling.FromGraph(g, inkling.Names{IDs: []string{"a", "b", "c", "d", "e", "f"}})
	if err != nil {
		panic(err)
	}
	c := inkling.NewConstraints(t)
	c.Must("c", "d")
	c.Cannot("a", "f")
	for _, method := range []string{"graph-cut", "csp"} {
		r, err := inkling.Cluster(ctx, t, c, inkling.Options{K: 2, Method: method})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: normalized cut %.3f, %d of %d must-links, %d of %d cannot-links\n", r.Method, r.Cuts.NormalizedCut,
			r.Must.Satisfied, r.Must.Given, r.Cannot.Satisfied, r.Cannot.Given)
	}
	// Output:
	// graph-cut: normalized cut 0.722, 1 of 1 must-links, 1 of 1 cannot-links
	// csp: normalized cut 0.154, 0 of 1 must-links, 1 of 1 cannot-links
}

// Constraints by id; what is violated comes with the cost of satisfying it.
func Example_constraints() {
	ctx := background
	t, err := inkling.FromRows([][]float64{{0}, {1}, {2}, {8}, {9}, {10}}, inkling.Names{IDs: []string{"a", "b", "c", "d", "e", "f"}})
	if err != nil {
		panic(err)
	}
	c := inkling.NewConstraints(t)
	c.Label("a", "small")
	c.Label("f", "large")
	c.Must("c", "d")
	c.Cannot("b", "c")
	c.Belief("a", "b", 0.8)

	r, err := inkling.Cluster(ctx, t, c, inkling.Options{Method: "pc-kmeans", Parameters: map[string]any{"weight": 1}})
	if err != nil {
		panic(err)
	}
	for _, v := range r.Violations {
		fmt.Printf("%s %s, %s is violated; satisfying it costs %.1f\n", v.Kind, v.A, v.B, *v.Cost)
	}
	for _, m := range r.Misplaced {
		fmt.Println(m.ID, "is labelled", m.Label, "but is in", m.Cluster)
	}
	fmt.Println(r.Must.Satisfied, "of", r.Must.Given, "must-links,", r.Labels.Kept, "of", r.Labels.Given, "labels")
	// Output:
	// must c, d is violated; satisfying it costs 46.0
	// cannot b, c is violated; satisfying it costs 46.0
	// 0 of 1 must-links, 2 of 2 labels
}

// Options; their zero value is the default.
func Example_options() {
	ctx := background
	t, err := inkling.Open(ctx, "example:wine.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	seed := uint64(7)
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{
		K:          3,
		Method:     "kmeans",
		Parameters: map[string]any{"init": "random"}, // as in `inkling methods kmeans`
		Scale:      "standard",
		Seed:       &seed,
		Restarts:   5,
		Timeout:    time.Minute,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.N, r.Dim, r.Seed, r.Runs, r.Status)
	// Output: 178 13 7 5 converged
}

// Errors that a program tells apart, and what a user can do.
func Example_errors() {
	ctx := background
	t, err := inkling.FromRows([][]float64{{0}, {1}, {2}, {8}}, inkling.Names{})
	if err != nil {
		panic(err)
	}
	c := inkling.NewConstraints(t)
	c.Must("0", "1")
	c.Must("1", "2")
	c.Cannot("0", "2")
	_, err = inkling.Cluster(ctx, t, c, inkling.Options{K: 2, Strict: true}) // else the most doubtful link is left out

	var input *inkling.InputError            // a file or a table is wrong: File, Line, Column
	var option *inkling.OptionError          // an option is wrong: Option
	var constraints *inkling.ConstraintError // contradictory, or infeasible for k
	switch {
	case errors.As(err, &constraints):
		fmt.Println("constraints:", err)
	case errors.As(err, &input):
		fmt.Println("input:", input.File, input.Line, err)
	case errors.As(err, &option):
		fmt.Println("option:", option.Option, err)
	}
	fmt.Println(inkling.Advice(err).Render(func(o inkling.HintOption) string {
		return o.Name + "=" + o.Value // as this program calls its options
	}))
	// Output:
	// constraints: the constraints contradict each other: 0 and 2 cannot be together, yet 0 = 1 = 2
	// `inkling check` lists what to remove; method=pc-kmeans weighs constraints and may violate some
}

// Constraints are checked without a fit.
func Example_check() {
	ctx := background
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	c := inkling.NewConstraints(t)
	c.Cannot("0", "1")
	c.Cannot("1", "2")
	c.Cannot("0", "2")
	report, err := inkling.CheckConstraints(ctx, t, c, inkling.Options{K: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Feasible, len(report.Conflicts), report.Err() != nil)
	// Output: no 0 true
}

// Progress is reported after every step.
func Example_progress() {
	ctx := background
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	var status string
	_, err = inkling.Cluster(ctx, t, nil, inkling.Options{K: 3, Progress: func(p inkling.Progress) {
		if p.Ended { // an iteration
			status = fmt.Sprintf("%s: run %d of %d, objective %.2f", p.Stage, p.Run, p.Runs, p.Objective)
		}
	}})
	fmt.Println(status, err)
	// Output: fitting: run 8 of 10, objective 78.94 <nil>
}

// A context that ends gives the best so far, and its error.
func Example_cancellation() {
	t, err := inkling.Open(background, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{K: 3, Restarts: 1_000_000})
	switch {
	case r == nil: // wrong input, or no time even for a start
		fmt.Println(err)
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("best so far:", r.Status, r.K)
	}
	// Output: best so far: timeout 3
}

// A model is saved, loaded and assigns new rows.
func Example_saving() {
	ctx := background
	t, err := inkling.FromRows([][]float64{{1, 1}, {1, 2}, {8, 8}, {8, 9}}, inkling.Names{Labels: []string{"near", "", "", "far"}})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{Scale: "standard"})
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer // or a file
	if err := r.Save(&file); err != nil {
		panic(err)
	}

	m, err := inkling.Load(&file) // elsewhere, later
	if err != nil {
		panic(err)
	}
	fresh, err := inkling.FromRows([][]float64{{9, 9}, {0, 0}}, inkling.Names{})
	if err != nil {
		panic(err)
	}
	placed, err := m.Predict(ctx, fresh, 0)
	if err != nil {
		panic(err)
	}
	for row := range placed.Rows() {
		fmt.Println(row.ID, row.Cluster)
	}
	// Output:
	// 0 far
	// 1 near
}

// A page about a result.
func Example_suspects() {
	ctx := background
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	labels, err := inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Labels: []string{"example:iris-mislabelled.csv"}})
	if err != nil {
		panic(err)
	}
	report, err := inkling.Suspects(ctx, t, labels, inkling.Options{})
	if err != nil {
		panic(err)
	}
	likely := 0
	for _, s := range report.Suspects { // the likeliest to be wrong first
		if s.Score > 0.5 {
			likely++ // s.ID, s.Label, s.Why
		}
	}

	r, err := inkling.Cluster(ctx, t, labels, inkling.Options{Robust: "drop"})
	if err != nil {
		panic(err)
	}
	rows, source, err := r.Details(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(likely, "of", len(report.Suspects), "labels look wrong")
	fmt.Println(len(rows), "rows have a confidence, from", source)
	// Output:
	// 8 of 60 labels look wrong
	// 150 rows have a confidence, from labels
}

func Example_report() {
	ctx := background
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	r, err := inkling.Cluster(ctx, t, nil, inkling.Options{K: 3})
	if err != nil {
		panic(err)
	}
	page, _, err := r.Report(ctx, inkling.ReportOptions{Truth: "example:iris-truth.csv"})
	if err != nil {
		panic(err)
	}
	var html bytes.Buffer
	err = page.Write(&html)
	fmt.Println(page.Title, err)
	// Output: iris.csv in 3 clusters <nil>
}

// One table serves any number of goroutines; the same seed gives the same bits.
func Example_concurrency() {
	ctx := background
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	all := make([]*inkling.Result, 20)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i], _ = inkling.Cluster(ctx, t, nil, inkling.Options{K: 3, Workers: 1}) })
	}
	wg.Wait()
	same := true
	for _, r := range all {
		same = same && slices.Equal(r.Assignment(), all[0].Assignment())
	}
	fmt.Println(same)
	// Output: true
}

// Below the door: a problem, an algorithm, settings.
func Example_below() {
	ctx := background
	x, err := data.FromRows([][]float64{{1, 1}, {1, 2}, {2, 1}, {8, 8}, {8, 9}, {9, 8}})
	if err != nil {
		panic(err)
	}
	p := &cluster.Problem{X: x, K: 2, Constraints: &constraint.Set{
		Labels: []constraint.Label{{I: 0, Class: 0, W: 1}, {I: 5, Class: 1, W: 1}},
	}}
	a, err := inkling.NewAlgorithm("constrained-kmeans", []byte(`{"fill": "k-means++"}`)) // a method by its name
	if err != nil {
		panic(err)
	}
	r, err := cluster.Fit(ctx, p, a, cluster.Default())
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels, r.Status)
	fmt.Println(a.Capabilities().Uses)
	_, err = inkling.NewAlgorithm("mpc-kmean", nil)
	fmt.Println(err)

	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		panic(err)
	}
	p, id, err := inkling.NewProblem(ctx, t, nil, inkling.Options{K: 3, Scale: "standard"}) // prepared as Cluster does
	fmt.Println(p.X.Len(), id(0), err)
	// Output:
	// [0 0 0 1 1 1] converged
	// [labels soft-seeds]
	// there is no method "mpc-kmean"; did you mean "mpc-kmeans"?
	// 150 0 <nil>
}

// Below the door: progress, violations and what satisfying them would cost.
func Example_belowProgress() {
	ctx := background
	p := &cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{0, 1, 2, 8, 9, 10}}, K: 2, Constraints: &constraint.Set{
		Must:   []constraint.Pair{{I: 0, J: 1, W: 1}, {I: 0, J: 5, W: 1}},
		Cannot: []constraint.Pair{{I: 4, J: 5, W: 1}},
	}}
	var status string
	s := cluster.Default()
	s.Observe = func(e cluster.Event) {
		if e.Objective != nil { // the end of an iteration
			status = fmt.Sprintf("run %d of %d, iteration %d: %.2f", e.Run+1, e.Restarts, e.Iter, e.Objective.Sum())
		}
	}
	pc, err := inkling.NewAlgorithm("pc-kmeans", nil)
	if err != nil {
		panic(err)
	}
	r, err := cluster.Fit(ctx, p, pc, s)
	if err != nil {
		panic(err)
	}
	fmt.Println(status)
	prices := r.Prices(p)
	for _, v := range score.Violations(p.Constraints, r.Labels) {
		cost, _ := prices.Together(v.A, v.B)
		if r.Labels[v.A] == r.Labels[v.B] { // they should be in different clusters
			cost, _ = prices.Apart(v.A, v.B)
		}
		fmt.Printf("%s %d, %d is violated; satisfying it costs %.0f\n", v.Kind, v.A, v.B, cost)
	}
	// Output:
	// run 10 of 10, iteration 1: 6.00
	// must 0, 5 is violated; satisfying it costs 78
	// cannot 4, 5 is violated; satisfying it costs 65
}

// Records with duplicates.
func Example_dedupe() {
	ctx := background
	names := []string{"Alda Brisko", "Torvin Kestrup", "BRISKO, Alda", "Torvin Kestrp", "Torvin Kestrup"}
	emails := []string{"alda@mail.test", "tk@post.test", "alda@mail.test", "tk@post.test", ""}
	known := &constraint.Set{Cannot: []constraint.Pair{{I: 1, J: 4, W: 1}}}
	found, err := dedupe.Entities(ctx, &dedupe.Records{Fields: []string{"name", "email"}, Cells: [][]string{names, emails}}, known, dedupe.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Entity)
	// Output: [0 1 0 1 2]
}

// Questions about pairs of rows, and the session that keeps the answers.
func Example_questions() {
	ctx := background
	dir, err := os.MkdirTemp("", "session")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "iris.jsonl")
	t, err := inkling.Open(ctx, "example:iris.csv", inkling.Source{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := answerQuestions(ctx, t, path); err != nil {
		fmt.Println(err)
	}
	// Output: 5 answers, 2 events undone or undoing, 150 rows in 3 clusters
}

func answerQuestions(ctx context.Context, t *inkling.Table, path string) error {
	header, err := session.NewHeader(ctx, "example:iris.csv", inkling.Source{}, t, inkling.Options{K: 3, Method: "pc-kmeans"})
	if err != nil {
		return err
	}
	s, err := session.Create(path, header) // session.Open goes on with one
	if err != nil {
		return err
	}
	defer s.Close()
	q, err := s.Questions(ctx, t, session.Auto, inkling.Options{})
	if err != nil {
		return err
	}
	defer q.Close()
	for range 6 {
		next, ok, err := q.Next(ctx)
		if err != nil || !ok {
			return err
		}
		if _, _, err := q.Answer(next, session.Unsure, "anna"); err != nil { // or Same, Different, Skip
			return err
		}
	}
	if _, err := q.Undo(); err != nil {
		return err
	}
	r, _, err := q.Fit(ctx, header, inkling.Options{})
	if err != nil {
		return err
	}
	fmt.Printf("%d answers, %d events undone or undoing, %d rows in %d clusters\n", s.Totals().Unsure, len(s.Events())-len(s.InForce()), len(r.Assignment()), r.KEffective)
	return nil
}

// A table with links between rows: cluster it, show what is violated, save the
// model and place rows with it. Ctrl-C ends the fit with the best so far.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	t := must(inkling.Open(ctx, "example:iris.csv", inkling.Source{}))
	c := must(inkling.ReadConstraints(ctx, t, inkling.ConstraintFiles{Links: []string{"example:iris-links.csv"}}))
	iterations := 0
	r, err := inkling.Cluster(ctx, t, c, inkling.Options{K: 3, Method: "pc-kmeans", Parameters: map[string]any{"weight": 0.5},
		Progress: func(p inkling.Progress) { iterations = max(iterations, p.Iteration) }})
	if r == nil {
		log.Fatal(err) // with err and r, r is the best so far
	}
	fmt.Println(r.Status, r.Sizes, "progress was reported:", iterations > 0)
	for _, v := range r.Violations {
		fmt.Printf("%s and %s %s be together: satisfying it costs %.2f\n", v.A, v.B, v.Kind, *v.Cost)
	}
	var file bytes.Buffer // or a file
	if err := r.Save(&file); err != nil {
		log.Fatal(err)
	}
	for row := range must(must(inkling.Load(&file)).Predict(ctx, t, 0)).Rows() {
		fmt.Println("row", row.ID, "is in cluster", row.Cluster)
		break
	}
	// Output:
	// converged [54 50 46] progress was reported: true
	// 97 and 121 cannot be together: satisfying it costs 0.59
	// 66 and 119 cannot be together: satisfying it costs 0.59
	// 75 and 113 cannot be together: satisfying it costs 0.33
	// row 0 is in cluster 1
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Every piece of Go in docs/LIBRARY.md and in the README stands, line by line, in
// an example that is run.
func TestLibraryPageIsRun(t *testing.T) {
	code, err := os.ReadFile("library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	all := dedented(string(code))
	for page, least := range map[string]int{filepath.Join("docs", "LIBRARY.md"): 10, "README.md": 1} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		pieces := 0
		for at, piece := range strings.Split(string(text), "```") {
			piece, isGo := strings.CutPrefix(piece, "go\n")
			if at%2 == 0 || !isGo {
				if at%2 == 1 && least > 1 {
					t.Errorf("%s: a piece of code is not marked as go: %.40q", page, piece)
				}
				continue
			}
			pieces++
			if !strings.Contains(all, dedented(piece)) {
				t.Errorf("%s: no example has these lines:\n%s", page, piece)
			}
		}
		if pieces < least {
			t.Errorf("%s: only %d pieces of code were found", page, pieces)
		}
	}
}

// dedented returns the lines of text that hold anything, without what they
// begin and end with.
func dedented(text string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// Every type of the front door holds part of what the type behind it holds, under
// the same names.
func TestPublicTypesFitTheirImplementation(t *testing.T) {
	fits := func(public, implementation any) {
		if err := mirror.Fits(reflect.TypeOf(public), reflect.TypeOf(implementation)); err != nil {
			t.Error(err)
		}
	}
	o := reflect.TypeFor[inkling.Options]()
	for i := range o.NumField() {
		f := o.Field(i)
		field, ok := reflect.TypeFor[door.Options]().FieldByName(f.Name)
		switch {
		case !f.IsExported() || f.Type.Kind() == reflect.Func || f.Name == "Methods":
		case !ok:
			t.Errorf("Options.%s has nothing behind it", f.Name)
		default:
			if err := mirror.Fits(f.Type, field.Type); err != nil {
				t.Error(err)
			}
		}
	}
	fits(inkling.Source{}, door.Source{})
	fits(inkling.Names{}, door.Names{})
	fits(inkling.ConstraintFiles{}, door.ConstraintFiles{})
	fits(inkling.Link{}, door.Link{})
	fits(inkling.Note{}, door.Note{})
	fits(inkling.Progress{}, door.Progress{})
	fits(inkling.Result{}, door.Result{})
	fits(inkling.RowDetail{}, door.RowDetail{})
	fits(inkling.Choice{}, door.Choice{})
	fits(inkling.Prediction{}, door.Prediction{})
	fits(inkling.ConstraintReport{}, door.ConstraintReport{})
	fits(inkling.SuspectReport{}, door.SuspectReport{})
	fits(inkling.ReportOptions{}, door.ReportOptions{})
	fits(inkling.Plan{}, door.Plan{})
	fits(inkling.RowPair{}, contents.Pair{})
	fits(inkling.Parameter{}, catalog.Parameter{})
	fits(session.Event{}, behind.Event{})
	fits(session.Totals{}, behind.Totals{})
	fits(session.Replayed{}, behind.Replayed{})
}

// The program of docs/WEB.md serves its page.
func TestWebPageIsRun(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "WEB.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("library_test.go")
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(string(text), "```go\n")
	if len(pieces) != 2 {
		t.Fatalf("docs/WEB.md has %d programs, want 1", len(pieces)-1)
	}
	piece, _, _ := strings.Cut(pieces[1], "```")
	if !strings.Contains(dedented(string(code)), dedented(piece)) {
		t.Errorf("docs/WEB.md: no function below has these lines:\n%s", piece)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	rows, _, err := inkling.Builtin("example:iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("customers.csv", rows, 0o666); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	s, err := mountClusters(t.Context(), mux)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for path, want := range map[string]string{"/clusters/": "<script", "/clusters/api/state": `"rows":150`} {
		r := httptest.NewRequest(http.MethodGet, "http://intranet.example.org"+path, nil)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d, want %q in %.300s", path, w.Code, want, body)
		}
	}
}

func mountClusters(ctx context.Context, mux *http.ServeMux) (*server.Server, error) {
	s, err := server.New(server.Options{Hosts: []string{"intranet.example.org"}, Unguarded: true}) // the program around it asks who people are
	if err != nil {
		return nil, err
	}
	if err := s.Open(ctx, server.Data{Path: "customers.csv", Session: "customers.jsonl"}); err != nil {
		return nil, err
	}
	mux.Handle("/clusters/", http.StripPrefix("/clusters", s))
	return s, nil
}
