package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/format"
)

// conflictsShown is how many problems of a kind are listed.
const conflictsShown = 10

func (a *app) checkCommand() *cobra.Command {
	var in input
	var files constraintFlags
	var views viewFlags
	var o door.Options
	cmd := &cobra.Command{
		Use:   "check DATA",
		Short: "find errors and contradictions in labels and links",
		Long: `Look for ids that no row has, links given twice or as both kinds, rows linked
with themselves, and contradictions. Each contradiction comes with the shortest
chain that proves it, and with the few constraints to remove. With -k, check
that k clusters can satisfy all constraints; with --view, that ids match.

Exit codes: 0 no errors, 3 unknown ids, 4 contradictory or infeasible.`,
		Example: `  inkling check example:iris.csv --labels example:iris-labels.csv -k 3
  inkling check example:text.csv --text text --links example:text-links.csv
  inkling check example:wine.csv --view example:wine.csv --json`,
		Args: exactly(1, oneData),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Views, err = views.sources(); err != nil {
				return err
			}
			if err := in.check(); err != nil {
				return err
			}
			if err := targets.StdinOnce(slices.Concat(files.paths(), views.files, args)...); err != nil {
				return err
			}
			return a.check(cmd.Context(), args[0], &in, &files, o)
		},
	}
	cmd.Flags().SortFlags = false
	flags.Integer(cmd.Flags(), &o.K, "k", "k", 1, "`N` number of clusters (default: any number)")
	files.flags(cmd)
	views.flags(cmd)
	in.readingFlags(cmd)
	in.preparingFlags(cmd, &o)
	flags.Group(cmd, flags.GroupConstraints, "k")
	return cmd
}

// checkOutput is what inkling check prints with --json.
type checkOutput struct {
	Schema string `json:"schema"`
	*door.ConstraintReport
}

func (a *app) check(ctx context.Context, path string, in *input, files *constraintFlags, o door.Options) error {
	if in.source.Missing == "" {
		in.source.Missing = "keep" // missing values are not what is being checked
	}
	t, _, err := a.openData(ctx, path, in, files.files)
	if err != nil {
		return err
	}
	c, err := a.constraints(ctx, files, t)
	if err != nil {
		return err
	}
	o.Notify = a.note
	var r *door.ConstraintReport
	if _, err := a.timed("checking the constraints", func() (err error) {
		r, err = door.CheckConstraints(ctx, t, c, o)
		return err
	}); err != nil {
		return err
	}
	if a.json {
		for i, p := range r.Problems {
			r.Problems[i].Message = withAdvice(p.Message, p.Hint)
		}
		if err := a.printJSON(checkOutput{"inkling.check/1", r}); err != nil {
			return err
		}
	} else {
		a.printCheck(r, o.K)
	}
	return r.Err()
}

// printCheck writes the report for people; it is the result, so it goes to
// stdout.
func (a *app) printCheck(r *door.ConstraintReport, k int) {
	out := a.stdout
	fmt.Fprintf(out, "%s\n", format.Count(r.N, r.Point))
	fmt.Fprintf(out, "labels        %d", r.Labels)
	if len(r.Classes) > 0 {
		fmt.Fprintf(out, ", classes %s", terminal.Printable(format.Few(r.Classes, 10)))
	}
	fmt.Fprintf(out, "\nmust-links    %d\ncannot-links  %d\n", r.Must, r.Cannot)
	if r.Beliefs > 0 {
		fmt.Fprintf(out, "beliefs       %d\n", r.Beliefs)
	}
	for _, v := range r.Views {
		fmt.Fprintf(out, "view          %s\n", terminal.Printable(v.String()))
	}
	fmt.Fprintf(out, "components    %d, the largest has %s\n", r.Components, format.Count(r.Largest, r.Point))
	a.printProblems(r)
	a.printConflicts(r)
	switch {
	case len(r.Conflicts) > 0:
	case r.Feasible == door.FeasibleNo:
		fmt.Fprintf(out, "not feasible with k = %d: %s\n", k, terminal.Printable(r.Why))
	case r.Feasible == door.FeasibleYes && k > 0:
		fmt.Fprintf(out, "feasible with k = %d\n", k)
	case r.Feasible == door.FeasibleYes && len(r.Problems) == 0:
		fmt.Fprintln(out, "no contradictions")
	case r.Feasible == door.FeasibleUnknown:
		fmt.Fprintf(out, "could not determine whether k = %d is feasible: %s\n", k, r.Why)
	}
}

// printProblems writes what is wrong with single constraints: the harmless last,
// and of each kind the first few unless -v asks for all.
func (a *app) printProblems(r *door.ConstraintReport) {
	var first, last []door.Fault
	for _, p := range r.Problems {
		if p.Kind == door.FaultDuplicate {
			last = append(last, p)
		} else {
			first = append(first, p)
		}
	}
	shown, left := map[door.FaultKind]int{}, map[door.FaultKind]int{}
	for _, p := range append(first, last...) {
		if shown[p.Kind] == conflictsShown && !a.verbose {
			left[p.Kind]++
			continue
		}
		shown[p.Kind]++
		fmt.Fprintf(a.stdout, "%s\n", terminal.Printable(withAdvice(p.String(), p.Hint)))
	}
	for _, kind := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(a.stdout, "… and %d more of kind %s (-v or --json lists all)\n", left[kind], kind)
	}
}

// printConflicts writes the contradictions, and what to remove so that none is
// left.
func (a *app) printConflicts(r *door.ConstraintReport) {
	out := a.stdout
	for i, x := range r.Conflicts {
		if i == conflictsShown && !a.verbose {
			fmt.Fprintf(out, "… and %s (-v or --json lists them)\n", format.Count(len(r.Conflicts)-i, "more contradiction"))
			break
		}
		fmt.Fprintf(out, "contradiction: %s\n", terminal.Printable(x.Text))
	}
	if r.More {
		fmt.Fprintf(out, "… and others; only the first %d are listed\n", door.MaxConflicts)
	}
	gone := "the contradictions are gone"
	if len(r.Conflicts) == 1 {
		gone = "the contradiction is gone"
	}
	switch len(r.Drop) {
	case 0:
		return
	case 1:
		fmt.Fprintf(out, "remove this one constraint and %s:\n", gone)
	default:
		fmt.Fprintf(out, "remove these %d constraints and %s:\n", len(r.Drop), gone)
	}
	for i, d := range r.Drop {
		if i == 5*conflictsShown && !a.verbose {
			fmt.Fprintf(out, "  … and %d more (-v or --json lists all)\n", len(r.Drop)-i)
			break
		}
		fmt.Fprintf(out, "  %s\n", terminal.Printable(d.String()))
	}
}
