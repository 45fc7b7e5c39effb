package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
)

func (a *app) explainCommand() *cobra.Command {
	var in input
	var files constraintFlags
	var row, pair, group string
	cmd := &cobra.Command{
		Use:   "explain MODEL DATA",
		Short: "explain where a row is, why two are together, what a cluster is",
		Long: `Explain where a saved model places a row (--row) or two rows (--pair): which
columns decide, in the units of the data, which labelled rows are near, which
chain of constraints joins two rows, and what would have to change; or what a
cluster is (--cluster): in which columns it differs most from the others, and
which constraints concern it; or, without these, why the method was chosen and
what the constraints changed. Give the labels and links of the fit to see them
in the explanation. For two records: inkling dedupe TABLE --explain A,B.`,
		Example: `  inkling cluster example:iris.csv -k 3 --save iris.ink -o clusters.csv
  inkling explain iris.ink example:iris.csv
  inkling explain iris.ink example:iris.csv --row 70
  inkling explain iris.ink example:iris.csv --pair 0,100 --json
  inkling explain iris.ink example:iris.csv --cluster 0`,
		Args: exactly(2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := 0
			for _, s := range []string{row, pair, group} {
				if s != "" {
					given++
				}
			}
			if given > 1 {
				return usagef("give either --row ID or --pair A,B or --cluster NAME")
			}
			first, second, isPair := strings.Cut(pair, ",")
			if pair != "" && !isPair {
				return usagef("--pair must be two ids separated by a comma, got %q", pair)
			}
			if err := targets.StdinOnce(append(files.paths(), args...)...); err != nil {
				return err
			}
			m, err := openModel(args[0])
			if err != nil {
				return err
			}
			t, _, err := a.openTable(cmd.Context(), args[1], in.forModel(), m.Open)
			if err != nil {
				return err
			}
			c, err := a.constraints(cmd.Context(), &files, t)
			if err != nil {
				return err
			}
			out := explainOutput{Schema: "inkling.explain/1", Method: m.Method(), Why: m.Why()}
			switch {
			case given == 0:
			case group != "":
				out.Cluster, err = m.ExplainCluster(cmd.Context(), t, c, group)
			case isPair:
				out.Pair, err = m.ExplainPair(cmd.Context(), t, c, first, second)
			default:
				out.Row, err = m.ExplainRow(cmd.Context(), t, c, row)
			}
			return a.printExplanation(out, err)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&row, "row", "", "`ID` explain this row")
	cmd.Flags().StringVar(&pair, "pair", "", "`A,B` explain these two rows")
	cmd.Flags().StringVar(&group, "cluster", "", "`NAME` explain this cluster")
	files.flags(cmd)
	in.readingFlags(cmd)
	flags.Group(cmd, flags.GroupOther, "row", "pair", "cluster")
	return cmd
}

// explainOutput is what inkling explain prints with --json: all but one of row, pair and
// cluster are null.
type explainOutput struct {
	Schema  string                   `json:"schema"`
	Method  string                   `json:"method"`
	Why     string                   `json:"why"` // why the method was chosen, and what the constraints changed
	Row     *door.RowExplanation     `json:"row"`
	Pair    *door.PairExplanation    `json:"pair"`
	Cluster *door.ClusterExplanation `json:"cluster"`
}

func (a *app) printExplanation(out explainOutput, err error) error {
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(out)
	}
	text := fmt.Sprintln(cmp.Or(out.Why, "method "+out.Method+"; the model was saved without the reason"))
	switch {
	case out.Row != nil:
		text = fmt.Sprint(out.Row)
	case out.Pair != nil:
		text = out.Pair.String()
	case out.Cluster != nil:
		text = out.Cluster.String()
	}
	_, err = io.WriteString(a.stdout, terminal.PrintableLines(text))
	return err
}
