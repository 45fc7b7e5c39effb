package reliability

import (
	"context"
	"fmt"
	"math"

	"github.com/inklinghq/inkling/cluster"
)

// A Level says how far a clustering can be relied on.
type Level string

// The levels.
const (
	Low  Level = "low"
	Fair Level = "fair"
	Good Level = "good"
)

// A Report is a level, why it is not a better one, and what was measured; nil is what could not be.
type Report struct {
	Level      Level       `json:"level"`
	Why        []string    `json:"why"`                  // reasons against it, the weightiest first; none where it is good
	Separation *Separation `json:"separation,omitempty"` // of the clusters
	Shuffled   *Separation `json:"shuffled,omitempty"`   // of k-means where the columns are shuffled
	OneCloud   *Separation `json:"one_cloud,omitempty"`  // of k-means on one normal cloud
	Border     *float64    `json:"border,omitempty"`     // share of rows near the border of their cluster
	// WithoutColumn is how well clusters agree with those where one of the columns is left out, on average: the adjusted Rand
	// index of both by k-means.
	WithoutColumn *float64 `json:"without_column,omitempty"`
	// OtherMinima is how well k-means from other starts agrees, where it fits about as well: the adjusted Rand index, on average.
	OtherMinima *float64 `json:"other_minima,omitempty"`
	// Between is how densely rows lie between two clusters, as a multiple of how densely they lie around the emptier of their centres: below 1 where
	// there is a gap, on average over the rows.
	Between *float64 `json:"between,omitempty"`
	// Exceptions is how many clusters have less than a tenth of the rows that clusters have on average.
	Exceptions int `json:"exceptions,omitempty"`

	HeldOut   *float64 `json:"held_out,omitempty"`    // balanced accuracy on held-out pairs: 1 always, 0.5 as by chance
	HeldOutSE *float64 `json:"held_out_se,omitempty"` // its standard error
	Relevant  *int     `json:"relevant,omitempty"`    // columns that the other columns predict
	Columns   *int     `json:"columns,omitempty"`     // columns of which that was measured

	sampled int // rows that separation was measured on
}

// A Separation says how far clusters are apart.
type Separation struct {
	Within     float64 `json:"within"`     // the share of the variance that is within clusters
	Neighbours float64 `json:"neighbours"` // how often neighbours share a cluster: 1 always, 0 as by chance
}

// Input is what a clustering is judged by.
type Input struct {
	Problem *cluster.Problem
	Labels  []int
	Column  []int // of each feature, the number of the column that it comes from; nil: each is its own
	// HeldOut is the balanced accuracy on held-out pairs, HeldOutSE its standard error; nil: it was not measured.
	HeldOut, HeldOutSE *float64
	Relevant, Columns  int    // columns that others predict, of those of which it was measured; 0: none was
	Doubt              string // why not even two clusters are supported, where the number of clusters was chosen; "" where they are
	Seed               uint64
	Workers            int
}

// Limits between levels, calibrated on tables with and without clusters (see the tests).
const (
	nothing     = 0.03  // a separation that is better than that of rows without clusters by less, and by chance, is none
	chance      = 0.5   // chance, in units of 1/√rows
	little      = 0.1   // and by less than this not much
	plenty      = 0.3   // and by more than this so much that borders alone do not refute it: in many columns most rows have neighbours beyond them
	manyBorder  = 0.5   // of the rows
	someBorder  = 0.3   // of the rows
	oneSided    = 1.645 // standard errors of an interval that is exceeded in one of twenty cases
	strongPairs = 0.75  // an accuracy on held-out pairs that is certainly above this makes up for a small separation
	fewRelevant = 2     // columns; fewer have nothing in common
	oneColumn   = 0.7   // an agreement with what is found without one of the columns that is less hangs on the choice of columns
)

// Judge measures and judges: by held-out constraints first, where there are some. It returns nil where nothing could be
// measured, as on a handful of rows.
func Judge(ctx context.Context, in Input) (*Report, error) {
	r := &Report{Level: Good, Why: []string{}, HeldOut: in.HeldOut, HeldOutSE: in.HeldOutSE}
	if err := r.measure(ctx, in); err != nil {
		return nil, err
	}
	if r.HeldOut == nil && r.Separation == nil && r.Border == nil && in.Columns == 0 {
		return nil, nil
	}
	proven := false
	if r.HeldOut != nil && r.HeldOutSE != nil {
		low, high := *r.HeldOut-oneSided**r.HeldOutSE, *r.HeldOut+oneSided**r.HeldOutSE
		switch {
		case low <= 0.5:
			r.worse(Low, "on held-out constraints it is right about %.0f %% (%.0f to %.0f %%), and chance about 50 %%", 100**r.HeldOut, 100*low, 100*min(1, high))
		case low < strongPairs:
			r.worse(Fair, "on held-out constraints it is right about %.0f %% (%.0f to %.0f %%)", 100**r.HeldOut, 100*low, 100*min(1, high))
		default:
			proven = true
		}
	}
	if in.Columns > 0 {
		r.Relevant, r.Columns = &in.Relevant, &in.Columns
		if in.Relevant < fewRelevant && !proven {
			r.worse(Low, "hardly any column is related to the others (%d of %d)", in.Relevant, in.Columns)
		}
	}
	if !proven {
		r.judgeSeparation(in.Problem.K)
		if in.Doubt != "" {
			r.worse(Low, "%s", in.Doubt)
		}
	}
	return r, nil
}

