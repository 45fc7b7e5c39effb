package metric

import (
	"math"

	"github.com/inklinghq/inkling/cluster/data"
)

// The Bregman divergences.
const (
	KL           = "kl"            // I-divergence of rows that are brought to sum 1
	IDivergence  = "i-divergence"  // Σ x log(x/μ) − x + μ
	ItakuraSaito = "itakura-saito" // Σ x/μ − log(x/μ) − 1
)

var (
	klDistance           = Distance{Name: KL, Weighed: true, New: newBregman(KL, iPart)}
	iDivergenceDistance  = Distance{Name: IDivergence, Weighed: true, AsGiven: true, New: newBregman(IDivergence, iPart)}
	itakuraSaitoDistance = Distance{Name: ItakuraSaito, Weighed: true, AsGiven: true, New: newBregman(ItakuraSaito, isPart)}
)

func newBregman(name string, part func(x, c float64) float64) func(floor float64) Divergence {
	return func(floor float64) Divergence { return &bregman{name: name, floor: floor, part: part} }
}

// bregman is a divergence that is a sum over features of a Bregman divergence of
// numbers. The centre of points is their mean, whatever the weights (Banerjee,
// Merugu, Dhillon and Ghosh 2004), or the floor where that is more: a divergence
// of numbers rises on either side of the mean, so the nearest allowed centre is
// the best.
type bregman struct {
	name  string
	floor float64
	part  func(x, c float64) float64
}

// iPart returns x log(x/c) − x + c, with 0 log 0 = 0; c > 0.
func iPart(x, c float64) float64 {
	if x == 0 {
		return c
	}
	t := (x - c) / c
	if math.Abs(t) < 1e-4 { // where the terms cancel out
		return c * t * t * (0.5 - t/6 + t*t/12)
	}
	return max(0, x*math.Log(x/c)-x+c)
}

// isPart returns x/c − log(x/c) − 1; x, c > 0.
func isPart(x, c float64) float64 {
	t := (x - c) / c
	if math.Abs(t) < 1e-4 {
		return t * t * (0.5 - t/3 + t*t/4)
	}
	return max(0, t-math.Log(x/c))
}

func (b *bregman) Name() string { return b.name }

func (b *bregman) Check(x data.Rows) error {
	least := "at least 0"
	if b.name == ItakuraSaito {
		least = "above 0"
	}
	buf := make([]float64, x.Dim())
	for i := range x.Len() {
		v, sum := x.Row(i, buf), 0.0
		for p, y := range v.Val {
			f := v.Feature(p)
			if b.name == ItakuraSaito && f != p {
				return &DomainError{b.name, i, p, 0, least}
			}
			if !(y >= 0) || math.IsInf(y, 0) || y == 0 && b.name == ItakuraSaito {
				return &DomainError{b.name, i, f, y, least}
			}
			sum += y
		}
		switch {
		case b.name == ItakuraSaito && len(v.Val) < x.Dim():
			return &DomainError{b.name, i, len(v.Val), 0, least}
		case b.name == KL && !(sum > 0 && data.Finite(sum)):
			return &DomainError{b.name, i, -1, sum, "above 0"}
		}
	}
	return nil
}

func (b *bregman) Prepare(v data.Vec, buf []float64) data.Vec {
	if b.name != KL {
		return v
	}
	sum := 0.0
	for _, y := range v.Val {
		sum += y
	}
	if !(sum > 0) {
		return v
	}
	buf = buf[:len(v.Val)]
	for p, y := range v.Val {
		buf[p] = y / sum
	}
	return data.Vec{Idx: v.Idx, Val: buf}
}

// clampCentre returns what a centre holds at least.
func (b *bregman) clampCentre(c float64) float64 { return max(c, b.floor) }

func (b *bregman) FromCentre(v data.Vec, c, a []float64, rest float64) (s float64) {
	if v.Idx == nil {
		for f, y := range v.Val {
			s += float64(weightAt(a, f) * b.part(y, b.clampCentre(c[f])))
		}
		return s
	}
	for p, f := range v.Idx {
		m := b.clampCentre(c[f])
		s += float64(weightAt(a, int(f)) * (b.part(v.Val[p], m) - b.fromZero(m)))
	}
	return max(0, rest+s)
}

// fromZero returns the divergence of 0 from c, which only the I-divergence has.
func (b *bregman) fromZero(c float64) float64 {
	if b.name == ItakuraSaito {
		return 0 // no row that passed Check lacks a feature
	}
	return c
}

func (b *bregman) CentreTerm(c, a []float64) (s float64) {
	for f, m := range c {
		s += float64(weightAt(a, f) * b.fromZero(b.clampCentre(m)))
	}
	return s
}

func (b *bregman) Centre(sum []float64, mass float64) {
	for f := range sum {
		sum[f] = b.clampCentre(sum[f] / mass)
	}
}

// Gap returns the roots of D_f(x, m) + D_f(y, m), m being the middle of x and y:
// the symmetric form that the HMRF papers use for pairs.
func (b *bregman) Gap(x, y data.Vec) data.Vec {
	g := data.Vec{Val: []float64{}}
	if x.Idx != nil || y.Idx != nil {
		g.Idx = []int32{}
	}
	eachFeature(x, y, func(f int, u, v float64) {
		d := 0.0
		if m := u/2 + v/2; m > 0 {
			d = b.part(u, m) + b.part(v, m)
		}
		if g.Idx != nil {
			g.Idx = append(g.Idx, int32(f))
		}
		g.Val = append(g.Val, math.Sqrt(d))
	})
	return g
}
