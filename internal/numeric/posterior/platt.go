package posterior

import "math"

// A Platt is a logistic map of scores to probabilities (Platt 1999):
// p = 1 / (1 + exp(−(Slope·score + Offset))).
type Platt struct {
	Slope  float64 `json:"slope"`
	Offset float64 `json:"offset"`
}

// Probability returns the probability for a score.
func (p Platt) Probability(score float64) float64 { return Logistic(p.Slope*score + p.Offset) }

// Logistic returns 1 / (1 + exp(−x)).
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// LogOdds returns log(p / (1−p)), with p kept within [1e-6, 1−1e-6].
func LogOdds(p float64) float64 {
	p = max(1e-6, min(1-1e-6, p))
	return math.Log(p / (1 - p))
}

// FitPlatt fits a Platt to scores whose outcomes are known, by Newton's method on the
// weighted log-likelihood. Outcomes are targets in [0, 1]: 1 for yes. The prior is a
// normal distribution of the slope around slope with standard deviation 1, and one
// outcome of each kind at score 0 with weight ½, so that few or equal outcomes give
// a finite answer. The slope is never negative.
func FitPlatt(scores, outcomes, weights []float64, slope float64) Platt {
	p := Platt{Slope: slope}
	for range 50 {
		// The half outcomes at score 0.
		q := Logistic(p.Offset)
		gb, hbb := 0.5-q, q*(1-q)
		ga, haa, hab := slope-p.Slope, 1.0, 0.0
		for i, s := range scores {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			q := p.Probability(s)
			e, h := w*(outcomes[i]-q), w*q*(1-q)
			ga, gb = ga+e*s, gb+e
			haa, hab, hbb = haa+h*s*s, hab+h*s, hbb+h
		}
		det := haa*hbb - hab*hab
		if !(det > 1e-12) {
			break
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		if size := math.Hypot(da, db); size > 2 { // far steps of Newton's method may diverge
			da, db = da*2/size, db*2/size
		}
		p.Slope, p.Offset = p.Slope+da, p.Offset+db
		if math.Abs(da)+math.Abs(db) < 1e-10 {
			break
		}
	}
	p.Slope = max(p.Slope, 0)
	return p
}
