package cop

import (
	"math/rand/v2"

	"github.com/inklinghq/inkling/data"
)

// A layout is an assignment of all lumps under way: labels that violate
// nothing, and the clusters. While it is frozen the centres stand still and a
// move is priced by distances to them. Otherwise a centre is the mean of its
// cluster and moves with it, and a move is priced by what it really changes:
// lump y of weight w leaves a cluster of weight m with centre μ for
// w·m/(m−w)·‖y−μ‖² less, and joins one for w·m/(m+w)·‖y−μ‖² more (Hartigan).
type layout struct {
	*lumps
	frozen bool
	label  []int32
	centre []float64 // k rows
	norm   []float64 // of each centre, for sparse rows
	mass   []float64
	count  []int32 // lumps in each cluster

	buf   []float64
	block []int // the turn in which the cluster was last found blocked
	bans  []int // and banned
	turn  int

	trail  trail
	heat   heat
	every  []int32   // all clusters
	price  []float64 // scratch, one for each cluster
	mark   []int     // scratch, one for each lump: the turn of the chain it was last in
	chain  []int32
	wanted []want
	place  []int32 // scratch, one for each lump: where in its part it stands
	eps    float64 // a fall up to this is rounding
}

// trail is what has been done since the last commit, to be undone.
type trail struct {
	on    bool
	moves []step
	saved []savedCluster
	rows  []float64
	seen  []int // by cluster: the epoch in which it was saved
	epoch int
}

type step struct{ q, from, to int32 }

type savedCluster struct {
	h, count   int32
	mass, norm float64
}

func newLayout(l *lumps, label []int32, centre []float64) *layout {
	s := &layout{
		lumps: l, label: label, centre: centre, norm: make([]float64, l.k), mass: make([]float64, l.k), count: make([]int32, l.k),
		buf: make([]float64, l.d), block: make([]int, l.k), bans: make([]int, l.k), price: make([]float64, l.k), mark: make([]int, len(l.weight)), place: make([]int32, len(l.weight)),
	}
	s.trail.seen = make([]int, l.k)
	for h := range int32(l.k) {
		s.every = append(s.every, h)
	}
	s.heat = heat{isNow: make([]bool, l.k), isNext: make([]bool, l.k), dirty: make([]bool, l.k)}
	for h := range l.k {
		s.norm[h] = data.Norm2(s.row(h))
	}
	return s
}

func (s *layout) row(h int) []float64 { return s.centre[h*s.d : (h+1)*s.d : (h+1)*s.d] }

func (s *layout) dist2(v data.Vec, h int) float64 { return data.Dist2(v, s.row(h), s.norm[h]) }

// heat says which clusters have changed lately: only these can tempt a lump
// whose own cluster has not.
type heat struct {
	now, next     []int32 // since the last pass began; since this one began
	isNow, isNext []bool
	dirty         []bool // since the centres were last moved to their means
}

func (t *heat) touch(h int32) {
	t.dirty[h] = true
	if !t.isNext[h] {
		t.isNext[h] = true
		t.next = append(t.next, h)
	}
	if !t.isNow[h] {
		t.isNow[h] = true
		t.now = append(t.now, h)
	}
}

// turn begins a new pass.
func (t *heat) turn() {
	for _, h := range t.now {
		t.isNow[h] = false
	}
	t.now, t.next = t.next, t.now[:0]
	t.isNow, t.isNext = t.isNext, t.isNow
}

func (t *heat) cool() {
	t.now, t.next = t.now[:0], t.next[:0]
	clear(t.isNow)
	clear(t.isNext)
	clear(t.dirty)
}

// stir makes every lump look at every cluster again.
func (s *layout) stir() {
	for h := range int32(s.k) {
		s.heat.touch(h)
	}
}

// tally counts the clusters and moves every centre that has weight to its mean.
func (s *layout) tally() {
	s.weigh()
	sum := make([]float64, s.k*s.d)
	for q, h := range s.label {
		data.Add(sum[int(h)*s.d:int(h+1)*s.d], s.at(int32(q), s.buf), s.weight[q])
	}
	for h, m := range s.mass {
		if m == 0 {
			continue
		}
		row := s.row(h)
		for f := range row {
			row[f] = sum[h*s.d+f] / m
		}
		s.norm[h] = data.Norm2(row)
	}
	for h, d := range s.heat.dirty {
		if d {
			s.heat.touch(int32(h))
			s.heat.dirty[h] = false
		}
	}
}

// weigh counts the clusters.
func (s *layout) weigh() {
	clear(s.mass)
	clear(s.count)
	for q, h := range s.label {
		s.mass[h] += s.weight[q]
		s.count[h]++
	}
}

