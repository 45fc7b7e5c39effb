package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/beam/internal/pass"
	"github.com/inklinghq/inkling/beam/internal/runner"
	"github.com/inklinghq/inkling/beam/internal/shards"
	"github.com/inklinghq/inkling/beam/internal/stored"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/door"
)

// engineFlags say where passes run.
type engineFlags struct {
	runner      string
	flink, rest string
	worker      string
	work        string
	parallelism int
	unitRows    int
	delay       time.Duration
	source      door.Source
}

func (e *engineFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.runner, "runner", "prism", "`NAME` where passes run: prism (in this process) or flink")
	f.StringVar(&e.flink, "flink", "localhost:8099", "`HOST:PORT` Beam's job server for Flink")
	f.StringVar(&e.rest, "flink-rest", "localhost:8081", "`HOST:PORT` the JobManager's REST service, to cancel jobs")
	f.StringVar(&e.worker, "worker", "", "`PATH` this program on the hosts of the TaskManagers (default: its path here)")
	f.StringVar(&e.work, "work", "", "`DIR` a folder that this process and all workers share (default: a temporary one)")
	f.IntVar(&e.parallelism, "parallelism", 0, "`N` units at a time (default: the processors of this machine); does not change the result")
	f.IntVar(&e.unitRows, "unit-rows", pass.DefaultUnitRows, "`N` rows in a unit, a multiple of 1024; does not change the result")
	f.DurationVar(&e.delay, "unit-delay", 0, "`TIME` wait before each unit, for tests of faults")
	_ = f.MarkHidden("unit-delay")
	s := &e.source
	f.StringVar((*string)(&s.Format), "format", "", "`NAME` of the shards (default: by name and content)")
	f.StringVar(&s.ID, "id", "", "`COLUMN` row ids (default: row numbers from 0 through all shards)")
	f.StringVar(&s.LabelColumn, "label-col", "", "`COLUMN` known labels")
	f.StringSliceVar(&s.Drop, "drop", nil, "`COLUMNS` columns to leave out, separated by commas")
	f.StringSliceVar(&s.Columns, "columns", nil, "`COLUMNS` columns to keep, separated by commas")
}

// An engine is rows in shards with a runner for their passes.
type engine struct {
	set    *shards.Set
	rows   *stored.Rows
	table  *door.Table
	runner string
	work   string
	flink  *runner.Flink
	times  []float64 // seconds of each pass over the rows that finds nearest centres
}

// open opens the shards and scans them once. ctx ends when rows cannot be read.
func (a *app) open(ctx context.Context, cancel context.CancelCauseFunc, e *engineFlags, patterns []string) (_ *engine, err error) {
	if e.parallelism < 0 {
		return nil, usagef("--parallelism must be at least 1, got %d", e.parallelism)
	}
	if e.parallelism == 0 {
		e.parallelism = runtime.GOMAXPROCS(0)
	}
	paths, err := shards.Expand(patterns)
	if err != nil {
		return nil, err
	}
	eng := &engine{runner: e.runner}
	if eng.work, err = os.MkdirTemp(e.work, "inkling-beam-"); err != nil {
		return nil, usagef("--work: %v", err)
	}
	defer func() {
		if err != nil {
			eng.close()
		}
	}()
	if err := os.Chmod(eng.work, 0o777); err != nil { // workers may run as another user
		return nil, err
	}
	if eng.work, err = filepath.Abs(eng.work); err != nil {
		return nil, err
	}
	o := stored.Options{Work: eng.work, UnitRows: e.unitRows, Delay: e.delay}
	switch e.runner {
	case "prism":
		o.Runner = &runner.Prism{Parallelism: e.parallelism}
	case "flink":
		if e.worker == "" {
			if e.worker, err = os.Executable(); err != nil {
				return nil, err
			}
		}
		eng.flink = &runner.Flink{Endpoint: e.flink, REST: e.rest, Worker: e.worker, Parallelism: e.parallelism, Work: eng.work,
			Name: fmt.Sprintf("inkling%dx%x", os.Getpid(), time.Now().UnixNano())}
		o.Runner = eng.flink
	default:
		return nil, usagef("--runner must be prism or flink, got %q", e.runner)
	}
	o.Passed = func(kind pass.Kind, took time.Duration) {
		if kind == pass.Assign {
			eng.times = append(eng.times, took.Seconds())
		}
		a.progress("pass %d done in %.1f s", eng.rowsPasses(), took.Seconds())
		if a.verbose {
			a.say("pass %d: %.2f s", eng.rowsPasses(), took.Seconds())
		}
	}
	var names door.Names
	if eng.set, names, err = shards.OpenAny(ctx, paths, e.source, eng.work); err != nil {
		return nil, err
	}
	if len(names.Columns) > 0 {
		a.say("columns are taken as they are, as inkling cluster --scale none does")
	}
	if eng.rows, err = stored.Open(ctx, eng.set, o, cancel); err != nil {
		return nil, err
	}
	if bad := (*data.NonFiniteError)(nil); errors.As(eng.rows.CheckFinite(), &bad) {
		path, row := eng.set.Locate(bad.Row)
		return nil, &door.InputError{File: path, Msg: fmt.Sprintf("row %d, column %d: %v is not a finite number (both count from 0)", row, bad.Col, bad.Value),
			Hint: "leave out or fill in such rows first", Err: bad}
	}
	names.Name = patterns[0]
	if len(patterns) > 1 {
		names.Name = fmt.Sprintf("%s and %d more", patterns[0], len(patterns)-1)
	}
	eng.table, err = door.FromMatrix(eng.rows, names)
	return eng, err
}

func (e *engine) rowsPasses() int {
	if e.rows == nil {
		return 1
	}
	return e.rows.Passes()
}

// close stops what runs and removes what was written for the workers.
func (e *engine) close() {
	if e.flink != nil {
		e.flink.Close()
	}
	os.RemoveAll(e.work)
}

// described is what the JSON and the manifest say about the engine.
type described struct {
	Runner    string    `json:"runner"`
	Effort    string    `json:"effort"`
	UnitRows  int       `json:"unit_rows"`
	Units     int       `json:"units"`
	Shards    int       `json:"shards"`
	ExactSums bool      `json:"exact_sums"` // sums do not depend on the order of rows; else the driver adds up rows that move
	Passes    int       `json:"passes"`
	Seconds   []float64 `json:"pass_seconds"`
}

func (e *engine) describe() described {
	return described{e.runner, string(door.EffortLow), e.rows.UnitSize(), e.rows.Units(), len(e.set.Shards), e.rows.ExactSums(), e.rows.Passes(), e.times}
}
