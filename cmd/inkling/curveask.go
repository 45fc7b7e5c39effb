package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/inklinghq/inkling/cmd/inkling/internal/targets"
	"github.com/inklinghq/inkling/internal/judge/active"
	"github.com/inklinghq/inkling/internal/judge/experiment"
)

// checkAsk checks the flags of curve --ask: strategies instead of methods, answers
// instead of pairs.
func (j *curveJob) checkAsk(cmd *cobra.Command) error {
	for _, name := range []string{"pairs", "seeds", "folds", "protocol", "log", "view"} {
		if cmd.Flags().Changed(name) {
			return usagef("--%s does not go with --ask", name)
		}
	}
	for _, s := range j.ask {
		if err := oneOf("--ask", s, active.Auto.Values()...); err != nil {
			return err
		}
	}
	if len(j.noise) > 1 {
		return usagef("--noise has one value with --ask, the share of wrong answers")
	}
	if j.methods == "" {
		j.methods = "label-spreading"
	}
	var err error
	if j.c.Methods, err = experiment.ParseMethods(j.methods); err != nil {
		return usagef("--methods: %s", err.Error())
	}
	if len(j.c.Methods) > 1 {
		return usagef("--methods has one method with --ask, by which all answers are used")
	}
	if err := checkFit(cmd.Flags()); err != nil {
		return err
	}
	j.c.Folds = 1
	j.c.Settings.Workers = j.in.source.Workers
	return targets.Distinct([]targets.Target{j.files.csv, j.files.plot, j.in.planTarget()}, j.app.json)
}

// runAsk measures strategies and writes the table.
func (j *curveJob) runAsk(ctx context.Context) error {
	if j.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.limit)
		defer cancel()
	}
	q := experiment.Questions{Problem: j.c.Problem, Truth: j.c.Truth, Method: j.c.Methods[0], Answers: j.answers, Repeats: j.c.Repeats, Share: 0.9,
		Measure: j.c.Measure, Settings: j.c.Settings}
	for _, s := range j.ask {
		q.Strategies = append(q.Strategies, active.Strategy(s))
	}
	if len(j.noise) > 0 {
		q.Noise = j.noise[0]
	}
	var held atomic.Int64
	q.Observe = func(p experiment.Progress) { held.Store(int64(p.Done)) }
	howFar := func() string { return fmt.Sprintf("%d of %d conversations", held.Load(), len(j.ask)*j.c.Repeats) }
	done := j.app.screen.Show(func() string { return "curve: " + howFar() })
	all, unasked, err := q.Run(ctx)
	done()
	switch {
	case context.Cause(ctx) == errInterrupted:
		return &exitError{code: exitInterrupted, err: errInterrupted, silent: true}
	case ctx.Err() != nil:
		return &exitError{code: exitNoTime, err: fmt.Errorf("the time is over, and a table needs all conversations: %s are done", howFar())}
	case err != nil:
		return j.explain(err)
	}
	out := curveOutput{Schema: "inkling.curve/1", Summary: all.Summary(&j.c)}
	out.Unasked = unasked.Summary(&j.c).Rows
	if err := j.app.writeCurve(all, &j.files, out); err != nil {
		return err
	}
	if j.app.json || j.files.csv.IsStdout() || j.files.plot.IsStdout() {
		return nil
	}
	fmt.Fprint(j.app.stdout, "\nRows never asked about\n\n")
	if j.files.markdown {
		return unasked.WriteMarkdown(j.app.stdout)
	}
	return unasked.WriteText(j.app.stdout)
}
