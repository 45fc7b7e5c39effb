package posterior

import "math"

// PriorWrong is the share of wrong constraints that is expected before the data
// are looked at.
const PriorWrong = 0.1

// NoiseGrid returns the shares of wrong constraints that are compared.
func NoiseGrid() []float64 {
	return []float64{0.01, 0.02, 0.04, 0.07, 0.1, 0.14, 0.19, 0.25, 0.32}
}

// LogNoisePrior is the log-density of a share of wrong constraints: a beta
// distribution with mean PriorWrong that counts as 20 constraints.
func LogNoisePrior(share float64) float64 {
	const a, b = 20 * PriorWrong, 20 * (1 - PriorWrong)
	return (a-1)*math.Log(share) + (b-1)*math.Log(1-share)
}

// LikeliestNoise returns the share of wrong constraints of NoiseGrid that is the likeliest before the data are looked at.
func LikeliestNoise() (best float64) {
	top := math.Inf(-1)
	for _, share := range NoiseGrid() {
		if y := LogNoisePrior(share); y > top {
			best, top = share, y
		}
	}
	return best
}

// LabelWrong returns the probability that a label is wrong by Bayes' rule: q is the
// probability of its class without it, noise the share of wrong labels, spread over the
// other k−1 classes.
func LabelWrong(q, noise float64, k int) float64 {
	other := noise * (1 - q) / float64(k-1)
	return other / ((1-noise)*q + other)
}

// A Calibration makes class probabilities of the shares that a kernel gives:
// shares to the power 1/Temperature, normalised, mixed with the uniform
// distribution.
type Calibration struct {
	Temperature, Uniform float64
	Noise                float64 // the share of wrong labels
	// Gain is by how much the mean log-likelihood of a label exceeds that of the
	// shares of the classes: how much the source of the probabilities knows.
	Gain float64
}

// Probability returns the probability of class c.
func (t Calibration) Probability(q []float64, c int) float64 {
	most := 0.0
	for _, y := range q {
		most = max(most, y)
	}
	own, sum := 0.0, 0.0
	for h, y := range q {
		e := math.Exp(math.Log(y/most) / t.Temperature)
		if sum += e; h == c {
			own = e
		}
	}
	return (1-t.Uniform)*own/sum + t.Uniform/float64(len(q))
}

// FitCalibration chooses the calibration with the highest likelihood of the
// given classes under noise. q holds k numbers for each label.
func FitCalibration(q [][]float64, class []int, weight []float64, k int) Calibration {
	best, top := Calibration{Temperature: 1, Uniform: 0.05, Noise: PriorWrong}, math.Inf(-1)
	for _, temperature := range []float64{0.2, 0.3, 0.45, 0.65, 1, 1.5} {
		for _, uniform := range []float64{0.01, 0.03, 0.07, 0.15, 0.3, 0.5} {
			t := Calibration{Temperature: temperature, Uniform: uniform}
			p := make([]float64, len(q))
			for i := range q {
				p[i] = t.Probability(q[i], class[i])
			}
			for _, t.Noise = range NoiseGrid() {
				sum := LogNoisePrior(t.Noise)
				for i, y := range p {
					sum += weight[i] * math.Log((1-t.Noise)*y+t.Noise*(1-y)/float64(k-1))
				}
				if sum > top {
					best, top = t, sum
				}
			}
		}
	}
	best.Gain = gain(q, class, weight, k, best)
	return best
}

// gain returns the Gain of a calibration.
func gain(q [][]float64, class []int, weight []float64, k int, c Calibration) float64 {
	share, total := make([]float64, k), 0.0
	for i, h := range class {
		share[h] += weight[i]
		total += weight[i]
	}
	sum := 0.0
	for i, h := range class {
		y := c.Probability(q[i], h)
		sum += weight[i] * (math.Log((1-c.Noise)*y+c.Noise*(1-y)/float64(k-1)) - math.Log(share[h]/total))
	}
	if total == 0 {
		return 0
	}
	return sum / total
}
