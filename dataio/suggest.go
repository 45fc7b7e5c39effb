package dataio

import (
	"fmt"
	"strings"
)

// didYouMean returns a hint with the word nearest to what was given, or the
// words there are.
func didYouMean(given string, words []string) string {
	best, least := "", 1+len([]rune(given))/3
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

// editDistance counts the letters to add, drop or replace to turn a into b.
func editDistance(a, b string) int {
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
