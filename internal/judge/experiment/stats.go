package experiment

import "math"

// A Mean is that of N numbers, with its standard error: the standard deviation
// (n−1) over √n. Of no numbers the mean is NaN, of fewer than two the error.
type Mean struct {
	N        int
	Mean, SE float64
}

func meanOf(y []float64) Mean {
	m := Mean{N: len(y), Mean: math.NaN(), SE: math.NaN()}
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
		d := v - m.Mean
		square += float64(d * d)
	}
	m.SE = math.Sqrt(square / float64(m.N-1) / float64(m.N))
	return m
}

// A Comparison is of one method with the first, paired: differences are those
// of fits with the same fold, the same constraints and the same start.
type Comparison struct {
	Difference Mean
	// T and P are of Student's t-test of the differences, two-sided. It takes
	// the folds for independent, which they are not: they share most of their
	// rows, so P is too small.
	T, P float64
	// Corrected is P with the variance of the mean taken as (1/n + 1/(folds−1))
	// times that of a difference, for training parts that overlap (Nadeau and
	// Bengio 2003). It errs on the other side.
	Corrected float64
	// How often the method was better than the first, equal, and worse, and P
	// of the two-sided sign test of that.
	Better, Equal, Worse int
	Sign                 float64
}

// compare compares the scores y with the scores x of the first method.
func compare(y, x []float64, folds int) Comparison {
	var c Comparison
	d := make([]float64, len(x))
	for i := range d {
		switch {
		case same(y[i], x[i]):
			c.Equal++
			continue // only a rounding error
		case y[i] > x[i]:
			c.Better++
		default:
			c.Worse++
		}
		d[i] = y[i] - x[i]
	}
	c.Difference = meanOf(d)
	if same(c.Difference.SE, 0) {
		c.Difference.SE = 0
	}
	c.T, c.P = tTest(c.Difference, 1)
	overlap := 0.0 // of training parts; without folds there is none
	if folds > 1 {
		overlap = float64(len(d)) / float64(folds-1)
	}
	_, c.Corrected = tTest(c.Difference, math.Sqrt(1+overlap))
	c.Sign = signTest(c.Better, c.Worse)
	return c
}

// tTest returns Student's t of a mean whose standard error is to be multiplied
// by wider, and the two-sided probability of one so far from 0. They are NaN
// without a standard error; a standard error of 0 leaves no doubt.
func tTest(m Mean, wider float64) (t, p float64) {
	switch {
	case m.N < 2:
		return math.NaN(), math.NaN()
	case m.SE == 0 && m.Mean == 0:
		return 0, 1
	case m.SE == 0:
		return math.Inf(int(math.Copysign(1, m.Mean))), 0
	}
	t = m.Mean / (m.SE * wider)
	return t, studentTail(math.Abs(t), float64(m.N-1))
}

// studentTail returns P(|T| > t) for df degrees of freedom: the regularised
// incomplete beta function at df/(df+t²) with parameters df/2 and 1/2.
func studentTail(t, df float64) float64 {
	square := float64(t * t)
	x, y := df/(df+square), square/(df+square) // x + y = 1, without the loss of 1 − x
	a, b := df/2, 0.5
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - lb + a*math.Log(x) + b*math.Log(y))
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(a, b, x) / a
	}
	return 1 - front*betaFraction(b, a, y)/b
}

// betaFraction is the continued fraction of the incomplete beta function,
// evaluated by the method of Lentz. It converges in a few steps for x below
// (a+1)/(a+b+2).
func betaFraction(a, b, x float64) float64 {
	const least = 1e-300
	guard := func(v float64) float64 {
		if math.Abs(v) < least {
			return least
		}
		return v
	}
	c, d := 1.0, 1/guard(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m <= 500; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/guard(1+even*d), guard(1+even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/guard(1+odd*d), guard(1+odd/c)
		f *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return f
}

// signTest returns the two-sided probability that fair coins fall at least so
// unevenly; without any coin it is 1.
func signTest(heads, tails int) float64 {
	n, few := heads+tails, min(heads, tails)
	total, _ := math.Lgamma(float64(n + 1))
	p := 0.0
	for i := range few + 1 {
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		p += math.Exp(total - a - b - float64(float64(n)*math.Ln2))
	}
	return min(1, 2*p)
}
