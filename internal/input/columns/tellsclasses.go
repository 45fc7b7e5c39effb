package columns

import (
	"math"
	"slices"

	"github.com/inklinghq/inkling/internal/input/dataio"
)

// testQuantile is that of the normal distribution at 99 %.
const testQuantile = 2.326

// Significant reports whether a chi-squared statistic with so many degrees of freedom is above its quantile at 99 %: the
// cube root of chi²/f is nearly normal (Wilson and Hilferty, Proc. Natl. Acad. Sci. 17, 1931).
func Significant(chi, free float64) bool {
	if free < 1 {
		return false
	}
	v := 2 / (9 * free)
	return (math.Cbrt(chi/free)-(1-v))/math.Sqrt(v) > testQuantile
}

// TellsClasses reports whether the values of a column differ between known classes, by row, below 0 where none is known:
// those of a category by the test of Pearson, numbers and dates by the ranks of Kruskal and Wallis, at 1 %.
func (c *Column) TellsClasses(ds *dataio.Dataset, class []int) bool {
	v := c.Spec.ValuesOf(ds, c.At)
	if v.Numbers != nil {
		return ranksDiffer(v.Numbers, class)
	}
	return sharesDiffer(v.Texts, class)
}

// sharesDiffer is Pearson's test; a missing cell is a level.
func sharesDiffer(texts []string, class []int) bool {
	type cell struct {
		level string
		class int
	}
	count, level, of, n := map[cell]float64{}, map[string]float64{}, map[int]float64{}, 0.0
	for i, c := range class {
		if c >= 0 {
			count[cell{texts[i], c}]++
			level[texts[i]]++
			of[c]++
			n++
		}
	}
	chi := -n // Σ (o − e)²/e = Σ o²/e − n
	for at, o := range count {
		chi += o * o * n / (level[at.level] * of[at.class])
	}
	return Significant(chi, float64((len(level)-1)*(len(of)-1)))
}

// ranksDiffer is the test of Kruskal and Wallis, with mean ranks for ties.
func ranksDiffer(values []float64, class []int) bool {
	var rows []int
	for i, c := range class {
		if c >= 0 && values[i] == values[i] {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	n := float64(len(rows))
	sum, of, ties := map[int]float64{}, map[int]float64{}, 0.0
	for lo := 0; lo < len(rows); {
		hi := lo
		for hi < len(rows) && values[rows[hi]] == values[rows[lo]] {
			hi++
		}
		t := float64(hi - lo)
		ties += t*t*t - t
		for _, i := range rows[lo:hi] {
			sum[class[i]] += float64(lo+hi+1) / 2
			of[class[i]]++
		}
		lo = hi
	}
	if n < 2 || ties >= n*n*n-n {
		return false
	}
	h := -3 * (n + 1)
	for c, s := range sum {
		h += 12 / (n * (n + 1)) * s * s / of[c]
	}
	return Significant(h/(1-ties/(n*n*n-n)), float64(len(of)-1))
}
