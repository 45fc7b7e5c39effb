package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/pace"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/support/format"
)

// curveJob is one run of inkling curve: its flags, then what became of them.
type curveJob struct {
	app      *app
	in       input
	views    viewFlags
	truth    string
	methods  string
	pairs    []int
	seeds    []float64
	noise    []float64
	ask      []string
	answers  []int
	protocol string
	limit    time.Duration
	log      string
	files    curveFiles

	o door.Options
	c experiment.Curve
	t *experiment.Table
}

func (a *app) curveCommand() *cobra.Command {
	j := &curveJob{app: a, files: curveFiles{csv: targets.Target{Flag: "-o"}, plot: targets.Target{Flag: "--plot"}}}
	j.c.Settings = cluster.Default()
	cmd := &cobra.Command{
		Use:   "curve DATA --truth FILE --methods A,B --pairs 0,50,100",
		Short: "measure how much constraints improve each method",
		Long: `Measure how constraints improve clusterings, on rows whose true classes are
known. For each fold, method and amount, constraints are drawn from the other
folds, all rows are clustered, and the rows of the fold are scored. The table
compares each method with the first on the same folds, constraints and starts.
One of --pairs, --seeds and --noise has several values.`,
		Example: `  inkling curve example:iris.csv --truth example:iris-truth.csv --methods kmeans,cop-kmeans --pairs 0,20 --folds 5 --repeats 1
  inkling curve example:iris.csv --truth example:iris-truth.csv --ask auto,random --answers 10,20 --repeats 2`,
		Args: exactly(1, oneData),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	s := &j.c.Settings
	f.StringVar(&j.truth, "truth", "", "`FILE` true labels, id,label, of some or all rows")
	f.StringVar(&j.methods, "methods", "", "`LIST` methods to compare: kmeans,cop-kmeans:assignment=greedy")
	f.IntSliceVar(&j.pairs, "pairs", nil, "`LIST` numbers of random links, as in 0,50,100")
	f.Var((*flags.Fractions)(&j.seeds), "seeds", "`LIST` fractions of the training rows to label, as in 0,0.1,0.5")
	f.Var((*flags.Fractions)(&j.noise), "noise", "`LIST` fractions of links or labels that are wrong, as in 0,0.2")
	f.StringSliceVar(&j.ask, "ask", nil, "`LIST` compare strategies of questions instead: auto,random")
	f.IntSliceVar(&j.answers, "answers", []int{10, 20, 50, 100}, "`LIST` with --ask: numbers of answers")
	f.StringVar(&j.c.Measure, "measure", "ari", "`NAME` score to show: "+strings.Join(experiment.Measures, "|"))
	f.IntVar(&j.c.Folds, "folds", 10, "`N` number of folds")
	f.IntVar(&j.c.Repeats, "repeats", 5, "`N` number of cross-validation repeats")
	f.StringVar(&j.protocol, "protocol", "", "`NAME` folds and starts of the papers: 10-fold (seeding, MPC) or 2-fold (HMRF, kernel)")
	flags.Integer(f, &j.o.K, "k", "k", 1, "`N` number of clusters (default: number of classes)")
	flags.Fit(cmd, &s.Seed, &s.Restarts, &s.MaxIter, &s.Tol, &j.limit)
	j.views.flags(cmd)
	f.StringVarP(&j.files.csv.Path, "output", "o", "", "`FILE` write the table as CSV")
	f.StringVar(&j.files.plot.Path, "plot", "", "`FILE` draw the curves as SVG")
	f.StringVar(&j.log, "log", "", "`FILE` record every fit; the same command resumes from it")
	f.BoolVar(&j.files.markdown, "markdown", false, "print the table as Markdown")
	j.in.readingFlags(cmd)
	j.in.preparingFlags(cmd, &j.o)
	f.Lookup("label-col").Usage = "`COLUMN` true labels, in place of --truth"
	f.IntSliceVar(&j.pairs, "constraints", nil, "the same as --pairs")
	_ = f.MarkHidden("constraints")
	completeValues(cmd, "measure", experiment.Measures...)
	completeValues(cmd, "protocol", "10-fold", "2-fold")
	flags.Group(cmd, flags.GroupMethod, "methods", "k", "folds", "repeats", "protocol")
	flags.Group(cmd, flags.GroupConstraints, "truth", "pairs", "seeds", "noise", "ask", "answers")
	flags.Group(cmd, flags.GroupOutput, "measure", "output", "plot", "log", "markdown")
	flags.Advanced(cmd, "protocol", "markdown", "log", "text", "restarts", "timeout", "view", "scale", "missing", "label-col")
	return cmd
}

func (j *curveJob) run(cmd *cobra.Command, path string) error {
	if err := j.checkFlags(cmd); err != nil {
		return err
	}
	inputs := slices.Concat([]string{path, j.truth}, j.views.files, j.in.sideFiles())
	if err := targets.StdinOnce(inputs...); err != nil {
		return err
	}
	if err := targets.ProtectInputs([]targets.Target{j.files.csv, j.files.plot}, inputs...); err != nil {
		return err
	}
	if err := targets.OutsideFolders([]targets.Target{{Flag: "--log", Path: j.log}}, inputs...); err != nil {
		return err
	}
	if err := j.prepare(cmd.Context(), path); err != nil {
		return err
	}
	if len(j.ask) > 0 {
		return j.runAsk(cmd.Context())
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
	if err := j.app.writeCurve(j.t, &j.files, curveOutput{Schema: "inkling.curve/1", Summary: j.t.Summary(&j.c), Views: j.views.files}); err != nil {
		return err
	}
	j.app.warnFailed(j.t)
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
	case (j.truth == "") == (j.in.source.LabelColumn == ""):
		return usagef("give the true labels by either --truth FILE or --label-col COLUMN")
	case len(j.ask) > 0:
		return j.checkAsk(cmd)
	case cmd.Flags().Changed("answers"):
		return usagef("--answers is for --ask")
	case j.methods == "":
		return usagef("no methods given; for example --methods kmeans,cop-kmeans (`inkling methods` lists them)")
	case j.files.markdown && j.app.json:
		return usagef("--markdown and --json exclude each other")
	}
	if err := checkFit(cmd.Flags()); err != nil {
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
	outputs := []targets.Target{j.files.csv, {Flag: "--log", Path: j.log}, j.files.plot, j.in.planTarget()}
	if outputs[1].IsStdout() {
		return usagef("--log must be a file, which is also read, got standard output")
	}
	j.c.Settings.Workers = j.in.source.Workers
	return targets.Distinct(outputs, j.app.json)
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
		return usagef("no amounts of constraints given; for example --pairs 0,50,100 or --seeds 0,0.1,0.5")
	case len(long) > 1:
		return usagef("%s have several values each, but only one can vary along a curve", strings.Join(long, " and "))
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

// prepare reads the data, the truth about it and the views.
func (j *curveJob) prepare(ctx context.Context, path string) error {
	a := j.app
	t, _, err := a.openData(ctx, path, &j.in, door.ConstraintFiles{})
	if err != nil {
		return err
	}
	var files constraintFlags
	if j.truth != "" {
		files.files.Labels = []string{j.truth}
	}
	truth, err := a.constraints(ctx, &files, t)
	if err != nil {
		return err
	}
	if j.o.Scale == "" && slices.ContainsFunc(j.c.Methods, func(m experiment.Method) bool { return m.Sets("distortion") }) {
		j.o.Scale = "none" // divergences need the values as they are
	}
	j.o.Notify = a.note
	p, id, err := door.NewProblem(ctx, t, truth, j.o)
	if err != nil {
		return err
	}
	p.Constraints, p.K = nil, j.o.K
	j.c.Problem = p
	if err := j.fitMethods(t); err != nil {
		return err
	}
	return j.setTruth(t, truth, id)
}

// checkViews refuses views that no method uses, and says which methods ignore
// them.
func (j *curveJob) checkViews() (err error) {
	if j.o.Views, err = j.views.sources(); err != nil || len(j.o.Views) == 0 {
		return err
	}
	var without []string
	for _, m := range j.c.Methods {
		if !m.UsesViews() {
			without = append(without, m.String())
		}
	}
	if len(without) == len(j.c.Methods) {
		return door.NoViewsError(without...)
	}
	for _, name := range without {
		j.app.say("%s does not use views; it is fitted without them", name)
	}
	return nil
}

// setTruth sets the class of each row, and k where it was not given.
func (j *curveJob) setTruth(t *door.Table, truth *door.Constraints, id func(row int) string) error {
	class, names, err := truth.Classes()
	if err != nil {
		return err
	}
	n, labelled := j.c.Problem.Len(), 0
	j.c.Truth = make([]int, n)
	for i := range n {
		row, _ := t.Row(id(i))
		if j.c.Truth[i] = class[row]; class[row] >= 0 {
			labelled++
		}
	}
	if labelled == 0 {
		return &door.InputError{File: cmp.Or(j.truth, t.Name()), Msg: "no row has a true label"}
	}
	if j.c.Problem.K == 0 {
		j.c.Problem.K = len(names)
	}
	k := j.c.Problem.K
	j.app.say("%d of %s have a true label; classes: %d, k = %d", labelled, format.Count(n, "row"), len(names), k)
	if k > n {
		return usagef("-k is %d, but there are only %s", k, format.Count(n, "row"))
	}
	const fewest = 10
	if size := labelled / max(1, j.c.Folds); size < fewest {
		j.app.warn("a fold has only about %s with a true label, too few for precise scores; use fewer --folds or more --repeats", format.Count(size, "row"))
	}
	return nil
}

// fitMethods refuses methods that do not take this kind of data, and sets the
// cosine for texts.
func (j *curveJob) fitMethods(t *door.Table) error {
	what := map[cluster.Input]string{cluster.InputRows: "rows of numbers", cluster.InputGraph: "a graph", cluster.InputKernel: "a kernel matrix"}[t.Input()]
	for i, m := range j.c.Methods {
		if able := m.Algorithm().Capabilities(); !able.Takes(t.Input()) {
			if joined, err := m.With("knn", "10"); t.Input() == cluster.InputRows && err == nil {
				return usagef("%s does not take %s directly; %s joins each row with its ten nearest rows and cuts that graph", m.Name, what, joined)
			}
			return usagef("%s does not take %s; it takes %s", m.Name, what, takes(m.Method))
		}
		if len(j.ask) == 0 && !j.usesAny(m) {
			j.app.say("%s uses none of these constraints: it is a baseline", m)
		}
		if t.HasTexts() && !m.Sets("distortion") {
			j.c.Methods[i] = j.compareTexts(m)
		}
	}
	return nil
}

// usesAny reports whether m uses some of the constraints that are drawn.
func (j *curveJob) usesAny(m experiment.Method) bool {
	able := m.Algorithm().Capabilities()
	pairs := able.UsesKind(cluster.MustLinks) || able.UsesKind(cluster.CannotLinks)
	return len(j.pairs) > 0 && pairs || len(j.seeds) > 0 && able.UsesKind(cluster.Labels)
}

// compareTexts returns the method with the cosine distortion, where it has one, as
// inkling cluster would set it.
func (j *curveJob) compareTexts(m experiment.Method) experiment.Method {
	with, err := m.With("distortion", "cosine")
	if err != nil {
		return m // there is nothing to choose
	}
	if plain, err := with.With("metric", "none"); err == nil {
		with = plain // no metric is learned for the cosine
	}
	if parametersAgree(with) {
		j.app.say("%s: distortion cosine, as usual for documents", m.Name)
		return with
	}
	if parametersAgree(m) {
		j.app.say("%s has no cosine distance; on unit-length TF-IDF rows Euclidean distance is nearly equivalent", m.Name)
	}
	return m
}

// parametersAgree reports whether the parameters of m go together, whatever the
// data.
func parametersAgree(m experiment.Method) bool {
	return m.Algorithm().Check(&cluster.Problem{X: &data.Dense{Cols: 1, V: []float64{1}}, K: 1}) == nil
}

// measure runs the experiment until it is done, time is over or Ctrl-C. The error
// reports Ctrl-C; the table is then of what was done.
func (j *curveJob) measure(ctx context.Context, past []experiment.Fit, log *logFile) error {
	if j.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.limit)
		defer cancel()
	}
	left := pace.New(&j.c)
	j.c.Observe = left.Add
	done := j.app.screen.Show(left.String)
	j.app.ending.Store(true)
	t, err := experiment.Run(ctx, &j.c, past, log.writer())
	j.app.ending.Store(false)
	done()
	j.t = t
	switch {
	case t == nil && errors.Is(err, errLog):
		return writeError(j.log, err)
	case t == nil:
		return j.explain(err)
	case err == nil:
		return nil
	}
	goOn := ""
	if j.log != "" {
		goOn = "; the same command resumes from " + j.log
	}
	j.app.warn("stopped early: %d of %d fits are done%s", t.Done, t.Total, goOn)
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
	return usagef("%s", describe(err))
}
