package door

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/confidence"
)

// A RowDetail is one row of a result with how sure it is of its cluster.
type RowDetail struct {
	Row
	// Confidence is from 0 to 1. ConfidenceSource says what it means: with labels it
	// estimates the probability that the row belongs in its cluster, without them it is a
	// heuristic.
	Confidence float64
	Second     string   // the next best cluster; "" where there is no other
	Margin     *float64 // by how much the objective would rise if the row moved there; nil where that is unknown
	Reason     string   // why the row has no cluster; "" where it has one
	Outlier    *float64 // how far it is outside of all clusters, from 0 to 1; nil where the method does not say it
}

// A ConfidenceSource says where confidences come from: the posterior given the
// labels, margins calibrated on labels, or a heuristic.
type ConfidenceSource = confidence.Source

// The sources of confidences.
const (
	ConfidenceFromLabels  = confidence.FromLabels
	ConfidenceFromMargins = confidence.FromMargins
	ConfidenceHeuristic   = confidence.Heuristic
)

// Details returns the rows in the order of the table with their confidences, the next
// best clusters and the margins to them, and where the confidences come from. Package
// confidence explains them.
func (r *Result) Details(ctx context.Context) ([]RowDetail, ConfidenceSource, error) {
	return r.a.details(ctx)
}

// WriteRows writes id,cluster,confidence,second,margin,reason for every row, and outlier where the method has such scores.
func (r *Result) WriteRows(ctx context.Context, w io.Writer) error { return r.a.writeDetails(ctx, w) }

// Details returns the rows in the order of the table, with their confidences by margins.
func (p *Prediction) Details(ctx context.Context) ([]RowDetail, ConfidenceSource, error) {
	return p.a.details(ctx)
}

// WriteRows writes id,cluster,confidence,second,margin,reason for every row.
func (p *Prediction) WriteRows(ctx context.Context, w io.Writer) error {
	return p.a.writeDetails(ctx, w)
}

// clusterClasses returns the class that each cluster is named after, nil where there
// are no labels.
func (a *assignment) clusterClasses() []int {
	if a.p.Constraints == nil || len(a.p.Constraints.Labels) == 0 {
		return nil
	}
	return score.NameClusters(a.fitted.Labels, a.p.K, a.p.Constraints)
}

func (a *assignment) details(ctx context.Context) ([]RowDetail, ConfidenceSource, error) {
	rows, err := a.confidences(ctx)
	if err != nil {
		return nil, "", err
	}
	out := make([]RowDetail, 0, len(a.fitted.Labels)+len(a.unplaced))
	for i, at := range a.places() {
		d := RowDetail{Row: Row{ID: a.t.ID(i), ClusterIndex: noClusters}, Reason: a.unplaced[i]}
		if a.outlier != nil {
			d.Outlier = finiteOrNil(a.outlier[i], true)
		}
		if at >= 0 {
			h := a.fitted.Labels[at]
			d.Row.Cluster, d.Row.ClusterIndex = a.names[h], h
			d.Confidence, d.Margin = rows.Confidence[at], finiteOrNil(rows.Margin[at], true)
			if h := rows.Second[at]; h >= 0 {
				d.Second = a.names[h]
			}
		}
		out = append(out, d)
	}
	return out, rows.Source, nil
}

func (a *assignment) confidences(ctx context.Context) (*confidence.Rows, error) {
	if a.saved != nil {
		return a.saved.Confidence.Predict(a.saved.Model, a.p.X, a.fitted.Labels, a.workers), ctx.Err()
	}
	return a.sure.Estimate(ctx, a.p, a.fitted, a.confidenceOptions())
}

func (a *assignment) confidenceOptions() confidence.Options {
	return confidence.Options{Seed: DefaultSeed, Workers: a.workers, Class: a.clusterClasses()}
}

func (a *assignment) writeDetails(ctx context.Context, w io.Writer) error {
	list, _, err := a.details(ctx)
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(w)
	out := csv.NewWriter(buf)
	columns := DetailColumns(list)
	_ = out.Write(append([]string{"id"}, columns...))
	for _, d := range list {
		_ = out.Write(append([]string{d.ID}, d.Cells(columns)...))
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return buf.Flush()
}

// outlierColumn is the column of outlier scores.
const outlierColumn = "outlier"

// DetailColumns returns the columns that WriteRows writes after the id: that of outlier scores where a row has one.
func DetailColumns(list []RowDetail) []string {
	columns := []string{"cluster", "confidence", "second", "margin", "reason"}
	if slices.ContainsFunc(list, func(d RowDetail) bool { return d.Outlier != nil }) {
		columns = append(columns, outlierColumn)
	}
	return columns
}

// Cells returns the row as WriteRows writes it, without the id.
func (d RowDetail) Cells(columns []string) []string {
	margin := ""
	if d.Margin != nil {
		margin = strconv.FormatFloat(*d.Margin, 'g', 6, 64)
	}
	cells := []string{d.Cluster, strconv.FormatFloat(math.Round(d.Confidence*1e4)/1e4, 'f', -1, 64), d.Second, margin, ""}
	if d.ClusterIndex < 0 {
		cells = []string{"", "", "", "", d.Reason}
	}
	if slices.Contains(columns, outlierColumn) {
		cells = append(cells, outlierCell(d.Outlier))
	}
	return cells
}
