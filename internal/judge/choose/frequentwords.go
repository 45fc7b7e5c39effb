package choose

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/inklinghq/inkling/cluster"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/input/dataio"
	"github.com/inklinghq/inkling/internal/input/prepare"
)

// How the number of frequent words to leave out is chosen.
const (
	wordDocs   = 1500 // documents that are compared on
	fewestDocs = 60   // with fewer nothing is chosen
	wordGain   = 1.15 // the silhouette must rise to so many times that of all words
	emptied    = 0.05 // share of the documents that may be without a word because of it
	wordFalls  = 2    // numbers in a row that are no better, after which none is tried
	usualK     = 8    // clusters where their number is not given
)

// frequentWords are the numbers that are tried.
var frequentWords = []int{0, 10, 20, 30, 40, 50, 60, 80, 100, 130}

// FrequentWords returns how many of the most frequent words of the documents, beside the stop words, are
// better left out: the number at which k clusters of a sample have the highest silhouette, if that is
// clearly higher than with all words. Words that stand in every third text of each kind draw
// clusters together that have nothing else in common. opt is how the documents are prepared.
func FrequentWords(ctx context.Context, docs []string, opt prepare.Options, k int, o Options) (int, error) {
	if len(docs) < fewestDocs {
		return 0, nil
	}
	if len(docs) > wordDocs {
		rng, some := rand.New(rand.NewPCG(o.Seed, 0x70d5)), make([]string, 0, wordDocs)
		for _, i := range rng.Perm(len(docs))[:wordDocs] {
			some = append(some, docs[i])
		}
		docs = some
	}
	if k < 2 {
		k = min(usualK, len(docs)/10)
	}
	best, first, highest, falls, full := 0, 0.0, 0.0, 0, 0
	for at, m := range frequentWords {
		if o.Progress != nil {
			o.Progress(Progress{Fit: at + 1, Fits: len(frequentWords), Candidate: "kmeans on texts"})
		}
		opt.Frequent = m
		s, left, err := textSilhouette(ctx, docs, opt, k, o)
		if err != nil {
			return 0, err
		}
		if m == 0 {
			first, highest, full = s, s, left
			continue
		}
		if float64(full-left) > emptied*float64(len(docs)) { // texts would lose their last word
			break
		}
		if s > highest {
			best, highest, falls = m, s, 0
		} else if falls++; falls == wordFalls {
			break
		}
	}
	if highest < wordGain*first || highest <= 0 {
		return 0, nil
	}
	return best, nil
}

// textSilhouette returns the mean silhouette of k-means on the documents, where one without a word
// counts 0, and how many have a word.
func textSilhouette(ctx context.Context, docs []string, opt prepare.Options, k int, o Options) (float64, int, error) {
	_, ready, err := prepare.Fit(&dataio.Dataset{Docs: docs}, opt)
	if err != nil {
		return 0, 0, nil // no word is left
	}
	x, ok := ready.X.(*data.Sparse)
	if !ok {
		return 0, len(docs), nil
	}
	var full []int
	for i := range x.Len() {
		if x.Start[i] < x.Start[i+1] {
			full = append(full, i)
		}
	}
	if len(full) <= k {
		return 0, len(full), nil
	}
	rows := data.Pick(x, full)
	alg, err := Candidate{Method: "kmeans", Parameters: map[string]any{"distortion": "cosine"}}.Algorithm()
	if err != nil {
		return 0, 0, err
	}
	s := cluster.Default()
	s.Seed, s.Workers, s.Effort, s.Restarts = o.Seed, o.Workers, cluster.EffortNormal, 3
	r, err := cluster.Fit(ctx, &cluster.Problem{X: rows, K: k}, alg, s)
	if err != nil {
		return 0, 0, err
	}
	sil, err := score.Silhouette(ctx, rows, r.Labels, score.SilhouetteOptions{Seed: o.Seed, Workers: o.Workers})
	if errors.Is(err, score.ErrUndefined) {
		return 0, len(full), nil
	}
	return sil.Mean * float64(len(full)) / float64(len(docs)), len(full), err
}
