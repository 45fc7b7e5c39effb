package simd

import (
	"fmt"
	"math"
)

// Springs draw points on a plane to others.
type Springs struct {
	start []int32
	to    []int32
	w     []float32
}

// FourSprings is the number of which those of a point are a multiple: those that are missing have weight 0.
const FourSprings = 4

// NewSprings keeps springs: point i has those to to[q] with weight w[q] for start[i] ≤ q < start[i+1].
func NewSprings(start, to []int32, w []float32) *Springs {
	n := len(start) - 1
	if start[0] != 0 || int(start[n]) != len(to) || len(to) != len(w) {
		panic("simd: the points do not have all springs")
	}
	for i := range n {
		if d := start[i+1] - start[i]; d < 0 || d%FourSprings != 0 {
			panic(fmt.Sprintf("simd: point %d has %d springs", i, d))
		}
	}
	for _, j := range to { // the kernels do not look
		if j < 0 || int(j) >= n {
			panic(fmt.Sprintf("simd: a spring to point %d of %d", j, n))
		}
	}
	return &Springs{start: start, to: to, w: w}
}

// Pull sets pull to the sums, for points lo to hi, of w/u (near + far √u) times the difference of their place from that of each
// other, u = 1 + its square. Places and pulls are pairs of numbers, point by point. The sums are kept in four parts; nothing is
// fused, so the bits are the same at every level.
func (s *Springs) Pull(pull, place []float64, near, far float64, lo, hi int) {
	n := len(s.start) - 1
	pull, place = pull[:2*n], place[:2*n]
	if lo >= hi {
		return
	}
	f := [2]float64{near, far}
	if start := s.start[lo : hi+1]; len(s.to) > 0 && vectorised() {
		pull, own := pull[2*lo:2*hi], place[2*lo:2*hi]
		pullv(&pull[0], &own[0], &place[0], &start[0], &s.to[0], &s.w[0], hi-lo, &f[0])
		return
	}
	for i := lo; i < hi; i++ {
		var ax, ay [FourSprings]float64
		x, y := place[2*i], place[2*i+1]
		for q := s.start[i]; q < s.start[i+1]; q++ {
			j := s.to[q]
			dx, dy := x-place[2*j], y-place[2*j+1]
			u := 1 + float64(dx*dx) + float64(dy*dy)
			k := float64(s.w[q]) / u * (near + float64(far*math.Sqrt(u)))
			ax[q%FourSprings] += float64(k * dx)
			ay[q%FourSprings] += float64(k * dy)
		}
		pull[2*i], pull[2*i+1] = (ax[0]+ax[2])+(ax[1]+ax[3]), (ay[0]+ay[2])+(ay[1]+ay[3])
	}
}
