package choose

import "math"

// An observation is a held-out pair, or what a held-out label says of the pairs
// of its row: the kind, what it counts, and by how much its variance has to be
// multiplied, because pairs of labels are not independent of each other.
type observation struct {
	together bool
	weight   float64
	inflate  float64
}

// labelInflation is the factor of the variance of a mean over labelled rows, each
// compared with so many others: with one other each pair is counted twice, with
// many each row has a part in all.
func labelInflation(others int) float64 { return 4 - 2/float64(max(1, others)) }

// observationsOf lists what candidates are judged by: fold by fold the pairs,
// then the labels, two observations each. One of weight 0 says nothing: the label is
// alone in its class, or all labels of the fold are of that class.
//
// A held-out label is compared with those of its own fold only. Compared with a
// label of the training part, a fit that obeys wrong labels would seem right.
func observationsOf(folds []Fold) (out []observation) {
	for _, f := range folds {
		for _, p := range f.Pairs {
			out = append(out, observation{p.Together, p.Weight, 1})
		}
		size := f.classSizes()
		for _, l := range f.Labels {
			together, apart := size[l.Class] > 1, len(f.Labels) > size[l.Class]
			out = append(out, observation{true, weightIf(together), labelInflation(size[l.Class] - 1)},
				observation{false, weightIf(apart), labelInflation(len(f.Labels) - size[l.Class])})
		}
	}
	return out
}

func weightIf(counts bool) float64 {
	if counts {
		return 1
	}
	return 0
}

// classSizes counts the held-out labels by class.
func (f *Fold) classSizes() map[int]int {
	size := map[int]int{}
	for _, l := range f.Labels {
		size[l.Class]++
	}
	return size
}

// judge returns how far labels agree with each observation of a fold, from 0 to 1.
func (f *Fold) judge(labels []int) (right []float64) {
	for _, p := range f.Pairs {
		right = append(right, weightIf((labels[p.I] == labels[p.J]) == p.Together))
	}
	size := f.classSizes()
	inCluster, inBoth := map[int]int{}, map[[2]int]int{} // held-out labels, by cluster, and by class and cluster
	for _, l := range f.Labels {
		inCluster[labels[l.I]]++
		inBoth[[2]int{l.Class, labels[l.I]}]++
	}
	for _, l := range f.Labels {
		same, all := inBoth[[2]int{l.Class, labels[l.I]}]-1, inCluster[labels[l.I]]-1
		others, outside := size[l.Class]-1, len(f.Labels)-size[l.Class]
		right = append(right, float64(same)/float64(max(1, others)), 1-float64(all-same)/float64(max(1, outside)))
	}
	return right
}

// An estimate is a mean with its variance.
type estimate struct{ mean, variance float64 }

// balanced returns the balanced mean of values, one for each observation: the mean
// of the means over must-links and over cannot-links, each as if one more
// observation had disagreed.
func balanced(values []float64, obs []observation) estimate {
	var sum estimate
	kinds := 0.0
	for _, together := range []bool{true, false} {
		weight, mean, count := 0.0, 0.0, 0.0
		for i, o := range obs {
			if o.together == together && o.weight > 0 {
				weight += o.weight
				mean += o.weight * values[i]
				count++
			}
		}
		if count == 0 {
			continue
		}
		mean /= weight
		variance := 0.0
		for i, o := range obs {
			if o.together == together && o.weight > 0 {
				d := values[i] - mean
				variance += o.inflate * o.weight * o.weight * d * d
			}
		}
		variance = variance/(weight*weight) + 1/(count*count)
		sum.mean += mean
		sum.variance += variance
		kinds++
	}
	if kinds == 0 {
		return estimate{0, math.Inf(1)}
	}
	return estimate{sum.mean / kinds, sum.variance / (kinds * kinds)}
}

// priorDeviation is the standard deviation of the prior on the true difference
// of two balanced accuracies, whose mean is 0.
const priorDeviation = 0.1

// probabilityBetter returns the probability that a is more accurate than b, by
// their agreement with the same observations.
func probabilityBetter(a, b []float64, obs []observation) float64 {
	difference := make([]float64, len(a))
	for i := range a {
		difference[i] = a[i] - b[i]
	}
	d := balanced(difference, obs)
	if math.IsInf(d.variance, 1) {
		return 0.5
	}
	const prior = priorDeviation * priorDeviation
	z := d.mean * priorDeviation / math.Sqrt(d.variance*(prior+d.variance))
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}
