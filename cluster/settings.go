package cluster

import (
	"fmt"
	"math"
)

// Settings say how a fit is run, whatever the algorithm. Begin with Default and
// change what should be different: the zero value makes no iteration at all,
// and the result is the start of a run, with status IterLimit.
type Settings struct {
	Seed     uint64
	Restarts int     // 0: ten where an iteration is cheap (see AutoRestarts), else one
	MaxIter  int     // iterations of one run; 0 keeps the start
	Tol      float64 // a relative fall of the objective up to this counts as none
	Workers  int     // goroutines; below 1: one per processor. The result does not depend on it
	// Observe, if not nil, is told of every stage, by the goroutine that called
	// Fit, which waits for it. What it is handed is its own.
	Observe func(Event)
	Audit   bool // compute the objective from nothing after every stage; a rise is an error
}

// Default returns the settings that the command line starts from.
func Default() Settings {
	return Settings{Seed: 1, MaxIter: 300, Tol: 1e-7}
}

func (s Settings) check() error {
	switch {
	case s.Restarts < 0:
		return badSetting("%d restarts, at least 0 are needed", s.Restarts)
	case s.MaxIter < 0:
		return badSetting("a limit of %d iterations, it must be at least 0", s.MaxIter)
	case math.IsNaN(s.Tol):
		return badSetting("the tolerance is NaN, it must be a number")
	}
	return nil
}

func badSetting(format string, args ...any) error {
	return &ParameterError{fmt.Errorf(""+format, args...)}
}

// cheap is the number of multiplications, n·d·k, below which ten restarts of
// any method here take a few seconds at the most.
const cheap = 20_000_000

// A Deterministic algorithm knows problems on which every run is the same, because
// nothing of its start is left to chance. Fit then makes one.
type Deterministic interface {
	Deterministic(p *Problem) bool
}

// A CostEstimator algorithm knows what one pass over the points costs it, in
// multiplications, where that is not n·d·k.
type CostEstimator interface {
	PassCost(p *Problem) float64
}

// AutoRestarts returns how many runs of a Fit makes on p when Settings do not
// say: ten where one pass over the points costs little and runs can differ,
// else one.
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

// An Event tells an observer that a stage of an iteration ended. The last
// stage of an iteration carries the objective; in an audit each does.
type Event struct {
	Run, Restarts int // the run, from 0, of how many
	Iter, MaxIter int // the iteration, from 1; 0 is the start
	Stage         string
	Moved         int
	Objective     Terms
}

// Status says why a run ended.
type Status string

// The ways in which a run ends. Only a converged run can gain nothing more.
const (
	Converged   Status = "converged"
	IterLimit   Status = "max-iter"
	Timeout     Status = "timeout"
	Interrupted Status = "interrupted"
)

// A Point of a trace is the objective after one iteration.
type Point struct {
	Iter      int     `json:"iter"`
	Objective float64 `json:"objective"`
	Moved     int     `json:"moved"`
}

// A Result is the best run: everything in it is of the same iteration.
type Result struct {
	Labels     []int
	Model      Model
	Learned    any // what the run tells beside its model, where it is a Reporter; else nil
	Objective  Terms
	Trace      []Point
	Iterations int
	Status     Status
	Run        int    // which of the restarts it was, from 0
	Runs       int    // how many were made, the last perhaps in part
	Ignored    []Kind // the kinds of constraints that the problem has and the algorithm does not use
}

// Sizes returns the number of points in each of the first k clusters, which are
// all if k is that of the problem.
func (r *Result) Sizes(k int) []int {
	s := make([]int, max(k, 0))
	for _, h := range r.Labels {
		if h < k {
			s[h]++
		}
	}
	return s
}