// judgeSeparation compares the separation with those of rows without clusters.
func (r *Report) judgeSeparation(k int) {
	if MostlyExceptions(r.Exceptions, k) {
		r.worse(Low, "%d of %d clusters have less than a tenth of the rows of an average cluster: exceptions rather than groups", r.Exceptions, k)
	}
	none := nothing + chance/math.Sqrt(float64(max(1, r.sampled)))
	if r.Shuffled != nil {
		switch better := r.Separation.beyond(r.Shuffled); {
		case better < none:
			r.worse(Low, "the clusters are no better separated than where the columns are shuffled (%s)", r.Separation.and("shuffled", r.Shuffled))
		case better < max(none, little):
			r.worse(Fair, "the clusters are little better separated than where the columns are shuffled (%s)", r.Separation.and("shuffled", r.Shuffled))
		}
	}
	if r.Level != Low && r.OneCloud != nil && r.Separation.beyond(r.OneCloud) < none {
		r.worse(Fair, "the clusters may be pieces of one cloud of rows (%s)", r.Separation.and("one cloud", r.OneCloud))
	}
	if r.WithoutColumn != nil && *r.WithoutColumn < oneColumn {
		r.worse(Fair, "the clusters depend on which columns are used: without one of them others are found (they agree %.2f on average, 1 is the same)", *r.WithoutColumn)
	}
	if r.OtherMinima != nil && *r.OtherMinima < oneColumn {
		r.worse(Fair, "other clusters fit about as well: which are found depends on where the search begins (they agree %.2f on average, 1 is the same)", *r.OtherMinima)
	}
	if r.Level != Low && r.Between != nil && *r.Between > noGap {
		r.worse(Fair, "there is no gap between the clusters: rows lie %.1f times as densely between neighbouring clusters as around their centres", *r.Between)
	}
	if r.Border == nil {
		return
	}
	apart := r.Shuffled != nil && r.Separation.beyond(r.Shuffled) > plenty
	switch {
	case *r.Border > manyBorder && !apart:
		r.worse(Low, "%.0f %% of the rows are near the border of their cluster", 100**r.Border)
	case *r.Border > someBorder:
		r.worse(Fair, "%.0f %% of the rows are near the border of their cluster", 100**r.Border)
	}
}

// beyond returns by how much s is better than the separation of rows without clusters, in the measure that shows more:
// clusters of any shape have neighbours, and compact ones in few columns hardly a border in either case.
func (s *Separation) beyond(none *Separation) float64 {
	tighter := 0.0
	if none.Within > 0 {
		tighter = 1 - s.Within/none.Within
	}
	angle := func(kappa float64) float64 { return math.Asin(math.Sqrt(min(1, max(0, 1-kappa)))) } // its variance hardly depends on κ
	return max(tighter, angle(none.Neighbours)-angle(s.Neighbours))
}

// and words both separations.
func (s *Separation) and(name string, none *Separation) string {
	return fmt.Sprintf("within clusters %.0f %% of the variance, %s %.0f %%; neighbours agree %.2f, %s %.2f", 100*s.Within, name, 100*none.Within, s.Neighbours, name, none.Neighbours)
}

// Measured words the weightiest measure of a good report; "" where nothing was measured.
func (r *Report) Measured() string {
	switch {
	case r.HeldOut != nil && r.HeldOutSE != nil:
		return fmt.Sprintf("right about %.0f %% of held-out constraints, chance about 50 %%", 100**r.HeldOut)
	case r.Separation != nil && r.Shuffled != nil:
		return r.Separation.and("shuffled", r.Shuffled)
	case r.Border != nil:
		return fmt.Sprintf("%.0f %% of the rows are near the border of their cluster", 100**r.Border)
	}
	return ""
}

// worse lowers the level and adds a reason; those of the lowest level come first, and those of better ones are left out.
func (r *Report) worse(level Level, format string, args ...any) {
	if r.Level == Low && level != Low {
		return
	}
	if level == Low && r.Level != Low {
		r.Why = r.Why[:0]
	}
	r.Level = level
	r.Why = append(r.Why, fmt.Sprintf(format, args...))
}

func pointer(y float64) *float64 {
	y = math.Round(1e4*y) / 1e4
	return &y
}
