package simd

import (
	"fmt"
	"math"
	"sync"
	"unsafe"
)

// Centres are k centres of d features, packed for the level in force. They
// serve any number of goroutines.
type Centres struct {
	k, d      int
	c         []float64
	level     Level
	all       []int32 // 0 to k−1
	hasEqual  []bool  // centre h has an equal; nil: none has
	duplicate []bool  // an equal centre comes before h, which can never win

	once32, once64, onceDouble sync.Once
	from32                     scorer[float32]
	from64                     scorer[float64]
	double                     panels[float64]
	doubled                    margin
	pin32                      pinnedScorer[float32]
	pin64                      pinnedScorer[float64]
}

// A scorer is what scoring rows of one kind in float32 needs.
type scorer[T number] struct {
	ok       bool // false: the numbers leave the range in which the proof holds
	offset   []T
	scale    float64
	panels   panels[float32]
	margin   margin
	once     sync.Once // for what follows
	integers intCentres
}

// panels are centres times −2 in the order in which a kernel reads them: full
// panels of two registers of centres, then a half one or none; in each panel
// feature by feature. Lanes without a centre have the norm +Inf.
type panels[T number] struct {
	pan, norm  []T
	full, half int
}

// Pack prepares the k rows of c, of d numbers each. It keeps c, which must not
// change while the result is used.
func Pack(k, d int, c []float64) *Centres {
	if k < 1 || d < 1 || len(c) != k*d || k > math.MaxInt32 {
		panic(fmt.Sprintf("simd: %d values for %d centres of %d", len(c), k, d))
	}
	p := &Centres{k: k, d: d, c: c, level: level, all: make([]int32, k)}
	for h := range p.all {
		p.all[h] = int32(h)
	}
	p.findEqualCentres()
	return p
}

// findEqualCentres notes which centres are equal, by a hash of their bits.
func (p *Centres) findEqualCentres() {
	first := make(map[uint64]int, p.k)
	for h := range p.k {
		row := p.c[h*p.d : (h+1)*p.d]
		key := uint64(14695981039346656037)
		for _, y := range row {
			key = (key ^ math.Float64bits(y+0)) * 1099511628211 // −0 + 0 = 0
			key ^= key >> 29
		}
		g, seen := first[key]
		if !seen {
			first[key] = h
			continue
		}
		if !equal(row, p.c[g*p.d:(g+1)*p.d]) {
			continue // a collision: both stay, and rows between them are rechecked
		}
		if p.hasEqual == nil {
			p.hasEqual, p.duplicate = make([]bool, p.k), make([]bool, p.k)
		}
		p.hasEqual[g], p.hasEqual[h], p.duplicate[h] = true, true, true
	}
}

func equal(a, b []float64) bool {
	for f, y := range a {
		if y != b[f] {
			return false
		}
	}
	return true
}

// scorerOf returns the scorer for rows of kind T, made when first asked for.
func scorerOf[T number](p *Centres) *scorer[T] {
	var t T
	if _, single := any(t).(float32); single {
		p.once32.Do(func() { prepare(p, &p.from32) })
		return any(&p.from32).(*scorer[T])
	}
	p.once64.Do(func() { prepare(p, &p.from64) })
	return any(&p.from64).(*scorer[T])
}

// prepare chooses offset and scale and packs. The offset is the mean of the
// centres, in the precision of the rows, and the scale brings the largest
// shifted norm to between 1 and 2.
func prepare[T number](p *Centres, s *scorer[T]) {
	s.offset = make([]T, p.d)
	mean, share := make([]float64, p.d), 1/float64(p.k)
	for h := range p.k {
		for f, y := range p.c[h*p.d : (h+1)*p.d] {
			mean[f] += y * share
		}
	}
	for f, y := range mean {
		s.offset[f] = T(y)
	}
	e, norm, top := shifted(p, s.offset)
	if !(top > 0 && top < math.Inf(1)) || p.d > maxFeatures {
		return
	}
	_, exp := math.Frexp(math.Sqrt(top)) // √top = m·2^exp, ½ ≤ m < 1
	exp = 1 - exp
	if exp < -126 || exp > 126 {
		return
	}
	s.scale = math.Ldexp(1, exp)
	s.panels = packPanels[float32](p, e, norm, s.scale)
	s.margin = newMargin(p.d, false, top*s.scale*s.scale)
	s.ok = true
}

// integerCentres returns the centres in integers, made when first asked for: rows
// that are rounded already have them elsewhere.
func (s *scorer[T]) integerCentres(p *Centres) *intCentres {
	s.once.Do(func() {
		e, norm, _ := shifted(p, s.offset)
		s.integers.pack(p, e, norm, s.scale, &s.margin, s.margin.e2)
	})
	return &s.integers
}

// shifted returns c − offset, the squared norms, and their maximum.
func shifted[T number](p *Centres, offset []T) (e, norm []float64, top float64) {
	e, norm = make([]float64, len(p.c)), make([]float64, p.k)
	o := make([]float64, p.d)
	for f, y := range offset {
		o[f] = float64(y)
	}
	for h := range p.k {
		norm[h] = shiftRow(p.c[h*p.d:(h+1)*p.d], o, 1, e[h*p.d:(h+1)*p.d])
		top = max(top, norm[h]) // a NaN stays
	}
	return e, norm, top
}

// packPanels packs scale times the shifted centres e.
func packPanels[T number](p *Centres, e, norm []float64, scale float64) (q panels[T]) {
	var t T
	lanes := p.level.registerBytes() / int(unsafe.Sizeof(t))
	registers := (p.k + lanes - 1) / lanes
	q.full, q.half = registers/2, registers%2
	q.pan, q.norm = aligned[T](registers*lanes*p.d), aligned[T](registers*lanes)
	for j := range q.norm {
		q.norm[j] = T(math.Inf(1))
		if j >= p.k || p.duplicate != nil && p.duplicate[j] {
			continue
		}
		q.norm[j] = T(norm[j] * scale * scale)
		width := 2 * lanes
		panel := j / width
		at := panel*width*p.d + j%width
		if panel == q.full {
			width = lanes
		}
		for _, y := range e[j*p.d : (j+1)*p.d] {
			q.pan[at] = T(-2 * scale * y)
			at += width
		}
	}
	return q
}

// doublePanels packs the centres in float64, with the offset and scale of the
// scorer for float64 rows.
func (p *Centres) doublePanels() (*panels[float64], *margin) {
	p.onceDouble.Do(func() {
		s := scorerOf[float64](p)
		e, norm, top := shifted(p, s.offset)
		p.double = packPanels[float64](p, e, norm, s.scale)
		p.doubled = newMargin(p.d, true, top*s.scale*s.scale)
	})
	return &p.double, &p.doubled
}

// shiftRow writes (x − offset)·scale to z and returns Σ z².
func shiftRow[T number](x []T, offset []float64, scale float64, z []float64) (norm float64) {
	for f, y := range x {
		v := (float64(y) - offset[f]) * scale
		z[f] = v
		norm += v * v
	}
	return norm
}

// A pinnedScorer is a scorer with the offset and the scale of rounded rows.
type pinnedScorer[T number] struct {
	once   sync.Once
	rows   *Rounded[T]
	scorer scorer[T]
}

func pinnedScorerOf[T number](c *Centres) *pinnedScorer[T] {
	var t T
	if _, single := any(t).(float32); single {
		return any(&c.pin32).(*pinnedScorer[T])
	}
	return any(&c.pin64).(*pinnedScorer[T])
}
