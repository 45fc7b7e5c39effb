package prepare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// fitText learns the vocabulary of the documents.
func fitText(ds *dataio.Dataset, opt Options) (*TFIDF, []hint.Hint, error) {
	if opt.StopWords == "" || opt.StopWords == "auto" {
		opt.StopWords = strings.Join(Languages(ds.Docs), ",")
	}
	stop, name := stopWords(opt.StopWords)
	t := &TFIDF{Docs: len(ds.Docs), StopWords: name, MinDF: max(opt.MinDF, 1), MaxDF: opt.MaxDF, MaxFeatures: max(opt.MaxFeatures, 0), NGrams: max(opt.NGrams, 1)}
	if t.MaxDF == 0 {
		t.MaxDF = 1
	}
	df := documentFrequency(ds.Docs, t.NGrams, opt.Workers)
	frequent, first := mostFrequent(df, stop, opt.Frequent)
	t.Frequent = len(frequent)
	all, met := 0, 0
	for w, c := range df {
		first, second, paired := strings.Cut(w, " ")
		if !paired {
			all++
		}
		if stop[w] {
			met++
		}
		if stop[first] || stop[second] || frequent[first] || frequent[second] || c < t.MinDF || paired && c < pairMinDF || float64(c) > t.MaxDF*float64(t.Docs) {
			delete(df, w)
		}
	}
	if len(df) == 0 {
		return nil, nil, fault(ds, fmt.Sprintf("no word is left of %d in %d documents", all, t.Docs), noWordHint(t, all))
	}
	t.chooseVocabulary(df)
	pairs := 0
	for _, w := range t.Vocabulary {
		pairs += strings.Count(w, " ")
	}
	words := counted(len(t.Vocabulary)-pairs, "word")
	if pairs > 0 {
		words += " and " + counted(pairs, "pair") + " of words"
	}
	if left := all - len(t.Vocabulary) + pairs; left > 0 {
		words += fmt.Sprintf(" (TF-IDF), %d of %d left out", left, all)
	} else {
		words += " (TF-IDF)"
	}
	notes := []hint.Hint{hint.Sprintf("%s became rows of %s", counted(t.Docs, "document"), words)}
	if note := stopNote(name, met); note != "" {
		notes = append(notes, note)
	}
	if t.Frequent > 0 {
		notes = append(notes, hint.Sprintf("the %d most frequent of the other words left out (%s, …), since clusters are clearer without them ({stop-words=%s} keeps them)", t.Frequent, strings.Join(first, ", "), name))
	}
	return t, notes, nil
}

func noWordHint(t *TFIDF, all int) hint.Hint {
	switch {
	case all == 0:
		return "the documents are empty; is it the right column?"
	case t.MinDF > 1 || t.MaxDF < 1:
		return hint.Sprintf("a word must stand in %d or more documents ({min-df}) and in at most %.4g %% of them ({max-df}); widen these bounds", t.MinDF, 100*t.MaxDF)
	}
	return "every word is a stop word; use {stop-words=none}"
}

// chooseVocabulary makes the vocabulary and its weights of the words in df: if they are
// too many those in most documents, the first by bytes among equals.
func (t *TFIDF) chooseVocabulary(df map[string]int) {
	words := make([]string, 0, len(df))
	for w := range df {
		words = append(words, w)
	}
	if t.MaxFeatures > 0 && len(words) > t.MaxFeatures {
		slices.SortFunc(words, func(a, b string) int { return cmp.Or(df[b]-df[a], cmp.Compare(a, b)) })
		words = slices.Clone(words[:t.MaxFeatures])
	}
	slices.Sort(words)
	t.Vocabulary, t.IDF = words, make([]float64, len(words))
	for f, w := range words {
		t.IDF[f] = math.Log(float64(1+t.Docs)/float64(1+df[w])) + 1
	}
}

// shownFrequent is how many of the words that are left out are named.
const shownFrequent = 4

