package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/experiment"
	"github.com/inklinghq/inkling/prepare"
)

// curveJob is one run of the verb curve: its flags, then what became of them.
type curveJob struct {
	app      *app
	in       input
	views    views
	truth    string
	methods  string
	pairs    []int
	seeds    []float64
	noise    []float64
	protocol string
	limit    time.Duration
	out      string
	log      string
	plot     string
	markdown bool

	k int
	c experiment.Curve
	t *experiment.Table
}

func (a *app) curveVerb() *cobra.Command {
	j := &curveJob{app: a}
	j.c.Settings = cluster.Default()
	cmd := &cobra.Command{
		Use:   "curve DATA --truth FILE --methods A,B --pairs 0,50,100",
		Short: "measure how methods gain from what is known",
		Long: `Measure on rows whose truth is known how clusterings improve with knowledge. Rows are
dealt into folds. For each fold, method and amount, knowledge is drawn from the other
folds, all rows are clustered with it, and the rows of the fold are scored. The table
has the mean and standard error of each method at each amount, and each method
compared with the first, which had the same folds, knowledge and starts.

What varies is the list with several values: --pairs, --seeds or --noise. Parameters of
a method follow it with colons: --methods kmeans,cop-kmeans:assignment=greedy

Views go to the methods that heed them; csp:view-weight=0 is csp without.`,
		Example: `  inkling curve example:iris.csv --truth example:iris-truth.csv --methods kmeans,cop-kmeans --pairs 0,20,50 --repeats 1
  inkling curve example:wine.csv --truth example:wine-truth.csv --scale standard --methods kmeans,seeded-kmeans,constrained-kmeans --seeds 0,0.1,0.5 --measure nmi --folds 5 --repeats 1
  inkling curve example:iris.csv --truth example:iris-truth.csv --methods seeded-kmeans,constrained-kmeans --seeds 0.5 --noise 0,0.2,0.4 --repeats 1 --log curve.jsonl --json`,
		Args: exactly(1, "one DATA: a file, a folder of documents, or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&j.truth, "truth", "", "file of true labels: id,label, of some rows or all")
	f.StringVar(&j.methods, "methods", "", "methods to compare, with commas: NAME or NAME:PARAMETER=VALUE:…")
	j.views.flags(cmd)
	f.IntSliceVar(&j.pairs, "pairs", nil, "numbers of random pairs, with commas, that are known to be together or apart")
	f.Var((*fractions)(&j.seeds), "seeds", "fractions of the training rows, with commas, that are labelled")
	f.Var((*fractions)(&j.noise), "noise", "fractions of the pairs, or labels, with commas, that are wrong")
	f.StringVar(&j.c.Measure, "measure", "ari", "what the table shows: "+strings.Join(experiment.Measures, "|"))
	f.IntVar(&j.c.Folds, "folds", 10, "parts that the rows are dealt into; one is scored, knowledge is of the others")
	f.IntVar(&j.c.Repeats, "repeats", 5, "how often rows are dealt anew")
	f.StringVar(&j.protocol, "protocol", "", "as in the papers: 10-fold (seeding, MPC) or 2-fold (HMRF, kernel), and one start a fit")
	f.StringVar(&j.log, "log", "", "keep every fit in this file; the same command again goes on from it")
	f.StringVarP(&j.out, "output", "o", "", "write method,pairs,…,mean,se,n,… to this CSV file")
	f.StringVar(&j.plot, "plot", "", "draw the curves in this SVG file")
	f.BoolVar(&j.markdown, "markdown", false, "print the table as Markdown")
	f.IntVarP(&j.k, "k", "k", 0, "number of clusters (default: the number of classes)")
	f.Uint64Var(&j.c.Settings.Seed, "seed", j.c.Settings.Seed, "the same seed gives the same bytes")
	f.IntVar(&j.c.Settings.Restarts, "restarts", 0, "runs of a fit from different starts, the best is kept (default: 10 on small data, else 1)")
	f.IntVar(&j.c.Settings.MaxIter, "max-iter", j.c.Settings.MaxIter, "iterations of one run at the most")
	f.Float64Var(&j.c.Settings.Tol, "tol", j.c.Settings.Tol, "stop when the objective falls by no more than this share")
	f.DurationVar(&j.limit, "timeout", 0, "end after this long, with the table of what is done (5s, 2m)")
	j.in.reading(cmd)
	j.in.preparing(cmd)
	f.Lookup("label-col").Usage = "the column of true labels, in place of --truth (empty, ? and NA are unknown)"
	f.IntSliceVar(&j.pairs, "constraints", nil, "the same as --pairs")
	_ = f.MarkHidden("constraints")
	values(cmd, "measure", experiment.Measures...)
	values(cmd, "protocol", "10-fold", "2-fold")
	return cmd
}

func (j *curveJob) run(cmd *cobra.Command, path string) error {
	if err := j.checkFlags(cmd); err != nil {
		return err
	}
	inputs := append([]string{path, j.truth}, j.views.files...)
	if err := once(inputs...); err != nil {
		return err
	}
	if err := spare([]output{{"-o", j.out}, {"--plot", j.plot}}, inputs...); err != nil {
		return err
	}
	if err := outside([]output{{"--log", j.log}}, inputs...); err != nil {
		return err
	}
	if err := j.prepare(path); err != nil {
		return err
	}
	var past []experiment.Fit
	var log *logFile
	if j.log != "" {
		var err error
		j.c.Program = program()
		if past, log, err = openLog(j.app, "--log", j.log, "fit", experiment.ReadLog); err != nil {
			return err
		}
	}
	stopped := j.measure(cmd.Context(), past, log)
	if err := log.close(); err != nil && j.t != nil {
		return err
	}
	if j.t == nil {
		return stopped
	}
	if err := j.write(); err != nil {
		return err
	}
	j.tellFailed()
	if n := j.t.Failed; stopped == nil && n > 0 && n == j.t.Done {
		return &exitError{code: exitConflict, err: errors.New("every fit failed")}
	}
	return stopped
}

func (j *curveJob) checkFlags(cmd *cobra.Command) error {
	if err := j.in.check(); err != nil {
		return err
	}
	if err := oneOf("--measure", j.c.Measure, experiment.Measures...); err != nil {
		return err
	}
	switch {
	case (j.truth == "") == (j.in.read.Label == ""):
		return usagef("give the true labels by --truth FILE or by --label-col COLUMN, one of the two")
	case j.methods == "":
		return usagef("which methods? --methods kmeans,cop-kmeans, for example; inkling methods lists them")
	case j.limit < 0:
		return usagef("--timeout is %s, it must not be negative", j.limit)
	case j.c.Settings.Restarts < 0:
		return usagef("--restarts is %d, it must not be negative", j.c.Settings.Restarts)
	case j.c.Settings.MaxIter < 0:
		return usagef("--max-iter is %d, it must not be negative", j.c.Settings.MaxIter)
	case !(j.c.Settings.Tol >= 0):
		return usagef("--tol is %v, it must not be negative", j.c.Settings.Tol)
	case j.markdown && j.app.json:
		return usagef("--markdown and --json are two ways to print the table; give one")
	}
	if err := enough(cmd, j.k); err != nil {
		return err
	}
	if err := j.applyProtocol(cmd); err != nil {
		return err
	}
	if err := j.amounts(); err != nil {
		return err
	}
	var err error
	if j.c.Methods, err = experiment.ParseMethods(j.methods); err != nil {
		return usagef("--methods: %s", err.Error())
	}
	if err := j.checkViews(); err != nil {
		return err
	}
	outputs := []output{{"-o", j.out}, {"--log", j.log}, {"--plot", j.plot}}
	if outputs[1].isStdout() {
		return usagef("--log is read too, so it must be a file")
	}
	j.c.Settings.Workers = j.in.read.Workers
	return distinct(outputs, j.app.json)
}

// applyProtocol sets what a protocol says and no flag does.
func (j *curveJob) applyProtocol(cmd *cobra.Command) error {
	if j.protocol == "" {
		return nil
	}
	if err := oneOf("--protocol", j.protocol, "10-fold", "2-fold"); err != nil {
		return err
	}
	set := func(flag string, value *int, to int) {
		if !cmd.Flags().Changed(flag) {
			*value = to
		}
	}
	set("folds", &j.c.Folds, map[string]int{"10-fold": 10, "2-fold": 2}[j.protocol])
	set("restarts", &j.c.Settings.Restarts, 1) // as in the papers, which start once
	return nil
}

// amounts makes the points of the curve from the lists: one of them may have
// several values, and varies; the others stay as they are.
func (j *curveJob) amounts() error {
	var long []string
	for _, l := range []struct {
		flag string
		n    int
	}{{experiment.Pairs, len(j.pairs)}, {experiment.Seeds, len(j.seeds)}, {experiment.Noise, len(j.noise)}} {
		if l.n > 1 {
			long = append(long, "--"+l.flag)
			j.c.Vary = l.flag
		}
	}
	switch {
	case len(j.pairs)+len(j.seeds) == 0:
		return usagef("how much is known? --pairs 0,50,100 or --seeds 0,0.1,0.5, for example")
	case len(long) > 1:
		return usagef("%s have several values each; only one can vary along a curve", strings.Join(long, " and "))
	case j.c.Vary == "" && len(j.pairs) == 1:
		j.c.Vary = experiment.Pairs
	case j.c.Vary == "":
		j.c.Vary = experiment.Seeds
	}
	for p := range max(1, len(j.pairs)) {
		for s := range max(1, len(j.seeds)) {
			for n := range max(1, len(j.noise)) {
				var a experiment.Amount
				if len(j.pairs) > 0 {
					a.Pairs = j.pairs[p]
				}
				if len(j.seeds) > 0 {
					a.Seeds = j.seeds[s]
				}
				if len(j.noise) > 0 {
					a.Noise = j.noise[n]
				}
				j.c.Amounts = append(j.c.Amounts, a)
			}
		}
	}
	return nil
}

// prepare reads the data and the truth about it.
func (j *curveJob) prepare(path string) error {
	a := j.app
	ds, _, err := a.open(path, j.in.read)
	if err != nil {
		return err
	}
	a.idle(&j.in, ds)
	p := &cluster.Problem{Graph: ds.Graph, Kernel: ds.Kernel, K: j.k}
	var rows []int
	if ds.Graph == nil && ds.Kernel == nil {
		_, ready, err := prepare.Fit(ds, j.in.prep)
		if err != nil {
			return err
		}
		for _, note := range ready.Notes {
			a.say("%s: %s", ds.Name, renderHint(note))
		}
		p.X, rows = ready.X, ready.Rows
	}
	j.c.Problem = p
	if err := j.fitMethods(ds); err != nil {
		return err
	}
	return j.readTruth(ds, rows)
}

// checkViews refuses views that no method heeds, and says which pass them over.
func (j *curveJob) checkViews() error {
	if err := j.views.check(""); err != nil || len(j.views.files) == 0 {
		return err
	}
	var without []string
	for _, m := range j.c.Methods {
		if !m.UsesViews() {
			without = append(without, m.String())
		}
	}
	if len(without) == len(j.c.Methods) {
		return noViews(without...)
	}
	for _, name := range without {
		j.app.say("%s takes no views: it is fitted without", name)
	}
	return nil
}

// readTruth finds the class of each row, k where it was not given, and the
// views, which are matched by the same ids.
func (j *curveJob) readTruth(ds *dataio.Dataset, rows []int) error {
	var from sources
	where := ds.Name
	if j.truth != "" {
		from.labels, where = []string{j.truth}, j.truth
	}
	know, err := j.app.load(&from, ds, rows)
	if err != nil {
		return err
	}
	if err := know.refuse(); err != nil {
		return err
	}
	n := j.c.Problem.Len()
	look := &viewer{app: j.app, in: &j.in, views: &j.views, ds: ds, know: know, n: n}
	if j.c.Problem.Views, err = look.readAll(); err != nil {
		return err
	}
	j.c.Truth = slices.Repeat([]int{-1}, n)
	labelled := 0
	for at, l := range know.set.Labels {
		if was := j.c.Truth[l.I]; was >= 0 && was != l.Class {
			p := know.places["labels"][at]
			return &dataio.Error{File: p.file, Line: p.line, Msg: "row " + know.name(l.I) + " is " + know.set.Name(l.Class) +
				" here and " + know.set.Name(was) + " before", Hint: "a row has one true label"}
		} else if was < 0 {
			labelled++
		}
		j.c.Truth[l.I] = l.Class
	}
	if labelled == 0 {
		return &dataio.Error{File: where, Msg: "no row has a true label"}
	}
	classes := len(know.set.Names)
	if j.c.Problem.K == 0 {
		j.c.Problem.K = classes
	}
	j.app.say("%s of %d have a true label, of %s; k = %d", count(labelled, "row"), n, classCount(classes), j.c.Problem.K)
	if k := j.c.Problem.K; k > n {
		return usagef("-k is %d, but there are only %s", k, count(n, "row"))
	}
	const fewest = 10
	if size := labelled / max(1, j.c.Folds); size < fewest {
		j.app.warn("a fold has only about %s with a true label, and scores of so few mean little; fewer --folds have more, more --repeats even out luck", count(size, "row"))
	}
	return nil
}

func classCount(n int) string {
	if n == 1 {
		return "1 class"
	}
	return strings.TrimSuffix(count(n, "classe"), "e")
}

// fitMethods refuses methods that do not take this kind of data, and settles
// what documents decide.
func (j *curveJob) fitMethods(ds *dataio.Dataset) error {
	kind, what := "rows", "rows of numbers"
	switch {
	case ds.Graph != nil:
		kind, what = "graph", "a graph"
	case ds.Kernel != nil:
		kind, what = "kernel", "a kernel matrix"
	}
	for i, m := range j.c.Methods {
		makes := kind == "rows" && !m.Takes(cluster.InputRows) && m.Sets("knn") // the graph it needs
		if !m.Takes(cluster.Input(kind)) && !makes {
			if joined, err := m.With("knn", "10"); kind == "rows" && err == nil {
				return usagef("%s does not take %s as they are; %s joins each with its ten nearest, and cuts that graph", m.Name, what, joined)
			}
			return usagef("%s does not take %s; it takes %s", m.Name, what, takes(m.Method))
		}
		if !j.heeded(m) {
			j.app.say("%s uses nothing of what is drawn: it is what the others can be measured by", m)
		}
		if ds.Docs != nil && !m.Sets("distortion") {
			j.c.Methods[i] = j.measureDocuments(m)
		}
	}
	return nil
}

// heeded says whether m uses some of the knowledge that is drawn.
func (j *curveJob) heeded(m experiment.Method) bool {
	pairs := slices.Contains(m.Uses(), cluster.MustLinks) || slices.Contains(m.Uses(), cluster.CannotLinks)
	return len(j.pairs) > 0 && pairs || len(j.seeds) > 0 && slices.Contains(m.Uses(), cluster.Labels)
}

// measure runs the experiment until done, time is over or Ctrl-C. The error
// says whether it was the last; the table is then of what was done.
func (j *curveJob) measure(ctx context.Context, past []experiment.Fit, log *logFile) error {
	if j.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.limit)
		defer cancel()
	}
	pace := newPace(&j.c)
	j.c.Observe = pace.add
	done := j.app.screen.show(pace.String)
	j.app.ending.Store(true)
	t, err := experiment.Run(ctx, &j.c, past, log.writer())
	j.app.ending.Store(false)
	done()
	j.t = t
	switch {
	case t == nil && errors.Is(err, errLog):
		return writeFault(j.log, err)
	case t == nil:
		return j.explain(err)
	case err == nil:
		return nil
	}
	goOn := ""
	if j.log != "" {
		goOn = "; the same command goes on from " + j.log
	}
	j.app.warn("cut short: %d of %d fits are done%s", t.Done, t.Total, goOn)
	if context.Cause(ctx) == errInterrupted {
		return &exitError{code: exitInterrupted, err: errInterrupted, silent: true}
	}
	return nil
}

// explain turns a refusal of the experiment into one of the command line,
// where the flags are what was refused.
func (j *curveJob) explain(err error) error {
	var bad *cluster.ProblemError
	if errors.As(err, &bad) {
		return err
	}
	return usagef("%s", message(err))
}
