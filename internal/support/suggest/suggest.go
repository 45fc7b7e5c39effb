// Package suggest finds the name that a mistyped one probably stands for.
package suggest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Nearest returns the word closest to what was given, or "" where none is
// close: a third of its letters, and one more, may be added, dropped, replaced or
// swapped. A word that starts with three letters or more that were given, and
// goes on, is closer than any other, whatever stands between the letters.
func Nearest(given string, words []string) string {
	best, least := "", 1+len([]rune(given))/3
	for _, w := range words {
		if strings.EqualFold(w, given) {
			return w
		}
	}
	for _, w := range words {
		if letters := len([]rune(given)); letters >= 3 && strings.HasPrefix(strings.ToLower(w), strings.ToLower(given)) {
			return w
		}
	}
	if short := lettersOf(given); len(short) >= 3 {
		for _, w := range words {
			if strings.HasPrefix(lettersOf(w), short) {
				return w
			}
		}
	}
	for _, w := range words {
		if d := distance(strings.ToLower(given), strings.ToLower(w)); d <= least && d < len([]rune(given)) {
			best, least = w, d-1
		}
	}
	return best
}

// lettersOf returns the letters and digits of a word, in lower case: mpck and MPCK-Means
// are meant for mpc-kmeans.
func lettersOf(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}

// DidYouMean returns a question with the nearest word, or "" where there is none.
func DidYouMean(given string, words []string) string {
	if w := Nearest(given, words); w != "" {
		return fmt.Sprintf("did you mean %q?", w)
	}
	return ""
}

// distance counts the letters to add, drop or replace, or to swap with their
// neighbours, to turn a into b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range t {
			cost := last[j]
			if s[i] != t[j] {
				cost++
			}
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
		}
	}
	return row[len(t)]
}

// ShortPaths maps what people write for paths, without the folder or the extension, to the
// first path that is meant.
func ShortPaths(paths []string) map[string]string {
	short := map[string]string{}
	for _, name := range slices.Backward(paths) {
		base := path.Base(name)
		short[base] = name
		short[strings.TrimSuffix(base, path.Ext(base))] = name
		short[strings.TrimSuffix(name, path.Ext(name))] = name
	}
	return short
}

// Alike returns the pairs of words that differ only by case or blanks: each with the
// first that is like it.
func Alike(words []string) (pairs [][2]string) {
	first := map[string]string{}
	for _, w := range words {
		plain := strings.ToLower(strings.Join(strings.Fields(w), " "))
		if was, ok := first[plain]; !ok {
			first[plain] = w
		} else if was != w {
			pairs = append(pairs, [2]string{was, w})
		}
	}
	return pairs
}
