package choose

import (
	"math"

	"github.com/inklinghq/inkling/constraint"
)

// An observation is a held-out pair, or what a held-out label says of the pairs
// of its row: the kind, what it counts, and by how much its variance has to be
// multiplied, because pairs of labels are not independent of each other.
type observation struct {
	together bool
	weight   float64
	inflate  float64
}

// labelInflation is the factor of the variance of a mean over labelled rows, each
// compared with all others: every row is compared twice.
const labelInflation = 4

// observationsOf lists what candidates are judged by: fold by fold the pairs,
// then the labels, two observations each. Labels alone in their class, or of the
// only class, have one.
func observationsOf(folds []Fold, all *constraint.Set) (out []observation) {
	size, total := classSizes(all)
	for _, f := range folds {
		for _, p := range f.Pairs {
			out = append(out, observation{p.Together, p.Weight, 1})
		}
		for _, l := range f.Labels {
			together := size[l.Class] > 1
			apart := total > size[l.Class]
			out = append(out, observation{true, weightIf(together), labelInflation}, observation{false, weightIf(apart), labelInflation})
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

// classSizes counts the rows with labels of one class, by class and in all.
func classSizes(s *constraint.Set) (size map[int]int, total int) {
	size = map[int]int{}
	for _, c := range singleClasses(s) {
		size[c]++
		total++
	}
	return size, total
}

// judge returns how far labels agree with each observation of a fold, from 0 to 1.
func (f *Fold) judge(labels []int, class map[int]int, size map[int]int, total int) (right []float64) {
	for _, p := range f.Pairs {
		right = append(right, weightIf((labels[p.I] == labels[p.J]) == p.Together))
	}
	if len(f.Labels) == 0 {
		return right
	}
	inCluster, inBoth := map[int]int{}, map[[2]int]int{} // labelled rows, by cluster, and by class and cluster
	for i, c := range class {
		inCluster[labels[i]]++
		inBoth[[2]int{c, labels[i]}]++
	}
	for _, l := range f.Labels {
		same, all := inBoth[[2]int{l.Class, labels[l.I]}]-1, inCluster[labels[l.I]]-1
		others, outside := size[l.Class]-1, total-size[l.Class]
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
