// Package suggest finds the word that somebody probably meant.
package suggest

import (
	"fmt"
	"strings"
)

// Nearest returns the word closest to what was given, or "" where none is
// close: a third of its letters may be added, dropped or replaced, and one more.
func Nearest(given string, words []string) string {
	best, least := "", 1+len([]rune(given))/3
	for _, w := range words {
		if strings.EqualFold(w, given) {
			return w
		}
		if d := distance(strings.ToLower(given), strings.ToLower(w)); d <= least && d < len([]rune(given)) {
			best, least = w, d-1
		}
	}
	return best
}

// DidYouMean returns a question with the nearest word, or "" where there is none.
func DidYouMean(given string, words []string) string {
	if w := Nearest(given, words); w != "" {
		return fmt.Sprintf("did you mean %q?", w)
	}
	return ""
}

// distance counts the letters to add, drop or replace to turn a into b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range t {
			cost := diagonal
			if c != d {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}
