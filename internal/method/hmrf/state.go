package hmrf

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A descent is one run of HMRF. The distortion finds the nearest centre of each
// point; unconstrained points take it, the others weigh it against what their
// pairs cost. Sums and cost follow the points that move, so that those that stay
// need not be read.
type descent struct {
	a            *HMRF
	e            *cluster.Env
	p            lloyd.Space
	graph        *pairgraph.Graph
	closureUsed  Closure // On or Off, as it turned out
	constrained  []bool  // points with constraints
	form         metric.Form
	model        *Model
	distortion   distortion
	pointCost    pointCost
	moveCost     *moveCost // nil: see canUseMoveCost
	penalty      *pairPenalty
	penaltyScale *penaltyScale
	all          *metric.TotalScatter // where all clusters share one metric
	rank         int                  // how many numbers the metric is made of, 0 at first
	weight       float64              // Σ w_i

	near                     []int32           // the cheapest cluster of each point by itself
	labels                   []int32           // -1: none yet
	previous                 []int32           // the labels that sums and cost refer to
	first                    bool              // no labels yet
	sums                     *lloyd.KeptSums   // of the rows by their labels
	cost                     lloyd.CostTracker // distortion of the points in their clusters, without pairs
	moves                    []lloyd.Move      // scratch; never nil
	pending                  lloyd.PendingMoves
	violationCount           []int32 // violated pairs of each point, except those of large components
	counts                   *pairgraph.Counts
	pen                      []float64   // what the point under consideration pays, by cluster
	a1, a2                   []float64   // scratch for a row
	open                     []int32     // scratch for a list of all points
	marks                    []byte      // scratch for a sweep of many points; 0 between sweeps
	violated                 []violation // by the labels
	terms                    cluster.Terms
	inferred                 *inferred // of the last assignment, by bp or lp
	jointWait, jointInterval int       // iterations until the next jointReassign, and between the last two
	settled                  bool
	decrease                 float64     // of J in the last iteration
	swaps                    *swapSearch // nil: the run ends in the first local minimum
	assignsOnly              bool        // centres and metric stay as they are
}

func (r *descent) row1(i int32) data.Vec { return r.p.X.Row(int(i), r.a1) }

func (r *descent) row2(i int32) data.Vec { return r.p.X.Row(int(i), r.a2) }

// appendBlock appends what a block has written to its own part of r.open to the
// list at the beginning of r.open: never beyond that part, because a block lists
// a point at most once.
func (r *descent) appendBlock(list []int32, lo, count int) []int32 {
	n := len(list)
	copy(r.open[n:], r.open[lo:lo+count])
	return r.open[:n+count]
}

// A violation is a pair that the labels violate.
type violation struct {
	i, j int32
	must bool
	w    float64
}

// Moods of a point.
const (
	wantsToMove byte = 1 // it would go
	hasMoved    byte = 2 // it has gone
	onList      byte = 3 // it is on a list
)

// clearMarks returns a mark for each point, all 0; whoever sets some has to reset
// them.
func (r *descent) clearMarks() []byte {
	if r.marks == nil {
		r.marks = make([]byte, len(r.labels))
	}
	return r.marks
}
