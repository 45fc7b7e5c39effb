package main

import "math"

// A mean is one of several numbers, with its standard error: the standard
// deviation (n−1) over √n. Of fewer than two numbers the error is NaN.
type mean struct {
	N        int
	Mean, SE float64
}

func meanOf(y []float64) mean {
	m := mean{N: len(y), Mean: math.NaN(), SE: math.NaN()}
	if m.N == 0 {
		return m
	}
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	m.Mean = sum / float64(m.N)
	if m.N == 1 {
		return m
	}
	square := 0.0
	for _, v := range y {
		square += (v - m.Mean) * (v - m.Mean)
	}
	m.SE = math.Sqrt(square / float64(m.N-1) / float64(m.N))
	return m
}

// p returns the two-sided probability, by Student's t, of a mean at least this
// far from 0 if it were 0. It is NaN without a standard error.
func (m mean) p() float64 {
	switch {
	case math.IsNaN(m.SE):
		return math.NaN()
	case m.SE == 0 && m.Mean == 0:
		return 1
	case m.SE == 0:
		return 0
	}
	return studentTail(math.Abs(m.Mean/m.SE), float64(m.N-1))
}

// studentTail returns P(|T| > t) for df degrees of freedom. With t = √df·tan θ
// the density becomes cos^(df−1) θ, which Simpson's rule adds up.
func studentTail(t, df float64) float64 {
	const steps = 2000
	from := math.Atan(t / math.Sqrt(df))
	f := func(a float64) float64 { return math.Pow(max(0, math.Cos(a)), df-1) }
	integral := func(lo, hi float64) float64 {
		h, s := (hi-lo)/steps, f(lo)+f(hi)
		for i := 1; i < steps; i++ {
			s += f(lo+float64(i)*h) * float64(2+2*(i%2))
		}
		return s * h / 3
	}
	return integral(from, math.Pi/2) / integral(0, math.Pi/2)
}
