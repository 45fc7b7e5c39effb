package affinity

import "math"

// roots holds 2^(j/64). It is made of square roots and products, which are
// rounded alike everywhere.
var roots = func() (t [64]float64) {
	t[0] = 1
	r := 2.0
	for step := 32; step > 0; step /= 2 {
		r = math.Sqrt(r)
		for j := 0; j < 64; j += 2 * step {
			t[j+step] = t[j] * r
		}
	}
	return t
}()

// ln 2/64 in two parts, the first of few enough bits that its product with any
// k below is exact.
const (
	perStep   = 64 / math.Ln2
	stepHigh  = 6.93147180369123816490e-01 / 64
	stepLow   = 1.90821492927058770002e-10 / 64
	vanishing = -745.2 // eˣ is 0 from here on down
)

// exp returns eˣ for x ≤ 0, within a few units of the last digit and with the
// same bits on every machine, which math.Exp does not promise. With
// x = k·ln2/64 + r it is 2^(k/64)·eʳ, |r| ≤ ln2/128, eʳ by five terms.
func exp(x float64) float64 {
	if !(x > vanishing) {
		return 0
	}
	k := int(float64(x*perStep) - 0.5) // towards zero, and x ≤ 0: the nearest
	r := (x - float64(float64(k)*stepHigh)) - float64(float64(k)*stepLow)
	p := 1.0/24 + float64(r*(1.0/120))
	p = 1.0/6 + float64(r*p)
	p = 0.5 + float64(r*p)
	p = r + float64(float64(r*r)*p)
	t := roots[k&63]
	t += float64(t * p)
	e := k >> 6
	if e < -1021 {
		return math.Ldexp(t, e)
	}
	return t * math.Float64frombits(uint64(e+1023)<<52)
}
