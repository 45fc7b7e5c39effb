package dedupe

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/inklinghq/inkling/internal/compute/blocks"
)

// Bounds of the search for candidates.
const (
	gramLen        = 4
	pairTokens     = 10   // tokens of a record that form pairs
	maxFeatures    = 192  // of a record
	maxVisits      = 3000 // postings that a record visits
	minBucketBits  = 10
	maxBucketBits  = 26
	gramWeight     = 0.35 // a typing error leaves several grams of a token, which say the same
	bucketsPerItem = 2
)

// Kinds of features, as salts of their hashes.
const (
	tokenSalt uint64 = 0x1000193 * (iota + 1)
	pairSalt
	gramSalt
	suffixSalt
)

// A feature is something that records have in common: a bucket of the index, and how
// much its inverse document frequency counts.
type feature struct {
	bucket uint32
	gram   bool
}

// An index is an inverted index of the distinct records by hashed features. Buckets with
// one record hold none: nothing follows from them.
type index struct {
	d     *distinct
	mask  uint64
	start []uint32 // of each bucket in list
	list  []int32
}

// featuresOf appends the features of distinct record u, each bucket once.
func (x *index) featuresOf(u int32, out []feature) []feature {
	d := x.d
	var all [pairTokens]uint64
	count := 0
	add := func(h uint64, gram bool) {
		if len(out) < maxFeatures {
			out = append(out, feature{uint32(mix(h) & x.mask), gram})
		}
	}
	for _, v := range d.valuesOf(u) {
		if v < 0 {
			continue
		}
		for _, t := range d.values[v].sorted {
			tok := &d.tokens[t]
			add(tok.hash^tokenSalt, false)
			if count < pairTokens {
				all[count] = tok.hash
				count++
			}
		}
		if d.values[v].digits {
			digits := d.values[v].joined
			half := len(digits) / 2
			add(hashRunes(digits[:half])^suffixSalt, false)
			add(hashRunes(digits[half:])^suffixSalt, false)
			add(hashRunes(digits[max(0, len(digits)-7):])^suffixSalt, false)
		}
	}
	for i := range count {
		for j := range i {
			add(min(all[i], all[j])*3+max(all[i], all[j])^pairSalt, false)
		}
	}
	for _, v := range d.valuesOf(u) {
		if v < 0 || d.values[v].digits {
			continue
		}
		for _, t := range d.values[v].sorted {
			eachGram(d.tokens[t].runes, func(h uint64) { add(h^gramSalt, true) })
		}
	}
	slices.SortFunc(out, func(a, b feature) int { return cmp.Compare(a.bucket, b.bucket) })
	return slices.CompactFunc(out, func(a, b feature) bool { return a.bucket == b.bucket })
}

func hashRunes(r []rune) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range r {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return mix(h)
}

// eachGram calls do with the hash of every character n-gram of a token, its ends marked.
func eachGram(token []rune, do func(uint64)) {
	at := func(i int) rune {
		if i < 0 || i >= len(token) {
			return ' '
		}
		return token[i]
	}
	for i := -1; i+gramLen <= len(token)+1; i++ {
		var gram [gramLen]rune
		for j := range gram {
			gram[j] = at(i + j)
		}
		do(hashRunes(gram[:]))
	}
}

// newIndex counts the features of every record, then files the records.
func newIndex(ctx context.Context, d *distinct, workers int) (*index, error) {
	n := d.len()
	b := min(max(bits.Len(uint(bucketsPerItem*n*64)), minBucketBits), maxBucketBits)
	x := &index{d: d, mask: 1<<b - 1}
	count := make([]uint32, x.mask+2)
	walk := func(do func(u int32, f feature)) error {
		block := func(lo, hi int) [][]feature {
			out := make([][]feature, 0, hi-lo)
			for u := lo; u < hi; u++ {
				out = append(out, x.featuresOf(int32(u), nil))
			}
			return out
		}
		return blocks.Each(ctx, workers, n, block, func(lo, _ int, part [][]feature) {
			for i, list := range part {
				for _, f := range list {
					do(int32(lo+i), f)
				}
			}
		})
	}
	if err := walk(func(_ int32, f feature) { count[f.bucket+1]++ }); err != nil {
		return nil, err
	}
	for i := 1; i < len(count); i++ {
		if count[i] == 1 || count[i] > maxVisits {
			count[i] = 0
		}
		count[i] += count[i-1]
	}
	x.start = count
	x.list = make([]int32, count[len(count)-1])
	next := slices.Clone(count[:len(count)-1])
	err := walk(func(u int32, f feature) {
		if x.start[f.bucket+1] > x.start[f.bucket] {
			x.list[next[f.bucket]] = u
			next[f.bucket]++
		}
	})
	return x, err
}

