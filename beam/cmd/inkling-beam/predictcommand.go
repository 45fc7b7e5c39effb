package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/format"
)

func (a *app) predictCommand() *cobra.Command {
	var e engineFlags
	out := ""
	cmd := &cobra.Command{
		Use:     "predict MODEL DATA...",
		Short:   "assign rows in shards to the clusters of a saved model",
		Example: `  inkling-beam predict fit.ink 'part-*.npy' -o clusters`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("name a MODEL and the DATA: files or patterns")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOutputs(out, ""); err != nil {
				return err
			}
			return a.predict(cmd.Context(), &e, args[0], args[1:], out)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&out, "output", "o", "", "`PATH` write id,cluster here: one file if it ends in .csv, else a folder of shards with a manifest (default: stdout)")
	e.flags(cmd)
	return cmd
}

// predictOutput is what inkling-beam predict prints with --json.
type predictOutput struct {
	Schema   string    `json:"schema"`
	Method   string    `json:"method"`
	N        int       `json:"n"`
	K        int       `json:"k"`
	Clusters []string  `json:"clusters"`
	Sizes    []int     `json:"sizes"`
	Dropped  int       `json:"dropped"`
	Seconds  seconds   `json:"seconds"`
	Beam     described `json:"beam"`
}

func (a *app) predict(ctx context.Context, e *engineFlags, model string, patterns []string, out string) error {
	f, err := dataio.OpenFile(model)
	if err != nil {
		return err
	}
	b, err := io.ReadAll(f)
	f.Close()
	if err != nil {
		return &door.InputError{File: model, Msg: err.Error(), Err: err}
	}
	m, err := door.Load(bytes.NewReader(b))
	if err != nil {
		return &door.InputError{File: model, Msg: err.Error(), Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var spent seconds
	start := time.Now()
	eng, err := a.open(ctx, cancel, e, patterns)
	if err != nil {
		return err
	}
	defer eng.close()
	eng.rows.SetModel(b)
	spent.Read = time.Since(start).Seconds()
	start = time.Now()
	p, err := m.Predict(ctx, eng.table, e.parallelism)
	if failed := eng.rows.Err(); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	spent.Fit = time.Since(start).Seconds()
	start = time.Now()
	about := eng.describe()
	if err := a.writeLabels(out, eng, p.Clusters, p.Rows(), about); err != nil {
		return err
	}
	spent.Write = time.Since(start).Seconds()
	a.say("%s assigned by %s, k = %d", format.Count(p.Len(), "row"), m.Method(), len(p.Sizes))
	if !a.json {
		return nil
	}
	b, err = json.MarshalIndent(predictOutput{"inkling.predict/1", m.Method(), p.Len(), len(p.Sizes), p.Clusters, p.Sizes, p.Dropped, spent, about}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", b)
	return err
}
