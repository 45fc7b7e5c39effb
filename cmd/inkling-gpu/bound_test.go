package main

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// toHalf rounds to half precision, ties to even; beyond its range it is infinite.
func toHalf(y float64) float64 {
	if y == 0 {
		return y
	}
	_, e := math.Frexp(y)
	unit := math.Ldexp(1, max(e-11, -24))
	if h := math.RoundToEven(y/unit) * unit; math.Abs(h) < 65520 {
		return h
	}
	return math.Inf(int(math.Copysign(1, y)))
}

// step is one multiplication of tensor cores as badly as the bound allows: each term is cut, in the direction that
// harms, at 2^-23 of the largest, and so is the result.
func step(sum float64, products []float64, up bool) float64 {
	largest := math.Abs(sum)
	for _, p := range products {
		largest = max(largest, math.Abs(p))
	}
	cut := func(y, of float64) float64 {
		if of == 0 {
			return y
		}
		_, e := math.Frexp(of)
		unit := math.Ldexp(1, e-1-23)
		if up {
			return math.Ceil(y/unit) * unit
		}
		return math.Floor(y/unit) * unit
	}
	s := cut(sum, largest)
	for _, p := range products {
		s += cut(p, largest)
	}
	return cut(s, s)
}

// TestBound compares scores, with every rounding as bad as the proof allows, with exact arithmetic: they differ by no
// more than the bound of common.h.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	closest := 0.0
	for trial := range 400 {
		d, k := 1+r.IntN(200), 1+r.IntN(6)
		chunks := (d + chunkLen - 1) / chunkLen
		spread := math.Ldexp(1, r.IntN(16)-8)
		y, e := make([]float64, d), make([][]float64, k)
		for f := range y {
			y[f] = 32 * r.NormFloat64() * math.Pow(spread, r.Float64())
		}
		for h := range e {
			e[h] = make([]float64, d)
			for f := range y {
				e[h][f] = 32 * r.NormFloat64() / 3
				if trial%3 == 0 {
					e[h][f] = y[f] + r.NormFloat64()
				}
			}
		}
		var z2, off2, E, rest, G float64
		z := make([]float64, d)
		for f, v := range y {
			z[f] = toHalf(v)
			z2 += z[f] * z[f]
			off2 += (v - z[f]) * (v - z[f])
		}
		g := make([][]float64, k)
		for h := range e {
			var e2, rest2, g2 float64
			g[h] = make([]float64, d)
			for f, v := range e[h] {
				g[h][f] = toHalf(v)
				e2 += v * v
				rest2 += (v - g[h][f]) * (v - g[h][f])
				g2 += g[h][f] * g[h][f]
			}
			E, rest, G = max(E, math.Sqrt(e2)), max(rest, math.Sqrt(rest2)), max(G, math.Sqrt(g2))
		}
		const up = 1 + 0x1p-22 // norms are rounded up
		Z, off := up*math.Sqrt(z2), up*math.Sqrt(off2)
		E, rest, G = up*E, up*rest, up*G
		if Z > 64*E {
			continue // nothing is claimed
		}
		Q := math.Exp2(math.Ceil(math.Log2(1.01*(E*E+2*Z*G)+1e-30)) - 20)
		bound := 2*(off*E+Z*rest) + 18*0x1p-23*float64(chunks*chunkLen/16)*(2*Z*G) + Q
		for h := range e {
			exact, norm := new(big.Rat), 0.0
			for f, v := range e[h] {
				a, b := new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(y[f])
				exact.Add(exact, new(big.Rat).Mul(a, new(big.Rat).Sub(a, b.Mul(b, big.NewRat(2, 1)))))
				norm += v * v
			}
			truth, _ := exact.Float64()
			for _, up := range []bool{false, true} {
				sum := 0.0
				for lo := 0; lo < d; lo += 16 {
					var products []float64
					for f := lo; f < min(d, lo+16); f++ {
						products = append(products, -2*g[h][f]*z[f])
					}
					sum = step(sum, products, up)
				}
				lifted := float32(norm + 0x1.8p23*Q)
				v := float64(float32(sum)+lifted) - 0x1.8p23*Q
				if math.Abs(v) > 0x1p20*Q*(1+0x1p-10) {
					t.Fatalf("trial %d: a score of %g leaves the range of units of %g", trial, v, Q)
				}
				closest = max(closest, math.Abs(v-truth)/bound)
				if math.Abs(v-truth) > bound*1.0000001 {
					t.Fatalf("trial %d: a score errs by %g, more than %g", trial, math.Abs(v-truth), bound)
				}
			}
		}
	}
	t.Logf("the largest error was %.2f of the bound", closest)
	if closest < .05 {
		t.Errorf("the largest error was %.2f of the bound: the trials are too easy", closest)
	}
}