func (x *index) posting(f feature) []int32 { return x.list[x.start[f.bucket]:x.start[f.bucket+1]] }

// A searcher finds the candidates of one record after another.
type searcher struct {
	x        *index
	score    []float32
	touched  []int32
	features []feature
	visits   int // postings that a record visits at most
}

// neighbours returns the up to most records that have most in common with u.
func (s *searcher) neighbours(u int32, most int) []int32 {
	s.features = s.x.featuresOf(u, s.features[:0])
	slices.SortFunc(s.features, func(a, b feature) int {
		return cmp.Or(cmp.Compare(len(s.x.posting(a)), len(s.x.posting(b))), cmp.Compare(a.bucket, b.bucket))
	})
	s.touched = s.touched[:0]
	visits := 0
	n := float64(s.x.d.len())
	for _, f := range s.features {
		list := s.x.posting(f)
		if visits += len(list); visits > s.visits {
			break
		}
		if len(list) == 0 {
			continue
		}
		w := float32(logOf(1 + n/float64(len(list))))
		if f.gram {
			w *= gramWeight
		}
		for _, v := range list {
			if s.score[v] == 0 {
				s.touched = append(s.touched, v)
			}
			s.score[v] += w
		}
	}
	best := make([]int32, 0, most+1)
	better := func(a, b int32) bool {
		return s.score[a] > s.score[b] || s.score[a] == s.score[b] && a < b
	}
	for _, v := range s.touched {
		if v == u || len(best) == most && !better(v, best[most-1]) {
			continue
		}
		at := len(best)
		best = append(best, v)
		for ; at > 0 && better(v, best[at-1]); at-- {
			best[at] = best[at-1]
		}
		best[at] = v
		best = best[:min(len(best), most)]
	}
	for _, v := range s.touched {
		s.score[v] = 0
	}
	return best
}

// A pair is two distinct records, A before B.
type pair struct{ A, B int32 }

func orderedPair(a, b int32) pair { return pair{min(a, b), max(a, b)} }

func comparePairs(a, b pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }

// candidatePairs returns the pairs of distinct records that are worth comparing, ascending, and
// the index that they were found with.
func candidatePairs(ctx context.Context, d *distinct, most, workers int, done func(part float64)) ([]pair, *index, error) {
	x, err := newIndex(ctx, d, workers)
	if err != nil {
		return nil, nil, err
	}
	n := d.len()
	pool := make(chan *searcher, 64)
	var pairs []pair
	block := func(lo, hi int) []pair {
		var s *searcher
		select {
		case s = <-pool:
		default:
			s = &searcher{x: x, score: make([]float32, n), visits: maxVisits}
		}
		out := make([]pair, 0, (hi-lo)*most)
		for u := lo; u < hi; u++ {
			if u%64 == 0 && ctx.Err() != nil {
				break
			}
			for _, v := range s.neighbours(int32(u), most) {
				out = append(out, orderedPair(int32(u), v))
			}
		}
		select {
		case pool <- s:
		default:
		}
		return out
	}
	err = blocks.Each(ctx, workers, n, block, func(_, hi int, part []pair) {
		pairs = append(pairs, part...)
		done(float64(hi) / float64(n))
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(pairs, comparePairs)
	return slices.Clip(slices.Compact(pairs)), x, ctx.Err()
}
