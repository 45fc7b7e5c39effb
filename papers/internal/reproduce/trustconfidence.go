package reproduce

import (
	"context"
	"fmt"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/judge/confidence"
	"github.com/inklinghq/inkling/internal/judge/experiment"
	"github.com/inklinghq/inkling/internal/judge/suspect"
)

// Confidences are judged with 40 labels, the calibration error with true ones.
const (
	confidenceLabels    = 40
	mostCalibrationFlaw = 0.12
)

// A confidenceTrial says how reliable confidences are, and those by margins alone, on
// rows without labels.
type confidenceTrial struct {
	Error, Area               float64 // expected calibration error, area under the risk-coverage curve
	MarginError, AreaOfMargin float64
	Wrong                     float64 // the share of rows in a wrong cluster
}

func (c confidenceTrial) values() []float64 {
	return []float64{c.Wrong, c.Error, c.MarginError, c.Area, c.AreaOfMargin}
}

// trustConfidence measures how far the confidence of a row can be trusted.
func (l *Lab) trustConfidence(ctx context.Context, sets []*trustSet) error {
	draws, shares := l.Repeats(2, 4), []float64{0, wrongShare}
	var keys []string
	for _, s := range sets {
		for _, w := range shares {
			for d := range draws {
				keys = append(keys, fmt.Sprintf("%s, %.0f %% wrong, draw %d", s.title, 100*w, d))
			}
		}
	}
	trials, err := Try(ctx, l, "confidence", keys, func(ctx context.Context, i int) (confidenceTrial, error) {
		return l.confidenceTrial(ctx, sets[i/(len(shares)*draws)], shares[i/draws%len(shares)], i%draws)
	})
	if err != nil {
		return err
	}
	for w, wrong := range shares {
		kind := "true labels"
		if wrong > 0 {
			kind = fmt.Sprintf("labels, %.0f %% of them wrong", 100*wrong)
		}
		l.putConfidence(fmt.Sprintf("%d %s", confidenceLabels, kind), wrong, sets, func(s int) []confidenceTrial {
			return trials[(s*len(shares)+w)*draws:][:draws]
		})
	}
	return nil
}

// putConfidence shows and judges the trials of one share of wrong labels.
func (l *Lab) putConfidence(title string, wrong float64, sets []*trustSet, of func(s int) []confidenceTrial) {
	p := Part{Title: "How sure rows are, with " + title,
		Text: "Seeded k-means on standardised rows, graph-cut on the graph; rows without labels, ± standard error over draws. Calibration error: the expected one, ten bins of equal width. Area: under the risk-coverage curve, small where wrong rows have the least confidence; a constant confidence has the share of wrong rows.",
		Head: []string{"set", "in a wrong cluster", "calibration error", "by margins", "area", "by margins"}}
	all := make([][]float64, len(p.Head)-1)
	for s, set := range sets {
		row, own := []string{set.title}, make([][]float64, len(all))
		for _, t := range of(s) {
			for v, y := range t.values() {
				own[v] = append(own[v], y)
				all[v] = append(all[v], y)
			}
		}
		for _, y := range own {
			row = append(row, plusMinus(meanOfValues(y)))
		}
		p.Rows = append(p.Rows, row)
	}
	mean := []string{"all"}
	for _, y := range all {
		mean = append(mean, plusMinus(meanOfValues(y)))
	}
	p.Rows = append(p.Rows, mean)
	l.Put(p)
	flaw, gain := meanOfValues(all[1]), paired(all[4], all[3])
	if wrong == 0 {
		l.Claim(fmt.Sprintf("(ours) %s: the expected calibration error is at most %v on average", title, mostCalibrationFlaw), verdict(flaw.Mean <= mostCalibrationFlaw), "%s", plusMinus(flaw))
	}
	l.Claim(fmt.Sprintf("(ours) %s: the area under the risk-coverage curve is smaller than that of margins", title), verdict(above(gain)), "%s less: %s, by margins %s", signed(gain), mean[4], mean[5])
}

// confidenceMethod names what rows are clustered by.
func (s *trustSet) confidenceMethod() string {
	switch {
	case s.p.Graph != nil:
		return "graph-cut"
	case s.texts:
		return "seeded-kmeans:distortion=cosine"
	}
	return "seeded-kmeans"
}

// confidenceTrial draws labels, clusters, and compares confidences with the truth.
func (l *Lab) confidenceTrial(ctx context.Context, s *trustSet, wrong float64, draw int) (out confidenceTrial, err error) {
	known, err := suspect.Trial{Labels: confidenceLabels, Wrong: wrong, Seed: l.Seed + uint64(1000*draw)}.Draw(s.truth)
	if err != nil {
		return out, err
	}
	methods, err := experiment.ParseMethods(s.confidenceMethod())
	if err != nil {
		return out, err
	}
	scaled, err := s.standardised()
	if err != nil {
		return out, err
	}
	p := *scaled
	p.Constraints = known
	r, err := cluster.Fit(ctx, &p, methods[0].Algorithm(), l.trustSettings())
	if err != nil {
		return out, err
	}
	o := confidence.Options{Seed: l.Seed, Workers: 1, Class: score.NameClusters(r.Labels, p.K, known)}
	rows, _, err := confidence.Estimate(ctx, &p, r, o)
	if err != nil {
		return out, err
	}
	margins, err := confidence.ByMargins(ctx, &p, r, o)
	if err != nil {
		return out, err
	}
	var right []bool
	var sure, byMargin []float64
	for _, i := range rowsWithout(known, len(s.truth)) {
		right = append(right, o.Class[r.Labels[i]] == s.truth[i])
		sure, byMargin = append(sure, rows.Confidence[i]), append(byMargin, margins.Confidence[i])
	}
	a, b := confidence.NewReliability(sure, right), confidence.NewReliability(byMargin, right)
	return confidenceTrial{Error: a.CalibrationError, Area: a.RiskCoverage, MarginError: b.CalibrationError, AreaOfMargin: b.RiskCoverage, Wrong: a.Wrong}, nil
}
