package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/present/saved"
	"github.com/inklinghq/inkling/internal/support/format"
)

// clusterJob is one run of inkling-beam cluster.
type clusterJob struct {
	app     *app
	engine  engineFlags
	files   door.ConstraintFiles
	params  methodFlags
	o       door.Options
	seed    uint64
	maxIter int
	tol     float64
	strict  bool
	out     string
	save    string
	spent   seconds
}

// seconds are the times that a command spent.
type seconds struct {
	Read  float64 `json:"read"`
	Fit   float64 `json:"fit"`
	Write float64 `json:"write"`
}

func (a *app) clusterCommand() *cobra.Command {
	j := &clusterJob{app: a}
	cmd := &cobra.Command{
		Use:   "cluster DATA... -k K",
		Short: "cluster rows in shards, using what you know about them",
		Long: `Cluster the rows of all DATA, files or patterns such as 'part-*.npy', as if they were one
file. The result has the same bits as inkling cluster --effort low on that file, whatever
the runner, the parallelism and the number of shards.`,
		Example: `  inkling-beam cluster 'part-*.npy' -k 100 -o clusters
  inkling-beam cluster 'part-*.npy' -k 100 --runner flink --flink localhost:8099 --work /shared/tmp
  inkling-beam cluster 'part-*.parquet' --id customer --method pc-kmeans --links pairs.csv -k 20 -o clusters`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the DATA: files or patterns")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVarP(&j.o.K, "k", "k", 0, "`N` number of clusters (default: number of classes)")
	f.StringVar(&j.o.Method, "method", "", "`NAME` method (default: kmeans without constraints)")
	f.StringVar((*string)(&j.o.Effort), "effort", string(door.EffortLow), "`LEVEL` only low: each run stops in its first local minimum")
	f.Uint64Var(&j.seed, "seed", door.DefaultSeed, "`N` random seed")
	f.IntVar(&j.o.Restarts, "restarts", 0, "`N` number of starts (default: as many as pay)")
	f.IntVar(&j.maxIter, "max-iter", 300, "`N` maximum number of iterations of a run")
	f.Float64Var(&j.tol, "tol", 1e-7, "`X` relative decrease of the objective that counts as convergence")
	f.DurationVar(&j.o.Timeout, "timeout", 0, "`TIME` stop after this time with the best so far")
	f.StringArrayVar(&j.files.Labels, "labels", nil, "`FILE` of id,label[,weight]")
	f.StringArrayVar(&j.files.Links, "links", nil, "`FILE` of a,b,kind[,weight]")
	f.BoolVar(&j.strict, "strict", false, "exit with code 5 if a constraint is violated")
	f.StringVarP(&j.out, "output", "o", "", "`PATH` write id,cluster here: one file if it ends in .csv, else a folder of shards with a manifest (default: stdout)")
	f.StringVar(&j.save, "save", "", "`FILE` save the model, for predict")
	j.params = newMethodFlags(cmd)
	j.engine.flags(cmd)
	return cmd
}

func (j *clusterJob) run(cmd *cobra.Command, patterns []string) error {
	j.o.Seed, j.o.MaxIter, j.o.Tol = &j.seed, orNegative(j.maxIter), orNegative(j.tol)
	j.o.Parameters, j.o.NeedModel = j.params.given(cmd), j.save != ""
	constrained := len(j.files.Labels)+len(j.files.Links) > 0 || j.engine.source.LabelColumn != ""
	if err := checkMethod(&j.o, constrained); err != nil {
		return err
	}
	if j.o.K < 0 || j.o.Restarts < 0 || j.maxIter < 0 || !(j.tol >= 0) || j.o.Timeout < 0 {
		return usagef("-k, --restarts, --max-iter, --tol and --timeout must not be negative")
	}
	if err := j.o.Check(); err != nil {
		return err
	}
	if err := checkOutputs(j.out, j.save); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	start := time.Now()
	eng, err := j.app.open(ctx, cancel, &j.engine, patterns)
	if err != nil {
		return err
	}
	defer eng.close()
	c, err := door.ReadConstraints(ctx, eng.table, j.files)
	if err != nil {
		return err
	}
	for _, n := range c.Notes() {
		j.app.note(n)
	}
	j.spent.Read = time.Since(start).Seconds()
	r, stopped := j.fit(ctx, eng, c)
	if r == nil {
		return stopped
	}
	if err := j.write(eng, r); err != nil {
		return err
	}
	if n := r.Violated(); stopped == nil && j.strict && n > 0 {
		return &exitError{code: exitViolated, err: fmt.Errorf("--strict: %s violated", format.Count(n, "constraint"))}
	}
	return stopped
}

// orNegative turns a 0 that was meant into what the options take for it.
func orNegative[T int | float64](x T) T {
	if x == 0 {
		return -1
	}
	return x
}

// fit clusters until done, time is over or Ctrl-C. Rows that could not be read leave no
// result.
func (j *clusterJob) fit(ctx context.Context, eng *engine, c *door.Constraints) (*door.Result, error) {
	start := time.Now()
	j.o.Progress = func(p door.Progress) {
		if p.Stage == door.StageStarting {
			j.app.fitting.Store(true)
		}
		if p.Ended {
			j.app.progress("%s: run %d of %d, iteration %d, objective %s, %d moved", p.Method, p.Run, p.Runs, p.Iteration, format.Number(p.Objective), p.Moved)
		}
		if p.Ended && j.app.verbose {
			j.app.say("run %d of %d, iteration %d: objective %s, %d moved", p.Run, p.Runs, p.Iteration, format.Number(p.Objective), p.Moved)
		}
	}
	j.o.Notify = j.app.note
	r, err := door.Cluster(ctx, eng.table, c, j.o)
	j.app.fitting.Store(false)
	j.spent.Fit = time.Since(start).Seconds()
	if failed := eng.rows.Err(); failed != nil {
		return nil, failed
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return r, &exitError{code: exitInterrupted, err: errInterrupted, silent: r != nil}
	}
	return r, err
}

// write writes labels, model and summary.
func (j *clusterJob) write(eng *engine, r *door.Result) error {
	start := time.Now()
	about := eng.describe()
	if err := j.app.writeLabels(j.out, eng, r.Clusters, r.Rows(), about); err != nil {
		return err
	}
	if j.save != "" {
		if err := writeModel(j.save, r, about); err != nil {
			return err
		}
	}
	j.spent.Write = time.Since(start).Seconds()
	if j.app.json {
		b, err := json.MarshalIndent(clusterOutput{Schema: "inkling.cluster/1", Result: r, Seconds: j.spent, Beam: about}, "", "  ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(j.app.stdout, "%s\n", b); err != nil {
			return err
		}
	}
	j.app.say("%s, k = %d: %s after %s, %s, %s s", r.Method, r.K, r.Status, format.Count(r.Iterations, "iteration"), format.Starts(r.Runs, r.Distinct), format.Rounded(j.spent.Fit))
	j.app.say("objective %s%s", format.Number(r.Objective.Total), format.Terms(r.Objective.Terms))
	j.app.say("%d passes over %d rows in %s, on %s at effort low", about.Passes, r.N, format.Count(about.Shards, "shard"), about.Runner)
	if n := r.Violated(); n > 0 {
		j.app.say("%s violated (--json lists them)", format.Count(n, "constraint"))
	}
	if r.Status == "timeout" || r.Status == "interrupted" {
		j.app.say("warning: stopped early (%s): this is the best so far", r.Status)
	}
	return nil
}

// clusterOutput is what inkling-beam cluster prints with --json: what inkling cluster
// prints, and how it was computed.
type clusterOutput struct {
	Schema string `json:"schema"`
	*door.Result
	Seconds seconds   `json:"seconds"`
	Beam    described `json:"beam"`
}

// writeModel writes an ordinary model file that says how it was fitted.
func writeModel(path string, r *door.Result, about described) error {
	var b bytes.Buffer
	if err := r.Save(&b); err != nil {
		return err
	}
	fit, err := saved.Read(&b)
	if err != nil {
		return err
	}
	fit.Program += fmt.Sprintf(" inkling-beam (effort %s, units of %d rows)", about.Effort, about.UnitRows)
	return writeFile(path, func(w *bytes.Buffer) error { return saved.Write(w, fit) })
}
