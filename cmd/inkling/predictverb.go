package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

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
		labels, err = fit.Place(cmd.Context(), ready, in.read.Workers)
		return err
	})
	if err != nil {
		return err
	}
	for _, note := range ready.Notes {
		a.say("%s: %s", ds.Name, note)
	}
	if n := ds.Len() - len(labels); n > 0 {
		a.warn("%s dropped for missing values, not in the result", count(n, "row"))
	}
	return a.tellPlaced(fit, ds, ready, labels, out, seconds{Read: read, Fit: spent})
}

func openModel(path string) (*saved.Fit, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &dataio.Error{File: path, Msg: "cannot be opened: " + errors.Unwrap(err).Error(), Err: err}
	}
	defer f.Close()
	fit, err := saved.Read(f)
	if err != nil {
		return nil, &dataio.Error{File: path, Msg: err.Error(), Err: err}
	}
	return fit, nil
}

// openLike reads DATA as the data of the fit was read, unless flags say
// otherwise: the same id and text columns, and of the others only the features.
func (a *app) openLike(cmd *cobra.Command, fit *saved.Fit, path string, opt dataio.Options) (*dataio.Dataset, float64, error) {
	if !cmd.Flags().Changed("id") {
		opt.ID = fit.Input.ID
	}
	if !cmd.Flags().Changed("text") {
		opt.Text = fit.Input.Text
	}
	if fit.Recipe.Text == nil {
		opt.Features = fit.Recipe.Columns
	}
	opt.Missing = fit.Recipe.Missing != ""
	ds, seconds, err := a.open(path, opt)
	var bad *dataio.Error
	if errors.As(err, &bad) && strings.Contains(bad.Hint, "--missing") {
		bad.Hint = "the model was fitted without --missing drop or --missing mean; fit it again with one of them, or fill the cell"
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
		err := a.writeFile(out, func(w io.Writer) error {
			return dataio.WriteAssignment(w, id, labels, fit.Clusters)
		})
		if err != nil {
			return err
		}
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