// cost returns Σ_q w_q ‖y_q − μ‖².
func (s *layout) cost() (sum float64) {
	for q, h := range s.label {
		sum += s.weight[q] * s.dist2(s.at(int32(q), s.buf), int(h))
	}
	return sum
}

// leave prices the departure of v, of weight w, from its cluster h: a fall,
// not above 0.
func (s *layout) leave(v data.Vec, w float64, h int) float64 {
	if s.frozen {
		return -w * s.dist2(v, h)
	}
	m := s.mass[h]
	if rest := m - w; s.count[h] > 1 && rest > 1e-12*m {
		return -w * (m / rest) * s.dist2(v, h)
	}
	return 0 // it stood on its centre
}

// join prices the arrival of v, of weight w, in cluster h.
func (s *layout) join(v data.Vec, w float64, h int) float64 {
	if s.frozen {
		return w * s.dist2(v, h)
	}
	m := s.mass[h]
	if m == 0 {
		return 0
	}
	return w * (m / (m + w)) * s.dist2(v, h)
}

// move puts q into cluster h and returns the change of the cost.
func (s *layout) move(q, h int32) float64 {
	from, w := s.label[q], s.weight[q]
	v := s.at(q, s.buf)
	if s.trail.on {
		s.trail.moves = append(s.trail.moves, step{q, from, h})
	} else {
		s.heat.touch(from)
		s.heat.touch(h)
	}
	s.label[q] = h
	if s.frozen {
		return w * (s.dist2(v, int(h)) - s.dist2(v, int(from)))
	}
	s.save(from)
	s.save(h)
	change := s.leave(v, w, int(from))
	s.shift(v, -w, int(from))
	change += s.join(v, w, int(h))
	s.shift(v, w, int(h))
	return change
}

// shift adds v with weight w, or takes it away with weight -w.
func (s *layout) shift(v data.Vec, w float64, h int) {
	was := s.mass[h]
	now := was + w
	if w < 0 {
		s.count[h]--
	} else {
		s.count[h]++
	}
	if s.count[h] == 0 || now <= 1e-12*was {
		s.mass[h] = 0
		return
	}
	s.mass[h] = now
	if w == 0 {
		return
	}
	row := s.row(h)
	keep := was / now
	for f := range row {
		row[f] *= keep
	}
	data.Add(row, v, w/now)
	s.norm[h] = data.Norm2(row)
}

// begin starts a trail, end forgets it or goes back to its beginning.
func (s *layout) begin() {
	t := &s.trail
	t.on = true
	t.moves, t.saved, t.rows = t.moves[:0], t.saved[:0], t.rows[:0]
	t.epoch++
}

func (s *layout) end(keep bool) {
	t := &s.trail
	t.on = false
	if keep {
		for _, m := range t.moves {
			s.heat.touch(m.from)
			s.heat.touch(m.to)
		}
		return
	}
	for i := len(t.moves) - 1; i >= 0; i-- {
		s.label[t.moves[i].q] = t.moves[i].from
	}
	for i, c := range t.saved {
		s.mass[c.h], s.norm[c.h], s.count[c.h] = c.mass, c.norm, c.count
		copy(s.row(int(c.h)), t.rows[i*s.d:(i+1)*s.d])
	}
}

func (s *layout) save(h int32) {
	t := &s.trail
	if !t.on || t.seen[h] == t.epoch {
		return
	}
	t.seen[h] = t.epoch
	t.saved = append(t.saved, savedCluster{h, s.count[h], s.mass[h], s.norm[h]})
	t.rows = append(t.rows, s.row(int(h))...)
}

// look marks the clusters that q cannot join as things stand. blocked and
// banned read the marks until the next look.
func (s *layout) look(q int32) {
	s.turn++
	for _, h := range s.ban.of(q) {
		s.bans[h] = s.turn
	}
	for _, r := range s.apart.of(q) {
		s.block[s.label[r]] = s.turn
	}
}

func (s *layout) banned(h int) bool  { return s.bans[h] == s.turn }
func (s *layout) blocked(h int) bool { return s.block[h] == s.turn }

// copyFrom makes s the same layout as t, of the same lumps.
func (s *layout) copyFrom(t *layout) {
	copy(s.label, t.label)
	copy(s.centre, t.centre)
	copy(s.norm, t.norm)
	copy(s.mass, t.mass)
	copy(s.count, t.count)
	s.frozen, s.eps = t.frozen, t.eps
	s.heat.cool()
}

// shuffled returns the lumps of list in random order, in a slice of its own.
func shuffled(list []int32, rng *rand.Rand) []int32 {
	out := append([]int32(nil), list...)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
