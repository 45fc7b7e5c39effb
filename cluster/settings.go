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
	Restarts int     // 0: ten if an iteration is cheap (see AutoRestarts), else one
	MaxIter  int     // iterations of one run; 0 keeps the start
	Tol      float64 // a run has converged when the objective decreases by no more than this fraction
	Workers  int     // goroutines; below 1: one per processor. The result does not depend on it
	// Observe, if not nil, is called after every stage, by the goroutine that
	// called Fit. It may keep the event.
	Observe func(Event)
	Audit   bool // recompute the objective after every stage; an increase is an error
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
	return nil
}

func badSetting(format string, args ...any) error {
	return &ParameterError{fmt.Errorf(""+format, args...)}
}

// cheap is the number of multiplications, n·d·k, up to which ten restarts of any
// method here take at most a few seconds.
const cheap = 20_000_000

// A Deterministic algorithm reports on which problems all its runs are equal,
// because the start is not random. Fit then makes one run.
type Deterministic interface {
	Deterministic(p *Problem) bool
}

// A CostEstimator is an Algorithm that estimates the cost of one pass over the
// points, in multiplications, where that is not n·d·k.
type CostEstimator interface {
	PassCost(p *Problem) float64
}

// AutoRestarts returns how many runs of a Fit makes on p when Settings.Restarts
// is 0: ten if one pass over the points is cheap and runs can differ, else one.
func AutoRestarts(p *Problem, a Algorithm) int {
	if d, ok := a.(Deterministic); ok && d.Deterministic(p) {
		return 1
	}
	if c, ok := a.(CostEstimator); ok {
		if c.PassCost(p) <= cheap {
			return 10
		}
		return 1
	}
	d := 1
	if p.Graph != nil {
		d = 1 + len(p.Graph.To)/max(1, p.Len())
	}
	if p.X != nil {
		d = p.X.Dim()
	}
	if s, ok := p.X.(interface{ Stored() int }); ok {
		d = 1 + s.Stored()/max(1, p.Len())
	}
	if float64(p.Len())*float64(d)*float64(p.K) <= cheap {
		return 10
	}
	return 1
}

// An Event reports to an observer that a stage of an iteration ended. The last
// stage of an iteration carries the objective; in an audit every stage does.
type Event struct {
	Run, Restarts int // the run, from 0, of how many
	Iter, MaxIter int // the iteration, from 1; 0 is the start
	Stage         string
	Moved         int
	Objective     Terms
}
