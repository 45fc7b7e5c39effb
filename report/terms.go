package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/inklinghq/inkling/data"
)

// termsShown is how many words are listed for each cluster.
const termsShown = 8

// TopTerms returns, for each of k clusters, the words whose mean weight in it
// exceeds that in all documents most, the first of them first. Numbers, words without a
// letter, are left out.
func TopTerms(x data.Rows, labels []int, k int, words []string) [][]string {
	return topTerms(x, labels, k, words, termsShown)
}

// tellingWords returns the words that are marked in the texts of each cluster.
func tellingWords(x data.Rows, labels []int, k int, words []string) []map[string]bool {
	out := make([]map[string]bool, k)
	for h, list := range topTerms(x, labels, k, words, wordsMarked) {
		out[h] = map[string]bool{}
		for _, w := range list {
			out[h][w] = true
		}
	}
	return out
}

func topTerms(x data.Rows, labels []int, k int, words []string, most int) [][]string {
	d := x.Dim()
	sums, all, size := make([][]float64, k), make([]float64, d), make([]float64, k)
	for h := range sums {
		sums[h] = make([]float64, d)
	}
	buf := make([]float64, d)
	for i, h := range labels {
		data.Add(sums[h], x.Row(i, buf), 1)
		size[h]++
	}
	for h := range sums {
		data.Add(all, data.Vec{Val: sums[h]}, 1)
	}
	out := make([][]string, k)
	for h, sum := range sums {
		out[h] = []string{}
		var order []int
		lift := make([]float64, d)
		for f := range sum {
			if sum[f] > 0 && strings.ContainsFunc(words[f], unicode.IsLetter) {
				lift[f] = sum[f]/size[h] - all[f]/float64(len(labels))
				order = append(order, f)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lift[b], lift[a]) })
		for _, f := range order[:min(most, len(order))] {
			out[h] = append(out[h], words[f])
		}
	}
	return out
}
