package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/door"
)

// scoreJob is one run of inkling score.
type scoreJob struct {
	app  *app
	in   input
	o    door.ScoreOptions
	data string
}

func (a *app) scoreCommand() *cobra.Command {
	j := &scoreJob{app: a}
	cmd := &cobra.Command{
		Use:   "score TRUTH PRED",
		Short: "compare a clustering with the truth",
		Long: `Compare two files of id,label (or id,cluster), matched by id: mutual information,
NMI, adjusted Rand index, Rand index, pairwise precision, recall and F,
homogeneity, completeness, V and purity. With --links, also count the links that
PRED satisfies; with --data, compute the silhouette of PRED.`,
		Example: `  inkling cluster example:iris.csv -k 3 -o clusters.csv
  inkling score example:iris-truth.csv clusters.csv
  inkling score example:iris-truth.csv clusters.csv --data example:iris.csv --links example:iris-links.csv --json`,
		Args: exactly(2, "two files, TRUTH and PRED"),
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&j.o.Common, "common", false, "score only the ids that both files have and label")
	f.StringArrayVar(&j.o.Links, "links", nil, "`FILE` links to check: a,b,kind[,weight] (repeatable)")
	f.StringVar(&j.data, "data", "", "`FILE` rows that were clustered, for the silhouette")
	j.in.readingFlags(cmd)
	j.in.preparingFlags(cmd, &j.o.Prepare)
	return cmd
}

func (j *scoreJob) run(cmd *cobra.Command, truth, pred string) error {
	if err := j.in.check(); err != nil {
		return err
	}
	for _, flag := range []string{"id", "drop", "columns", "text", "label-col", "format", "as", "ids", "scale", "missing", "number", "category", "date", "log", "date-parts", "columns-plan", "stop-words", "min-df", "max-df", "max-features"} {
		if j.data == "" && cmd.Flags().Changed(flag) {
			return usagef("--%s says how --data is read, but no --data is given", flag)
		}
	}
	if err := targets.StdinOnce(append(j.o.Links, truth, pred, j.data)...); err != nil {
		return err
	}
	ctx := cmd.Context()
	if j.data != "" {
		t, _, err := j.app.openData(ctx, j.data, &j.in, door.ConstraintFiles{})
		if err != nil {
			return err
		}
		j.o.Data = t
	}
	j.o.Workers, j.o.Notify = j.in.source.Workers, j.app.note
	var card *door.Scores
	if _, err := j.app.timed("scoring "+pred, func() (err error) {
		card, err = door.Score(ctx, truth, pred, j.o)
		return err
	}); err != nil {
		return err
	}
	if j.app.json {
		return j.app.printJSON(scoreOutput{"inkling.score/1", card})
	}
	j.print(card)
	return nil
}

// scoreOutput is what inkling score prints with --json.
type scoreOutput struct {
	Schema string `json:"schema"`
	*door.Scores
}

// print writes the scores for people; they are the result, so they go to stdout.
func (j *scoreJob) print(c *door.Scores) {
	line := func(name string, x float64, what string) {
		fmt.Fprintf(j.app.stdout, "%-13s %8.4f   %s\n", name, x, what)
	}
	fmt.Fprintf(j.app.stdout, "%-13s %8d\n", "n", c.N)
	line("ari", c.ARI, "adjusted Rand index: 1 = identical, 0 = chance")
	line("nmi", c.NMI, "normalized mutual information, arithmetic mean")
	line("mi", c.MI, "mutual information in nats")
	line("rand", c.Rand, "share of pairs on which both agree")
	line("precision", c.Precision, "of the pairs together in PRED, those together in TRUTH")
	line("recall", c.Recall, "of the pairs together in TRUTH, those together in PRED")
	line("f", c.F, "harmonic mean of precision and recall")
	line("homogeneity", c.Homogeneity, "each cluster holds one class")
	line("completeness", c.Completeness, "each class is in one cluster")
	line("v", c.V, "harmonic mean of homogeneity and completeness")
	line("purity", c.Purity, "share of rows in the most common class of their cluster")
	if c.Silhouette != nil {
		line("silhouette", *c.Silhouette, "from -1 to 1: how well rows fit their clusters")
	}
	satisfied := func(name string, of *door.ScoreCount) {
		if of != nil {
			fmt.Fprintf(j.app.stdout, "%-13s %d of %d satisfied\n", name, of.Satisfied, of.Given)
		}
	}
	satisfied("must", c.Must)
	satisfied("cannot", c.Cannot)
	satisfied("beliefs", c.Beliefs)
}
