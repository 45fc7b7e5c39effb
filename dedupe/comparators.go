package dedupe

import (
	"math"
	"slices"
)

// compareEmails compares addresses by their local parts and domains: near with one typing error or
// another domain, similar where the letters of the local parts are equal and their digits are not,
// which is how namesakes are told apart.
func (d *distinct) compareEmails(x, y *value) level {
	localX, domainX := d.splitEmail(x)
	localY, domainY := d.splitEmail(y)
	if slices.Equal(localX, localY) {
		return near
	}
	lettersX, digitsX := lettersAndDigits(localX)
	lettersY, digitsY := lettersAndDigits(localY)
	sameDigits, sameLetters := slices.Equal(digitsX, digitsY), slices.Equal(lettersX, lettersY)
	edits := editDistance(localX, localY, 3)
	switch {
	case edits <= 1 && sameDigits && (len(localX) > 4 || slices.Equal(domainX, domainY)):
		return near
	case sameLetters && len(lettersX) > 0 && len(digitsX) > 0 && len(digitsY) > 0:
		return similar
	case sameDigits && edits <= 2 && len(localX) > 6:
		return near
	case sameLetters:
		return similar
	case editSimilarity(localX, localY) >= 0.75:
		return weak
	}
	return different
}

// splitEmail returns the local part without marks and the domain.
func (d *distinct) splitEmail(v *value) (local, domain []rune) {
	n := len(v.tokens)
	cut := max(n-2, 1)
	for _, t := range v.tokens[:min(cut, n)] {
		local = append(local, d.tokens[t].runes...)
	}
	for _, t := range v.tokens[min(cut, n):] {
		domain = append(domain, d.tokens[t].runes...)
	}
	return local, domain
}

func lettersAndDigits(r []rune) (letters, digits []rune) {
	for _, c := range r {
		if c >= '0' && c <= '9' {
			digits = append(digits, c)
		} else {
			letters = append(letters, c)
		}
	}
	return letters, digits
}

// comparePhones compares digits from the end: an equal end of eight digits or more, or all of a shorter number, is
// the same number with and without prefix.
func comparePhones(x, y *value) level {
	a, b := x.joined, y.joined
	if len(a) > len(b) {
		a, b = b, a
	}
	common := 0
	for common < len(a) && a[len(a)-1-common] == b[len(b)-1-common] {
		common++
	}
	switch edits := editDistance(a, b, 3); {
	case common >= 8 || common == len(a) && common >= 7:
		return equal
	case edits == 1 || common >= 7:
		return near
	case common == len(a) && common >= 6:
		return similar
	case edits == 2 && len(b) >= 8:
		return similar
	}
	return different
}

// compareDates: near is one digit, or day and month exchanged; similar two parts of three,
// weak the year.
func compareDates(x, y *value) level {
	a, b := int(x.number), int(y.number)
	yearA, monthA, dayA := a/10000, a/100%100, a%100
	yearB, monthB, dayB := b/10000, b/100%100, b%100
	wrong := 0
	for p := 1; p < 100_000_000; p *= 10 {
		wrong += boolInt(a/p%10 != b/p%10)
	}
	parts := boolInt(yearA == yearB) + boolInt(monthA == monthB) + boolInt(dayA == dayB)
	switch {
	case a == b:
		return equal
	case wrong == 1 || yearA == yearB && monthA == dayB && dayA == monthB || wrong == 2 && parts == 2 && transposed(a, b):
		return near
	case parts == 2:
		return similar
	case yearA == yearB:
		return weak
	}
	return different
}

// transposed reports whether two neighbouring digits are exchanged.
func transposed(a, b int) bool {
	for p := 1; p < 10_000_000; p *= 10 {
		x, y := a/p%10, a/p/10%10
		if a+(y-x)*p+(x-y)*10*p == b {
			return true
		}
	}
	return false
}

// compareCodes compares codes letter by letter: near is one error, in a code of five or more.
func compareCodes(x, y *value) level {
	a, b := x.joined, y.joined
	n := max(len(a), len(b))
	edits := editDistance(a, b, 3)
	switch {
	case edits == 0:
		return equal
	case edits == 1 && n >= 5:
		return near
	case edits == 2 && n >= 8 || n >= 6 && 3*commonPrefix(a, b) >= 2*n:
		return similar
	case edits <= 2 && n >= 5:
		return weak
	}
	return different
}

func commonPrefix(a, b []rune) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// compareNumbers compares by the relative difference; small whole numbers, such as years, by the absolute one.
func compareNumbers(x, y *value) level {
	a, b := x.number, y.number
	gap, size := math.Abs(a-b), max(math.Abs(a), math.Abs(b))
	whole := a == math.Trunc(a) && b == math.Trunc(b)
	switch {
	case gap == 0:
		return equal
	case whole && size < 10_000:
		switch {
		case gap <= 1:
			return near
		case gap <= 2 || gap <= 0.01*size && size < 1000:
			return similar
		case gap <= 5:
			return weak
		}
		return different
	case gap <= 0.01*size:
		return near
	case gap <= 0.05*size:
		return similar
	case gap <= 0.2*size:
		return weak
	}
	return different
}

// compareAddresses is a comparison of texts in which numbers must agree: next door is not a typing error.
func (d *distinct) compareAddresses(x, y *value, l level) level {
	if l > replaced {
		return l
	}
	for _, t := range x.tokens {
		r := d.tokens[t].runes
		if r[0] >= '0' && r[0] <= '9' && len(r) <= 4 && !slices.Contains(y.tokens, t) {
			for _, u := range y.tokens {
				if s := d.tokens[u].runes; s[0] >= '0' && s[0] <= '9' && len(s) <= 4 && !slices.Contains(x.tokens, u) {
					return max(l, replaced)
				}
			}
		}
	}
	return l
}

// sharesNickname reports whether two first names may stand for one another.
func sharesNickname(a, b *token) bool {
	for _, g := range a.nick {
		if slices.Contains(b.nick, g) {
			return true
		}
	}
	return false
}