// mostFrequent returns the words that stand in most documents, stop words apart, the first by bytes
// among equals, and those of them to name.
func mostFrequent(df map[string]int, stop map[string]bool, most int) (frequent map[string]bool, first []string) {
	if most < 1 {
		return nil, nil
	}
	var words []string
	for w := range df {
		if !stop[w] && !strings.Contains(w, " ") {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(df[b]-df[a], cmp.Compare(a, b)) })
	frequent = map[string]bool{}
	for _, w := range words[:min(most, len(words))] {
		frequent[w] = true
	}
	return frequent, words[:min(most, len(words), shownFrequent)]
}

// documentFrequency counts the documents that have a word, for every word.
func documentFrequency(docs []string, ngrams, workers int) map[string]int {
	type entry struct{ df, last int }
	total := make(map[string]int)
	free := make(chan map[string]*entry, countBlocks(len(docs)))
	_ = eachBlock(len(docs), workers, func(_, lo, hi int) error {
		var seen map[string]*entry // one per goroutine, handed on from block to block
		select {
		case seen = <-free:
		default:
			seen = make(map[string]*entry)
		}
		for i := lo; i < hi; i++ {
			terms(docs[i], ngrams, func(w []byte) {
				e := seen[string(w)]
				if e == nil {
					e = &entry{last: -1}
					seen[string(w)] = e
				}
				if e.last != i {
					e.df, e.last = e.df+1, i
				}
			})
		}
		free <- seen
		return nil
	})
	close(free)
	for seen := range free {
		for w, e := range seen {
			total[w] += e.df
		}
	}
	return total
}

// textRows turns the documents into sparse rows.
func (p *pass) textRows() *data.Sparse {
	t, docs := p.r.Text, p.ds.Docs
	at := make(map[string]int32, len(t.Vocabulary))
	for f, w := range t.Vocabulary {
		at[w] = int32(f)
	}
	type part struct {
		idx   []int32
		val   []float64
		empty []int
	}
	parts := make([]part, countBlocks(len(docs)))
	m := &data.Sparse{Cols: len(t.Vocabulary), Start: make([]int, len(docs)+1)}
	_ = eachBlock(len(docs), p.workers, func(b, lo, hi int) error {
		q := &parts[b]
		var row []int32
		for i := lo; i < hi; i++ {
			row = row[:0]
			terms(docs[i], t.NGrams, func(w []byte) {
				if f, ok := at[string(w)]; ok {
					row = append(row, f)
				}
			})
			start := len(q.idx)
			q.idx, q.val = t.weighTerms(row, q.idx, q.val)
			m.Start[i+1] = len(q.idx) - start
			if start == len(q.idx) {
				q.empty = append(q.empty, i)
			}
		}
		return nil
	})
	for i := range docs {
		m.Start[i+1] += m.Start[i]
	}
	m.Idx, m.Val = make([]int32, 0, m.Start[len(docs)]), make([]float64, 0, m.Start[len(docs)])
	var empty []int
	for _, q := range parts {
		m.Idx, m.Val = append(m.Idx, q.idx...), append(m.Val, q.val...)
		empty = append(empty, q.empty...)
	}
	if len(empty) > 0 {
		p.addNote("%d of %s with no word of the vocabulary (%s)",
			len(empty), counted(len(docs), "document"), p.firstIDs(empty))
	}
	return m
}

// firstIDs returns the ids of the first few of the rows.
func (p *pass) firstIDs(rows []int) string {
	const most = 3
	var ids []string
	for _, i := range rows[:min(len(rows), most)] {
		ids = append(ids, p.ds.ID(i))
	}
	if len(rows) > most {
		ids = append(ids, "…")
	}
	return strings.Join(ids, ", ")
}

// weighTerms appends the row of a document with the given words, each as often as
// it stands there.
func (t *TFIDF) weighTerms(words []int32, idx []int32, val []float64) ([]int32, []float64) {
	slices.Sort(words)
	start := len(val)
	for lo := 0; lo < len(words); {
		f, hi := words[lo], lo+1
		for hi < len(words) && words[hi] == f {
			hi++
		}
		idx, val = append(idx, f), append(val, float64(hi-lo)*t.IDF[f])
		lo = hi
	}
	toUnit(val[start:])
	return idx, val
}
