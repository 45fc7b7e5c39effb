package simd

import "math"

// A Sieve rules out rows that are too far: it holds n rows of d features in single precision, less a centre, in panels of
// PanelRows, and never rules out a row that is not too far.
//
// A row x less the centre, rounded, errs by at most 2⁻²⁴‖x−centre‖, and by 2⁻⁵²(‖x‖+‖centre‖) before that; so the distance of two
// rounded rows exceeds that of the rows by at most margin. Its square, d terms that are not negative in four chains, is
// computed with a relative error of at most (d+16)·2⁻²⁴.
type Sieve struct {
	d      int
	v      []float32
	centre []float64
	margin float64
	excess float64 // what squares as computed exceed squares by at most, as a factor
}

// NewSieve makes room for n rows. No row, and no row that is compared, is farther than radius from the centre or than length from the
// origin. It returns nil where single precision does not reach so far, or would rule out nothing.
func NewSieve(n int, centre []float64, radius, length float64) *Sieve {
	d := len(centre)
	if !(radius > 1e-10 && radius < 1e15) || length > 1e6*radius || d > 1<<16 {
		return nil
	}
	s := &Sieve{d: d, v: aligned[float32]((n + PanelRows - 1) / PanelRows * PanelRows * d), centre: centre,
		margin: 0x1p-22*radius + 0x1p-49*length, excess: 1 + float64(d+64)*0x1p-24}
	for i := range s.v {
		s.v[i] = float32(math.NaN())
	}
	return s
}

// Round writes x in single precision to dst.
func (s *Sieve) Round(x []float64, dst []float32) {
	for f, y := range x {
		dst[f] = float32(y - s.centre[f])
	}
}

// Set copies x to row i. Calls for different rows may run at the same time.
func (s *Sieve) Set(i int, x []float64) {
	at := i/PanelRows*PanelRows*s.d + i%PanelRows
	for f, y := range x {
		s.v[at] = float32(y - s.centre[f])
		at += PanelRows
	}
}

// Limit returns what Near needs for rows within radius.
func (s *Sieve) Limit(radius float64) float32 {
	radius += s.margin
	return float32(radius * radius * s.excess)
}

// Near sets the bits of the rows of a panel that may be within the radius of limit of a row that Round has written.
func (s *Sieve) Near(x []float32, panel int, limit float32) uint16 {
	var mask [1]uint16
	v := s.v[panel*PanelRows*s.d : (panel+1)*PanelRows*s.d]
	columnsSieve(level, x[:s.d], v, limit, mask[:])
	return mask[0]
}

func plainColumnsSieve(x, v []float32, limit float32, mask []uint16) {
	var m uint16
	for j := range PanelRows {
		var s float32
		at := j
		for _, y := range x {
			e := y - v[at]
			s += float32(e * e)
			at += PanelRows
		}
		if s <= limit {
			m |= 1 << j
		}
	}
	mask[0] = m
}
