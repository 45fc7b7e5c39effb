package spectral

import (
	"math"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/internal/method/spectral/cuttest"
)

// line is points on a line.
func line(x ...float64) *Embedding { return NewEmbedding([][]float64{x}) }

func TestFarthestRows(t *testing.T) {
	if got := line(0, 1, 2, 10, 4).farthestRows(t.Context(), 3).C; !slices.Equal(got, []float64{0, 10, 4}) {
		t.Errorf("centres %v, want 0, 10 and, 4 away from both, 4", got)
	}
	if got := line(3, 3, 3).farthestRows(t.Context(), 2).C; !slices.Equal(got, []float64{3, 3}) {
		t.Errorf("centres %v of equal rows", got)
	}
}

func TestKMeansFromGoesOnWithOtherClusters(t *testing.T) {
	e := &cluster.Env{Rand: cuttest.Rand(1), Workers: 1}
	got, err := line(0, 1, 2, 10, 11, 12).kmeansFrom(background, []int{1, 1, 1, 1, 0, 0}, 2, e)
	if err != nil || !slices.Equal(got, []int{1, 1, 1, 0, 0, 0}) {
		t.Errorf("clusters %v (%v)", got, err)
	}
}

// Of all starts that one counts whose clusters have the lowest objective, and no more
// are made when they bring nothing.
func TestKMeansChoosesByObjective(t *testing.T) {
	x := make([]float64, 60)
	for i := range x {
		x[i] = float64(i % 3 * (10 + i%7))
	}
	p, least, calls := line(x...), math.Inf(1), 0
	value := func(of []int) float64 {
		s := 0.0
		for i, h := range of {
			if h == of[(i*i+7)%len(of)] {
				s++
			}
		}
		return s
	}
	got, err := p.KMeans(background, 4, 40, &cluster.Env{Rand: cuttest.Rand(2), Workers: 1}, func(of []int) float64 {
		calls++
		y := value(of)
		least = min(least, y)
		return y
	})
	if err != nil || value(got) != least {
		t.Errorf("objective %v, the lowest of %d starts is %v (%v)", value(got), calls, least, err)
	}
	calls = 0
	if _, err := p.KMeans(background, 4, 40, &cluster.Env{Rand: cuttest.Rand(2), Workers: 1}, func([]int) float64 { calls++; return 1 }); err != nil || calls != 1+idleStarts(40) {
		t.Errorf("%d starts that are all the same, want %d (%v)", calls, 1+idleStarts(40), err)
	}
}
