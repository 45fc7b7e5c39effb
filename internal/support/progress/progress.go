// Package progress says how far a clustering is.
package progress

import (
	"fmt"

	"github.com/inklinghq/inkling/internal/support/format"
)

// Progress says how far a clustering is.
type Progress struct {
	Stage     string // preparing, choosing, starting, fitting, comparing or judging
	Method    string
	Run, Runs int // the run, from 1, of how many at most
	Iteration int // of the run
	Objective float64
	Moved     int     // rows that changed their cluster in the iteration
	Ended     bool    // an iteration has just ended
	Started   float64 // how much of the start is done, from 0 to 1; 0: unknown
}

// The stages of Progress.
const (
	Preparing = "preparing"
	Choosing  = "choosing" // Method describes the candidate, Run of Runs its fit
	Starting  = "starting"
	Fitting   = "fitting"
	Comparing = "comparing"
	Judging   = "judging" // the constraints
)

// Share estimates how much of the stage is done, from 0 to 1; 0 where that is unknown. The
// number of iterations of a run is not known before: each brings the run nearer to its end.
func (p Progress) Share() float64 {
	if p.Stage == Starting {
		return min(1, p.Started)
	}
	if p.Runs < 1 || p.Run < 1 || p.Stage != Choosing && p.Stage != Fitting {
		return 0
	}
	done := float64(p.Run-1) + float64(p.Iteration)/float64(p.Iteration+iterations)
	return min(1, done/float64(p.Runs))
}

// iterations is after how many a run counts as half done.
const iterations = 10

// String returns a line of progress.
func (p Progress) String() string {
	switch p.Stage {
	case Starting:
		if p.Started > 0 {
			return p.Method + ": preparing the fit"
		}
		return p.Method + ": choosing a start"
	case Judging:
		return "judging the constraints"
	case Comparing:
		return p.Method + ": fitting without constraints"
	case Choosing:
		return fmt.Sprintf("trying %d of %d: %s", p.Run, p.Runs, p.Method)
	case Fitting:
		return fmt.Sprintf("%s: run %d of %d, iteration %d, objective %s, %d moved", p.Method, p.Run, p.Runs, p.Iteration, format.Number(p.Objective), p.Moved)
	}
	return "preparing the rows"
}
