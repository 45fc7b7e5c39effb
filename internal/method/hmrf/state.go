package hmrf

import (
	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/pairgraph"
	"github.com/inklinghq/inkling/internal/numeric/lloyd"
	"github.com/inklinghq/inkling/internal/numeric/metric"
)

// A descent is one run of HMRF. Its parts know only those above them: the labelling, what it adds up to, how
// points get other labels, how the metric is learned, and the search that leaves local minima.
type descent struct {
	*labelling
	*totals
	*assignment
	*metricStep
	swaps *swapSearch // nil: the run ends in the first local minimum

	closureUsed Closure // On or Off, as it turned out
	settled     bool
	decrease    float64 // of J in the last iteration
	assignsOnly bool    // centres and metric stay as they are
}

// A labelling is which cluster each point is in, and all that says what this costs: centres, metric and pairs.
type labelling struct {
	a           *HMRF
	e           *cluster.Env
	p           lloyd.Space
	divergence  metric.Divergence // nil: squared distances
	graph       *pairgraph.Graph
	constrained []bool // points with constraints
	form        metric.Form
	weight      float64 // Σ w_i

	model      *Model
	rank       int // how many numbers the metric is made of, 0 at first
	penalty    *pairPenalty
	distortion distortion

	labels         []int32 // -1: none yet
	violationCount []int32 // violated pairs of each point, except those of large components
	counts         *pairgraph.Counts

	pen    []float64 // what the point under consideration pays, by cluster
	a1, a2 []float64 // scratch for a row
}

// totals are what a labelling adds up to. They follow the points that move, so that those that stay need not be read.
type totals struct {
	*labelling
	previous []int32           // the labels that sums and cost refer to
	first    bool              // no labels yet
	sums     *lloyd.KeptSums   // of the rows by their labels
	cost     lloyd.CostTracker // distortion of the points in their clusters, without pairs
	violated []violation       // by the labels
	terms    cluster.Terms
	pending  lloyd.PendingMoves
	moves    []lloyd.Move // scratch; never nil
}

// An assignment gives points other labels under the centres and the metric as they are: unconstrained points
// take the nearest centre, the others weigh it against what their pairs cost.
type assignment struct {
	*labelling
	totals *totals

	near      []int32 // the cheapest cluster of each point by itself
	pointCost pointCost
	moveCost  *moveCost // nil: see canUseMoveCost
	inferred  *inferred // of the last assignment, by bp or lp

	jointWait, jointInterval int // iterations until the next jointReassign, and between the last two

	open  []int32 // scratch for a list of all points
	marks []byte  // scratch for a sweep of many points; 0 between sweeps
}

// A metricStep learns the metric, and finds what a violated pair costs under it.
type metricStep struct {
	*labelling
	totals       *totals
	penaltyScale *penaltyScale
	all          *metric.TotalScatter // where all clusters share one metric
}

func (r *labelling) row1(i int32) data.Vec { return r.p.X.Row(int(i), r.a1) }

func (r *labelling) row2(i int32) data.Vec { return r.p.X.Row(int(i), r.a2) }

// appendBlock appends what a block has written to its own part of r.open to the
// list at the beginning of r.open: never beyond that part, because a block lists
// a point at most once.
func (r *assignment) appendBlock(list []int32, lo, count int) []int32 {
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
func (r *assignment) clearMarks() []byte {
	if r.marks == nil {
		r.marks = make([]byte, len(r.labels))
	}
	return r.marks
}
