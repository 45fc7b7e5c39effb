package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestMargin compares the scores of the kernels with those of exact arithmetic:
// none may be off by more than half of need, also where roundings all go one
// way. It fails, too, if the margin is so wide that no error comes near it.
func TestMargin(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		if Force(level) == Plain {
			t.Skip("no scores at this level")
		}
		r := rand.New(rand.NewPCG(21, 22))
		most := 0.0
		for name, draw := range map[string]func() float64{
			"normal":   r.NormFloat64,
			"positive": func() float64 { return 1 + r.Float64() },
			"one way":  func() float64 { return 1 + 0x1p-24 + 0x1p-30 }, // rounds down in float32
			"spread":   func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(40)-20) },
			"sparse":   func() float64 { return float64(r.IntN(30) / 29) },
		} {
			for _, d := range []int{1, 2, 7, 33, 200, 500} {
				n, k := 20, 12
				if testing.Short() && d > 33 {
					n = 3
				}
				x, c := make([]float64, n*d), make([]float64, k*d)
				for i := range x {
					x[i] = draw()
				}
				for i := range c {
					c[i] = draw() * float64(1+i/d%3)
				}
				p := Pack(k, d, c)
				if s := scorerOf[float64](p); s.ok {
					worst := max(scoreError(p, s, x), intError(p, s, x))
					most = max(most, worst)
					if worst > 0.5 {
						t.Errorf("%s, d %d: score off by %.3f of need", name, d, worst)
					}
				}
			}
		}
		t.Logf("the worst score is off by %.3f of need", most)
		if most < 0.02 {
			t.Error("the margin is far too wide")
		}
	})
}

// scoreError returns the largest error of the best and second best scores, in
// float32 and in float64, as a share of need.
func scoreError(p *Centres, s *scorer[float64], x []float64) (worst float64) {
	var single scratch[float32]
	var double scratch[float64]
	rows := chunk(p.level, p.d)
	panels, _ := p.doublePanels()
	for i := 0; i < len(x); i += p.d {
		row := x[i : i+p.d]
		exact := exactScores(p, s, row)
		single.reserve(p, &s.panels, rows)
		shift(p.level, row, p.d, s, &single)
		need := single.need[0]
		single.scoreRows(p, &s.panels, 1, true, 0, 0)
		worst = max(worst, math.Abs(float64(single.best[0])-exact[0])/float64(need),
			math.Abs(float64(single.second[0])-exact[1])/float64(need))
		double.reserve(p, panels, rows)
		norm := shiftRow(row, s.offset, s.scale, double.z[:p.d])
		double.need[0] = p.doubled.need(norm)
		double.scoreRows(p, panels, 1, true, 0, 0)
		// Exact scores are rounded to float64 here, which costs as much again
		// as one step of the kernel.
		worst = max(worst, math.Abs(double.best[0]-exact[0])/double.need[0],
			math.Abs(double.second[0]-exact[1])/double.need[0])
	}
	return worst
}

// intError is scoreError for scores in integers, with all rows in one
// chunk, so that the longest decides on the unit.
func intError(p *Centres, s *scorer[float64], x []float64) (worst float64) {
	if !s.integerCentres(p).ok {
		return 0
	}
	n, stride := len(x)/p.d, intStride(p.d)
	var single scratch[float32]
	var t intScratch
	rows := intChunk(p.level, p.d)
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		single.reserve(p, &s.panels, rows)
		t.reserve(rows, stride)
		shift(p.level, x[lo*p.d:hi*p.d], p.d, s, &single)
		step := t.scoreRows(p, s.integerCentres(p), &single, hi-lo, stride, 0, 0)
		for i := range hi - lo {
			if !(single.norm[i] < step.limit) {
				if t.label[i] >= 0 {
					return math.Inf(1) // must not be proven
				}
				continue
			}
			exact := exactScores(p, s, x[(lo+i)*p.d:(lo+i+1)*p.d])
			unit := 2 * step.both
			need := unit * float64(t.need[i])
			worst = max(worst, math.Abs(unit*float64(t.best[i])-exact[0])/need,
				math.Abs(unit*float64(t.second[i])-exact[1])/need)
		}
	}
	return worst
}

// TestIntegerScoresAreSharp fails if scores in integers have so wide a margin that
// no error comes near it: they would prove less than they could.
func TestIntegerScoresAreSharp(t *testing.T) {
	if Highest() < VNNI {
		t.Skip("no scores in integers on this machine")
	}
	r := rand.New(rand.NewPCG(23, 24))
	most := 0.0
	for _, d := range []int{4, 5, 8, 16} {
		c, x := normal(r, 12*d), normal(r, 400*d)
		p := Pack(12, d, c)
		most = max(most, intError(p, scorerOf[float64](p), x))
	}
	t.Logf("the worst score is off by %.3f of need", most)
	if most < 0.05 {
		t.Error("the margin is far too wide")
	}
}

// exactScores returns the two smallest σ²(‖c − o‖² − 2(x−o)·(c−o)), worked out
// with 400 bits.
func exactScores(p *Centres, s *scorer[float64], row []float64) (two [2]float64) {
	number := func(y float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(y) }
	two = [2]float64{math.Inf(1), math.Inf(1)}
	for h := range p.k {
		if p.duplicate != nil && p.duplicate[h] {
			continue
		}
		sum := number(0)
		for f := range p.d {
			e := number(p.c[h*p.d+f])
			e.Sub(e, number(s.offset[f]))
			y := number(row[f])
			y.Sub(y, number(s.offset[f]))
			y.Add(y, y)
			term := number(0).Sub(e, y) // e² − 2ye = e(e − 2y)
			sum.Add(sum, term.Mul(term, e))
		}
		sum.Mul(sum, number(s.scale))
		sum.Mul(sum, number(s.scale))
		switch v, _ := sum.Float64(); {
		case v < two[0]:
			two[0], two[1] = v, two[0]
		case v < two[1]:
			two[1] = v
		}
	}
	return two
}
