package main

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/flags"
	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/cmd/inkling/internal/terminal"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/format"
)

func (a *app) predictCommand() *cobra.Command {
	var in input
	var rows rowFlags
	var out, device string
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "assign new rows to the clusters of a saved model",
		Long: `Assign the rows of DATA to the clusters of a model that inkling cluster --save
wrote. Rows are prepared exactly as in the fit; columns are found by name.`,
		Example: `  inkling cluster example:iris.csv -k 3 --save iris.ink -o clusters.csv
  inkling predict iris.ink example:iris.csv -o placed.csv
  inkling predict iris.ink example:iris.csv --json -o placed.csv`,
		Args: exactly(2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			outputs := []targets.Target{{Flag: "-o", Path: out}}
			if err := targets.Distinct(outputs, a.json); err != nil {
				return err
			}
			if err := targets.StdinOnce(append(in.sideFiles(), args...)...); err != nil {
				return err
			}
			if err := targets.ProtectInputs(outputs, append(in.sideFiles(), args...)...); err != nil {
				return err
			}
			if err := rows.check(args[1], out, a.json, in.source.Transpose); err != nil {
				return err
			}
			if err := targets.Tables(outputs...); err != nil {
				return err
			}
			return a.predict(cmd, args[0], args[1], &in, &rows, out, device)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&device, "device", door.DeviceAuto, deviceUsage)
	cmd.Flags().StringVarP(&out, "output", "o", "", "`FILE` write id,cluster, as .parquet too (default: stdout)")
	rows.flags(cmd)
	in.readingFlags(cmd)
	flags.Group(cmd, flags.GroupOutput, "output")
	flags.Group(cmd, flags.GroupMethod, "device")
	flags.Advanced(cmd, "device")
	completeValues(cmd, "device", door.DeviceNames()...)
	return cmd
}

// deviceUsage describes --device.
const deviceUsage = "`WHERE` to find nearest centres: auto, cpu or gpu; does not change the result"

func (a *app) predict(cmd *cobra.Command, model, path string, in *input, rows *rowFlags, out, device string) error {
	m, err := openModel(model)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	t, read, err := a.openTable(ctx, path, in.forModel(), m.Open)
	if err != nil {
		return err
	}
	ctx, gpu, err := door.OpenDevice(ctx, device, func(why string) { a.warn("%s", why) })
	if err != nil {
		return err
	}
	defer gpu.Close()
	var p *door.Prediction
	spent, err := a.timed("assigning rows", func() (err error) {
		p, err = m.Predict(ctx, t, in.source.Workers)
		return err
	})
	if err != nil {
		return err
	}
	a.notes(p.Notes)
	if p.Dropped > 0 {
		a.warn("%s dropped for missing values, not in the result", format.Count(p.Dropped, "row"))
	}
	return a.writePrediction(m, p, rows.writer(ctx, p, t, path, out), out, seconds{Read: read, Fit: spent})
}

// openModel reads a saved model.
func openModel(path string) (*door.Model, error) {
	const order = "give MODEL before DATA; inkling cluster {save} writes a model"
	if strings.HasPrefix(path, door.BuiltinPrefix) {
		return nil, &door.InputError{File: path, Msg: "this is data, not a model", Hint: order}
	}
	f, err := dataio.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := door.Load(f)
	var bad *door.InputError
	switch {
	case errors.As(err, &bad):
		return nil, bad
	case errors.Is(err, door.ErrNotModel):
		return nil, &door.InputError{File: path, Msg: err.Error(), Hint: order, Err: err}
	case err != nil:
		return nil, &door.InputError{File: path, Msg: err.Error(), Err: err}
	}
	return m, nil
}

// predictHead is how the JSON about rows that a model assigned begins.
type predictHead struct {
	Schema   string   `json:"schema"`
	Method   string   `json:"method"`
	N        int      `json:"n"`
	K        int      `json:"k"`
	Clusters []string `json:"clusters"`
	Sizes    []int    `json:"sizes"`
}

// predictOutput is what inkling predict prints with --json.
type predictOutput struct {
	predictHead
	Dropped    int               `json:"dropped"`
	Unassigned []door.Unassigned `json:"unassigned,omitempty"`
	Seconds    seconds           `json:"seconds"`
}

// writePrediction writes where the rows are, and how many in each cluster.
func (a *app) writePrediction(m *door.Model, p *door.Prediction, write func(io.Writer) error, out string, spent seconds) error {
	to := out
	if to == "" && !a.json {
		to = "-"
	}
	if to != "" {
		start := time.Now()
		if err := a.writeFile(to, write); err != nil {
			return err
		}
		spent.Write = time.Since(start).Seconds()
	}
	a.say("%s assigned by %s, k = %d", format.Count(p.Len(), "row"), m.Method(), len(p.Sizes))
	for _, line := range terminal.Bars(p.Clusters, p.Sizes, p.Len()) {
		a.say("  %s", line)
	}
	a.sayUnwritten(to)
	if !a.json {
		return nil
	}
	return a.printJSON(predictOutput{predictHead{"inkling.predict/1", m.Method(), p.Len(), len(p.Sizes), p.Clusters, p.Sizes}, p.Dropped, p.Unassigned, spent})
}
