// Package reproduce repeats the experiments of the five papers that inkling is
// made of. A Recipe is one experiment with the paper's protocol. It works in a
// Lab, which has the data, the log of what earlier runs have measured, and the
// Sheet that is written: tables, charts, and a verdict for each claim of the
// paper.
//
// All that is measured goes through the lab's log, fit by fit or trial by
// trial, under keys that hold everything that determines a number. So a run
// that was killed goes on where it stopped, and its sheet is the same to the
// byte. Times are not reproducible; they stand on pages of their own.
package reproduce

import "context"

// A Recipe is one experiment of a paper.
type Recipe struct {
	ID    string // PAPER-EXPERIMENT
	Paper string
	Title string
	Needs []string // sets of the data folder that it cannot do without
	run   func(context.Context, *Lab) error
}

// Run runs the recipe. When ctx ends it returns ctx's error; what was measured
// by then is in the lab's log.
func (r Recipe) Run(ctx context.Context, l *Lab) (*Sheet, error) {
	here := *l
	here.recipe = r
	here.sheet = &Sheet{Recipe: r, Full: l.Full}
	if err := r.run(ctx, &here); err != nil {
		return nil, err
	}
	return here.sheet, nil
}
