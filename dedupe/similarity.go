package dedupe

import (
	"math"
	"math/bits"
	"slices"
)

const maxJoined = 64 // runes of a value that are compared without blanks

func logOf(x float64) float64 { return math.Log(x) }

func sortedSet(list []int32) []int32 {
	s := slices.Clone(list)
	slices.Sort(s)
	return slices.Compact(s)
}

// A level says how similar two values are.
type level = int8

// The levels, descending.
const (
	missing   level = -1
	equal     level = 0
	near      level = 1 // about one typing error in a word, or a name and its short form
	similar   level = 2 // initials, or words that only one of the two has
	replaced  level = 3 // words of one stand against other words
	weak      level = 4
	different level = 5
	levels          = 6
)

// compareValues returns the level of values a and b, missing where one of them is.
func (d *distinct) compareValues(a, b int32) level {
	switch {
	case a < 0 || b < 0:
		return missing
	case a == b:
		return equal
	}
	x, y := &d.values[a], &d.values[b]
	if x.kind == y.kind {
		switch x.kind {
		case email:
			return d.compareEmails(x, y)
		case phone:
			return comparePhones(x, y)
		case date:
			return compareDates(x, y)
		case code:
			return compareCodes(x, y)
		case number:
			return compareNumbers(x, y)
		}
	}
	l := d.compareTexts(x, y)
	if x.kind == address && y.kind == address {
		l = d.compareAddresses(x, y, l)
	}
	return l
}

// Similarities of texts, as shares of their weight.
const (
	mostlySame = 0.62
	partlySame = 0.42
	sameWord   = 0.72 // of two words with typing errors
)

// compareTexts compares words in any order. What counts is not only how much of the weight is common, but
// what the rest is: a typing error, words that only one has, or words of one against words of
// the other, which is how things that belong together are told apart.
func (d *distinct) compareTexts(x, y *value) level {
	if x.digits && y.digits {
		switch s := digitSimilarity(x.joined, y.joined); {
		case s >= 0.8:
			return near
		case s >= mostlySame:
			return replaced
		case s >= partlySame:
			return weak
		}
		return different
	}
	return max(d.compareWords(x, y), d.compareCounts(x, y))
}

// compareCounts returns the best level that two texts can have by the numbers in them that count something. Words may be left out or
// written otherwise, but volume 2 is not volume 3, and 16 GB are not 32 GB.
func (d *distinct) compareCounts(x, y *value) level {
	if !x.prose || !y.prose {
		return near
	}
	onlyX, onlyY := d.countsMore(x, y), d.countsMore(y, x)
	switch {
	case onlyX && onlyY:
		return weak
	case onlyX || onlyY:
		return replaced
	}
	return near
}

// countsMore reports whether x has a number that counts something and that y does not have.
func (d *distinct) countsMore(x, y *value) bool {
	return slices.ContainsFunc(x.sorted, func(t int32) bool { return d.tokens[t].counts && !slices.Contains(y.sorted, t) })
}

func (d *distinct) compareWords(x, y *value) level {
	a := d.align(x, y)
	if a.share < mostlySame && len(x.tokens) != len(y.tokens) && editSimilarity(x.joined, y.joined) >= 0.85 { // a blank too many or too few
		return near
	}
	switch {
	case a.leftX == 0 && a.leftY == 0 && a.initials == 0:
		return near
	case a.leftX == 0 && a.leftY == 0:
		return similar
	case (a.leftX == 0 || a.leftY == 0) && a.share >= partlySame:
		return similar
	case a.share >= mostlySame:
		return replaced
	case a.share >= partlySame || a.leftX == 0 || a.leftY == 0:
		return weak
	}
	return different
}

// digitSimilarity compares numbers; a phone number without its prefix is near.
func digitSimilarity(a, b []rune) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) >= 6 && slices.Equal(a, b[len(b)-len(a):]) {
		return 0.95
	}
	return editSimilarity(a, b)
}

// An alignment says how the words of two values go together.
type alignment struct {
	share        float64 // of the weight that is common, words with errors by their similarity
	leftX, leftY int     // words without a counterpart
	initials     int     // words that stand against their first letter
}

// align aligns the tokens of two values.
func (d *distinct) align(x, y *value) (a alignment) {
	var restX, restY [maxTokens]int32
	nx, ny := subtract(x.sorted, y.sorted, restX[:]), subtract(y.sorted, x.sorted, restY[:])
	total := x.weight + y.weight
	left := 0.0 // weight of tokens without an equal one
	for _, t := range restX[:nx] {
		left += d.tokens[t].weight
	}
	for _, t := range restY[:ny] {
		left += d.tokens[t].weight
	}
	score := max(total-left, 0)
	a.leftX, a.leftY = nx, ny
	for i := range nx {
		t := &d.tokens[restX[i]]
		best, at := 0.0, -1
		for j := range ny {
			if restY[j] < 0 {
				continue
			}
			if s := tokenSimilarity(t, &d.tokens[restY[j]]); s > best {
				best, at = s, j
			}
		}
		if at < 0 {
			continue
		}
		other := &d.tokens[restY[at]]
		score += best * (t.weight + other.weight)
		restY[at] = -1
		if initial := min(len(t.runes), len(other.runes)) == 1; initial || best >= sameWord {
			a.leftX--
			a.leftY--
			a.initials += boolInt(initial)
		}
	}
	a.share = score / total
	return a
}

