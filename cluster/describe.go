package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/inklinghq/inkling/cluster/data"
)

// This file has what the models, reports and errors of an algorithm may
// implement beside what Fit needs. Reports, saved fits and the command line
// describe any method by these interfaces, without its name or its types.

// Distances that models name.
const (
	EuclideanDistance = "euclidean"
	CosineDistance    = "cosine"
)

// A DistanceModel is a Model that places points by a distance to centres.
type DistanceModel interface {
	Model
	// Distance returns its name: "euclidean", "cosine" or another divergence.
	Distance() string
}

// A Metric is a learned distance, (x−y)ᵀA(x−y) with a positive definite matrix A:
// one for all clusters, or one for each. *metric.Learned is one.
type Metric interface {
	Metrics() int            // number of matrices: 1, or one for each cluster
	Diagonal() bool          // whether entries off the diagonals are all 0
	Weights(h int) []float64 // the diagonal of matrix h, a copy
	Matrix(h int) []float64  // matrix h, row by row, a copy
	// TransformRows returns rows whose Euclidean distances are those of matrix h
	// between the rows of x.
	TransformRows(ctx context.Context, workers, h int, x data.Rows) (data.Rows, error)
}

// A MetricModel is a Model with a learned metric.
type MetricModel interface {
	DistanceModel
	// LearnedMetric returns the metric, nil where none was learned. The distance
	// of the model is that of the metric where Distance is "euclidean"; otherwise
	// its weights are those of the features in another divergence.
	LearnedMetric() Metric
}

// An Infeasible is the error of an algorithm that finds no clustering that
// satisfies the constraints as it has to.
type Infeasible interface {
	error
	// Infeasible reports whether that is what the error says.
	Infeasible() bool
	// Describe returns the message with points called by name, for example by
	// their ids.
	Describe(name func(point int) string) string
}

// A ViewReporter is what a Reporter returns where it used the views of its
// problem.
type ViewReporter interface {
	// ViewReport returns nil where no view was used.
	ViewReport() *ViewReport
}

// A ViewReport says how views were used and at what cost.
type ViewReport struct {
	Alpha  float64 // degree to which the vector satisfies the constraints
	Beta   float64 // degree that was demanded
	Weight float64 // of the views
	// Cut is the normalized cut of the graph, CutAlone without the views, Cost the
	// difference; Relaxed and RelaxedAlone are the same of the vectors.
	Cut, CutAlone, Cost   float64
	Relaxed, RelaxedAlone float64
	LabelsAlone           []int // the clusters without the views
	Views                 []ViewCut
}

// A ViewCut is one view of a ViewReport.
type ViewCut struct {
	Name          string
	Edges         int
	Cut, CutAlone float64 // its normalized cut by the clusters, and by its own
	LabelsAlone   []int   // its own clusters
}

// Findings are all that a fit learned: its model and what it reports beside it.
// Either may be nil. In JSON they are one object with the fields of both, in
// alphabetical order; a field that both have is that of the report.
type Findings struct {
	Model  Model
	Report any
}

// Findings returns the model and the report of r.
func (r *Result) Findings() Findings { return Findings{r.Model, r.Learned} }

// String returns the sentence in which the report, or else the model, describes
// itself by a String method; "" where neither has one.
func (f Findings) String() string {
	for _, part := range []any{f.Report, f.Model} {
		if s, ok := part.(fmt.Stringer); ok {
			return s.String()
		}
	}
	return ""
}

// MarshalJSON writes one object.
func (f Findings) MarshalJSON() ([]byte, error) {
	switch {
	case f.Model == nil:
		return json.Marshal(f.Report)
	case f.Report == nil:
		return json.Marshal(f.Model)
	}
	fields := map[string]json.RawMessage{}
	for _, part := range []any{f.Model, f.Report} {
		b, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &fields); err != nil { // adds to the fields
			return nil, fmt.Errorf("%T is not an object in JSON: %w", part, err)
		}
	}
	return json.Marshal(fields)
}
