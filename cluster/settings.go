package cluster

import (
	"fmt"
	"math"
)

// Settings say how Fit runs any algorithm. Start from Default and change what
// should be different: the zero value makes no iteration, and the result is the
// start of a run, with status IterLimit.
type Settings struct {
	Seed     uint64
	Restarts int     // 0: as many as pay (see AutoRestarts)
	Effort   Effort  // how long to search for a low minimum; "": low
	MaxIter  int     // iterations of one run; 0 keeps the start
	Tol      float64 // a run has converged when the objective decreases by no more than this fraction
	Workers  int     // goroutines; below 1: one per processor. The result does not depend on it
	// Observe, if not nil, is called after every stage, and while a start takes long (see Env.Report), by the
	// goroutine that called Fit. It may keep the event.
	Observe func(Event)
	Audit   bool // recompute the objective after every stage; an increase is an error
	// Memory is how many bytes a fit may take; 0: there is no limit. A method that knows
	// beforehand that it needs more returns a *MemoryError.
	Memory int64
	// Shared, if not nil, keeps what other fits on the same points need, too. The result does
	// not depend on it.
	Shared *Shared
}

// Default returns the settings that the command line starts from.
func Default() Settings {
	return Settings{Seed: 1, MaxIter: 300, Tol: 1e-7}
}

func (s Settings) check() error {
	switch {
	case s.Restarts < 0:
		return badSetting("the number of restarts must be at least 0, got %d", s.Restarts)
	case s.MaxIter < 0:
		return badSetting("the limit of iterations must be at least 0, got %d", s.MaxIter)
	case math.IsNaN(s.Tol):
		return badSetting("the tolerance must be a number, got NaN")
	}
	if err := s.Effort.Check(); err != nil {
		return &ParameterError{err}
	}
	return nil
}

func badSetting(format string, args ...any) error {
	return &ParameterError{fmt.Errorf(""+format, args...)}
}

// An Event reports to an observer that a stage of an iteration ended. The last
// stage of an iteration carries the objective; in an audit every stage does.
type Event struct {
	Run, Restarts int // the run, from 0, of how many
	Iter, MaxIter int // the iteration, from 1; 0 is the start
	Stage         string
	Share         float64 // of a start that has not ended: how much of it is done, from 0 to 1
	Moved         int     // points that the stage moved
	Ended         bool    // the stage is the last of its iteration
	Objective     Terms
}