// subtract writes what a holds and b does not, both ascending, and returns how many.
func subtract(a, b, out []int32) (n int) {
	j := 0
	for _, t := range a {
		for j < len(b) && b[j] < t {
			j++
		}
		if j == len(b) || b[j] != t {
			out[n] = t
			n++
		}
	}
	return n
}

// tokenSimilarity returns the similarity of two different tokens, 0 where it would be
// below a half. An initial is similar to the word that it begins.
func tokenSimilarity(a, b *token) float64 {
	if len(a.runes) > len(b.runes) {
		a, b = b, a
	}
	n, m := len(a.runes), len(b.runes)
	if n == 1 {
		if b.runes[0] == a.runes[0] && m > 1 {
			return 0.7
		}
		return 0
	}
	if len(a.nick) > 0 && len(b.nick) > 0 && sharesNickname(a, b) {
		return 0.85
	}
	most := m / 2
	if m-n > most || (bits.OnesCount64(a.mask^b.mask)+1)/2 > most {
		return 0
	}
	e := editDistance(a.runes, b.runes, most)
	if e > most {
		return 0
	}
	return 1 - float64(e)/float64(m)
}

func editSimilarity(a, b []rune) float64 {
	m := max(len(a), len(b))
	most := m * 2 / 3
	return max(0, 1-float64(min(editDistance(a, b, most), m))/float64(m))
}

// editDistance returns how many insertions, deletions, substitutions and swaps of
// neighbours lead from a to b, or more than most where that is more than most.
func editDistance(a, b []rune, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > most {
		return most + 1
	}
	if len(a) == 0 {
		return len(b)
	}
	if len(b) <= 64 {
		return editDistanceInBits(a, b, most)
	}
	return editDistanceByRows(a, b, most)
}

// editDistanceByRows is editDistance row by row of its table, where b is not shorter than a.
func editDistanceByRows(a, b []rune, most int) int {
	const wide = 2*maxJoined + 2
	if len(b) >= wide {
		a, b = a[:min(len(a), wide-1)], b[:wide-1]
	}
	var buffers [3][wide]int16
	before, last, row := &buffers[0], &buffers[1], &buffers[2]
	for j := range len(b) + 1 {
		last[j] = int16(j)
	}
	for i := 1; i <= len(a); i++ {
		row[0] = int16(i)
		least := row[0]
		for j := 1; j <= len(b); j++ {
			cost := int16(1)
			if a[i-1] == b[j-1] {
				cost = 0
			}
			c := min(last[j-1]+cost, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				c = min(c, before[j-2]+1)
			}
			row[j] = c
			least = min(least, c)
		}
		if int(least) > most+1 {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return int(last[len(b)])
}

// editDistanceInBits returns what editDistanceByRows does for a b of 64 runes or fewer. It keeps
// a row of the table as the bits of its steps from column to column, which are −1, 0 or 1, and makes
// the next row by a few operations on words (Hyyrö 2003, A bit-vector algorithm for computing
// Levenshtein and Damerau edit distances).
func editDistanceInBits(a, b []rune, most int) int {
	var at [128]uint64 // where each rune is in b
	for j, r := range b {
		if r >= 0 && r < 128 {
			at[r] |= 1 << j
		}
	}
	distance, last := len(b), uint64(1)<<(len(b)-1)
	up, down := ^uint64(0), uint64(0) // steps of 1 and of −1 within the row
	diagonal, previous := uint64(0), uint64(0)
	for _, r := range a {
		equal := uint64(0)
		if r >= 0 && r < 128 {
			equal = at[r]
		} else {
			for j, q := range b {
				if q == r {
					equal |= 1 << j
				}
			}
		}
		swapped := (^diagonal & equal) << 1 & previous
		diagonal = ((equal&up + up) ^ up) | equal | down | swapped // where the table does not rise along the diagonal
		rise, fall := down|^(diagonal|up), diagonal&up             // from the row before to this one
		if rise&last != 0 {
			distance++
		} else if fall&last != 0 {
			distance--
		}
		rise, fall = rise<<1|1, fall<<1
		up, down = fall|^(diagonal|rise), rise&diagonal
		previous = equal
	}
	if distance <= most+1 {
		return distance
	}
	// No row is lower than the one before it: if the last one is above most+1 in every column, what follows cannot matter.
	here := len(a)
	least := here
	for j := range b {
		here += int(up>>j&1) - int(down>>j&1)
		least = min(least, here)
	}
	if least > most+1 {
		return most + 1
	}
	return distance
}
