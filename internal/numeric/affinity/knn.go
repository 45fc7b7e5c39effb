package affinity

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/support/enum"
)

// KNNOptions are the options of a search for neighbours.
type KNNOptions struct {
	// Method is exact, approximate or auto (the same as ""). Auto is exact up
	// to ExactRows rows and whenever that takes only a few seconds, else
	// approximate.
	Method SearchMethod `json:"method" help:"how neighbours are searched for"`
	// Recall is the share of true neighbours that an approximate search is to
	// find; 0 stands for 0.95. It searches longer, within limits, while a
	// sample shows a lower share.
	Recall float64 `json:"recall" help:"share of true neighbours that an approximate search is to find"`
	// Seed is for the approximate search, and for the sample on which its
	// recall is measured.
	Seed uint64 `json:"-"`
	// Workers below 1 stand for one per processor.
	Workers int `json:"-"`
}

// A SearchMethod says whether a search may miss neighbours.
type SearchMethod string

// The methods of search.
const (
	SearchAuto        SearchMethod = "auto"
	SearchExact       SearchMethod = "exact"
	SearchApproximate SearchMethod = "approximate"
)

// Values returns the names of all methods of search.
func (SearchMethod) Values() []string {
	return []string{string(SearchAuto), string(SearchExact), string(SearchApproximate)}
}

// Neighbours are the K nearest other rows of each of N rows: those of row i are
// Idx[i·K : (i+1)·K], by ascending distance and, at equal distances, by ascending
// index, with squared distances in the same part of Dist2.
type Neighbours struct {
	N, K  int
	Idx   []int32
	Dist2 []float64
	// Recall is the share of true neighbours that were found: 1 if the search
	// was exact, otherwise measured on a sample of Sample rows.
	Recall float64
	Sample int
	// Method says how they were found: brute-force, tree, rings, cells or descent.
	Method string

	seed    uint64
	workers int
	count   []int32 // how many are found so far, during an approximate search
	table   *rowTable
}

// KNN finds the k nearest other rows of every row of x. A row is not its own
// neighbour, an equal row may be. If k is more than n−1, all other rows are
// neighbours and K is n−1. It refuses k below 1 and numbers that are not finite.
//
// An exact search compares every pair, by panels of rows, or only those that a
// k-d tree cannot rule out: a sample of rows decides which of the two, with no
// effect on the result.
//
// Where sparse rows have the same length, as documents do, those without any value are
// farther from every row than rows that have no feature in common: see keepEmptyRowsFar.
func KNN(ctx context.Context, x data.Rows, k int, opt KNNOptions) (*Neighbours, error) {
	return search(ctx, x, k, opt, false)
}

// RoughKNN is KNN for those who need not every neighbour: it is exact only of few rows or features. Of many dense
// rows it compares each with those around it, as many as find a share of opt.Recall.
func RoughKNN(ctx context.Context, x data.Rows, k int, opt KNNOptions) (*Neighbours, error) {
	return search(ctx, x, k, opt, true)
}

func search(ctx context.Context, x data.Rows, k int, opt KNNOptions, rough bool) (*Neighbours, error) {
	if opt.Method == "" {
		opt.Method = SearchAuto
	}
	if err := enum.Check("method", opt.Method); err != nil {
		return nil, err
	}
	if opt.Recall == 0 {
		opt.Recall = 0.95
	}
	if !(opt.Recall > 0 && opt.Recall <= 1) {
		return nil, fmt.Errorf("recall must be above 0 and at most 1, got %v", opt.Recall)
	}
	if k < 1 {
		return nil, fmt.Errorf("the number of neighbours must be at least 1, got %d", k)
	}
	t, err := newRowTable(ctx, x, opt.Workers)
	if err != nil {
		return nil, err
	}
	t.keepEmptyRowsFar()
	nb := newNeighbours(t, k)
	nb.seed, nb.workers = opt.Seed, opt.Workers
	if rough && t.dense != nil && t.n > ExactRows && t.d >= leastCellDim {
		if done, err := nb.byCells(ctx, opt.Recall, opt.Workers); done || err != nil {
			return nb, err
		}
	}
	if err := nb.runSearch(ctx, opt); err != nil {
		return nil, err
	}
	return nb, nil
}

// newNeighbours makes room for the neighbours of an exact search that is still to be done.
func newNeighbours(t *rowTable, k int) *Neighbours {
	nb := &Neighbours{N: t.n, K: min(k, t.n-1), Recall: 1, Method: "brute-force", table: t}
	nb.Idx, nb.Dist2 = make([]int32, nb.N*nb.K), make([]float64, nb.N*nb.K)
	return nb
}

// NeighboursOf returns the neighbours of row i and their squared distances; the caller
// must not change them.
func (nb *Neighbours) NeighboursOf(i int) (idx []int32, dist2 []float64) {
	lo, hi := i*nb.K, (i+1)*nb.K
	return nb.Idx[lo:hi:hi], nb.Dist2[lo:hi:hi]
}

// Trees are tried from treeRows rows on and up to treeDim features; a tree that
// visits more than treeShare of its leaves is slower than comparing all rows.
const (
	treeRows  = 1024
	treeDim   = 64
	treeShare = 0.3
)

// ExactRows is the number of rows up to which auto is always exact. Beyond, it is
// exact if the search compares at most exactCells cells.
const (
	ExactRows  = 10000
	exactCells = 2e10
)

func (nb *Neighbours) runSearch(ctx context.Context, opt KNNOptions) error {
	if nb.K == 0 {
		return ctx.Err()
	}
	if opt.Method == SearchApproximate {
		return nb.searchApproximately(ctx, opt.Recall, opt.Workers)
	}
	t, share := nb.table, 1.0
	var tree *KDTree
	if t.dense != nil && t.n >= treeRows && t.d <= treeDim {
		var err error
		if tree, err = buildKDTree(ctx, t, opt.Workers); err != nil {
			return err
		}
		share = tree.visitedShare(nb.K)
	}
	if opt.Method == SearchAuto && t.n > ExactRows && share*float64(t.n)*t.workCells() > exactCells {
		return nb.searchApproximately(ctx, opt.Recall, opt.Workers)
	}
	if share <= treeShare {
		return nb.byTree(ctx, tree, opt.Workers, nil)
	}
	return nb.bruteForce(ctx, opt.Workers, nil)
}

// emptyList returns the empty list of row i.
func (nb *Neighbours) emptyList(i int) nearestList {
	idx, dist := nb.NeighboursOf(i)
	return nearestList{idx: idx, dist: dist}
}

// currentList returns the neighbours of row i found so far.
func (nb *Neighbours) currentList(i int) nearestList {
	best := nb.emptyList(i)
	best.count = int(nb.count[i])
	return best
}

// KNNMemory returns about how many bytes the graph of the count nearest neighbours of n rows
// takes while it is made.
func KNNMemory(n, count int) float64 { return 64 * float64(n) * float64(min(count, n)) }
