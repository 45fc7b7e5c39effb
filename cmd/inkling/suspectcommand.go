package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
)

// suspectJob is one run of inkling suspect.
type suspectJob struct {
	app         *app
	in          input
	files       constraintFlags
	o           door.Options
	seed        uint64
	above       float64
	cleanLabels string
	cleanLinks  string
}

func (a *app) suspectCommand() *cobra.Command {
	j := &suspectJob{app: a, seed: door.DefaultSeed, above: door.LooksWrong}
	cmd := &cobra.Command{
		Use:   "suspect DATA",
		Short: "rank labels and links by how likely they are wrong",
		Long: `Rank the constraints by how likely they are wrong, with the evidence. Every
constraint is judged by fits that have not seen it. Nothing is dropped unless
--clean-labels or --clean-links ask for files without the suspects.`,
		Example: `  inkling suspect example:iris.csv --labels example:iris-mislabelled.csv
  inkling suspect example:iris.csv -k 3 --links example:iris-links.csv --json
  inkling suspect example:text.csv --text text --labels example:text-labels.csv`,
		Args: exactly(1, oneData),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	flags.Integer(f, &j.o.K, "k", "k", 1, "`N` number of clusters (default: number of classes)")
	f.Uint64Var(&j.seed, "seed", door.DefaultSeed, "`N` random seed; the same seed gives the same result")
	j.files.flags(cmd)
	f.Float64Var(&j.above, "above", door.LooksWrong, "`P` score above which a constraint is a suspect")
	f.StringVar(&j.cleanLabels, "clean-labels", "", "`FILE` write the labels without the suspects")
	f.StringVar(&j.cleanLinks, "clean-links", "", "`FILE` write the links without the suspects")
	j.in.readingFlags(cmd)
	j.in.preparingFlags(cmd, &j.o)
	flags.Group(cmd, flags.GroupConstraints, "k", "seed", "above")
	flags.Group(cmd, flags.GroupOutput, "clean-labels", "clean-links")
	return cmd
}

// suspectOutput is what inkling suspect prints with --json.
type suspectOutput struct {
	Schema string `json:"schema"`
	*door.SuspectReport
	Above   float64 `json:"above"` // the score above which a constraint is called a suspect
	Seconds float64 `json:"seconds"`
}

func (j *suspectJob) run(cmd *cobra.Command, path string) error {
	if err := j.check(path); err != nil {
		return err
	}
	ctx := cmd.Context()
	t, _, err := j.app.openData(ctx, path, &j.in, j.files.files)
	if err != nil {
		return err
	}
	c, err := j.app.constraints(ctx, &j.files, t)
	if err != nil {
		return err
	}
	if c.Len() == 0 && c.Err() == nil {
		return usageAdvice("there are no constraints to judge", "give {labels} or {links}")
	}
	r, spent, err := j.app.judge(ctx, t, c, j.o)
	if err != nil {
		return err
	}
	if err := j.writeClean(r); err != nil {
		return err
	}
	if j.app.json {
		return j.app.printJSON(suspectOutput{"inkling.suspect/1", r, j.above, spent})
	}
	return r.WriteText(j.app.stdout, j.above, j.app.verbose, terminal.Printable)
}

func (j *suspectJob) check(path string) error {
	if !(j.above >= 0 && j.above <= 1) {
		return usagef("--above must be from 0 to 1, got %v", j.above)
	}
	j.o.Seed = &j.seed
	if err := j.in.check(); err != nil {
		return err
	}
	inputs := slices.Concat(j.files.paths(), []string{path}, j.in.sideFiles())
	if err := targets.StdinOnce(inputs...); err != nil {
		return err
	}
	outputs := []targets.Target{{Flag: "--clean-labels", Path: j.cleanLabels}, {Flag: "--clean-links", Path: j.cleanLinks}, j.in.planTarget()}
	if err := targets.ProtectInputs(outputs, inputs...); err != nil {
		return err
	}
	// The first output is stdout, where the ranking goes.
	return targets.Distinct(slices.Concat([]targets.Target{{Flag: "the result", Path: ""}}, outputs), j.app.json)
}

// judge ranks the constraints, with a line of progress.
func (a *app) judge(ctx context.Context, t *door.Table, c *door.Constraints, o door.Options) (r *door.SuspectReport, spent float64, err error) {
	o.Notify = a.note
	spent, err = a.timed("judging the constraints", func() (err error) {
		r, err = door.Suspects(ctx, t, c, o)
		return err
	})
	return r, spent, err
}

// writeClean writes the constraints that are not suspects.
func (j *suspectJob) writeClean(r *door.SuspectReport) error {
	for _, f := range []struct {
		path  string
		write func(io.Writer, float64) error
	}{{j.cleanLabels, r.WriteLabels}, {j.cleanLinks, r.WriteLinks}} {
		if f.path == "" {
			continue
		}
		if err := j.app.writeFile(f.path, func(w io.Writer) error { return f.write(w, j.above) }); err != nil {
			return err
		}
	}
	return nil
}
