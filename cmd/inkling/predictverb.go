package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/dataio"
	"github.com/inklinghq/inkling/prepare"
	"github.com/inklinghq/inkling/saved"
)

func (a *app) predictVerb() *cobra.Command {
	var in input
	out := ""
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "place new rows with a saved model",
		Long: `Place the rows of DATA in the clusters of a model that inkling cluster --save wrote.
Rows are prepared exactly as those of the fit were; the columns are found by name.`,
		Example: `  inkling cluster example:iris.csv -k 3 --save iris.ink -o clusters.csv
  inkling predict iris.ink example:iris.csv -o placed.csv
  inkling predict iris.ink example:iris.csv --json -o placed.csv`,
		Args: exactly(2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.check(); err != nil {
				return err
			}
			outputs := []output{{"-o", out}}
			if err := distinct(outputs, a.json); err != nil {
				return err
			}
			if err := once(args...); err != nil {
				return err
			}
			if err := spare(outputs, args...); err != nil {
				return err
			}
			return a.predict(cmd, args[0], args[1], &in, out)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&out, "output", "o", "", "write id,cluster to this file (default: stdout)")
	in.reading(cmd)
	return cmd
}

func (a *app) predict(cmd *cobra.Command, model, path string, in *input, out string) error {
	fit, err := openModel(model)
	if err != nil {
		return err
	}
	ds, read, err := a.openLike(cmd, fit, path, in.read)
	if err != nil {
		return err
	}
	var ready *prepare.Prepared
	var labels []int
	spent, err := a.timed("placing rows", func() (err error) {
		if ready, err = fit.Recipe.Apply(ds); err != nil {
			return err
		}
		labels, err = placeRows(cmd.Context(), fit, ds, ready, in.read.Workers)
		return err
	})
	if err != nil {
		return err
	}
	for _, note := range ready.Notes {
		a.say("%s: %s", ds.Name, renderHint(note))
	}
	if n := ds.Len() - len(labels); n > 0 {
		a.warn("%s dropped for missing values, not in the result", count(n, "row"))
	}
	return a.tellPlaced(fit, ds, ready, labels, out, seconds{Read: read, Fit: spent})
}

// placeRows returns the cluster of each prepared row of ds, and names the row that
// none can be told for.
func placeRows(ctx context.Context, fit *saved.Fit, ds *dataio.Dataset, ready *prepare.Prepared, workers int) ([]int, error) {
	labels, err := fit.Place(ctx, ready, workers)
	var far *cluster.TooFarError
	if errors.As(err, &far) {
		row := far.Row
		if ready.Rows != nil {
			row = ready.Rows[row]
		}
		return nil, &dataio.Error{File: ds.Name, Msg: fmt.Sprintf("row %s has the value %g, too large to square", ds.ID(row), far.Value),
			Hint: "the model knows nothing like it; mend the value, or leave out the row", Err: err}
	}
	return labels, err
}

func openModel(path string) (*saved.Fit, error) {
	const first = "MODEL stands before DATA"
	if strings.HasPrefix(path, builtinPrefix) {
		return nil, &dataio.Error{File: path, Msg: "this is data, not a model", Hint: first}
	}
	f, err := dataio.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fit, err := saved.Read(f)
	var told *dataio.Error
	switch {
	case errors.As(err, &told):
		return nil, told
	case errors.Is(err, saved.ErrNotModel):
		return nil, &dataio.Error{File: path, Msg: err.Error(), Hint: first, Err: err}
	case err != nil:
		return nil, &dataio.Error{File: path, Msg: err.Error(), Err: err}
	}
	return fit, nil
}

// openLike reads DATA as the data of the fit was read, unless flags say
// otherwise: the same id and text columns, and of the others only the features.
// A folder of documents and a file of lines have no columns to be the same.
func (a *app) openLike(cmd *cobra.Command, fit *saved.Fit, path string, opt dataio.Options) (*dataio.Dataset, float64, error) {
	given := cmd.Flags().Changed
	if !given("id") {
		opt.ID = fit.Input.ID
	}
	if !given("text") {
		opt.Text = fit.Input.Text
	}
	opt.IfNamed = !given("id") && !given("text")
	if fit.Recipe.Text == nil {
		opt.Features = fit.Recipe.Columns
	}
	opt.Missing = fit.Recipe.Missing != ""
	ds, seconds, err := a.open(path, opt)
	var bad *dataio.Error
	if errors.As(err, &bad) && bad.Hint.Names("missing") {
		bad.Hint = "the model was fitted without {missing=drop} or {missing=mean}; fit it again with one of them, or fill the cell"
	}
	if bad != nil && fit.Recipe.Text != nil && opt.Text == "" && bad.Hint.Names("text") {
		bad.Hint = "the model was fitted on documents; name their column with {text}"
	}
	return ds, seconds, err
}

// tellPlaced writes where the rows went, and how many to each cluster.
func (a *app) tellPlaced(fit *saved.Fit, ds *dataio.Dataset, ready *prepare.Prepared, labels []int, out string, spent seconds) error {
	id := func(i int) string {
		if ready.Rows != nil {
			i = ready.Rows[i]
		}
		return ds.ID(i)
	}
	if out == "" && !a.json {
		out = "-"
	}
	if out != "" {
		start := time.Now()
		err := a.writeFile(out, func(w io.Writer) error {
			return dataio.WriteAssignment(w, id, labels, fit.Clusters)
		})
		if err != nil {
			return err
		}
		spent.Write = time.Since(start).Seconds()
	}
	sizes := make([]int, len(fit.Clusters))
	for _, h := range labels {
		sizes[h]++
	}
	s := &summary{N: len(labels), Clusters: fit.Clusters, Sizes: sizes}
	a.say("%s placed with %s, k = %d", count(s.N, "row"), fit.Method, len(sizes))
	for _, line := range s.bars() {
		a.say("  %s", line)
	}
	a.tellUnwritten(out)
	if !a.json {
		return nil
	}
	return a.printJSON(struct {
		placedCard
		Dropped int     `json:"dropped"`
		Seconds seconds `json:"seconds"`
	}{placedCard{"inkling.predict/1", fit.Method, s.N, len(sizes), fit.Clusters, sizes}, ds.Len() - s.N, spent})
}

// placedCard is how --json begins about rows that a model placed.
type placedCard struct {
	Schema   string   `json:"schema"`
	Method   string   `json:"method"`
	N        int      `json:"n"`
	K        int      `json:"k"`
	Clusters []string `json:"clusters"`
	Sizes    []int    `json:"sizes"`
}
