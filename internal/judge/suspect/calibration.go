package suspect

import (
	"math"

	"github.com/inklinghq/inkling/internal/numeric/posterior"
)

// pairWrong returns the probability that a pair is wrong: q is the probability of
// what it says without it.
func pairWrong(q, noise float64) float64 {
	other := noise * (1 - q)
	return other / ((1-noise)*q + other)
}

// A pairCalibration makes of a score the probability that two points belong
// together, under noise.
type pairCalibration struct {
	logistic posterior.Platt
	noise    float64
	gain     float64 // by how much the mean log-likelihood of a pair exceeds that of the shares of the kinds
	decided  float64 // the share of the uncertainty about whether two points belong together that the score takes away
	total    float64 // weight of the pairs
	must     float64 // the share of must-links
}

// provenFrom is by how much the log-likelihood of all pairs must exceed that of the shares of the
// kinds where a source is to show that it knows anything: by chance it does so in one case of
// about fifty.
const provenFrom = 3

// decidedFrom is the share of the uncertainty about pairs that a source must take away: one that leaves nearly all of it
// contradicts many right pairs.
const decidedFrom = 0.1

// proven reports whether the source predicts pairs that it has not seen better than their shares, and not only a little.
func (c pairCalibration) proven() bool {
	return c.gain*c.total >= provenFrom && c.decided >= decidedFrom
}

// beyond reports whether the score speaks against a pair more than the shares of the kinds do:
// where most pairs are cannot-links, each must-link is unlikely, which is no evidence
// against any of them.
func (c pairCalibration) beyond(score float64, together bool) bool {
	return (c.logistic.Probability(score) < c.must) == together
}

// wrong returns the probability that a pair is wrong, and whether the score speaks
// against it.
func (c pairCalibration) wrong(score float64, together bool) (p float64, against bool) {
	q := max(0.01, min(0.99, c.logistic.Probability(score)))
	if !together {
		q = 1 - q
	}
	return pairWrong(q, posterior.PriorWrong), q < 0.5
}

// fitPairCalibration fits a logistic map of scores to what the pairs say, a share of
// which is wrong: the expectation of each being right and the map are computed in turn.
func fitPairCalibration(allScores []float64, allLinks []link) pairCalibration {
	scores, links := allScores, allLinks
	if len(links) > mostTogether {
		scores, links = nil, nil
		for _, i := range someOf(len(allLinks)) {
			scores, links = append(scores, allScores[i]), append(links, allLinks[i])
		}
	}
	best, top := pairCalibration{noise: posterior.PriorWrong}, math.Inf(-1)
	target, weight := make([]float64, len(links)), make([]float64, len(links))
	for _, noise := range posterior.NoiseGrid() {
		c := pairCalibration{noise: noise}
		for i, l := range links {
			weight[i] = min(l.W, 1)
			target[i] = noise
			if l.together {
				target[i] = 1 - noise
			}
		}
		likelihood := math.Inf(-1)
		for range 25 {
			last := likelihood
			c.logistic = posterior.FitPlatt(scores, target, weight, 1)
			likelihood = posterior.LogNoisePrior(noise) - (c.logistic.Slope-1)*(c.logistic.Slope-1)/2
			for i, l := range links {
				q := max(1e-9, min(1-1e-9, c.logistic.Probability(scores[i])))
				yes, no := (1-noise)*q, noise*(1-q) // together, and said so or not
				if !l.together {
					yes, no = noise*q, (1-noise)*(1-q)
				}
				target[i] = yes / (yes + no)
				likelihood += weight[i] * math.Log(yes+no)
			}
			if math.Abs(likelihood-last) < stable {
				break
			}
		}
		if likelihood > top {
			best, top = c, likelihood
		}
	}
	best.setGain(scores, links)
	return best
}

// stable is the change of the log-likelihood of all pairs at which the expectations have settled.
const stable = 1e-4

// setGain measures how much the source knows.
func (c *pairCalibration) setGain(scores []float64, links []link) {
	must, total := 0.0, 0.0
	for _, l := range links {
		total += min(l.W, 1)
		if l.together {
			must += min(l.W, 1)
		}
	}
	sum := 0.0
	for i, l := range links {
		q, share := max(1e-9, min(1-1e-9, c.logistic.Probability(scores[i]))), must/total
		if !l.together {
			q, share = 1-q, 1-share
		}
		sum += min(l.W, 1) * (math.Log((1-c.noise)*q+c.noise*(1-q)) - math.Log(share))
	}
	c.gain, c.total, c.must = sum/total, total, (must+0.5)/(total+1)
	c.setDecided(scores, links)
}

// setDecided measures by how much less uncertain the probabilities of the pairs are than their mean: 0 where all
// are equal, 1 where each is 0 or 1.
func (c *pairCalibration) setDecided(scores []float64, links []link) {
	mean, left, total := 0.0, 0.0, 0.0
	for i, l := range links {
		w := min(l.W, 1)
		q := max(1e-9, min(1-1e-9, c.logistic.Probability(scores[i])))
		mean, left, total = mean+w*q, left+w*uncertainty(q), total+w
	}
	if all := uncertainty(mean / total); all > 0 {
		c.decided = 1 - left/total/all
	}
}

// uncertainty is the entropy of an event with probability q.
func uncertainty(q float64) float64 {
	if q <= 0 || q >= 1 {
		return 0
	}
	return -q*math.Log(q) - (1-q)*math.Log(1-q)
}

// sourceWeight is the weight of a source in the average of log-odds: how much it knows.
func sourceWeight(gain float64) float64 { return max(gain, 0.02) }
