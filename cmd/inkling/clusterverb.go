package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/catalog"
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/saved"
)

// clusterJob is one run of the verb cluster: its flags, then what became of them.
type clusterJob struct {
	app      *app
	in       input
	known    sources
	views    views
	params   methodFlags
	asked    string // the method, by name; "" to choose one
	set      cluster.Settings
	k        int
	strict   bool
	withTwin bool
	limit    time.Duration
	out      string
	save     string
	trace    string
	page     pageFlags

	outcome
	ready  *prepare.Prepared
	chosen catalog.Method
	alg    cluster.Algorithm
	spent  seconds
}

func (a *app) clusterVerb() *cobra.Command {
	j := &clusterJob{app: a, set: cluster.Default()}
	cmd := &cobra.Command{
		Use:   "cluster DATA -k K",
		Short: "cluster rows, with what is known about them",
		Long: `Cluster the rows of DATA (a file, a folder of text files, - for stdin, or a built-in
example:NAME) into k clusters and write id,cluster for every row. Labels and links are
honoured by the methods that use them, and checked after every method: what was not
honoured is listed with what it would cost to honour it.`,
		Example: `  inkling cluster example:iris.csv -k 3
  inkling cluster example:iris.csv --labels example:iris-labels.csv --links example:iris-links.csv -o clusters.csv
  inkling cluster example:wine.csv -k 3 --scale standard --json -o clusters.csv --save wine.ink
  inkling cluster example:graph.edges -k 4 --links example:graph-links.csv --objective normalized-cut
  inkling cluster example:wine.csv -k 3 --columns alcohol,ash,proline --scale standard --view example:wine.csv`,
		Args: exactly(1, "one DATA: a file, a folder of documents, or - for stdin"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := enough(cmd, j.k); err != nil {
				return err
			}
			return j.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVarP(&j.k, "k", "k", 0, "number of clusters (default: the number of classes among the labels)")
	f.StringVar(&j.asked, "method", "", "how to cluster (default: chosen from what is given); inkling methods lists them")
	j.known.flags(cmd)
	j.views.flags(cmd)
	f.StringVarP(&j.out, "output", "o", "", "write id,cluster to this file (default: stdout)")
	f.StringVar(&j.save, "save", "", "keep the model in this file, for inkling predict")
	f.StringVar(&j.page.report, "report", "", "write a page about the result to this HTML file")
	j.page.flags(cmd)
	f.StringVar(&j.trace, "trace", "", "write the objective of every iteration to this CSV file")
	f.BoolVar(&j.withTwin, "twin", false, "also fit without what is known, and say what the knowledge changed")
	f.BoolVar(&j.strict, "strict", false, "exit with 5 if anything known is violated")
	f.Uint64Var(&j.set.Seed, "seed", j.set.Seed, "the same seed gives the same bytes")
	f.IntVar(&j.set.Restarts, "restarts", 0, "runs from different starts, the best is kept (default: 10 on small data, else 1)")
	f.IntVar(&j.set.MaxIter, "max-iter", j.set.MaxIter, "iterations of one run at the most")
	f.Float64Var(&j.set.Tol, "tol", j.set.Tol, "stop when the objective falls by no more than this share")
	f.DurationVar(&j.limit, "timeout", 0, "end the fit after this long, with the best so far (5s, 2m)")
	j.params = newMethodFlags(cmd)
	j.in.reading(cmd)
	j.in.preparing(cmd)
	values(cmd, "method", catalog.Names()...)
	return cmd
}

func (j *clusterJob) run(ctx context.Context, path string) error {
	if err := j.checkFlags(); err != nil {
		return err
	}
	inputs := slices.Concat(j.known.files(), j.views.files, j.page.files(), []string{path})
	if err := once(inputs...); err != nil {
		return err
	}
	if err := spare(append(j.outputs(), j.page.folder()), append(inputs, j.params.files()...)...); err != nil {
		return err
	}
	if err := j.page.look(j.set.Workers); err != nil {
		return err
	}
	if err := j.prepare(path); err != nil {
		return err
	}
	stopped := j.solve(ctx)
	if j.r == nil {
		return stopped
	}
	j.names = clusterNames(j.r.Labels, j.p)
	j.method, j.parameters, j.seed, j.workers = j.chosen.Name, j.params.describe(j.alg), j.set.Seed, j.set.Workers
	if j.withTwin && stopped == nil {
		j.fitTwin(ctx)
	}
	sum := j.summarise()
	start := time.Now()
	if err := j.writeFiles(); err != nil {
		return err
	}
	if _, err := j.app.writePage(context.WithoutCancel(ctx), &j.outcome, sum, &j.page, path); err != nil {
		return err
	}
	j.spent.Write = time.Since(start).Seconds()
	sum.Seconds = j.spent
	if j.app.json {
		if err := j.app.printJSON(sum); err != nil {
			return err
		}
	}
	sum.tell(j.app)
	j.app.tellUnwritten(j.out)
	if stopped != nil {
		return stopped
	}
	if n := sum.broken(); j.strict && n > 0 {
		return &exitError{code: exitViolated, err: fmt.Errorf("--strict: %s not honoured", pieces(n))}
	}
	return nil
}

func pieces(n int) string {
	if n == 1 {
		return "1 piece of knowledge was"
	}
	return fmt.Sprintf("%d pieces of knowledge were", n)
}

func (j *clusterJob) checkFlags() error {
	if err := j.in.check(); err != nil {
		return err
	}
	switch {
	case j.set.Restarts < 0:
		return usagef("--restarts is %d, it must not be negative", j.set.Restarts)
	case j.set.MaxIter < 0:
		return usagef("--max-iter is %d, it must not be negative", j.set.MaxIter)
	case j.set.Tol < 0 || j.set.Tol != j.set.Tol:
		return usagef("--tol is %v, it must not be negative", j.set.Tol)
	case j.limit < 0:
		return usagef("--timeout is %s, it must not be negative", j.limit)
	}
	if j.asked != "" {
		if _, ok := catalog.Find(j.asked); !ok {
			return usagef("there is no method %q%s; inkling methods lists them", j.asked, question(j.asked, catalog.Names()))
		}
	}
	if err := j.params.check(j.asked); err != nil {
		return err
	}
	if err := j.views.check(j.asked); err != nil {
		return err
	}
	if err := distinct(j.outputs(), j.app.json); err != nil {
		return err
	}
	j.set.Workers = j.in.read.Workers
	return j.page.check()
}

// enough refuses a number of clusters below 1, if one was given.
func enough(cmd *cobra.Command, k int) error {
	if k < 1 && cmd.Flags().Changed("k") {
		return usagef("-k is %d, at least 1 cluster is needed", k)
	}
	return nil
}

// tooMany refuses more clusters than there are points.
func tooMany(k, n int, point string) error {
	if n == 1 {
		return usagef("-k is %d, but there is only 1 %s", k, point)
	}
	return usagef("-k is %d, but there are only %s", k, count(n, point))
}

func (j *clusterJob) outputs() []output {
	return []output{{"-o", j.out}, {"--save", j.save}, {"--trace", j.trace}, {"--report", j.page.report}}
}

// prepare reads data and knowledge, and settles k and the method.
func (j *clusterJob) prepare(path string) (err error) {
	a := j.app
	if j.ds, j.spent.Read, err = a.open(path, j.in.read); err != nil {
		return err
	}
	a.idle(&j.in, j.ds)
	j.p = &cluster.Problem{Graph: j.ds.Graph, Kernel: j.ds.Kernel, K: j.k}
	var rows []int
	if j.ds.Graph == nil && j.ds.Kernel == nil {
		spent, err := a.timed("preparing "+path, func() (err error) {
			j.recipe, j.ready, err = prepare.Fit(j.ds, j.in.prep)
			return err
		})
		if err != nil {
			return err
		}
		j.spent.Read += spent
		for _, note := range j.ready.Notes {
			a.say("%s: %s", j.ds.Name, renderHint(note))
		}
		j.p.X, rows = j.ready.X, j.ready.Rows
	}
	if j.know, err = a.load(&j.known, j.ds, rows); err != nil {
		return err
	}
	if err := j.know.refuse(); err != nil {
		return err
	}
	from := &viewer{app: a, in: &j.in, views: &j.views, ds: j.ds, know: j.know, n: j.p.Len()}
	if j.p.Views, err = from.readAll(); err != nil {
		return err
	}
	j.spent.Read += from.spent
	j.know.views = len(j.p.Views)
	if j.p.K == 0 {
		if j.p.K = j.know.set.Classes(); j.p.K == 0 {
			return usagef("how many clusters? give -k, or labels to count the classes of; where nobody knows, try some and compare their silhouettes (inkling score --data, or --report)")
		}
		a.say("k = %d, one cluster for each class among the labels", j.p.K)
		if j.p.K == 1 {
			a.warn("the labels name one class, so all goes to it; -k 2 or more leaves room for others")
		}
	}
	if err := j.choose(); err != nil {
		return err
	}
	if n := j.p.Len(); j.p.K > n {
		return tooMany(j.p.K, n, j.points())
	}
	j.tellSpread()
	if !j.know.set.Empty() {
		j.p.Constraints = j.know.set
		if err := j.weighConflict(j.know.contradiction(j.p.Len(), j.p.K)); err != nil {
			return err
		}
		return j.room()
	}
	return nil
}

// solve fits, with a line of progress, until done, time is over or Ctrl-C. The
// error says which of the last two; then the result is the best so far.
func (j *clusterJob) solve(ctx context.Context) error {
	if j.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.limit)
		defer cancel()
	}
	var mu sync.Mutex
	var last cluster.Event
	j.set.Observe = func(e cluster.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Objective == nil {
			e.Objective, e.Moved = last.Objective, last.Moved
		} else if e.Stage != "start" {
			j.app.detail("run %d of %d, iteration %d: objective %s, %d moved", e.Run+1, e.Restarts, e.Iter, number(e.Objective.Sum()), e.Moved)
		}
		last = e
	}
	done := j.app.screen.show(func() string {
		mu.Lock()
		defer mu.Unlock()
		if last.Restarts == 0 {
			return j.chosen.Name + ": choosing a start"
		}
		return fmt.Sprintf("%s: run %d of %d, iteration %d, objective %s, %d moved", j.chosen.Name,
			last.Run+1, last.Restarts, last.Iter, number(last.Objective.Sum()), last.Moved)
	})
	if j.p.Check() == nil { // what is wrong with the parameters alone is the user's
		if err := j.alg.Check(j.p); err != nil && codeOf(err) == exitFault {
			done()
			return usagef("%s", message(err))
		}
	}
	start := time.Now()
	j.app.ending.Store(true)
	r, err := cluster.Fit(ctx, j.p, j.alg, j.set)
	j.app.ending.Store(false)
	done()
	j.r, j.spent.Fit = r, time.Since(start).Seconds()
	switch {
	case context.Cause(ctx) == errInterrupted:
		return &exitError{code: exitInterrupted, err: errInterrupted, silent: r != nil}
	case errors.Is(err, context.DeadlineExceeded):
		if r == nil {
			return usagef("--timeout %s was over before there was a first clustering; give it more time", j.limit)
		}
		return nil
	case err != nil:
		j.r = nil
		return j.explain(j.named(err))
	}
	return nil
}

// writeFiles writes what was asked for, each file whole or not at all.
func (j *clusterJob) writeFiles() error {
	out := j.out
	if out == "" && !j.app.json {
		out = "-"
	}
	if out != "" {
		if err := j.app.writeFile(out, j.writeLabels); err != nil {
			return err
		}
	}
	if j.save != "" {
		if err := j.app.writeFile(j.save, j.writeModel); err != nil {
			return err
		}
	}
	if j.trace != "" {
		if err := j.app.writeFile(j.trace, j.writeTrace); err != nil {
			return err
		}
	}
	return nil
}

func (j *clusterJob) model() *saved.Fit {
	return &saved.Fit{
		Program: version, Method: j.chosen.Name, Parameters: j.parameters, Seed: j.set.Seed, Rows: j.p.Len(),
		Objective: j.r.Objective, Clusters: j.names, Recipe: j.recipe, Model: j.r.Model,
		Input: saved.Input{ID: j.in.read.ID, Text: j.in.read.Text},
	}
}
