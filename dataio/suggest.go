package dataio

import (
	"fmt"
	"strings"
)

// didYouMean returns a hint with the word nearest to what was given, or the
// words there are.
func didYouMean(given string, words []string) string {
	best, least := "", min(len([]rune(given))/2, 3)
	for _, w := range words {
		if strings.EqualFold(w, given) {
			best = w
			break
		}
		if d := editDistance(strings.ToLower(given), strings.ToLower(w)); d <= least && w != "" {
			best, least = w, d-1
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return ""
}

// listed writes words one after the other, the first few of many.
func listed(words []string) string {
	const most = 12
	if len(words) > most {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(words[:most], ", "), len(words))
	}
	return strings.Join(words, ", ")
}

// editDistance counts the letters to add, drop, replace or swap with the next
// to turn a into b.
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, row, next := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		next[0] = i + 1
		for j := range t {
			cost := row[j]
			if s[i] != t[j] {
				cost++
			}
			next[j+1] = min(cost, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(t)]
}
