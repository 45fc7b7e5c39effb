package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio/tablefile"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/format"
)

// clusterJob is one run of inkling cluster: its flags, then what became of them.
type clusterJob struct {
	app     *app
	in      input
	files   constraintFlags
	views   viewFlags
	params  methodFlags
	o       door.Options
	seed    uint64
	maxIter int
	tol     float64
	strict  bool
	out     string
	save    string
	trace   string
	page    pageFlags
	rows    rowFlags
	table   *door.Table
	spent   seconds
	limit   time.Duration
}

// seconds are the times that a command spent.
type seconds struct {
	Read  float64 `json:"read"`
	Fit   float64 `json:"fit"`
	Write float64 `json:"write"`
}

func (a *app) clusterCommand() *cobra.Command {
	j := &clusterJob{app: a, seed: door.DefaultSeed, maxIter: 300, tol: 1e-7}
	cmd := &cobra.Command{
		Use:   "cluster DATA -k K",
		Short: "cluster rows, using what you know about them",
		Long: `Cluster the rows of DATA (file, folder of texts or pictures, - or example:NAME),
write id,cluster, and list violated constraints with what satisfying them costs.`,
		Example: `  inkling cluster example:iris.csv -k 3
  inkling cluster example:iris.csv --labels example:iris-labels.csv -o clusters.csv
  inkling cluster example:graph.edges -k 4 --links example:graph-links.csv`,
		Args: exactly(1, oneData),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.ClusterCount(f, &j.o.K, &j.o.KMin, &j.o.KMax, "k", "k", "`N` clusters, a range or auto (default: one per class)")
	f.StringVar(&j.o.Method, "method", "auto", "`NAME` method; see inkling methods")
	flags.Fit(cmd, &j.seed, &j.o.Restarts, &j.maxIter, &j.tol, &j.o.Timeout)
	f.StringVar((*string)(&j.o.Effort), "effort", string(door.EffortNormal), "`LEVEL` how long to search: low, normal, high")
	f.StringVar(&j.o.Device, "device", door.DeviceAuto, deviceUsage)
	f.StringVar(&j.o.Settings, "settings", door.RecommendedSettings, "`NAME` recommended, or published: as in the method's paper")
	f.StringVar((*string)(&j.o.Components), "components", "", "`HOW` graphs of several components: auto|as-is|largest|each (default: auto)")
	f.StringVar((*string)(&j.o.Assign), "assign", string(door.AssignKnown), "`WHICH` rows get a cluster: known|all, with empty rows and noise")
	j.files.flags(cmd)
	j.views.flags(cmd)
	f.StringVar((*string)(&j.o.Robust), "robust", "", "`HOW` doubtful constraints: none|weight|drop (default: none; auto may drop)")
	f.BoolVar(&j.o.NoSuspects, "no-suspects", false, "do not look for constraints that look wrong")
	f.BoolVar(&j.o.Unconstrained, "unconstrained", false, "also fit without constraints, and report what they changed")
	f.BoolVar(&j.o.Unconstrained, "twin", false, "the same as --unconstrained")
	_ = f.MarkHidden("twin")
	f.StringVarP(&j.out, "output", "o", "", "`FILE` write id,cluster, as .parquet too (default: stdout)")
	j.rows.flags(cmd)
	f.StringVar(&j.save, "save", "", "`FILE` save the model, for inkling predict")
	f.StringVar(&j.page.report, "report", "", "`FILE` write a report as HTML")
	j.page.flags(cmd)
	f.StringSliceVar(&j.in.source.Profile, "profile", nil, "`COLUMNS` columns to describe clusters by in the report, not clustered on")
	f.StringVar(&j.trace, "trace", "", "`FILE` write the objective of every iteration as CSV")
	f.BoolVar(&j.o.BestEffort, "best-effort", false, "write what there is when --timeout ends, even if that is one cluster")
	f.BoolVar(&j.strict, "strict", false, "refuse contradictions; exit 5 on violations")
	j.params = newMethodFlags(cmd)
	j.in.readingFlags(cmd)
	j.in.preparingFlags(cmd, &j.o)
	flags.Group(cmd, flags.GroupMethod, "k", "method", "effort", "device", "settings", "components", "assign", "best-effort")
	flags.Group(cmd, flags.GroupConstraints, "unconstrained", "strict", "robust", "no-suspects")
	flags.Group(cmd, flags.GroupOutput, "output", "save", "report", "charts", "truth", "against", "profile", "trace")
	flags.Advanced(cmd, "device", "settings", "components", "assign", "best-effort", "charts", "truth", "against", "profile", "trace", "unconstrained", "robust", "no-suspects")
	completeValues(cmd, "method", append([]string{"auto"}, catalog.Names()...)...)
	completeValues(cmd, "effort", door.EffortNormal.Values()...)
	completeValues(cmd, "device", door.DeviceNames()...)
	completeValues(cmd, "settings", door.RecommendedSettings, door.PublishedSettings)
	completeValues(cmd, "components", j.o.Components.Values()...)
	completeValues(cmd, "assign", j.o.Assign.Values()...)
	return cmd
}

func (j *clusterJob) run(cmd *cobra.Command, path string) error {
	if err := j.checkFlags(cmd); err != nil {
		return err
	}
	if err := j.rows.check(path, j.out, j.app.json, j.in.source.Transpose); err != nil {
		return err
	}
	inputs := slices.Concat(j.files.paths(), j.views.files, j.page.files(), []string{path})
	inputs = append(inputs, j.in.sideFiles()...)
	if err := targets.StdinOnce(inputs...); err != nil {
		return err
	}
	if err := targets.ProtectInputs(append(j.outputs(), j.page.folder()), append(inputs, j.params.files()...)...); err != nil {
		return err
	}
	if err := j.page.options().Check(j.o.Workers); err != nil {
		return err
	}
	ctx, start := cmd.Context(), time.Now()
	if j.limit = j.o.Timeout; j.limit > 0 {
		j.o.Timeout -= timeToEnd(j.limit, 0)
	}
	reading, cancel := withLimit(ctx, j.o.Timeout)
	defer cancel()
	t, read, err := j.app.openData(reading, path, &j.in, j.files.files)
	if err != nil {
		return outOfTime(reading, err, j.limit)
	}
	j.spent.Read, j.table = read, t
	c, err := j.app.constraints(reading, &j.files, t)
	if err = outOfTime(reading, err, j.limit); err != nil {
		return err
	}
	if j.limit > 0 { // reading counts too
		j.o.Timeout = timeToFit(j.limit, time.Since(start))
	}
	r, stopped := j.fit(ctx, t, c)
	if r == nil {
		return stopped
	}
	if err := j.writeResult(context.WithoutCancel(ctx), r, path); err != nil {
		return err
	}
	if n := r.Violated(); stopped == nil && j.strict && n > 0 {
		return &exitError{code: exitViolated, err: fmt.Errorf("--strict: %s violated", format.Count(n, "constraint"))}
	}
	return stopped
}

func (j *clusterJob) checkFlags(cmd *cobra.Command) (err error) {
	if err := checkFit(cmd.Flags()); err != nil {
		return err
	}
	if err := targets.Tables(j.outputs()[0], targets.Target{Flag: "--trace", Path: j.trace}); err != nil {
		return err
	}
	j.o.Seed, j.o.MaxIter, j.o.Tol = &j.seed, orNegative(j.maxIter), orNegative(j.tol)
	j.o.Parameters, j.o.NeedModel, j.o.Reliability, j.o.Strict = j.params.given(), j.save != "", true, j.strict
	// What is said about the fit alone, which may take longer than the fit, is not computed where nobody sees it.
	unseen := j.app.quiet && !j.app.json && j.page.report == "" && j.page.charts == ""
	j.o.Unjudged, j.o.NoSuspects = unseen || j.app.unjudged, unseen || j.o.NoSuspects
	if j.o.Views, err = j.views.sources(); err != nil {
		return err
	}
	if err := j.in.check(); err != nil {
		return err
	}
	if err := targets.Distinct(j.outputs(), j.app.json); err != nil {
		return err
	}
	return j.page.check(j.outputs())
}

// orNegative turns a 0 that was meant into what the options take for it.
func orNegative[T int | float64](x T) T {
	if x == 0 {
		return -1
	}
	return x
}

func (j *clusterJob) outputs() []targets.Target {
	return []targets.Target{{Flag: "-o", Path: j.out}, {Flag: "--save", Path: j.save}, {Flag: "--trace", Path: j.trace}, {Flag: "--report", Path: j.page.report}, j.in.planTarget()}
}

// fit clusters, with a line of progress, until done, time is over or Ctrl-C. The
// error says that it was Ctrl-C; then the result is the best so far.
func (j *clusterJob) fit(ctx context.Context, t *door.Table, c *door.Constraints) (*door.Result, error) {
	var mu sync.Mutex
	var last door.Progress
	start := time.Now()
	began := start // the stage
	j.o.Progress = func(p door.Progress) {
		if p.Stage == door.StageStarting && p.Started == 0 { // from here on Ctrl-C asks for the best so far
			j.spent.Read += time.Since(start).Seconds()
			start = time.Now()
			j.app.ending.Store(true)
		}
		if p.Stage == door.StageComparing {
			j.spent.Fit = time.Since(start).Seconds()
		}
		if p.Stage == door.StageChoosing {
			j.app.detail("trying %d of %d: %s", p.Run, p.Runs, p.Method)
		}
		if p.Ended {
			j.app.detail("run %d of %d, iteration %d: objective %s, %d moved", p.Run, p.Runs, p.Iteration, format.Number(p.Objective), p.Moved)
		}
		mu.Lock()
		defer mu.Unlock()
		if p.Stage != last.Stage {
			began = time.Now()
		}
		last = p
	}
	j.o.Notify = j.app.note
	done := j.app.screen.Show(func() string {
		mu.Lock()
		defer mu.Unlock()
		return terminal.TimeLeft(last.String(), last.Share(), time.Since(began))
	})
	r, err := door.Cluster(ctx, t, c, j.o)
	j.app.ending.Store(false)
	done()
	if j.spent.Fit == 0 {
		j.spent.Fit = time.Since(start).Seconds()
	}
	if late := (*door.TimeLimitError)(nil); errors.As(err, &late) {
		late.Limit = j.limit
	}
	if errors.Is(err, errInterrupted) || err != nil && context.Cause(ctx) == errInterrupted {
		return r, &exitError{code: exitInterrupted, err: errInterrupted, silent: r != nil}
	}
	return r, err
}

// endTime is how much of a long time limit is left for what follows the fit: summing it up,
// writing it, and giving the memory back.
const endTime = 100 * time.Millisecond

// timeToEnd is how much of a time limit is left for what follows the fit. Writing many rows
// takes long: measured on a million, with ids that are numbers, a tenth of what reading them took.
func timeToEnd(limit, reading time.Duration) time.Duration {
	return min(limit/4, max(min(limit/20, endTime), reading/6))
}

// timeToFit is what a time limit leaves for the fit: reading and writing count too.
func timeToFit(limit, reading time.Duration) time.Duration {
	return max(limit-reading-timeToEnd(limit, reading), 1)
}

// withLimit is ctx until a time limit, where there is one.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// outOfTime returns err, or that the time limit ended the reading.
func outOfTime(reading context.Context, err error, limit time.Duration) error {
	if errors.Is(reading.Err(), context.DeadlineExceeded) {
		return &door.TimeLimitError{Limit: limit}
	}
	return err
}

// writeResult writes what was asked for, each file whole or not at all, and the
// summary.
func (j *clusterJob) writeResult(ctx context.Context, r *door.Result, path string) error {
	start := time.Now()
	out := targets.Target{Path: j.out}
	if j.out == "" && !j.app.json {
		out.Path = "-"
	}
	files := []output{{out.Path, j.rows.writer(ctx, r, j.table, path, j.out)}, {j.save, r.Save}, {j.trace, tablefile.Encode(j.trace, false, r.WriteTrace)}}
	last := files[:0:0] // stdout: its reader may leave, and end the program
	if out.IsStdout() {
		files, last = files[1:], files[:1]
	}
	if err := j.app.writeFiles(files); err != nil {
		return err
	}
	if _, err := j.app.writePage(ctx, r, &j.page, path); err != nil {
		return err
	}
	if err := j.app.writeFiles(last); err != nil {
		return err
	}
	j.spent.Write = time.Since(start).Seconds()
	if j.app.json {
		if err := j.app.printJSON(clusterOutput{Schema: "inkling.cluster/1", Result: r, Seconds: j.spent}); err != nil {
			return err
		}
	}
	j.app.summary().Result(r, j.spent.Fit)
	j.app.sayUnwritten(j.out)
	return nil
}

// clusterOutput is what inkling cluster prints with --json.
type clusterOutput struct {
	Schema string `json:"schema"`
	*door.Result
	Seconds seconds `json:"seconds"`
}
