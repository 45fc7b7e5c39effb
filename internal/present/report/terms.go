package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// termsShown is how many words are listed for each cluster.
const termsShown = 8

// TopTerms returns, for each of k clusters, the words whose mean weight in it
// exceeds that in all documents most, the first of them first. Numbers, words without a
// letter, are left out.
func TopTerms(x data.Rows, labels []int, k int, words []string) [][]string {
	return topTerms(x, labels, k, words, termsShown)
}

// pairDocuments is how many documents are read again for pairs of words.
const pairDocuments = 50_000

// DocumentTerms returns the terms of TopTerms for documents that were prepared as text says:
// words and, whether or not the clusters were made with them, pairs of words that
// follow each other. x are the documents as they were clustered.
func DocumentTerms(docs []string, text *prepare.TFIDF, x data.Rows, labels []int, k, workers int) [][]string {
	if text.NGrams < 2 && len(docs) == len(labels) && len(docs) <= pairDocuments {
		r, ready, err := prepare.Fit(&dataio.Dataset{Docs: docs}, prepare.Options{StopWords: text.StopWords, Frequent: text.Frequent, MinDF: text.MinDF, MaxDF: text.MaxDF, NGrams: 2, Workers: workers})
		if err == nil {
			return TopTerms(ready.X, labels, k, r.Columns)
		}
	}
	return TopTerms(x, labels, k, text.Vocabulary)
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
		out[h] = append(out[h], distinctTerms(order, lift, words, most)...)
	}
	return out
}

// pairLift is the share of the lift of its words from which on a pair stands for them.
const pairLift = 0.5

// distinctTerms returns the first terms of an order by lift, at most so many, without saying
// one thing twice: a pair that tells about as much as its words stands in their place,
// and other pairs are left out.
func distinctTerms(order []int, lift []float64, words []string, most int) (out []string) {
	var chosen []int
	for _, f := range order[:min(4*most, len(order))] {
		part := func(g int) bool { return isPart(words[g], words[f]) }
		switch {
		case slices.ContainsFunc(chosen, func(g int) bool { return isPart(words[f], words[g]) }): // a word of a pair
		case !strings.Contains(words[f], " ") || !slices.ContainsFunc(chosen, part):
			chosen = append(chosen, f)
		default:
			at := slices.IndexFunc(chosen, part)
			if lift[f] >= pairLift*lift[chosen[at]] {
				chosen[at] = f
				tail := slices.DeleteFunc(chosen[at+1:], part)
				chosen = chosen[:at+1+len(tail)]
			}
		}
	}
	for _, f := range chosen[:min(most, len(chosen))] {
		out = append(out, words[f])
	}
	return out
}

// isPart reports whether word is one of the two of a pair.
func isPart(word, pair string) bool {
	first, second, paired := strings.Cut(pair, " ")
	return paired && (word == first || word == second)
}
