package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/score"
)

// scoreJob is one run of the verb score.
type scoreJob struct {
	app    *app
	in     input
	known  sources
	data   string
	common bool
}

func (a *app) scoreVerb() *cobra.Command {
	j := &scoreJob{app: a}
	cmd := &cobra.Command{
		Use:   "score TRUTH PRED",
		Short: "compare a clustering with the truth",
		Long: `Compare two files of id,label (or id,cluster), matched by id: mutual information, NMI,
adjusted Rand index, Rand index, pairwise precision, recall and F, homogeneity,
completeness, V and purity. With --links, also the share of pairs that PRED satisfies;
with --data, the silhouette of PRED.`,
		Example: `  inkling cluster example:iris.csv -k 3 -o clusters.csv
  inkling score example:iris-truth.csv clusters.csv
  inkling score example:iris-truth.csv clusters.csv --data example:iris.csv --links example:iris-links.csv --json`,
		Args: exactly(2, "two files, TRUTH and PRED"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := j.in.check(); err != nil {
				return err
			}
			if idle := j.in.given(slices.Concat([]string{"id", "drop", "columns", "text", "label-col", "format", "as"}, columnFlags, wordFlags)...); j.data == "" && len(idle) > 0 {
				return usagef("%s: says how --data is read, but there is no --data", idle[0])
			}
			return j.run(cmd.Context(), args[0], args[1])
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&j.common, "common", false, "score the ids that both files have and label, and leave out the others")
	f.StringArrayVar(&j.known.links, "links", nil, "file of pairs to check: a,b,kind[,weight] (repeatable)")
	f.StringVar(&j.data, "data", "", "the rows that were clustered, for the silhouette")
	j.in.reading(cmd)
	j.in.preparing(cmd)
	return cmd
}

func (j *scoreJob) run(ctx context.Context, truthPath, predPath string) error {
	if err := once(append(j.known.links, truthPath, predPath, j.data)...); err != nil {
		return err
	}
	var truth, pred *dataio.Assignment
	if _, err := j.app.timed("reading "+truthPath+" and "+predPath, func() (err error) {
		if truth, err = openAssignment(truthPath, j.in.read.Workers); err != nil {
			return err
		}
		pred, err = openAssignment(predPath, j.in.read.Workers)
		return err
	}); err != nil {
		return err
	}
	for _, file := range []*dataio.Assignment{truth, pred} {
		if file.NoLabel != nil && !j.common {
			return file.NoLabel
		} else if file.NoLabel != nil {
			j.app.say("left out: %s without a label in %s", count(file.Unlabelled, "row"), file.Name)
		}
	}
	t, p, onlyT, onlyP := dataio.Match(truth, pred)
	if err := j.unmatched(truth, pred, onlyT, onlyP); err != nil {
		return err
	}
	if len(t) == 0 {
		return &dataio.Error{File: predPath, Msg: "no id of it is in " + truthPath}
	}
	table, err := score.NewTable(t, p)
	if err != nil {
		return err
	}
	card := table.Card()
	if len(j.known.links) > 0 {
		if err := j.links(&card, pred); err != nil {
			return err
		}
	}
	if j.data != "" {
		if err := j.silhouette(ctx, &card, pred); err != nil {
			return err
		}
	}
	if j.app.json {
		return j.app.printJSON(struct {
			Schema string `json:"schema"`
			score.Card
		}{"inkling.score/1", card})
	}
	return j.print(card)
}

func openAssignment(path string, workers int) (*dataio.Assignment, error) {
	if b, ok, err := builtin(path); ok {
		if err != nil {
			return nil, err
		}
		return dataio.ReadAssignment(bytes.NewReader(b), path, workers)
	}
	return dataio.OpenAssignment(path, workers)
}

// unmatched refuses ids that only one file has, unless --common.
func (j *scoreJob) unmatched(truth, pred *dataio.Assignment, onlyT, onlyP []int) error {
	if len(onlyT)+len(onlyP) == 0 {
		return nil
	}
	if j.common {
		j.app.say("left out: %s only in %s, %s only in %s", count(len(onlyT), "id"), truth.Name, count(len(onlyP), "id"), pred.Name)
		return nil
	}
	has, lacks, only := truth, pred, onlyT
	if len(onlyT) == 0 {
		has, lacks, only = pred, truth, onlyP
	}
	more := ""
	if n := len(onlyT) + len(onlyP) - 1; n > 0 {
		more = fmt.Sprintf(" (and %s more that only one file has)", count(n, "id"))
	}
	return &dataio.Error{File: lacks.Name, Msg: fmt.Sprintf("there is no id %q, which %s has%s", has.ID(only[0]), has.Name, more),
		Hint: "{common} scores the ids that both have"}
}

// links puts the share of satisfied pairs on the card.
func (j *scoreJob) links(card *score.Card, pred *dataio.Assignment) error {
	ids := make([]string, pred.Len())
	for i := range ids {
		ids[i] = pred.ID(i)
	}
	know, err := j.app.load(&j.known, &dataio.Dataset{Name: pred.Name, IDs: ids, Docs: ids}, nil)
	if err != nil {
		return err
	}
	if err := know.refuse(); err != nil {
		return err
	}
	card.SetKept(score.Satisfied(know.set, codes(pred)))
	return nil
}

func codes(a *dataio.Assignment) []int {
	out := make([]int, a.Len())
	for i, c := range a.Codes {
		out[i] = int(c)
	}
	return out
}

// silhouette puts the silhouette of the prediction on the card.
func (j *scoreJob) silhouette(ctx context.Context, card *score.Card, pred *dataio.Assignment) error {
	ds, _, err := j.app.open(j.data, j.in.read)
	if err != nil {
		return err
	}
	_, ready, err := prepare.Fit(ds, j.in.prep)
	if err != nil {
		return err
	}
	at := make(map[string]int32, pred.Len())
	for i, c := range pred.Codes {
		at[pred.ID(i)] = c
	}
	labels := make([]int, ready.X.Len())
	for i := range labels {
		row := i
		if ready.Rows != nil {
			row = ready.Rows[i]
		}
		c, ok := at[ds.ID(row)]
		if !ok {
			return &dataio.Error{File: pred.Name, Msg: fmt.Sprintf("there is no id %q, which %s has", ds.ID(row), ds.Name),
				Hint: "{id} names the column of ids in {data}"}
		}
		labels[i] = int(c)
	}
	var s score.Silhouettes
	if _, err := j.app.timed("silhouette", func() (err error) {
		s, err = score.Silhouette(ctx, ready.X, labels, score.SilhouetteOptions{Seed: 1, Workers: j.in.read.Workers})
		return err
	}); errors.Is(err, score.ErrUndefined) {
		j.app.warn("%s", message(err)) // the other scores are still worth telling
		return nil
	} else if err != nil {
		return usagef("%s", message(err))
	}
	if s.Sampled {
		j.app.say("silhouette: estimated from %s of %d", count(len(s.Rows), "row"), s.N)
	}
	card.Silhouette = &s.Mean
	return nil
}

// print writes the card for people; it is the result, so it goes to stdout.
func (j *scoreJob) print(c score.Card) error {
	line := func(name string, x float64, what string) {
		fmt.Fprintf(j.app.stdout, "%-13s %8.4f   %s\n", name, x, what)
	}
	fmt.Fprintf(j.app.stdout, "%-13s %8d\n", "n", c.N)
	line("ari", c.ARI, "adjusted Rand index: 1 the same, 0 as by chance")
	line("nmi", c.NMI, "normalised mutual information, arithmetic mean")
	line("mi", c.MI, "mutual information in nats")
	line("rand", c.Rand, "share of pairs judged alike")
	line("precision", c.Precision, "of the pairs together in PRED, those together in TRUTH")
	line("recall", c.Recall, "of the pairs together in TRUTH, those together in PRED")
	line("f", c.F, "harmonic mean of the two")
	line("homogeneity", c.Homogeneity, "clusters hold one class each")
	line("completeness", c.Completeness, "classes lie in one cluster each")
	line("v", c.V, "harmonic mean of the two")
	line("purity", c.Purity, "share of rows in the class most common in their cluster")
	if c.Silhouette != nil {
		line("silhouette", *c.Silhouette, "from -1 to 1: how well rows fit their clusters")
	}
	for _, kept := range []struct {
		name string
		n    *score.Count
	}{{"must", c.Must}, {"cannot", c.Cannot}, {"beliefs", c.Beliefs}} {
		if kept.n != nil {
			fmt.Fprintf(j.app.stdout, "%-13s %d of %d satisfied\n", kept.name, kept.n.Satisfied, kept.n.Given)
		}
	}
	return nil
}
